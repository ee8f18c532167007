"""Essential parameters: those that remain when the poorly identified ones are left out one by one.

The criterion is that of Pham and Gautier (1991; Khalil and Dombre 2002, section 12.6): the largest relative standard
deviation is at most ``ratio`` times the smallest. The F-test says beside it whether leaving them out costs more than
noise explains.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import fdtrc

from ...reals import Floats
from .estimation import Estimate, EstimationError, divided, solve
from .factors import Factors, triangle


@dataclass(frozen=True)
class Step:
    """One parameter left out: its relative sigma in per cent when it was, and what the chi-squared is without it."""

    column: str
    relative_sigma: float
    chi_squared: float
    rise: float  # of the root of chi-squared so far, in per cent
    F: float  # of all left out so far
    chance: float  # that noise alone gives such an F


@dataclass(frozen=True, eq=False)
class Essential:
    """The parameters kept, the steps that left out the others, the new estimate, and the rise of each joint's rms in
    per cent."""

    kept: tuple[str, ...]
    steps: tuple[Step, ...]
    estimate: Estimate
    rise: Floats


def essential(factors: Factors, estimate: Estimate, ratio: float = 30.0) -> Essential:
    """Backward elimination with the estimate's weights by joint, which stay as they are."""
    if not ratio >= 1:
        raise EstimationError(f"ratio: expected at least 1, got {ratio}")
    if estimate.freedom <= 0:
        raise EstimationError("essential parameters: there are not more equations than parameters")
    names = list(factors.columns)
    R = factors.stacked(estimate.divisors)
    rows = int(factors.count.sum())
    full = solve(R).squares
    steps: list[Step] = []
    while len(names) > 1:
        relative = _relative_sigma(R, rows)
        worst = int(np.argmax(relative))
        if relative[worst] <= ratio * relative.min():
            break
        R = triangle(np.delete(R, worst, axis=1))
        steps.append(_step(names.pop(worst), float(relative[worst]), R, full, len(steps) + 1, estimate.freedom))
    found = divided(factors.select(names), estimate.divisors, "essential")
    with np.errstate(divide="ignore", invalid="ignore"):
        rise = 100 * (found.rms / estimate.rms - 1)
    return Essential(tuple(names), tuple(steps), found, rise)


def _relative_sigma(R: Floats, rows: int) -> Floats:
    K, inverse, squares = solve(R)
    sigma = np.sqrt(squares / max(1, rows - len(K)) * np.sum(inverse**2, axis=1))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(K == 0, np.inf, 100 * sigma / np.abs(K))


def _step(name: str, relative: float, R: Floats, full: float, left_out: int, freedom: int) -> Step:
    squares = float(R[-1, -1] ** 2)
    if full <= 0:
        return Step(name, relative, squares, np.inf if squares > 0 else 0.0, np.inf, 0.0)
    F = max(0.0, (squares - full) / left_out / (full / freedom))
    rise = 100 * (np.sqrt(squares / full) - 1)
    return Step(name, relative, squares, float(rise), F, float(fdtrc(left_out, freedom, F)))
