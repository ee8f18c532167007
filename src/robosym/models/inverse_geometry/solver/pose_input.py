"""The pose as it is given: checked, and its rotation repaired if requested."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ....errors import RobosymError
from ....expr import Expr, expr, number, variable
from ....program import Array, Graph
from ....program.lower import lower
from ....reals import Floats, finite_array, real_array

if TYPE_CHECKING:
    from ....runtime import CompiledFunction

# What the columns of a rotation may miss being orthonormal by.
ORTHONORMAL = 1e-6


def numbers(name: str, value: Any) -> Floats:
    """An array of finite numbers."""
    return finite_array(name, value)


def as_poses(T: Any, batched: bool, position: bool = False, normalise: bool = False) -> Floats:
    """An array of poses (N, 4, 4) from one (4, 4) or, if ``batched``, several; a place (3,) where that is the task."""
    found = real_array("T", T)
    shape = found.shape[1:] if batched else found.shape
    if position and shape == (3,):
        return _placed(found.reshape(-1, 3))
    if shape != (4, 4) or found.ndim != 2 + batched:
        or_place = (" or (N, 3)" if batched else " or (3,)") if position else ""
        raise RobosymError(f"T: got shape {found.shape}, expected {'(N, 4, 4)' if batched else '(4, 4)'}{or_place}")
    poses = found.reshape(-1, 4, 4)
    if normalise:
        return normalised(poses, batched)
    _check(poses, batched, ORTHONORMAL)
    return poses


def _placed(places: Floats) -> Floats:
    poses = np.tile(np.eye(4), (len(places), 1, 1))
    poses[:, :3, 3] = places
    _check(poses, len(places) > 1, ORTHONORMAL)
    return poses


def _check(poses: Floats, batched: bool, tolerance: float) -> None:
    """All poses at once, by a compiled program; only if something is wrong somewhere, what and where."""
    misses = _misses()(T=poses)
    right = misses[:, 0].max(initial=0.0) <= tolerance * tolerance
    if not right or not np.isfinite(misses[:, 1]).all():
        _refuse(poses, batched, tolerance)


@cache
def _misses() -> CompiledFunction:
    """By how much T is no pose: the squares of s.s - 1, n.n - 1, s.n, a - s x n and the last row, added; and P.P.

    A number that is not finite makes a sum that is not.
    """
    from ....runtime import compile_program

    x = [variable(f"T{i}{j}") for i in range(1, 5) for j in range(1, 5)]
    s, n, a, P = ([x[4 * i + j] for i in range(3)] for j in range(4))
    cross = [s[1] * n[2] - s[2] * n[1], s[2] * n[0] - s[0] * n[2], s[0] * n[1] - s[1] * n[0]]
    terms = [_dot(s, s) - 1, _dot(n, n) - 1, _dot(s, n), *(c - y for c, y in zip(cross, a, strict=True))]
    terms += [*x[12:15], x[15] - 1]
    outputs = (Array("misses", (2,), (_dot(terms, terms), _dot(P, P))),)
    return compile_program(lower(Graph("pose", (Array("T", (4, 4), tuple(x)),), outputs, {})))


def _dot(a: Sequence[Expr], b: Sequence[Expr]) -> Expr:
    return expr(sum((x * y for x, y in zip(a, b, strict=True)), number(0)))


def _refuse(poses: Floats, batched: bool, tolerance: float) -> None:
    for i, T in enumerate(poses):
        problem = _problem(T, tolerance)
        if problem:
            raise RobosymError(f"T{f'[{i}]' if batched else ''}: {problem}")


def _problem(T: Floats, tolerance: float) -> str:
    if not np.isfinite(T).all():
        return "holds numbers that are not finite"
    if np.abs(T[3] - [0, 0, 0, 1]).max() > tolerance:
        return f"the last row is {T[3].tolist()}, expected [0, 0, 0, 1]"
    R = T[:3, :3]
    if np.linalg.det(R) < -0.5:
        return "its rotation is a reflection: the determinant is negative"
    miss = float(np.abs(R.T @ R - np.eye(3)).max())
    return (
        f"its rotation is not orthonormal: R^T R misses the identity by {miss:.2g} (normalise=True repairs it)"
        if max(miss, float(np.abs(np.cross(R[:, 0], R[:, 1]) - R[:, 2]).max())) > tolerance
        else ""
    )


def normalised(poses: Floats, batched: bool = True) -> Floats:
    """With the rotation nearest to the matrix given, and the last row as it should be."""
    for i, T in enumerate(poses):
        if not np.isfinite(T[:3]).all():
            raise RobosymError(f"T{f'[{i}]' if batched else ''}: holds numbers that are not finite")
    U, sizes, V = np.linalg.svd(poses[:, :3, :3])
    if np.min(sizes, initial=1.0) < 0.5 or np.max(sizes, initial=1.0) > 2:
        raise RobosymError("T: its rotation is too far from orthonormal to be repaired")
    R = U @ V
    if np.min(np.linalg.det(R), initial=1.0) < 0:
        raise RobosymError("T: its rotation is a reflection: the determinant is negative")
    repaired = np.tile(np.eye(4), (len(poses), 1, 1))
    repaired[:, :3, :3], repaired[:, :3, 3] = R, poses[:, :3, 3]
    return repaired
