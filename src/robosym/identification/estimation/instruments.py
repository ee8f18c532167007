"""Instrumental variables: unbiased although the columns are noisy (Janot, Vandanjon, Gautier 2014).

Noise of measured positions is in the columns too, and in the residuals through them: least squares is then biased.
Instruments Z are columns from elsewhere, usually the same regressor along the motion simulated with the parameters of
the last round, which the noise has not met. K = (Z^T W D)^-1 Z^T W tau.

By QR factorisation of [Z | D | tau]: Z^T D = Rzz^T Rzd and Z^T tau = Rzz^T Rzt, so Rzd K = Rzt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np

from ...reals import Floats
from .determined import TOLERANCE, check_determined
from .equations import Equations, beside
from .estimation import Estimate, EstimationError, errors, weighted
from .factors import MOST, WIDTH, Factors
from .robust import Passes, each, factorised

Instruments = Callable[[Floats], Equations | Iterable[Equations]]
MARK = "instrument "
SETTLED = 1e-3  # of a standard deviation


def instrumental(
    passes: Passes,
    make_instruments: Instruments,
    start: Estimate | None = None,
    rounds: int = 20,
    width: float = WIDTH,
    most: int = MOST,
    tolerance: float = TOLERANCE,
) -> Estimate:
    """Rounds of instruments from the last parameters until these move by less than a thousandth of their sigmas.

    ``make_instruments(K)`` gives equations of the same rows and columns, chunk by chunk as the passes do. Starts from the
    given estimate, or the weighted one.
    """
    if start is None:
        start = weighted(factorised(passes, width, most), None, tolerance)
    found, moved = start, np.inf
    for done in range(1, rounds + 1):
        both = beside_instruments(passes, make_instruments(found.values), width, most)
        sigma = found.noise
        new = with_instruments(both, sigma, start, tolerance)
        moved = float(np.max(np.abs(new.values - found.values) / np.where(new.sigma > 0, new.sigma, 1.0), initial=0.0))
        found = replace(new, rounds=done)
        if moved <= SETTLED:
            return found
    warning = f"the instruments did not settle in {rounds} rounds: the last moved a parameter by {moved:.2g} sigmas"
    return replace(found, warnings=(*found.warnings, warning))


def beside_instruments(
    passes: Passes, instruments: Equations | Iterable[Equations], width: float = WIDTH, most: int = MOST
) -> Factors:
    """The factors of [Z | D | tau]."""
    found: Factors | None = None
    chunks = (instruments,) if isinstance(instruments, Equations) else instruments
    for equations, Z in zip(each(passes), chunks, strict=True):
        if Z.columns != equations.columns:
            raise EstimationError("instruments: expected the same columns as the equations")
        own = Factors.of(beside(Z, equations, MARK), width, most)
        found = own if found is None else found + own
    if found is None:
        raise EstimationError("there are no equations")
    return found


def with_instruments(both: Factors, sigma: Floats, like: Estimate, tolerance: float = TOLERANCE) -> Estimate:
    """K and its covariance s^2 (Z^T W D)^-1 Z^T W Z (D^T W Z)^-1 = s^2 (Rzd^T Rzd)^-1, from the factors of [Z | D | tau]."""
    c = len(both.columns) // 2
    names = both.columns[c:]
    R = both.stacked(sigma)
    rows = int(both.count.sum())
    check_determined(R[:c, :c], tuple(both.columns[:c]), rows, tolerance)
    check_determined(R[:c, c:-1], names, rows, tolerance)
    norms = np.linalg.norm(R[:c, c:-1], axis=0)
    inverse = np.linalg.inv(R[:c, c:-1] / norms) / norms[:, None]
    K = inverse @ R[:c, -1]
    full = np.concatenate([np.zeros(c), K])
    squares = both.total_squares(full)
    chi_squared = float(np.sum(squares / sigma**2))
    freedom = rows - c
    variance = chi_squared / freedom if freedom > 0 else np.nan
    rms, relative = errors(both, full)
    share = np.sqrt(rows / freedom) if freedom > 0 else 1.0
    size = np.sqrt(both.torque_squares.sum() / max(1, rows))
    noise = np.where(both.count > 0, np.maximum(rms * share, 1e-14 * size), sigma)
    return replace(
        like,
        method="instrumental",
        values=K,
        covariance=variance * inverse @ inverse.T,
        noise=noise,
        divisors=sigma,
        rms=rms,
        relative=relative,
        chi_squared=chi_squared,
        freedom=freedom,
    )
