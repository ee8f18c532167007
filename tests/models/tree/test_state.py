"""The inputs of a model: what each array holds."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

import robosym
from robosym.expr import number, variable
from robosym.models.tree.coordinates import coordinates
from robosym.models.tree.state import state_inputs, wrench_frames
from robosym.robot import Robot, RobotError


@cache
def planar() -> Robot:
    return robosym.load("planar-2r")


def with_joint(robot: Robot, j: int, **changes: object) -> Robot:
    frames = list(robot.frames)
    frames[j - 1] = replace(frames[j - 1], joint=replace(frames[j - 1].joint, **changes))
    return robot.replace(frames=tuple(frames))


def test_arrays_of_the_state() -> None:
    q, qd, tau = state_inputs(planar(), ("q", "qd", "tau"))
    assert q.entries == planar().coordinates
    assert [x.name for x in (*qd.entries, *tau.entries)] == ["qd1", "qd2", "tau1", "tau2"]
    free = state_inputs(robosym.load("planar-2r", floating=True), ("q", "qd"))
    assert [array.shape for array in free] == [(9,), (8,)]


def test_a_speed_that_is_a_number_keeps_its_place() -> None:
    robot = with_joint(planar(), 1, velocity=number(0))
    assert coordinates(robot).speed(1) == number(0)
    assert state_inputs(robot, ("qd",))[0].entries == (variable("qd1"), variable("qd2"))


def test_one_symbol_for_two_things_is_refused() -> None:
    with pytest.raises(RobotError, match="'qd2' stands for two things"):
        state_inputs(with_joint(planar(), 1, velocity=variable("qd2")), ("qd",))
    with pytest.raises(RobotError, match=r"frame 1, velocity: .*expected one symbol or a number"):
        state_inputs(with_joint(planar(), 1, velocity=2 * variable("w")), ("qd",))


def test_wrenches_of_which_links() -> None:
    assert wrench_frames(planar(), "terminal") == (2,)
    assert wrench_frames(planar(), "all") == (1, 2)
    assert wrench_frames(planar(), "none") == ()
    with pytest.raises(RobotError, match="expected 'terminal', 'all' or 'none'"):
        wrench_frames(planar(), "some")
