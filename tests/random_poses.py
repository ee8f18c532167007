"""Random rotations and poses for all tests."""

from __future__ import annotations

import numpy as np


def random_rotation(rng: np.random.Generator) -> np.ndarray:
    """A rotation matrix of any axis and angle."""
    Q = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    return np.asarray(Q * np.linalg.det(Q))


def random_pose(rng: np.random.Generator) -> np.ndarray:
    """A homogeneous matrix (4, 4), its position within a metre along each axis."""
    T = np.eye(4)
    T[:3, :3] = random_rotation(rng)
    T[:3, 3] = rng.uniform(-1, 1, 3)
    return T
