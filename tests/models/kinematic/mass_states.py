"""Robots with a mass somewhere, on bases anywhere, and states for them: a free base comes with a unit quaternion."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from models.kinematic import moving_frames
from models.reference import loaded_robot
from random_poses import random_pose
from random_robots import random_inertia

from robosym.expr import number
from robosym.robot import INERTIA, Link, Robot


def random_placed(seed: int, most: int, symbolic: bool = False) -> Robot:
    """A random tree with dependent joints; every third one has a free base. The base has a link and stands anywhere."""
    rng = np.random.default_rng(seed)
    robot = loaded_robot(rng, int(rng.integers(1, most + 1)), symbolic, moving_base=False)
    link = Link(**dict(zip(INERTIA, map(number, random_inertia(rng)), strict=True)))
    robot = moving_frames.placed(robot, random_pose(rng))
    return robot.replace(base=replace(robot.base, floating=seed % 3 == 0, link=link))


def states(seed: int, robot: Robot, count: int) -> tuple[np.ndarray, np.ndarray]:
    """q and qd in batches."""
    found = moving_frames.states(np.random.default_rng(seed), robot, count)
    return found["q"], found["qd"]


def error(got: np.ndarray, expected: list[np.ndarray]) -> float:
    """The largest error, over the largest value where that is more than one."""
    want = np.array(expected)
    assert got.shape == want.shape, (got.shape, want.shape)
    return float(np.abs(got - want).max() / max(1.0, np.abs(want).max()))
