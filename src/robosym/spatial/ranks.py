"""Rank, null space and column space of float matrices, by their singular values.

A singular value counts as zero up to ``tolerance`` times the largest one, or times ``size``, that of usual entries, if
this is larger.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..reals import Floats


def ranks(matrices: Floats, tolerance: float, size: float = 1.0) -> NDArray[np.int64]:
    """The rank of every matrix of a batch (..., m, n)."""
    if not matrices.size:
        return np.zeros(matrices.shape[:-2], dtype=np.int64)
    return _count(np.asarray(np.linalg.svd(matrices, compute_uv=False), float), tolerance, size)


def rank(matrix: Floats, tolerance: float, size: float = 1.0) -> int:
    """The rank of one matrix; zero if it is empty."""
    return int(ranks(matrix, tolerance, size))


def singular_value(matrices: Floats, rank: int) -> Floats:
    """The singular value of every matrix of a batch (..., m, n) that a rank of so many rests on; infinite for none, and zero where
    a matrix cannot have it."""
    if not rank:
        return np.full(matrices.shape[:-2], np.inf)
    if min(matrices.shape[-2:]) < rank:
        return np.zeros(matrices.shape[:-2])
    return np.asarray(np.linalg.svd(matrices, compute_uv=False)[..., rank - 1], float)


def null_space(matrix: Floats, tolerance: float, size: float = 1.0) -> Floats:
    """An orthonormal basis, by columns, of the vectors that the matrix takes to zero."""
    if not matrix.size:
        return np.eye(matrix.shape[1])
    _, values, V = np.linalg.svd(matrix)
    return np.asarray(V[_count(values, tolerance, size) :].T)


def column_space(matrix: Floats, tolerance: float, size: float = 1.0) -> Floats:
    """An orthonormal basis, by columns, of what the columns span."""
    if not matrix.size:
        return np.zeros((len(matrix), 0))
    U, values, _ = np.linalg.svd(matrix)
    return np.asarray(U[:, : _count(values, tolerance, size)])


def _count(values: Floats, tolerance: float, size: float) -> NDArray[np.int64]:
    """How many singular values, the largest first, are not zero."""
    return np.asarray((values > tolerance * np.maximum(values[..., :1], size)).sum(axis=-1))
