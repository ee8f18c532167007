"""Rotations, quaternions and poses as float arrays; all axes but the last ones are a batch."""

from __future__ import annotations

import math

import numpy as np

from ..reals import Floats


def skew(v: Floats) -> Floats:
    """The matrices (..., 3, 3) of v x, for vectors (..., 3) of any kind of number."""
    matrix = np.zeros((*v.shape[:-1], 3, 3), dtype=v.dtype)
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        matrix[..., i, j], matrix[..., j, i] = -v[..., k], v[..., k]
    return matrix


def axial(R: Floats) -> Floats:
    """The vectors (..., 3) whose cross product is R - R^T over two: the axis of a rotation times the sine of its angle."""
    return np.stack([R[..., 2, 1] - R[..., 1, 2], R[..., 0, 2] - R[..., 2, 0], R[..., 1, 0] - R[..., 0, 1]], -1) / 2


def rotations(vectors: Floats) -> Floats:
    """Rotations (..., 3, 3) about vectors (..., 3) by their lengths."""
    angles = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return quaternion_rotations(np.concatenate([np.sinc(angles / math.tau) * vectors / 2, np.cos(angles / 2)], axis=-1))


def rotation_vectors(R: Floats) -> Floats:
    """Axes times angles (..., 3), angles from 0 to pi; nan where the rotation is. By way of quaternions, exact up to pi."""
    q = quaternion_of(R)
    q *= np.where(q[..., 3:] < 0, -1.0, 1.0)
    sines = np.linalg.norm(q[..., :3], axis=-1, keepdims=True)
    angles = 2 * np.arctan2(sines, q[..., 3:])
    return q[..., :3] * np.where(sines > 0, angles / np.where(sines > 0, sines, 1.0), 2.0)


def quaternion_rotations(q: Floats) -> Floats:
    """Rotations (..., 3, 3) of quaternions x y z w (..., 4) of any length."""
    q = q / np.linalg.norm(q, axis=-1, keepdims=True)
    v, w = q[..., :3], q[..., 3, None, None]
    return np.asarray(2 * v[..., :, None] * v[..., None, :] + 2 * w * skew(v) + (2 * w * w - 1) * np.eye(3))


def quaternion_of(R: Floats) -> Floats:
    """Unit quaternions x y z w (..., 4), from the largest of their four squares, which is positive (Shepperd 1978)."""
    x, y, z = 2 * np.moveaxis(axial(R), -1, 0)
    xx, yy, zz = (R[..., k, k] for k in range(3))
    xy, xz, yz = (R[..., i, k] + R[..., k, i] for i, k in ((0, 1), (0, 2), (1, 2)))
    rows = np.array(
        [
            [1 + xx - yy - zz, xy, xz, x],
            [xy, 1 - xx + yy - zz, yz, y],
            [xz, yz, 1 - xx - yy + zz, z],
            [x, y, z, 1 + xx + yy + zz],
        ]
    )
    largest = np.argmax(np.einsum("kk...->k...", rows), axis=0)
    q = np.take_along_axis(np.moveaxis(rows, (0, 1), (-2, -1)), largest[..., None, None], axis=-2)[..., 0, :]
    return np.asarray(q / np.linalg.norm(q, axis=-1, keepdims=True))


def nearest_rotations(M: Floats) -> Floats:
    """The rotations nearest to matrices (..., 3, 3) (Kabsch 1976)."""
    U, _, V = np.linalg.svd(M)
    U[..., 2] *= np.linalg.det(U @ V)[..., None]
    return np.asarray(U @ V)


def screws(angle: Floats | float, shift: Floats | float, axis: int) -> Floats:
    """Poses (..., 4, 4): a turn about z (2) or x (0), and a shift along it."""
    T = np.zeros((*np.shape(angle), 4, 4))
    i, j = (axis + 1) % 3, (axis + 2) % 3
    c, s = np.cos(angle), np.sin(angle)
    T[..., i, i], T[..., i, j], T[..., j, i], T[..., j, j] = c, -s, s, c
    T[..., axis, axis] = T[..., 3, 3] = 1.0
    T[..., axis, 3] = shift
    return T


def placed(R: Floats, p: Floats) -> Floats:
    """Poses (..., 4, 4) of rotations (..., 3, 3) and positions (..., 3)."""
    T = np.zeros((*p.shape[:-1], 4, 4))
    T[..., :3, :3], T[..., :3, 3], T[..., 3, 3] = R, p, 1.0
    return T


def poses_of_rows(rows: Floats) -> Floats:
    """Poses (..., 4, 4) of gamma, b, alpha, d, theta, r (..., 6)."""
    gamma, b, alpha, d, theta, r = np.moveaxis(rows, -1, 0)
    return screws(gamma, b, 2) @ screws(alpha, d, 0) @ screws(theta, r, 2)


def shifted_twists(twists: Floats, arm: Floats) -> Floats:
    """Twists (..., 6, n), linear before angular, of the points that are further by arms (..., 3) on the same bodies."""
    linear = twists[..., :3, :] - skew(arm) @ twists[..., 3:, :]
    return np.concatenate([linear, twists[..., 3:, :]], axis=-2)


def pose_rows(T: Floats) -> Floats:
    """x y z qx qy qz qw (..., 7) of poses (..., 4, 4)."""
    return np.concatenate([T[..., :3, 3], quaternion_of(T[..., :3, :3])], axis=-1)


def pose_matrices(rows: Floats) -> Floats:
    """Poses (..., 4, 4) of x y z qx qy qz qw (..., 7)."""
    return placed(quaternion_rotations(rows[..., 3:]), rows[..., :3])


def wrapped(angles: Floats) -> Floats:
    """The same angles from -pi to pi."""
    return np.asarray(angles - math.tau * np.floor(angles / math.tau + 0.5))
