"""Equations of a pose whose solutions are known."""

from __future__ import annotations

import numpy as np

from robosym.models.mechanism.newton import Equations
from robosym.spatial.floats import skew


def state(R: np.ndarray, p: np.ndarray, passive: np.ndarray) -> np.ndarray:
    return np.concatenate([R.reshape(len(R), 9), p, passive], axis=1)


def at_a_pose(R: np.ndarray, p: np.ndarray, weights: np.ndarray) -> Equations:
    """Equations that only one pose fulfils: the rows of R and p, weighted."""

    def equations(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        own = x[:, :9].reshape(-1, 3, 3)
        rest = np.concatenate([(own - R).reshape(-1, 9), x[:, 9:12] - p], axis=1)
        J = np.zeros((len(x), 12, 6))
        for k in range(3):  # of the column k of R, by rows i: w x r_k
            J[:, k:9:3, 3:] = -skew(own[:, :, k])
        J[:, 9:, :3] = np.eye(3)
        return rest * weights, J * weights[:, None]

    return equations
