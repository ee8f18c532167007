"""Random arms of six joints in numbers, for tests of the general method."""

from __future__ import annotations

import numpy as np

from robosym.models.inverse_geometry.general.arm import Arm
from robosym.spatial.floats import screws

ALL_REVOLUTE = (0,) * 6
# One arm of every number of prismatic joints that eliminations solve, the two of them on one side of the hidden joint or on both.
KINDS = (ALL_REVOLUTE, (0, 1, 0, 0, 0, 0), (0, 1, 0, 0, 1, 0), (1, 1, 0, 0, 0, 0))
THREE_PRISMATIC = ((1, 1, 1, 0, 0, 0), (0, 1, 0, 1, 0, 1), (1, 0, 0, 0, 1, 1))


def random_motion(rng: np.random.Generator) -> np.ndarray:
    a, b, c, d = rng.uniform(-2, 2, 4)
    return screws(a, b, 2) @ screws(c, d, 0)


def random_arm(rng: np.random.Generator, kinds: tuple[int, ...], reduced: bool = True) -> Arm:
    signs = rng.choice([-1.0, 1.0], 6)
    arm = Arm(kinds, np.array([random_motion(rng) for _ in range(7)]), signs)
    return arm.reduced() if reduced else arm
