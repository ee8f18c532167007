"""Parameters from factors: ordinary, weighted and iteratively re-weighted least squares.

The weights are those of Gautier (1997): the torques of one joint have one standard deviation, known from its residuals.
All three come from the same triangles, without a second pass over the recording.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.linalg import blas

from ...brief import brief
from ...errors import RobosymError
from ...reals import Floats
from .determined import TOLERANCE, check_determined
from .factors import Counts, Factors

SETTLED = 1e-8  # relative change of the sigmas at which re-weighting ends
MOST_ROUNDS = 100


class EstimationError(RobosymError):
    """An estimate that the data do not allow."""


@dataclass(frozen=True, eq=False, repr=False)
class Estimate:
    """Parameters K with their uncertainty, and how well they explain the torques.

    ``covariance`` is naive: it takes the residuals for white noise. ``noise`` is each joint's standard deviation, found
    from its residuals; ``divisors`` are what its equations were divided by. ``rms`` and ``relative`` (in per cent) are of
    the residuals of each joint.
    """

    method: str
    columns: tuple[str, ...]
    joints: tuple[str, ...]
    values: Floats
    covariance: Floats
    rows: Counts
    noise: Floats
    divisors: Floats
    rms: Floats
    relative: Floats
    chi_squared: float  # weighted sum of squared residuals
    freedom: int  # equations beyond the number of parameters
    raw: Floats  # triangle of D, not divided
    rounds: int = 1
    warnings: tuple[str, ...] = ()

    @cached_property
    def condition(self) -> float:
        """The condition number of D."""
        return float(np.linalg.cond(self.raw))

    @cached_property
    def scaled_condition(self) -> float:
        """The same with the columns of D scaled to unit norm: what remains of it that units do not explain."""
        return float(np.linalg.cond(self.raw / np.linalg.norm(self.raw, axis=0)))

    @property
    def sigma(self) -> Floats:
        """The naive standard deviation of each parameter."""
        found: Floats = np.sqrt(np.diag(self.covariance))
        return found

    @property
    def relative_sigma(self) -> Floats:
        """In per cent of the value; infinite where the value is zero."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(self.values == 0, np.inf, 100 * self.sigma / np.abs(self.values))

    @property
    def correlation(self) -> Floats:
        """Of each parameter with each other."""
        sigma = np.where(self.sigma > 0, self.sigma, 1.0)
        found: Floats = self.covariance / np.outer(sigma, sigma)
        np.fill_diagonal(found, 1.0)
        return found

    @property
    def parameters(self) -> dict[str, float]:
        """The value of each column."""
        return {name: float(value) for name, value in zip(self.columns, self.values, strict=True)}

    def __repr__(self) -> str:
        errors = ", ".join(f"{error:.1f}" for error in self.relative)
        return brief(f"Estimate: {len(self.columns)} parameters, {self.method}, errors {errors} %")


class Solution(NamedTuple):
    """K of a triangle of [D | tau], the inverse of its D part, and the sum of squares that is left."""

    values: Floats
    inverse: Floats
    squares: float


def solve(R: Floats) -> Solution:
    """Least squares by the triangle, columns scaled to unit norm."""
    D, tau = R[:-1, :-1], R[:-1, -1]
    norms = np.linalg.norm(D, axis=0)
    scaled = np.asfortranarray(D / norms)
    inverse = blas.dtrsm(1.0, scaled, np.eye(len(norms))) / norms[:, None]  # LAPACK's dtrtrs starts threads for 4 rows
    values = blas.dtrsv(scaled, tau) / norms
    return Solution(values, inverse, float(R[-1, -1] ** 2))


def ordinary(factors: Factors, tolerance: float = TOLERANCE) -> Estimate:
    """Every equation counts the same; one standard deviation for all."""
    return divided(factors, np.ones(len(factors.joints)), "ordinary", tolerance)


def weighted(factors: Factors, sigma: Floats | None = None, tolerance: float = TOLERANCE) -> Estimate:
    """Each joint's equations divided by its sigma: the given one, or that of the residuals of ordinary least squares."""
    if sigma is None:
        sigma = ordinary(factors, tolerance).noise
    return divided(factors, sigma, "weighted", tolerance)


