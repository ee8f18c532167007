"""Huber's estimate: residuals beyond a few sigmas count less, so that outliers do not spoil the parameters.

The weight of an equation depends on its own residual, which the factors do not keep. So the equations are gone through
several times: they are in memory, or a function starts a new pass over them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np

from ...reals import Floats
from .determined import TOLERANCE
from .equations import Equations, Mask
from .estimation import Estimate, EstimationError, divided, errors, reweighted, solve
from .factors import MOST, WIDTH, Counts, Factors, summed

Passes = Equations | Callable[[], Iterable[Equations]]

EFFICIENT = 1.345  # sigmas: 95% as efficient as least squares if the noise is Gaussian after all (Huber 1981)
MEDIAN = 0.6744897501960817  # of |x|, x of the standard normal distribution
BIN = 1e-3  # relative width of the bins of which the median is read off
SETTLED = 1e-3  # of a standard deviation
HELD = 5  # rounds after which the sigmas of the joints stay: with them held the problem is convex and settles


@dataclass(frozen=True, eq=False)
class Robust:
    """The estimate, the factors of the weighted rows (for the bootstrap and validation), and how many rows of each joint
    count less than fully."""

    estimate: Estimate
    factors: Factors
    reduced: Counts


def each(passes: Passes) -> Iterable[Equations]:
    """One pass."""
    return (passes,) if isinstance(passes, Equations) else passes()


def factorised(passes: Passes, width: float = WIDTH, most: int = MOST) -> Factors:
    """The factors of one pass."""
    found = summed(Factors.of(equations, width, most) for equations in each(passes))
    if found is None:
        raise EstimationError("there are no equations")
    return found


class Spread:
    """Counts of the sizes of residuals in narrow bins: their median without keeping them, the same however it is cut."""

    def __init__(self, joints: int) -> None:
        self.counts = [np.zeros(0, np.int64) for _ in range(joints)]
        self.lowest = [0] * joints

    def add(self, joint: int, residuals: Floats) -> None:
        if not len(residuals):
            return
        sizes = np.maximum(np.abs(residuals), 1e-150)
        bins = np.floor(np.log(sizes) / BIN).astype(np.int64)
        lowest = int(bins.min())
        new = np.bincount(bins - lowest)
        old, start = self.counts[joint], self.lowest[joint] if len(self.counts[joint]) else lowest
        first = min(start, lowest)
        both = np.zeros(max(start + len(old), lowest + len(new)) - first, np.int64)
        both[start - first : start - first + len(old)] += old
        both[lowest - first : lowest - first + len(new)] += new
        self.counts[joint], self.lowest[joint] = both, first

    def sigma(self, fallback: Floats) -> Floats:
        """Median of |residual| / 0.6745: the standard deviation as outliers leave it; the fallback without residuals."""
        found = np.array(fallback, float)
        for i, counts in enumerate(self.counts):
            if counts.sum():
                middle = int(np.searchsorted(np.cumsum(counts), counts.sum() / 2))
                found[i] = max(np.exp((self.lowest[i] + middle + 0.5) * BIN) / MEDIAN, 1e-9 * fallback[i])
        return found


def huber(
    passes: Passes,
    limit: float = EFFICIENT,
    width: float = WIDTH,
    most: int = MOST,
    rounds: int = 50,
    tolerance: float = TOLERANCE,
) -> Robust:
    """Iteratively re-weighted: an equation whose residual is r sigmas of its joint counts min(1, limit / |r|).

    Each joint's sigma is that of the median of its residuals. The covariance is the asymptotic one (Huber 1981, 7.6):
    [sum psi^2 / (m - c)] / [mean psi']^2 (D^T W D)^-1, psi the clipped residuals in sigmas and W by joint.
    """
    if not limit > 0 or rounds < 1:
        raise EstimationError(
            f"limit: expected a positive number of sigmas and at least one round, got {limit}, {rounds}"
        )
    plain = factorised(passes, width, most)
    start = reweighted(plain, tolerance)
    K, sigma = start.values, robust_sigma(passes, start.values, start.noise)
    done, moved = 0, np.inf
    while moved > SETTLED and done < rounds:
        found = _weighted_pass(passes, K, sigma, limit, width, most)
        values, inverse, _ = solve(found.factors.stacked(sigma))
        moved = float(np.max(np.abs(values - K) / np.linalg.norm(inverse, axis=1), initial=0.0))
        K, used, done = values, sigma, done + 1
        sigma = found.sigma if done < HELD else sigma
    new = divided(found.factors, used, "huber", tolerance)
    warnings = (
        new.warnings if moved <= SETTLED else (*new.warnings, f"Huber's weights did not settle in {rounds} rounds")
    )
    inverse = solve(plain.stacked(used)).inverse
    slope = 1 - found.reduced.sum() / max(1, plain.count.sum())
    variance = found.clipped / new.freedom / slope**2 if new.freedom > 0 else np.nan
    rms, relative = errors(plain, K)
    estimate = replace(
        new,
        covariance=variance * inverse @ inverse.T,
        noise=used,
        rms=rms,
        relative=relative,
        rounds=done,
        warnings=warnings,
    )
    return Robust(estimate, found.factors, found.reduced)


@dataclass(frozen=True, eq=False)
class _Pass:
    factors: Factors
    reduced: Counts
    sigma: Floats  # of the residuals met, for the next pass
    clipped: float  # sum psi^2


def _weighted_pass(passes: Passes, K: Floats, sigma: Floats, limit: float, width: float, most: int) -> _Pass:
    """The factors of the rows, each with the weight of its residual."""
    factors: Factors | None = None
    reduced = np.zeros(len(sigma), np.int64)
    spread = Spread(len(sigma))
    clipped = 0.0
    for equations in each(passes):
        weights = []
        for i, residuals in enumerate(equations.residuals(K)):
            spread.add(i, residuals)
            sizes = np.abs(residuals) / sigma[i]
            weights.append(limit / np.maximum(sizes, limit))
            reduced[i] += np.count_nonzero(sizes > limit)
            clipped += float(np.sum(np.minimum(sizes, limit) ** 2))
        own = Factors.of(equations.weighed(weights), width, most)
        factors = own if factors is None else factors + own
    if factors is None:
        raise EstimationError("there are no equations")
    return _Pass(factors, reduced, spread.sigma(sigma), clipped)


def robust_sigma(passes: Passes, K: Floats, fallback: Floats) -> Floats:
    """The sigma of each joint by the median of its residuals; the fallback's where it has none."""
    spread = Spread(len(fallback))
    for equations in each(passes):
        for i, residuals in enumerate(equations.residuals(K)):
            spread.add(i, residuals)
    return spread.sigma(fallback)


def within(equations: Equations, K: Floats, sigma: Floats, limit: float) -> list[Mask]:
    """For each joint the rows whose residual is within so many sigmas: ``equations.only`` them to leave outliers out."""
    return [np.abs(left) <= limit * s for left, s in zip(equations.residuals(K), sigma, strict=True)]
