"""The motion of a free base from its recorded pose: the velocity in its own axes, linear first, and the rates of these.

With p and the quaternion s = (x, y, z, w), of any length, and their first two derivatives:

    v = R^T p',   w = 2 vec(s* s') / |s|^2,   w' = 2 vec(s* s'') / |s|^2 - 2 (s . s') / |s|^2 w,   v' = R^T p'' - w x v
"""

from __future__ import annotations

import numpy as np

from .signals import Array


def unflipped(quaternions: Array, before: Array | None = None) -> Array:
    """The same attitudes without jumps from s to -s; the first is nearest to ``before``."""
    last = quaternions[:1] if before is None else before[None]
    dots = np.einsum("ij,ij->i", np.concatenate((last, quaternions[:-1])), quaternions)
    return np.asarray(quaternions * np.cumprod(np.where(dots < 0, -1.0, 1.0))[:, None])


def base_motion(pose: Array, rate: Array, second: Array) -> tuple[Array, Array, Array]:
    """The pose with a unit quaternion, the velocity and the acceleration (N, 6), from poses and their derivatives (N, 7)."""
    s, s1, s2 = pose[:, 3:], rate[:, 3:], second[:, 3:]
    square = np.einsum("ij,ij->i", s, s)[:, None]
    w = 2 * _vector(s, s1) / square
    w1 = 2 * _vector(s, s2) / square - 2 * np.einsum("ij,ij->i", s, s1)[:, None] / square * w
    unit = s / np.sqrt(square)
    v = _turned_back(unit, rate[:, :3])
    v1 = _turned_back(unit, second[:, :3]) - np.cross(w, v)
    return (
        np.concatenate((pose[:, :3], unit), axis=1),
        np.concatenate((v, w), axis=1),
        np.concatenate((v1, w1), axis=1),
    )


def _vector(a: Array, b: Array) -> Array:
    """The vector part of a* b."""
    return np.asarray(a[:, 3:] * b[:, :3] - b[:, 3:] * a[:, :3] - np.cross(a[:, :3], b[:, :3]))


def _turned_back(unit: Array, vectors: Array) -> Array:
    """R^T x."""
    u, w = -unit[:, :3], unit[:, 3:]
    t = 2 * np.cross(u, vectors)
    return np.asarray(vectors + w * t + np.cross(u, t))
