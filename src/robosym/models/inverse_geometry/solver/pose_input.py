"""The pose as it is given: its rotation repaired if requested, or what is wrong with it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....errors import RobosymError
from ....program.batches import common, in_a_row
from ....reals import Floats, finite_array, real_array
from .routine import ORTHONORMAL


def numbers(name: str, value: Any) -> Floats:
    """An array of finite numbers."""
    return finite_array(name, value)


def as_poses(T: Any, batched: bool, position: bool = False, normalise: bool = False) -> Floats:
    """An array of poses (N, 4, 4) from one (4, 4) or, if ``batched``, several; a place (3,) where that is the task. Whether
    they are poses the routine tells."""
    found = real_array("T", T)
    shape = found.shape[1:] if batched else found.shape
    if position and shape == (3,):
        return _placed(found.reshape(-1, 3))
    if shape != (4, 4) or found.ndim != 2 + batched:
        or_place = (" or (N, 3)" if batched else " or (3,)") if position else ""
        expected = f"{'(N, 4, 4)' if batched else '(4, 4)'}{or_place}"
        why = (
            "" if position or shape != (3,) else ": the whole pose of this frame is solved for, not its position alone"
        )
        raise RobosymError(f"T: got shape {found.shape}, expected {expected}{why}")
    poses = found.reshape(-1, 4, 4)
    return normalised(poses, batched) if normalise else poses


def poses_lie(T: Any, position: bool) -> tuple[int, ...]:
    """The axes in front of a pose (4, 4), or of a place (3,) where that is the task."""
    shape = np.shape(T) if isinstance(T, np.ndarray) else real_array("T", T).shape
    is_place = position and shape[-1:] == (3,) and shape[-2:] != (4, 4)
    return tuple(shape[: -1 if is_place else -2])


def each_in_a_row(name: str, value: Any, lead: tuple[int, ...], own: int) -> Any:
    """What is given for each of the poses that lie so, with ``own`` axes of its own, in a row; or for all of them, as it is."""
    if value is None or np.ndim(value) <= own:
        return value
    found = numbers(name, value)
    front = found.shape[: found.ndim - own]
    if common({"T": lead, name: front}, RobosymError) != lead:
        raise RobosymError(f"{name}: got shape {found.shape}, expected the axes {lead} of the poses in front, or none")
    return in_a_row(found, front, lead)


def _placed(places: Floats) -> Floats:
    poses = np.tile(np.eye(4), (len(places), 1, 1))
    poses[:, :3, 3] = places
    return poses


def checked(poses: Floats, batched: bool = False) -> Floats:
    """The poses, or an error that says what is wrong with the first that is none."""
    for i, T in enumerate(poses):
        problem = _problem(T, ORTHONORMAL)
        if problem:
            raise RobosymError(f"T{f'[{i}]' if batched else ''}: {problem}")
    return poses


def refuse(poses: Floats, batched: bool) -> None:
    """The error for poses of which the routine says that one is none."""
    checked(poses, batched)
    raise RobosymError("T: its rotation is not orthonormal (normalise=True repairs it)")


def _problem(T: Floats, tolerance: float) -> str:
    if not np.isfinite(T).all():
        return "holds numbers that are not finite"
    if problem := _last_row(T, tolerance):
        return problem
    R = T[:3, :3]
    if np.linalg.det(R) < -0.5:
        return "its rotation is a reflection: the determinant is negative"
    miss = float(np.abs(R.T @ R - np.eye(3)).max())
    return (
        f"its rotation is not orthonormal: R^T R misses the identity by {miss:.2g} (normalise=True repairs it)"
        if max(miss, float(np.abs(np.cross(R[:, 0], R[:, 1]) - R[:, 2]).max())) > tolerance
        else ""
    )


def _last_row(T: Floats, tolerance: float) -> str:
    """What is wrong with the last row: any other is a projection, or a matrix that was transposed."""
    row = np.asarray(T[3])
    return f"the last row is {row.tolist()}, expected [0, 0, 0, 1]" if abs(row - [0, 0, 0, 1]).max() > tolerance else ""


def normalised(poses: Floats, batched: bool = True) -> Floats:
    """With the rotation nearest to the matrix given; the last row is (0, 0, 0, 1) to rounding, and nothing else repairs it."""
    for i, T in enumerate(poses):
        problem = _last_row(T, ORTHONORMAL) if np.isfinite(T).all() else "holds numbers that are not finite"
        if problem:
            raise RobosymError(f"T{f'[{i}]' if batched else ''}: {problem}")
    U, sizes, V = np.linalg.svd(poses[:, :3, :3])
    if np.min(sizes, initial=1.0) < 0.5 or np.max(sizes, initial=1.0) > 2:
        raise RobosymError("T: its rotation is too far from orthonormal to be repaired")
    R = U @ V
    if np.min(np.linalg.det(R), initial=1.0) < 0:
        raise RobosymError("T: its rotation is a reflection: the determinant is negative")
    repaired = np.tile(np.eye(4), (len(poses), 1, 1))
    repaired[:, :3, :3], repaired[:, :3, 3] = R, poses[:, :3, 3]
    return repaired