def reweighted(factors: Factors, tolerance: float = TOLERANCE, most: int = MOST_ROUNDS) -> Estimate:
    """Weighted anew with the sigmas of the last residuals until these settle."""
    sigma = ordinary(factors, tolerance).noise
    for rounds in range(1, most + 1):
        K, inverse, _ = solve(factors.stacked(sigma))
        before, sigma = sigma, noise(factors, K, inverse, sigma)
        if np.all(np.abs(sigma - before) <= SETTLED * before):
            return replace(divided(factors, sigma, "reweighted", tolerance), rounds=rounds)
    found = divided(factors, sigma, "reweighted", tolerance)
    warning = f"the sigmas of the joints did not settle in {most} rounds"
    return replace(found, rounds=most, warnings=(*found.warnings, warning))


METHODS: dict[str, Callable[[Factors], Estimate]] = {
    "ordinary": ordinary,
    "weighted": weighted,
    "reweighted": reweighted,
}


def divided(factors: Factors, sigma: Floats, method: str, tolerance: float = TOLERANCE) -> Estimate:
    """Least squares with each joint's equations divided by its sigma."""
    sigma = np.asarray(sigma, float)
    if sigma.shape != (len(factors.joints),) or not np.all((sigma > 0) & np.isfinite(sigma)):
        raise EstimationError(f"sigma: expected {len(factors.joints)} positive numbers, one a joint, got {sigma}")
    R = factors.stacked(sigma)
    rows = int(factors.count.sum())
    weak = check_determined(R[:-1, :-1], factors.columns, rows, tolerance)
    K, inverse, squares = solve(R)
    freedom = rows - len(factors.columns)
    variance = squares / freedom if freedom > 0 else np.nan
    warnings = [f"hardly determined by the data: {direction}" for direction in weak]
    warnings += [f"{joint} has no equations" for joint, n in zip(factors.joints, factors.count, strict=True) if not n]
    if freedom <= 0:
        warnings.append(f"as many parameters as equations ({rows}): nothing is left to tell the noise from")
    rms, relative = errors(factors, K)
    return Estimate(
        method=method,
        columns=factors.columns,
        joints=factors.joints,
        values=K,
        covariance=variance * inverse @ inverse.T,
        rows=factors.count,
        noise=noise(factors, K, inverse, sigma),
        divisors=sigma,
        rms=rms,
        relative=relative,
        chi_squared=squares,
        freedom=freedom,
        raw=factors.raw,
        warnings=tuple(warnings),
    )


def errors(factors: Factors, K: Floats) -> tuple[Floats, Floats]:
    """Of each joint the rms of the residuals, and their norm in per cent of the torques'."""
    squares = factors.total_squares(K)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.sqrt(squares / factors.count), 100 * np.sqrt(squares / factors.torque_squares)


def noise(factors: Factors, K: Floats, inverse: Floats, sigma: Floats) -> Floats:
    """The standard deviation of each joint's torques, from its residuals.

    A joint with m equations has m - trace(H) degrees of freedom, H its part of the hat matrix: what the parameters took
    from it. A joint that has fewer than one gets the mean of the others. Never zero, so that it can divide.
    """
    squares = factors.total_squares(K)
    triangles = zip(factors.places, factors.whole, sigma, strict=True)
    taken = np.array([np.sum((R[:, :-1] @ inverse[list(own)] / s) ** 2) for own, R, s in triangles])
    freedom = factors.count - taken
    enough = freedom >= 1
    if not enough.any():
        return np.ones(len(sigma))
    found = np.full(len(sigma), np.sqrt(squares[enough].sum() / freedom[enough].sum()))
    found[enough] = np.sqrt(squares[enough] / freedom[enough])
    size = np.sqrt(factors.torque_squares.sum() / max(1, factors.count.sum()))
    positive: Floats = np.maximum(found, 1e-14 * size if size > 0 else 1.0)
    return positive
