"""Every model that Pinocchio has too, on random trees: any joint, twist and branch, joints that follow others, rotors,
friction, a base anywhere; the parameters as numbers and as symbols; every third one on a free base."""

from __future__ import annotations

from functools import cache

import pytest
from models.conformance import DYNAMICS, KINEMATICS, applies, check
from models.kinematic.mass_states import random_placed
from models.pinocchio_states import Twin
from sweeps import many

SEEDS = range(many(8))
MOST_FRAMES = 7


@cache
def random_twin(seed: int, free: bool) -> Twin:
    """The robot of a seed; for models without a free base the same one fixed."""
    robot = random_placed(seed, MOST_FRAMES, symbolic=bool(seed % 2))
    if not free:
        robot = robot.replace(base=type(robot.base)(location=robot.base.location))
    return Twin.of_robot(robot)


@pytest.mark.parametrize("name", KINEMATICS)
def test_kinematics(name: str) -> None:
    """Of another frame of each robot."""
    for seed in SEEDS:
        twin = random_twin(seed, free=True)
        check(KINEMATICS[name], twin, 1 + seed % len(twin.robot.frames), seed)


@pytest.mark.parametrize("name", DYNAMICS)
def test_dynamics(name: str) -> None:
    compared = 0
    for seed in SEEDS:
        twin = random_twin(seed, free=False)
        if applies(DYNAMICS[name], name, twin.robot):
            check(DYNAMICS[name], twin, 1, seed)
            compared += 1
    assert compared > len(SEEDS) // 3
