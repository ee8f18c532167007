"""What bounds a motion along a path: torques and accelerations against the interpreted model, limits as they are given."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from random_robots import random_robot
from sweeps import crossed
from trajectory.test_path_programs import places, some_path

import robosym
from robosym.errors import RobosymError
from robosym.expr import number
from robosym.robot import Limits, Robot
from robosym.trajectory import Path, TrajectoryError
from robosym.trajectory.path_limits import (
    at,
    check_joints,
    friction_along,
    held_still,
    joint_limits,
    limits_along,
    torques_of,
)

ROBOTS = ("random/1", "random/3", "random/5", "sr400", "five-bar-general")


def robot_named(name: str) -> Robot:
    kind, _, n = name.partition("/")
    return random_robot(np.random.default_rng(int(n)), int(n)) if n else robosym.load(kind)


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize(("name", "acceleration"), crossed(ROBOTS, [False, True], every=2))
def test_accelerations_and_torques_are_linear_in_u_and_x(name: str, acceleration: bool) -> None:
    """a u + b x + c is what the interpreted model says at qd = q' sqrt(x), qdd = q' u + q'' x."""
    robot = robot_named(name)
    random, model = np.random.default_rng(8), robosym.models.inverse_dynamics(robot)
    n = len(robot.joint_names)
    start = np.array(model.random_state(random)["q"])
    path = Path.spline(start + np.array([[0.0], [0.1], [0.15]]) * random.uniform(-1, 1, (3, n)))
    rows = limits_along(robot, path.curve.coefficients.shape[1] - 1, acceleration, True)(*places(path, 8).values())
    for (a, b, c), q, q1, q2 in zip(rows, *path(path.grid(8)[:-1]), strict=True):
        u, x = random.normal(), random.uniform(0, 2)
        tau = model.evaluate(q=q, qd=q1 * np.sqrt(x), qdd=q1 * u + q2 * x)
        known = np.concatenate([q1 * u + q2 * x, tau]) if acceleration else tau
        np.testing.assert_allclose(a * u + b * x + c, known, atol=1e-9 * (1 + np.abs(known).max()))


def test_accelerations_alone_need_no_model() -> None:
    robot, path = robosym.load("planar-2r"), some_path(np.random.default_rng(9), 2)
    rows = limits_along(robot, path.curve.coefficients.shape[1] - 1, True, False)(*places(path, 8).values())
    _, q1, q2 = path(path.grid(8)[:-1])
    np.testing.assert_allclose(rows, np.stack([q1, q2, 0 * q1], axis=1), atol=1e-12)


def with_friction(robot: Robot, Fv: int, Fs: int) -> Robot:
    frames = [replace(f, actuator=replace(f.actuator, Fv=number(Fv), Fs=number(Fs))) for f in robot.frames]
    return robot.replace(frames=tuple(frames))


def test_friction_along_a_path_and_its_slope() -> None:
    """That of the speeds q' sqrt(x): jumps as they are, viscous friction with the slope of a root; at rest of setting off."""
    robot, rubbing = (with_friction(robosym.load("planar-2r"), *each) for each in ((0, 0), (2, 3)))
    q, q1 = np.array([[0.1, 0.2], [0.3, -0.4], [0.5, 0.6]]), np.array([[1.0, -2.0], [0.5, 0.0], [-1.0, 1.0]])
    squares = np.array([4.0, 0.25, 0.0])
    found, slope = friction_along(rubbing, q, q1, squares)
    speed = q1 * np.sqrt(squares)[:, None]
    np.testing.assert_allclose(found, 2 * speed + 3 * np.sign(q1), atol=1e-3)
    np.testing.assert_allclose(slope[:2], (q1 / np.sqrt(squares)[:, None].clip(1e-9))[:2], atol=1e-4)
    assert slope[1, 1] == 0
    none, flat = friction_along(robot, q, q1, squares)
    assert not none.any()
    assert not flat.any()


def test_torques_are_those_of_the_model() -> None:
    robot = robosym.load("planar-2r")
    q, qd, qdd = np.random.default_rng(1).normal(size=(3, 5, 2))
    model = robosym.models.inverse_dynamics(robot)
    found = torques_of(robot)(q, qd, qdd)
    for k in range(5):
        np.testing.assert_allclose(found[k], model.evaluate(q=q[k], qd=qd[k], qdd=qdd[k]), atol=1e-12)
    assert torques_of(robot) is torques_of(robot)
    with pytest.raises(TrajectoryError, match="the base is free"):
        torques_of(robosym.load("planar-2r", floating=True))


def test_positions_that_cannot_be_held() -> None:
    robot = robosym.load("planar-2r")
    q, hold = np.zeros((3, 2)), np.array([[1.0, 2.0], [-3.0, 1.0], [2.0, -4.9]])
    held_still(robot, q, hold, np.array([3.0, 5.0]), str)
    names = robot.joint_names
    with pytest.raises(TrajectoryError, match=rf"'{names[1]}' needs 4.9 to hold still 2, at most 4 is allowed"):
        held_still(robot, q, hold, np.array([3.0, 4.0]), str)


def limited(robot: Robot, **limits: float) -> Robot:
    first = robot.frames[0]
    own = replace(first.joint, limits=Limits(-1.0, 1.0, **limits))
    return robot.replace(frames=(replace(first, joint=own), *robot.frames[1:]))


def test_limits_as_they_are_given() -> None:
    robot = robosym.load("planar-2r")
    names = robot.joint_names
    given: list[tuple[Any, list[float]]] = [(2, [2, 2]), ([1, 3], [1, 3]), ({names[1]: 4}, [math.inf, 4])]
    for one, expected in given:
        np.testing.assert_array_equal(joint_limits(robot, "velocity", one), expected)
    assert joint_limits(robot, "velocity", None) is joint_limits(robot, "torque", False) is None
    refused: list[tuple[Any, str]] = [
        ({"nobody": 1}, "no joint nobody"),
        ([1, 2, 3], r"got shape \(3,\)"),
        ([1, 0], "expected limits above zero"),
        ([1, -1], "expected limits above zero"),
    ]
    for one, word in refused:
        with pytest.raises(TrajectoryError, match=word):
            joint_limits(robot, "velocity", one)


def test_limits_of_the_description() -> None:
    robot = limited(robosym.load("planar-2r"), velocity=3.0, effort=7.0)
    first, second = robot.joint_names
    for what in ("velocity", "torque"):
        with pytest.raises(TrajectoryError, match=f"no limit for {second}"):
            joint_limits(robot, what, True)
    one = robosym.load("planar-2r")
    frames = [
        replace(f, joint=replace(f.joint, limits=Limits(-1.0, 1.0, 3.0, 7.0))) if f.joint.variable is not None else f
        for f in one.frames
    ]
    whole = one.replace(frames=tuple(frames))
    np.testing.assert_array_equal(joint_limits(whole, "velocity", True), [3, 3])
    np.testing.assert_array_equal(joint_limits(whole, "torque", True), [7, 7])
    assert first != second


def test_positions_in_words_and_the_number_of_joints() -> None:
    assert at(np.array([0.5, -1e-12]), ("a", "b")) == "at a = 0.5, b = 0"
    robot = robosym.load("planar-2r")
    check_joints(robot, ("a", "b"))
    with pytest.raises(RobosymError, match="has 2 driven joints"):
        check_joints(robot, ("a",))
