"""Linear algebra on arrays of expressions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np

from ....expr import Expr, absolute, expr, floor, maximum, minimum, number, select, sqrt, step
from .scalars import Entries, as_steps, dot


def least_squares(J: Entries, e: Entries, damping: Any) -> tuple[Entries, Entries]:
    """R and y of the damped least squares J s = e, damping s = 0, which R s = y solves: Gram and Schmidt's, modified.
    The diagonal of R holds the inverses.

    The normal equations would lose half of the digits, and with them solutions that meet.
    """
    m, n = J.shape
    A = np.vstack([J, damping * np.eye(n, dtype=int)])
    right = np.concatenate([e, np.zeros(n, dtype=int)])
    R: Entries = np.zeros((n, n), dtype=object)
    y: Entries = np.zeros(n, dtype=object)
    for j in range(n):
        rows = slice(0, m + j + 1)  # below are zeros
        R[j, j] = step(1 / sqrt(A[rows, j] @ A[rows, j]))
        unit = as_steps(A[rows, j] * R[j, j])
        for k in range(j + 1, n):
            R[j, k] = step(expr(unit @ A[rows, k]))
            A[rows, k] = as_steps(A[rows, k] - unit * R[j, k])
        y[j] = step(expr(unit @ right[rows]))
        right[rows] = as_steps(right[rows] - unit * y[j])
    return R, y


def back(R: Entries, y: Entries) -> Entries:
    """R^-1 y."""
    s = y.copy()
    for i in reversed(range(len(s))):
        s[i] = step(expr(s[i] - sum(R[i, i + 1 :] * s[i + 1 :])) * R[i, i])
    return s


def forth(R: Entries, y: Entries) -> Entries:
    """R^-T y."""
    s = y.copy()
    for i in range(len(s)):
        s[i] = step(expr(s[i] - sum(R[:i, i] * s[:i])) * R[i, i])
    return s


def chosen(condition: Expr, then: Entries, otherwise: Entries) -> Entries:
    return np.array([select(condition, a, b) for a, b in zip(then, otherwise, strict=True)], dtype=object)


def shortened(s: Entries, longest: float, turning: Sequence[bool] | None = None) -> Entries:
    """Not longer than that in any joint, or in any that turns."""
    counted = [x for k, x in enumerate(s) if turning is None or turning[k]]
    size = reduce(maximum, [absolute(expr(x)) for x in counted], number(0))
    shortened: Entries = s * minimum(1, longest / maximum(size, longest))
    return shortened


def wrapped(angle: Expr) -> Expr:
    return expr(angle + 2 * math.pi * floor((math.pi - angle) * (1 / (2 * math.pi))))


def norm(v: Entries) -> Expr:
    return maximum(sqrt(dot(v, v)), 1e-300)
