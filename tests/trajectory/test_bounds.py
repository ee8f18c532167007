"""What users give for every joint: as lists, by name, from the description; every refusal names its argument."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from simulation.tops import top

import robosym
from robosym import RobosymError
from robosym.robot import Limits, Robot, RobotWarning
from robosym.trajectory import Path, TrajectoryError, fastest, linearised, point_to_point, scaled_to_torque, through
from robosym.trajectory.bounds import boundary, by_name, demand, estimated, inside, joint_names, limits, position

JOINTS = ("a", "b", "c")


def described(*own: Limits | None) -> Robot:
    """A planar arm of two joints with these limits."""
    robot = robosym.load("planar-2r")
    frames = list(robot.frames)
    for k, one in enumerate(own):
        if one is not None:
            frames[k] = replace(frames[k], joint=replace(frames[k].joint, limits=one))
    return robot.replace(frames=tuple(frames))


def test_names() -> None:
    robot = robosym.load("planar-2r")
    assert joint_names(2, None, None) == ("q1", "q2")
    assert joint_names(2, None, robot) == robot.joint_names
    assert joint_names(2, ["x", "y"], robot) == ("x", "y")
    for count, names, word in (
        (3, ["x", "y"], "expected 2 positions"),
        (2, ["x", "x"], "twice"),
        (2, ["x", ""], "expected names"),
        (2, ["x", 3], "expected names"),
    ):
        with pytest.raises(TrajectoryError, match=word):
            joint_names(count, names, None)  # type: ignore[arg-type]
    with pytest.raises(TrajectoryError, match=f"one for each joint of {robot.name}, got 3"):
        joint_names(3, None, robot)
    with pytest.raises(TrajectoryError, match="the base is free"):
        joint_names(2, None, robosym.load("planar-2r", floating=True))


def test_positions() -> None:
    robot = robosym.load("planar-2r")
    first, second = robot.joint_names
    np.testing.assert_array_equal(position("start", [1, 2.5], None, None), [1, 2.5])
    np.testing.assert_array_equal(position("start", {second: 2, first: 1}, None, robot), [1, 2])
    np.testing.assert_array_equal(position("start", {"b": 2, "a": 1}, ("a", "b"), robot), [1, 2])
    for given, names, word in (
        ({"a": 1}, None, "start: positions by name need"),
        (1.0, None, "start: expected a number for each joint"),
        ([], None, "start: expected a number for each joint"),
        ([[1, 2]], None, r"got the shape \(1, 2\)"),
        ([1, math.nan], None, "start"),
        ({"a": 1}, JOINTS, "start: no number for b, c"),
        ({"x": 1}, JOINTS, "start: there is no joint 'x'"),
    ):
        with pytest.raises(TrajectoryError, match=word):
            position("start", given, names, None)
    np.testing.assert_array_equal(by_name("x", {"c": 3, "a": 1, "b": 2}, JOINTS), [1, 2, 3])


def test_velocities_at_the_ends() -> None:
    np.testing.assert_array_equal(boundary("v", None, JOINTS), [0, 0, 0])
    np.testing.assert_array_equal(boundary("v", 2, JOINTS), [2, 2, 2])
    np.testing.assert_array_equal(boundary("v", [1, 2, 3], JOINTS), [1, 2, 3])
    np.testing.assert_array_equal(boundary("v", {"b": 5}, JOINTS), [0, 5, 0])
    with pytest.raises(TrajectoryError, match="v: expected 3 numbers"):
        boundary("v", [1, 2], JOINTS)


def test_limits() -> None:
    robot = described(Limits(velocity=3.0), Limits(velocity=0.0))
    first, second = robot.joint_names
    own = (first, second)
    expected: list[tuple[Any, list[float]]] = [
        (None, [3, math.inf]),
        (2, [2, 2]),
        ([4, 5], [4, 5]),
        ({second: 7}, [3, 7]),
    ]
    for given, values in expected:
        np.testing.assert_array_equal(limits("velocity", given, own, robot), values)
    np.testing.assert_array_equal(limits("jerk", None, JOINTS, None), [math.inf] * 3)
    refused: list[tuple[Any, str]] = [
        ([1, 2, 3], "velocity: expected one limit, or 2"),
        ([1, 0], f"velocity: '{second}' has the limit 0, .*rad/s or m/s"),
        ({"x": 1}, "velocity: there is no joint 'x'"),
        ([math.nan, 1], f"velocity: '{first}'"),
    ]
    for given, word in refused:
        with pytest.raises(TrajectoryError, match=word):
            limits("velocity", given, own, robot)


def test_missing_limits_are_named() -> None:
    known = {"velocity": np.array([1.0, math.inf, math.inf]), "jerk": np.ones(3)}
    demand(["jerk"], known, JOINTS, "a trapeze")
    with pytest.raises(
        TrajectoryError, match=r"a trapeze needs a limit of velocity .* none for joints b, c: give velocity="
    ):
        demand(["jerk", "velocity"], known, JOINTS, "a trapeze")
    with pytest.raises(TrajectoryError, match="none for joint b:"):
        demand(["velocity"], {"velocity": np.array([1.0, math.inf, 2.0])}, JOINTS, "x")


def test_accelerations_from_efforts() -> None:
    """Those that are not known, where efforts are."""
    robot = described(Limits(effort=10.0), Limits(effort=4.0))
    joints = robot.joint_names
    known = {"acceleration": np.array([math.inf, 3.0])}
    with pytest.warns(RobotWarning):
        found = estimated(["acceleration"], known, joints, robot)["acceleration"]
    from robosym.analysis.inertia import largest_inertia

    assert found == pytest.approx([10.0 / largest_inertia(robot)[0], 3.0])
    assert estimated(["velocity"], known, joints, robot) is known
    assert estimated(["acceleration"], known, joints, None) is known
    assert estimated(["acceleration"], known, joints, robosym.load("planar-2r")) is known
    finite = {"acceleration": np.ones(2)}
    assert estimated(["acceleration"], finite, joints, robot) is finite


def test_positions_inside_their_limits() -> None:
    robot = described(Limits(-1.0, 2.0), Limits(None, 0.5))
    first, second = robot.joint_names
    for q in ([-1, 0.5], [2, -99], [2 + 1e-10, 0.0]):
        inside(robot, (first, second), "end", np.array(q, float))
    inside(robot, (second, "x"), "end", np.array([0.0, 9.0]))
    inside(None, ("x",), "end", np.array([99.0]))
    for q, word in (
        ([-1.1, 0], f"'{first}' is at -1.1, outside its limits from -1 to 2"),
        ([0, 0.6], "from -inf to 0.5"),
    ):
        with pytest.raises(TrajectoryError, match=f"end: .*{word}"):
            inside(robot, (first, second), "end", np.array(q, float))


def test_trajectories_of_joints_of_several_axes() -> None:
    """Entries have names and limits; a quaternion is no position that moves in step with others."""
    rows = [
        {"sigma": "universal", "variable": "wrist"},
        {"joint": "knee", "limits": {"lower": -1, "upper": 1, "velocity": 0.5}},
    ]
    robot = Robot.from_table("arm", rows)
    goal = {"wrist 1": 1.0, "wrist 2": 0.2, "knee": 0.9}
    move = point_to_point([0, 0, 0], goal, "linear", velocity={"wrist 1": 9.0, "wrist 2": 9.0}, robot=robot)
    assert move.joints == ("wrist 1", "wrist 2", "knee")
    assert move.duration == pytest.approx(0.9 / 0.5)
    with pytest.raises(TrajectoryError, match=r"'knee' is at 1\.5, outside its limits"):
        point_to_point([0, 0, 0], [1, 0.2, 1.5], duration=1.0, robot=robot)
    for make in (
        lambda: point_to_point([0, 0, 0, 1], [1, 0, 0, 0], duration=1.0, robot=top()),
        lambda: through([[0, 0, 0, 1], [1, 0, 0, 0]], [0, 1], robot=top()),
        lambda: fastest(top(), Path.line([0, 0, 0, 1], [1, 0, 0, 0]), acceleration=1.0),
        lambda: scaled_to_torque(top(), point_to_point([0, 0, 0, 1], [1, 0, 0, 0], duration=1.0), torque=9.0),
        lambda: linearised(top(), point_to_point([0, 0, 0, 1], [1, 0, 0, 0], duration=1.0)),
    ):
        with pytest.raises(
            RobosymError, match=r"'hip' is a ball joint, for which a trajectory of joints.*trajectory\.rotation"
        ):
            make()
