"""Total least squares: the columns have errors, as the torques have (Van Huffel and Vandewalle 1991; Gautier 1997).

The smallest change of [D | tau] that makes the equations agree. "Smallest" needs a scale: by default every column and
the torque are divided by their norm, so that each may be wrong by the same fraction; else by the standard deviation of
its errors, where these are known. Columns without errors (an offset is exactly 1) stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...reals import Floats
from .determined import TOLERANCE
from .estimation import Estimate, EstimationError, divided, errors, noise, solve, weighted
from .factors import Factors, triangle


def total(
    factors: Factors,
    sigma: Floats | None = None,
    scale: Floats | None = None,
    exact: Sequence[str] = (),
    tolerance: float = TOLERANCE,
) -> Estimate:
    """From the smallest singular value of the scaled triangle of [D | tau].

    ``sigma`` divides each joint's equations (by default the weighted estimate's noise); ``scale`` has the standard
    deviation of the errors of each column and, last, of the torque, all after that division; ``exact`` names columns
    without errors. The covariance is that of first order, s^2 (1 + |K|^2) (D^T D - s^2 m I)^-1 in the scaled columns.
    """
    sigma = weighted(factors, None, tolerance).noise if sigma is None else np.asarray(sigma, float)
    plain = divided(factors, sigma, "total", tolerance)
    unknown = [name for name in exact if name not in factors.columns]
    if unknown:
        raise EstimationError(f"exact: there is no column {', '.join(unknown)}")
    first = [i for i, name in enumerate(factors.columns) if name in exact]
    rest = [i for i in range(len(factors.columns)) if i not in first]
    order = [*first, *rest, len(factors.columns)]
    R = triangle(factors.stacked(sigma)[:, order])
    unit = _scale(R, scale, order)
    R = R / unit
    a = len(first)
    _, singular, right = np.linalg.svd(R[a:, a:])
    smallest = right[-1]
    if len(singular) > 1 and singular[-2] - singular[-1] <= 1e-9 * singular[0]:
        raise EstimationError("total least squares: the smallest change of the columns is not unique; use weighted")
    if abs(smallest[-1]) < 1e-9:
        raise EstimationError("total least squares: no change of the columns makes the equations agree; use weighted")
    scaled = np.empty(len(order) - 1)
    scaled[a:] = -smallest[:-1] / smallest[-1]
    if a:
        scaled[:a] = np.linalg.solve(R[:a, :a], R[:a, -1] - R[:a, a:-1] @ scaled[a:])
    K = np.empty_like(scaled)
    K[order[:-1]] = scaled * unit[-1] / unit[:-1]
    covariance = np.empty((len(K), len(K)))
    back = unit[-1] / unit[:-1]
    covariance[np.ix_(order[:-1], order[:-1])] = _covariance(R, a, scaled, singular[-1], plain.freedom) * np.outer(
        back, back
    )
    inverse = solve(factors.stacked(sigma)).inverse
    rms, relative = errors(factors, K)
    found = noise(factors, K, inverse, sigma)
    chi_squared = float(np.sum(factors.total_squares(K) / sigma**2))
    return replace(
        plain, values=K, covariance=covariance, rms=rms, relative=relative, noise=found, chi_squared=chi_squared
    )


def _scale(R: Floats, scale: Floats | None, order: list[int]) -> Floats:
    """What each column is divided by, in the new order."""
    if scale is None:
        norms: Floats = np.linalg.norm(R, axis=0)
        return np.where(norms > 0, norms, 1.0)
    scale = np.asarray(scale, float)
    if scale.shape != (len(order),):
        raise EstimationError(f"scale: expected {len(order)} numbers, one a column and the torque's, got {scale.shape}")
    ordered: Floats = np.where(scale[order] > 0, scale[order], np.linalg.norm(R, axis=0))
    return ordered


def _covariance(R: Floats, a: int, K: Floats, smallest: float, freedom: int) -> Floats:
    """Of the scaled parameters; only those with errors lose s^2 of their squares."""
    gram = R[:, :-1].T @ R[:, :-1]
    gram[range(a, len(K)), range(a, len(K))] -= smallest**2
    variance = smallest**2 / freedom if freedom > 0 else np.nan
    found: Floats = variance * (1 + K[a:] @ K[a:]) * np.linalg.inv(gram)
    return found
