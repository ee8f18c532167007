"""Singular poses of a platform: where its pose is not determined or modes meet, and whether it moves from there."""

from __future__ import annotations

import numpy as np

from ....reals import Floats
from ...mechanism.newton import CLOSED, POSE, Equations, Truths, moved, newton
from .result import SINGULAR


def smallest(equations: Equations, x: Floats) -> Floats:
    """The smallest singular value of each Jacobian matrix for the pose, whatever the passive joints do: zero where the pose is
    not determined or modes meet."""
    if not len(x):
        return np.zeros(0)
    J = _balanced(equations(x)[1])[0]
    pose, joints = J[:, :, :6], J[:, :, 6:]
    if joints.shape[2]:
        U, values, _ = np.linalg.svd(joints, full_matrices=False)
        U = U * (values > SINGULAR)[:, None, :]
        pose = pose - U @ (np.swapaxes(U, 1, 2) @ pose)
    values = np.linalg.svd(pose, compute_uv=False)
    return np.asarray(values[:, -1] if pose.shape[1] >= 6 else np.zeros(len(x)))


def _balanced(J: Floats) -> tuple[Floats, Floats]:
    """J with the columns of translation, and of rotation, of size one, so that a small platform is not a singular one; and the
    sizes of all columns."""
    sizes = np.ones((len(J), J.shape[2]))
    for part in (slice(0, 3), slice(3, 6)):
        sizes[:, part] = np.maximum(np.sqrt((J[:, :, part] ** 2).sum(axis=(1, 2)) / 3), 1e-9)[:, None]
    return J / sizes[:, None, :], sizes


def moves_on(equations: Equations, x: Floats, far: float = 0.03) -> bool:
    """Whether closed state x (one row), which is singular, is on a motion: a step along its null space closes again, elsewhere.

    From an isolated singular pose the iteration leads back, for the rest grows at least with the square of the distance.
    """
    J, sizes = _balanced(equations(x[None])[1])
    _, values, V = np.linalg.svd(J[0])
    null = V[int((values >= SINGULAR).sum()) :] / sizes
    null = null / np.linalg.norm(null, axis=1)[:, None]
    mixed = np.concatenate([null, null.sum(axis=0, keepdims=True)])
    steps = np.concatenate([mixed, -mixed])
    if not len(null) or not np.abs(null[:, :6]).max() > 1e-6:
        return False  # only passive joints move
    steps = far * steps / np.linalg.norm(steps, axis=1)[:, None]
    ends, residual = newton(equations, moved(np.repeat(x[None], len(steps), axis=0), steps))
    away = np.abs(ends[:, :POSE] - x[:POSE]).max(axis=1)
    on = (residual < CLOSED) & (away > far / 20) & (away < 5 * far) & (smallest(equations, ends) < SINGULAR)
    return bool(on.any())


def flags(values: Floats) -> Truths:
    """Which smallest singular values say that a state is singular."""
    return np.asarray(values < SINGULAR)
