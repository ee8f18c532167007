"""Random chains of turns, and the matrices they stand for."""

from __future__ import annotations

import numpy as np

from robosym.spatial.rotations import Rotation, Turn


def matrix(rotation: Rotation) -> np.ndarray:
    total = np.eye(3)
    for turn in rotation:
        c, s = np.cos(turn.angle), np.sin(turn.angle)
        one = {"z": [[c, -s, 0], [s, c, 0], [0, 0, 1]], "x": [[1, 0, 0], [0, c, -s], [0, s, c]]}[turn.axis]
        total = total @ np.array(one)
    return total


def random_rotation(seed: int) -> Rotation:
    rng = np.random.default_rng(seed)
    return tuple(Turn(str(rng.choice(["x", "z"])), float(rng.uniform(-3, 3))) for _ in range(rng.integers(0, 5)))
