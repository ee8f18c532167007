"""How uncertain the parameters are: naive sigmas, the bootstrap over blocks, intervals, and what correlation costs.

The naive covariance takes residuals for white noise. Those of real recordings are not: friction, elasticity and filters
make neighbours alike, and the naive sigmas are too small (about half on the TX40). The bootstrap draws whole blocks of
neighbours, so what is alike within a block stays together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from ...reals import Floats
from .equations import Mask
from .estimation import Estimate, EstimationError, solve
from .factors import Factors

FEW = 20  # blocks: with fewer the bootstrap is rough
WEAKEST = 1e-6  # of a drawn sample, relative to the whole: below, it does not determine all parameters


@dataclass(frozen=True, eq=False)
class Bootstrap:
    """Standard deviations and quantiles of the parameters over samples of blocks drawn with replacement."""

    sigma: Floats
    covariance: Floats
    lower: Floats
    upper: Floats
    level: float
    samples: int
    left_out: int  # samples that did not determine all parameters
    inflation: float  # these sigmas to the naive ones, geometric mean
    effective_rows: float  # independent equations that would give these sigmas
    warnings: tuple[str, ...] = ()


def intervals(estimate: Estimate, level: float = 0.95, sigma: Floats | None = None) -> tuple[Floats, Floats]:
    """Lower and upper ends, by Student's distribution; with the naive sigmas, or others such as the bootstrap's."""
    if not 0 < level < 1:
        raise EstimationError(f"level: expected a probability between 0 and 1, got {level}")
    half = float(stdtrit(max(1, estimate.freedom), 0.5 + level / 2)) * (estimate.sigma if sigma is None else sigma)
    return estimate.values - half, estimate.values + half


def bootstrap(
    factors: Factors, estimate: Estimate, samples: int = 1000, seed: int = 0, level: float = 0.95
) -> Bootstrap:
    """Samples of as many blocks as there are, each solved with the estimate's weights by joint.

    The columns are first combined by the inverse of the whole triangle: the whole then has the Gram matrix I, and sums of
    the blocks' Gram matrices can be solved without losing digits.
    """
    if factors.columns != estimate.columns:
        raise EstimationError("bootstrap: the estimate has other columns than the factors")
    blocks, c = len(factors.blocks), len(factors.columns)
    if blocks < 2:
        raise EstimationError(f"bootstrap: expected at least two blocks of time, got {blocks}; choose a smaller width")
    whole = solve(factors.stacked(estimate.divisors))
    change = np.zeros((c + 1, c + 1))
    change[:c, :c], change[:c, c], change[c, c] = whole.inverse, whole.values, -1.0  # last column: residuals
    grams = _grams(factors, estimate.divisors, change)
    drawn = np.random.default_rng(seed).multinomial(blocks, np.full(blocks, 1 / blocks), size=samples)
    found = np.empty((samples, c))
    good = np.ones(samples, bool)
    for i in range(0, samples, 128):  # a few at a time: they are c x c each
        sums = (drawn[i : i + 128] @ grams.reshape(blocks, -1)).reshape(-1, c + 1, c + 1)
        good[i : i + 128] = _determine(sums[:, :c, :c])
        sums[~good[i : i + 128], :c, :c] = np.eye(c)
        found[i : i + 128] = -np.linalg.solve(sums[:, :c, :c], sums[:, :c, c:])[..., 0]
    if good.sum() < max(2, samples // 2):
        raise EstimationError(
            "bootstrap: most samples of blocks do not determine all parameters: the motion is too short"
        )
    K = whole.values + found[good] @ whole.inverse.T
    covariance = np.atleast_2d(np.cov(K.T))
    lower, upper = np.quantile(K, [0.5 - level / 2, 0.5 + level / 2], axis=0)
    return _result(estimate, covariance, lower, upper, level, samples, int((~good).sum()), blocks)


def _determine(grams: Floats) -> Mask:
    """Which of these matrices are positive definite by a margin; usually all, and that is found out at once."""
    try:
        np.linalg.cholesky(grams - WEAKEST * np.eye(grams.shape[1]))
    except np.linalg.LinAlgError:
        smallest = np.linalg.eigvalsh(grams)[:, 0]
        return np.asarray(smallest > WEAKEST, bool)
    return np.ones(len(grams), bool)


def _grams(factors: Factors, divisors: Floats, change: Floats) -> Floats:
    """The Gram matrix of each block in the changed columns, summed over the joints."""
    grams = np.zeros((len(factors.blocks), len(change), len(change)))
    for own, T, s in zip(factors.places, factors.triangles, divisors, strict=True):
        rows = T @ change[[*own, len(change) - 1]] / s
        grams += rows.transpose(0, 2, 1) @ rows
    return grams


def _result(
    estimate: Estimate,
    covariance: Floats,
    lower: Floats,
    upper: Floats,
    level: float,
    samples: int,
    left_out: int,
    blocks: int,
) -> Bootstrap:
    sigma = np.sqrt(np.diag(covariance))
    both = (sigma > 0) & (estimate.sigma > 0)
    inflation = float(np.exp(np.mean(np.log(sigma[both] / estimate.sigma[both])))) if both.any() else 1.0
    effective = float(estimate.rows.sum()) / max(inflation**2, 1e-300)
    warnings = []
    if blocks < FEW:
        warnings.append(
            f"only {blocks} blocks of time: the bootstrap's sigmas are rough; a longer motion or smaller blocks help"
        )
    if left_out:
        warnings.append(f"{left_out} of {samples} samples of blocks did not determine all parameters and were left out")
    if inflation > 1.3:
        warnings.append(
            f"the residuals are correlated: {int(estimate.rows.sum())} equations count like {effective:.0f} independent ones,"
            f" so the naive sigmas are {inflation:.1f} times too small"
        )
    return Bootstrap(sigma, covariance, lower, upper, level, samples, left_out, inflation, effective, tuple(warnings))


def autocorrelation(residuals: Floats, most: int | None = None) -> Floats:
    """Of residuals at equal steps, at the lags 0, 1, ...: 1 for white noise at lag 0, else about 0."""
    x = np.asarray(residuals, float) - np.mean(residuals)
    size = 1 << (2 * len(x) - 1).bit_length()
    power = np.abs(np.fft.rfft(x, size)) ** 2
    found = np.fft.irfft(power, size)[: len(x) if most is None else most + 1]
    scaled: Floats = found / found[0] if found[0] > 0 else np.eye(1, len(found))[0]
    return scaled


def effective_rows(residuals: Floats) -> float:
    """How many independent residuals are worth these: n / (1 + 2 sum of the autocorrelations).

    The sum goes on while pairs of neighbouring lags are positive (Geyer 1992).
    """
    if len(residuals) < 4:
        return float(len(residuals))
    r = autocorrelation(residuals)
    pairs = r[1 : 2 * ((len(r) - 1) // 2) + 1].reshape(-1, 2).sum(axis=1)
    negative = np.flatnonzero(pairs <= 0)
    total = pairs[: negative[0] if len(negative) else len(pairs)].sum()
    return float(len(residuals) / max(1.0, 1 + 2 * total))
