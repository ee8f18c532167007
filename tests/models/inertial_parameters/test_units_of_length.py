"""Base parameters do not depend on the unit of length: random states are as fast in every one, beside the size of the robot."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from models.reference import relative_error
from models.scaled_robots import in_unit

import robosym
from robosym import models
from robosym.models.inertial_parameters.numeric import base_parameters_numeric
from robosym.robot import Robot

MILLIMETRES, MICROMETRES, KILOMETRES = 2.0**10, 2.0**20, 2.0**-10


@cache
def driven_by_its_slider() -> Robot:
    robot = robosym.load("slider-crank")
    active = {"crank": False, "slider": True}
    joints = [replace(one.joint, active=active.get(one.joint.name, one.joint.active)) for one in robot.frames]
    frames = [replace(one, joint=joint) for one, joint in zip(robot.frames, joints, strict=True)]
    frames[0] = replace(frames[0], actuator=frames[2].actuator)
    return robot.replace(frames=tuple(frames))


@pytest.mark.mostly_slow(fast=3)
@pytest.mark.parametrize("unit", [MILLIMETRES, MICROMETRES, KILOMETRES])
@pytest.mark.parametrize("name", ["orthoglide", "planar-3rrr"])
def test_of_a_parallel_robot(name: str, unit: float) -> None:
    robot = robosym.load(name)
    metres, other = models.base_parameters(robot), models.base_parameters(in_unit(robot, unit))
    assert (other.names, other.vanishing, other.count, other.exact) == (
        metres.names,
        metres.vanishing,
        metres.count,
        metres.exact,
    )


@pytest.mark.mostly_slow(fast=3)
@pytest.mark.parametrize("unit", [MILLIMETRES, MICROMETRES, KILOMETRES])
@pytest.mark.parametrize("method", ["rules", "numeric"])
def test_of_a_loop_that_a_slider_drives(method: str, unit: float) -> None:
    robot = driven_by_its_slider()
    metres, other = (models.base_parameters(one, method=method) for one in (robot, in_unit(robot, unit)))  # type: ignore[arg-type]
    assert (other.names, other.count, other.exact) == (metres.names, metres.count, metres.exact)
    assert metres.exact


@pytest.mark.parametrize("unit", [MILLIMETRES, MICROMETRES, KILOMETRES])
@pytest.mark.parametrize("name", ["stanford", "scara"])
def test_relations_of_arms_with_prismatic_joints(name: str, unit: float) -> None:
    robot = robosym.load(name)
    metres, other = base_parameters_numeric(robot), base_parameters_numeric(in_unit(robot, unit))
    assert (other.names, other.vanishing) == (metres.names, metres.vanishing)


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("unit", [1.0, MILLIMETRES, KILOMETRES])
def test_torques_in_base_parameters(unit: float) -> None:
    """Of the loop that a slider drives, at any speed."""
    robot = in_unit(driven_by_its_slider(), unit)
    standard, base = (models.inverse_dynamics(robot, parameters=one) for one in ("standard", "base"))  # type: ignore[arg-type]
    position = robot.frame(3).joint.position
    assert position is not None
    state = {"q": [position], "qd": [40.0 * unit], "qdd": [-300.0 * unit]}
    expected, found = standard.evaluate(**state), base.evaluate(**state)
    assert expected["assembled"] == found["assembled"] == 1
    assert np.isfinite(expected["tau"]).all()
    assert relative_error(found["tau"], expected["tau"]) < 1e-9
