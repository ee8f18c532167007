"""Jacobian arrays: checked, cut into their linear and angular halves, and taken apart into singular values.

Everything here takes one matrix (m, n) or a batch (..., m, n).
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import RobosymError
from ..options.markers import Range
from ..reals import Floats, finite_array, real_array

Whole = NDArray[np.int64]
Part = Literal["all", "linear", "angular"]
Tolerance = Annotated[float, Range(least=0, below=1)]  # of singular values, relative to the largest
ROWS: dict[Part, slice] = {"all": slice(None), "linear": slice(0, 3), "angular": slice(3, 6)}

# A singular value counts as zero when it is at most this fraction of the largest. A Jacobian computed in doubles carries
# errors of some 1e-15 of its size; an arm 1e-12 rad from a singularity is in it.
RANK_TOLERANCE = 1e-12


class Singular(NamedTuple):
    """J = U diag(s) V^T: U (m, m), s (min(m, n)) from the largest down, V (n, n), and how many of s are not zero."""

    U: Floats
    s: Floats
    V: Floats
    rank: Whole


def jacobian_array(J: Any, part: Part = "all") -> Floats:
    """J as doubles, at least two axes, all finite; the half of a six-row Jacobian that ``part`` names."""
    array = finite_array("J", J)
    if array.ndim < 2:
        raise RobosymError(f"J: expected shape (m, n) or (batch, m, n), got {array.shape}")
    return half(array, part)


def half(J: Floats, part: Part) -> Floats:
    """The rows of the translation (the first three), of the rotation (the last three), or all."""
    if part != "all" and J.shape[-2] != 6:
        raise RobosymError(f"part {part!r} needs a Jacobian of six rows [linear; angular], got {J.shape[-2]} rows")
    return J[..., ROWS[part], :]


def singular(J: Floats, tolerance: float = RANK_TOLERANCE) -> Singular:
    """The full singular value decomposition and the rank."""
    U, s, Vt = np.linalg.svd(J, full_matrices=True)
    return Singular(U, s, np.swapaxes(Vt, -1, -2), rank_of(s, tolerance))


def values_alone(J: Floats) -> Floats:
    """The min(m, n) singular values, from the largest down."""
    s: Floats = np.linalg.svd(J, compute_uv=False).astype(float, copy=False)
    return s


def rank_of(s: Floats, tolerance: float) -> Whole:
    """How many singular values (from the largest down) are above the tolerance; none of a zero matrix is."""
    largest = s[..., :1]
    counted: Whole = ((s > tolerance * largest) & (s > 0)).sum(axis=-1)
    return counted


def volume(s: Floats) -> Floats:
    """The product of the singular values; zero where there are none."""
    return np.prod(s, axis=-1) if s.shape[-1] else np.zeros(s.shape[:-1])


def condition_of(s: Floats, rank: Whole) -> Floats:
    """The largest singular value over the smallest; inf where the rank is lost."""
    if not s.shape[-1]:
        return np.full(s.shape[:-1], np.inf)
    full = rank == s.shape[-1]
    return np.where(full, s[..., 0] / np.where(full, s[..., -1], 1), np.inf)


def beyond(columns: Floats, rank: Whole) -> Floats:
    """The last columns, those after the first ``rank``. In a batch, as many as the lowest rank leaves, the surplus
    ones zero: a zero column adds nothing to a span, nor to columns @ columns^T."""
    count = columns.shape[-1]
    first = int(rank.min()) if rank.size else count
    kept = np.arange(first, count) >= rank[..., None]
    return columns[..., first:] * kept[..., None, :]


def weight_factor(name: str, weights: Any, size: int) -> Floats:
    """L with W = L L^T, for positive weights: a vector (the diagonal of W) or a symmetric matrix."""
    W = real_array(name, weights)
    if W.shape == (size,) and np.isfinite(W).all() and (W > 0).all():
        return np.diag(np.sqrt(W))
    if W.shape == (size, size) and np.isfinite(W).all() and np.allclose(W, W.T, rtol=1e-12, atol=0):
        try:
            factor: Floats = np.linalg.cholesky(W).astype(float, copy=False)
            return factor
        except np.linalg.LinAlgError:
            pass
    expected = f"expected {size} positive numbers, or a symmetric positive definite matrix ({size}, {size})"
    raise RobosymError(f"{name}: {expected}, got shape {W.shape}: {W.tolist()!r:.200}")
