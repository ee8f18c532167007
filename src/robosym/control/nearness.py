"""How near a singularity is, in straight-line code: mu = 1 / |J+|, with Frobenius' norm of the pseudo-inverse.

With the singular values s of J, mu = (sum of 1 / s^2)^(-1/2): between the smallest of them over the root of their
number and that smallest itself, and smooth where singular values cross. As |J+|^2 is the trace of (J J^T)^-1, an L D
L^T of J J^T gives it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..expr import Expr, maximum, number, sqrt, step
from ..reals import Floats

ROUNDING = 1e-14  # pivots this much below the trace are rounding
ZERO = 1e-30  # a trace this small is zero: six pivots like it have a product yet


def nearness(J: Any) -> Expr:
    """mu of a matrix of expressions with at most as many rows as columns."""
    G = J @ J.T
    count = len(G)
    least = ROUNDING * sum((G[k, k] for k in range(count)), start=number(0)) + ZERO
    L, D = np.array([[number(0)] * count] * count, dtype=object), list[Expr]()
    inverse: list[Expr] = []  # of the pivots
    for k in range(count):
        D.append(step(maximum(G[k, k] - sum((L[k, j] * L[k, j] * D[j] for j in range(k)), start=number(0)), least)))
        inverse.append(step(1 / D[k]))
        for i in range(k + 1, count):
            L[i, k] = step((G[i, k] - sum((L[i, j] * L[k, j] * D[j] for j in range(k)), start=number(0))) * inverse[k])
    M = np.array([[number(int(i == j)) for j in range(count)] for i in range(count)], dtype=object)  # L^-1
    for i in range(count):
        for j in range(i):
            M[i, j] = step(-sum((L[i, k] * M[k, j] for k in range(j, i)), start=number(0)))
    squares = [sum((M[k, j] * M[k, j] for j in range(k + 1)), start=number(0)) for k in range(count)]
    trace = sum((x * y for x, y in zip(squares, inverse, strict=True)), start=number(0))
    return 1 / sqrt(trace)


def nearness_of(samples: Floats) -> Floats:
    """The same of matrices of numbers."""
    s = np.linalg.svd(samples, compute_uv=False)
    with np.errstate(divide="ignore"):
        return np.asarray(1 / np.sqrt((1 / s**2).sum(axis=-1)))
