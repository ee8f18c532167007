"""Joints in numbers: what they are called, how they are measured, where the description has them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest

import robosym
from robosym.models.mechanism.joints import Joints


@dataclass(frozen=True)
class Measured(Joints):
    @property
    def size(self) -> float:
        return 0.25


def test_joints_of_a_robot() -> None:
    robot = robosym.load("stanford")
    first, *others = robot.frames
    robot = robot.replace(frames=(replace(first, joint=replace(first.joint, position=0.4)), *others))
    values = dict.fromkeys(robot.parameter_symbols, 2.0)
    own = Measured(robot, values, (3, 1))
    assert own.names == (robot.frame(3).joint.name, robot.frame(1).joint.name)
    assert own.turning.tolist() == [False, True]
    assert own.units.tolist() == [0.25, 1.0]
    assert own.described.tolist() == [0.0, 0.4]
    assert own.places([1]) == [1]
    at = own.values_at(np.array([5.0, 6.0]))
    assert at == values | {robot.frame(3).joint.variable: 5.0, robot.frame(1).joint.variable: 6.0}
    assert own.variable(3) == robot.frame(3).joint.variable
    with pytest.raises(NotImplementedError):
        _ = Joints(robot, values, ()).size
