"""Ranges of joints: those given before those described before a full turn."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from simulation.tops import top

import robosym
from robosym.analysis.ranges import Ranges, at_joints, joint_ranges
from robosym.robot import Limits, Robot, RobotError


def with_limits(robot: Robot, **limits: Limits) -> Robot:
    """By the number of the frame: f1, f2 ..."""
    frames = list(robot.frames)
    for name, one in limits.items():
        k = int(name[1:]) - 1
        frames[k] = replace(frames[k], joint=replace(frames[k].joint, limits=one))
    return robot.replace(frames=tuple(frames))


def test_where_ranges_come_from() -> None:
    robot = with_limits(robosym.load("planar-3r"), f1=Limits(-1.0, 2.0), f2=Limits(lower=0.5))
    first, second, third = robot.joint_names
    found = joint_ranges(robot, list(robot.moving))
    assert found.pairs == ((-1.0, 2.0), (0.5, 0.5 + 2 * math.pi), (-math.pi, math.pi))
    assert found.assumed == (third,)
    given = joint_ranges(robot, list(robot.moving), {third: (0, 1), first: [3, 3]})
    assert given.pairs == ((3.0, 3.0), (0.5, 0.5 + 2 * math.pi), (0.0, 1.0))
    assert given.assumed == ()
    upper = with_limits(robot, f2=Limits(upper=-0.25))
    assert joint_ranges(upper, []).pairs[1] == (-0.25 - 2 * math.pi, -0.25)
    assert second in robot.joint_names


def test_slides_that_count_need_limits() -> None:
    robot = robosym.load("scara")
    slide = next(j for j in robot.moving if robot.frame(j).sigma == 1)
    bare = with_limits(robot, **{f"f{slide}": Limits(lower=0.1)})
    place = bare.moving.index(slide)
    assert joint_ranges(bare, []).pairs[place] == (0.0, 0.0)
    name = bare.frame(slide).joint.name
    with pytest.raises(RobotError, match=f"the prismatic joint '{name}' has no limits: give them in metres"):
        joint_ranges(bare, [slide])
    assert joint_ranges(bare, [slide], {name: (-0.1, 0.2)}).pairs[place] == (-0.1, 0.2)
    whole = with_limits(robot, **{f"f{slide}": Limits(0.1, 0.4)})
    assert joint_ranges(whole, [slide]).pairs[place] == (0.1, 0.4)


def test_the_middle() -> None:
    np.testing.assert_allclose(Ranges(((-1.0, 2.0), (3.0, 3.0)), ()).middle, [0.5, 3.0])


def test_a_free_base_is_held() -> None:
    positions = np.arange(6.0).reshape(3, 2)
    robot = robosym.load("planar-2r")
    assert at_joints(robot, positions) is positions
    found = at_joints(robosym.load("planar-2r", floating=True), positions)
    np.testing.assert_array_equal(found[:, :7], [[0, 0, 0, 0, 0, 0, 1]] * 3)
    np.testing.assert_array_equal(found[:, 7:], positions)


@pytest.mark.parametrize(
    ("limits", "word"),
    [
        (3, "limits: got 3, expected pairs by joint"),
        ({"knee": (0, 1)}, "there is no moving joint 'knee'"),
        ({"NAME": 1}, r"expected \(lower, upper\), got 1"),
        ({"NAME": (0, 1, 2)}, r"expected \(lower, upper\)"),
        ({"NAME": (1, 0)}, "expected finite lower <= upper"),
        ({"NAME": (0, math.inf)}, "expected finite lower <= upper"),
        ({"NAME": "ab"}, r"expected \(lower, upper\)"),
    ],
)
def test_what_is_no_range(limits: Any, word: str) -> None:
    robot = robosym.load("planar-2r")
    if isinstance(limits, dict):
        limits = {robot.joint_names[0] if name == "NAME" else name: pair for name, pair in limits.items()}
    with pytest.raises(RobotError, match=word):
        joint_ranges(robot, [], limits)


def test_axes_of_a_joint_have_ranges_of_their_own() -> None:
    robot = Robot.from_table(
        "arm", [{"sigma": "cylindrical", "variable": "rod"}, {"sigma": "universal", "variable": "wrist"}]
    )
    found = joint_ranges(robot, [1], {"rod shift": (-0.1, 0.2), "wrist 2": (0.0, 1.0)})
    turn = (-np.pi, np.pi)
    assert found.pairs == (turn, (-0.1, 0.2), turn, (0.0, 1.0))
    assert found.assumed == ("rod angle", "wrist 1")
    with pytest.raises(RobotError, match="the translation 'rod shift' has no limits"):
        joint_ranges(robot, [1])
    with pytest.raises(RobotError, match="'hip' is a ball joint, for which a search over ranges of positions"):
        joint_ranges(top(), [])
