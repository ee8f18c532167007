"""The cases of the reference numbers: a displacement, limits and a path of the PUMA, and the motions made of them."""

from __future__ import annotations

import numpy as np

from robosym.reals import Floats
from robosym.trajectory import Trajectory

D = np.array([1.2, -0.8, 1.5, 2.0, -1.0, 0.5])
VELOCITY = np.array([1.5, 1.2, 1.5, 3.0, 3.0, 3.0])
ACCELERATION = np.array([3.0, 3.0, 4.0, 8.0, 8.0, 8.0])
TORQUE = np.array([97.6, 186.4, 89.4, 24.2, 20.1, 21.3])
POINTS = np.array(
    [[0] * 6, [0.5, -0.4, 0.6, 0.3, -0.2, 0.4], [1, -0.2, 1.1, 0.9, 0.5, -0.3], [0.7, 0.3, 0.8, 1.4, 0.1, 0.2], D]
)


def quintic(start: Floats, end: Floats, duration: float) -> Trajectory:
    """From rest to rest, [8.9]."""
    way, none = np.asarray(end) - start, np.zeros(len(start))
    parts = [start, none, none, 10 * way / duration**3, -15 * way / duration**4, 6 * way / duration**5]
    names = tuple(f"joint{j}" for j in range(1, len(start) + 1))
    return Trajectory(names, np.array([0.0, duration]), np.stack(parts)[None], "quintic")
