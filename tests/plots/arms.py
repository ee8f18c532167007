"""Arms of two limbs and clouds of points, for the tests of figures."""

from __future__ import annotations

import numpy as np

from robosym.plots import Arm

BENT = np.array([[0.0, 0, 0], [0.5, 0, 0], [0.5, 0.2, 0.3]])
FLAT = np.array([[0.0, 0, 0], [0.5, 0, 0], [0.5, 0.2, 0]])
NONE = np.empty((0, 3))


def arm(limb: np.ndarray) -> Arm:
    return Arm([limb], limb[:1], limb[1:2], limb[-1], limb[0])


def cloud(flat: bool = False) -> np.ndarray:
    points = np.random.default_rng(0).normal(size=(500, 3))
    points[:, 2] *= not flat
    return points
