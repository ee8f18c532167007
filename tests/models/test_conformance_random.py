"""Every model that Pinocchio has too, on random trees: any joint, twist and branch, joints that follow others, rotors,
friction, a base anywhere; the parameters as numbers and as symbols; kinematics of every third one on a free base, dynamics
of all."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from models.conformance import DYNAMICS, KINEMATICS, applies, check
from models.kinematic.mass_states import random_placed
from models.pinocchio_states import Twin
from sweeps import many

SEEDS = range(many(5))
MOST_FRAMES = 7


@cache
def random_twin(seed: int, free: bool | None = None) -> Twin:
    """The robot of a seed as it is, on a free base, or on a fixed one."""
    robot = random_placed(seed, MOST_FRAMES, symbolic=bool(seed % 2))
    if free:
        robot = robot.replace(base=replace(robot.base, floating=True))
    elif free is not None:
        robot = robot.replace(base=type(robot.base)(location=robot.base.location))
    return Twin.of_robot(robot)


@pytest.mark.mostly_slow(fast=3)
@pytest.mark.parametrize("name", KINEMATICS)
def test_kinematics(name: str) -> None:
    """Of another frame of each robot."""
    for seed in SEEDS:
        twin = random_twin(seed)
        check(KINEMATICS[name], twin, 1 + seed % len(twin.robot.frames), seed)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("free", [False, True])
@pytest.mark.parametrize("name", DYNAMICS)
def test_dynamics(name: str, free: bool) -> None:
    if free and not DYNAMICS[name].free_base:
        return
    compared = 0
    for seed in SEEDS:
        twin = random_twin(seed, free)
        if applies(DYNAMICS[name], name, twin.robot):
            check(DYNAMICS[name], twin, 1, seed)
            compared += 1
    assert compared > len(SEEDS) // 3
