"""Newton's iteration for a platform and passive joints, from many starts at once.

The state of one start is a row: R by rows, p, then positions of passive joints; lengths are over the size of the robot. A step
is (dp, w, dq) with R <- exp(w) R. Its damping is of the size of the square of what is left (Yamashita and Fukushima 2001), so
that rows that follow from others, and singular poses, do no harm.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ....reals import Floats
from .result import SINGULAR

STEPS = 60
LONGEST = 0.7  # of a step: radians, or parts of the size
CLOSED = 1e-11  # what may be left
STUCK, OPEN = 1e-5, 1e-7  # steps so short while the squares of what is left are so large lead nowhere
LAST = 1e-26  # of the squares of what is left: after the next step nothing is, but rounding
ABOUT = 12  # numbers of R and p

Equations = Callable[
    [Floats], tuple[Floats, Floats]
]  # state (n, 12 + k) to rest (n, m) and Jacobian matrix (n, m, 6 + k)


def descended(equations: Equations, x: Floats, steps: int = STEPS, first: int = 0) -> Floats:
    """The states after the iteration; whether one is closed, its rest says. ``first``: 6 if the pose stays as it is."""
    x = np.array(x, float)
    going = np.arange(len(x))
    for _ in range(steps):
        e, J = equations(x[going])
        step = _step(e, J, first)
        x[going] = moved(x[going], step)
        left = np.einsum("bi,bi->b", e, e)
        stuck = (np.abs(step).max(axis=1, initial=0.0) < STUCK) & (left > OPEN)  # where the rest is least, but not zero
        going = going[(left > LAST) & ~stuck]
        if not len(going):
            break
    return x


def _step(e: Floats, J: Floats, first: int) -> Floats:
    left = np.einsum("bi,bi->b", e, e)
    J = J[:, :, first:]
    A = np.swapaxes(J, 1, 2) @ J + (np.minimum(left, 1.0) + 1e-14)[:, None, None] * np.eye(J.shape[2])
    step = -np.linalg.solve(A, np.einsum("bij,bi->bj", J, e)[:, :, None])[:, :, 0]
    step *= np.minimum(1.0, LONGEST / np.abs(step).max(axis=1, initial=1e-300))[:, None]
    return np.concatenate([np.zeros((len(e), first)), step], axis=1)


def moved(x: Floats, step: Floats) -> Floats:
    """The states after steps."""
    y = np.array(x)
    y[:, :9] = (rotation(step[:, 3:6]) @ x[:, :9].reshape(-1, 3, 3)).reshape(-1, 9)
    y[:, 9:ABOUT] += step[:, :3]
    y[:, ABOUT:] += step[:, 6:]
    return y


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


def left_open(equations: Equations, x: Floats) -> Floats:
    """The largest rest of each state."""
    return np.abs(equations(x)[0]).max(axis=1, initial=0.0) if len(x) else np.zeros(0)


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
    ends = descended(equations, moved(np.repeat(x[None], len(steps), axis=0), steps))
    away = np.abs(ends[:, :ABOUT] - x[:ABOUT]).max(axis=1)
    closed = left_open(equations, ends) < CLOSED
    on = closed & (away > far / 20) & (away < 5 * far) & (smallest(equations, ends) < SINGULAR)
    return bool(on.any())


def starts(draw: np.random.Generator, count: int, centre: Floats, reach: float, passive: Floats) -> Floats:
    """Any rotation, a position about the centre, and passive joints anywhere within these units."""
    x = np.zeros((count, ABOUT + len(passive)))
    x[:, :9] = quaternion_rotation(draw.normal(size=(count, 4))).reshape(-1, 9)
    x[:, 9:ABOUT] = centre + reach * draw.uniform(-1, 1, size=(count, 3))
    x[:, ABOUT:] = draw.uniform(-1, 1, size=(count, len(passive))) * passive
    return x


def pose_matrices(x: Floats, size: float = 1.0) -> Floats:
    """(n, 4, 4), with R made orthogonal to the last digit."""
    T = np.tile(np.eye(4), (len(x), 1, 1))
    if len(x):
        U, _, V = np.linalg.svd(x[:, :9].reshape(-1, 3, 3))
        T[:, :3, :3] = U @ V
        T[:, :3, 3] = x[:, 9:ABOUT] * size
    return T


def rotation(w: Floats) -> Floats:
    """exp of rotation vectors (n, 3)."""
    angle = np.linalg.norm(w, axis=1)
    half = np.sinc(angle / (2 * math.pi))[:, None] * w / 2
    return quaternion_rotation(np.concatenate([np.cos(angle / 2)[:, None], half], axis=1))


def quaternion_rotation(x: Floats) -> Floats:
    """R (n, 3, 3) of quaternions (n, 4), w first, of any length."""
    x = x / np.linalg.norm(x, axis=1)[:, None]
    v, w = x[:, 1:], x[:, 0]
    R = 2 * v[:, :, None] * v[:, None, :] + 2 * w[:, None, None] * skew(v)
    return np.asarray(R + (2 * w * w - 1)[:, None, None] * np.eye(3))


def skew(v: Floats) -> Floats:
    """The matrices (n, 3, 3) of v x."""
    M = np.zeros((len(v), 3, 3))
    M[:, 0, 1], M[:, 0, 2], M[:, 1, 2] = -v[:, 2], v[:, 1], -v[:, 0]
    M[:, 1, 0], M[:, 2, 0], M[:, 2, 1] = v[:, 2], -v[:, 1], v[:, 0]
    return M


def flags(values: Floats) -> NDArray[np.bool_]:
    """Which smallest singular values say that a state is singular."""
    return np.asarray(values < SINGULAR)
