"""MJCF written: MuJoCo compiles it to the same poses, inertia and forces, and it reads back as the same robot."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from built_in import OPEN
from mujoco_compared import Beside, compiled
from random_robots import random_robot
from sweeps import many, some

import robosym
from robosym.expr import evaluate, number
from robosym.formats import mjcf
from robosym.robot import Actuator, Base, Limits, Link, Motor, Robot, RobotError, RobotWarning, Value

POINT = {"M": 2, "MX": 0.2, "MY": 0.1, "XX": 0.1, "YY": 0.2, "ZZ": 0.2}


def written(robot: Robot) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RobotWarning)
        return mjcf.dumps(robot)


def back(tmp_path: Path, text: str) -> Robot:
    (tmp_path / "robot.xml").write_text(text)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return robosym.load(tmp_path / "robot.xml")


def valued(robot: Robot) -> Robot:
    """Symbols without a value get one."""
    missing = {s.name: Value(0.3) for s in robot.parameter_symbols if s.name not in robot.values}
    return robot.replace(values={**robot.values, **missing})


@pytest.mark.mostly_slow(fast=3)
@pytest.mark.parametrize("name", some([*OPEN, "eel-4"], 2))
def test_robots_of_the_library(tmp_path: Path, name: str) -> None:
    robot = valued(robosym.load(name))
    text = written(robot)
    again, model, rng = back(tmp_path, text), compiled(text), np.random.default_rng(1)
    Beside(robot, model).check(rng, tolerance=1e-8)
    Beside(again, model).check(rng)
    assert again.joint_names == robot.joint_names
    assert (again.name, again.base.name) == (robot.name, robot.base.name)


@pytest.mark.slow
def test_random_robots(tmp_path: Path) -> None:
    """Trees of any shape; links of random robots are possible ones."""
    rng = np.random.default_rng(11)
    for _ in range(many(6)):
        robot = random_robot(rng, int(rng.integers(2, 8)), symbolic=bool(rng.integers(2)))
        text = written(robot)
        again, model = back(tmp_path, text), compiled(text)
        Beside(robot, model).check(rng, tolerance=1e-8)
        Beside(again, model).check(rng, tolerance=1e-8)
        assert sorted(again.joint_names) == sorted(robot.joint_names)


def test_all_that_a_joint_has(tmp_path: Path) -> None:
    rows = [
        {**POINT, "joint": "a", "Ia": 0.1, "Fv": 0.2, "Fs": 0.3, "limits": {"lower": -1, "upper": 2, "effort": 30}},
        {
            **POINT,
            "joint": "b",
            "alpha": "pi/2",
            "d": 0.3,
            "spring": {"stiffness": 4, "damping": 0.5, "rest": 0.6},
            "ratio": 5,
        },
        {
            **POINT,
            "joint": "c",
            "d": 0.2,
            "sigma": "prismatic",
            "r": "q3 + 0.1",
            "mimic": {"frame": 1, "ratio": 0.2, "offset": 0.1},
        },
        {**POINT, "joint": "d", "d": 0.2, "active": False, "limits": {"upper": 1}},
        {"name": "tool", "sigma": "fixed", "r": 0.4},
    ]
    robot = Robot.from_table("arm", rows, gravity=[1, 2, -9])
    robot = robot.replace(frames=tuple(robot.frames))
    text = written(robot)
    again = back(tmp_path, text)
    rng = np.random.default_rng(3)
    Beside(robot, compiled(text)).check(rng)
    Beside(again, compiled(text)).check(rng)
    by_name = {frame.joint.name: frame for frame in again.frames}
    for frame in robot.frames[:4]:
        other = by_name[frame.joint.name]
        for of in ("limits", "active", "spring"):
            assert getattr(other.joint, of) == getattr(frame.joint, of), (frame.joint.name, of)
        assert (other.joint.mimic is None) == (frame.joint.mimic is None)
        assert other.actuator == frame.actuator
    assert "tool" in {frame.name for frame in again.frames}


def test_what_a_motor_has_is_referred_to_its_joint(tmp_path: Path) -> None:
    robot = Robot.from_table("arm", [{**POINT, "ratio": -20, "motor": {"Jm": 0.01, "Fv": 0.002, "Fs": 0.03}}])
    again = back(tmp_path, written(robot.replace(gravity=(number(0), number(0), number(-9.81)))))
    actuator = again.frame(1).actuator
    assert [float(e.value) for e in (actuator.Ia, actuator.Fv, actuator.Fs)] == pytest.approx([4, 0.8, 0.6])
    assert actuator.ratio == number(-20)


def test_where_the_base_is(tmp_path: Path) -> None:
    Z = np.eye(4)
    Z[:3, :3] = [[0, -1, 0], [0.6, 0, -0.8], [0.8, 0, 0.6]]
    Z[:3, 3] = [1, 2, 3]
    location = tuple(number(float(z)) for z in Z.ravel())
    robot = Robot.from_table("arm", [POINT, {**POINT, "alpha": "pi/2"}], gravity=[1, 2, -9])
    robot = robot.replace(base=Base("stand", location, link=Link(M=number(1), XX=number(0.1))))
    text = written(robot)
    again = back(tmp_path, text)
    rng = np.random.default_rng(4)
    for one in (robot, again):
        Beside(one, compiled(text)).check(rng)
    assert again.base.name == "stand"
    np.testing.assert_allclose(evaluate(again.base.location, {}), Z.ravel(), atol=1e-15)
    np.testing.assert_allclose(evaluate(again.gravity, {}), [1, 2, -9], atol=1e-14)


def test_massless_frames_become_joints(tmp_path: Path) -> None:
    rows = [
        {"joint": "x"},
        {"sigma": "fixed", "d": 0.1},
        {"joint": "y", "alpha": "pi/2", "Ia": 0.2},
        {**POINT, "joint": "z", "d": 0.3, "alpha": 0.4},
    ]
    robot = Robot.from_table("wrist", rows, gravity=[0, 3, -9.81])
    with pytest.warns(
        RobotWarning, match="frames without mass have become joints of the next body: frame1, frame2, frame3"
    ):
        text = mjcf.dumps(robot)
    assert text.count("<body") == 2
    rng = np.random.default_rng(8)
    for one in (robot, back(tmp_path, text)):
        Beside(one, compiled(text)).check(rng)


def test_a_robot_on_the_world_stays_there(tmp_path: Path) -> None:
    robot = Robot.from_table("two", [POINT, {**POINT, "antecedent": 0}], gravity=[0, 0, -9.81])
    robot = robot.replace(base=Base("world"))
    text = written(robot)
    assert '<body name="world"' not in text
    assert back(tmp_path, text).base.name == "world"


def test_order_of_joints_is_said() -> None:
    rows = [{**POINT, "joint": "a"}, {**POINT, "joint": "b", "antecedent": 0}, {**POINT, "joint": "c", "antecedent": 1}]
    with pytest.warns(RobotWarning, match="in MuJoCo the order of the joints is a, c, b"):
        mjcf.dumps(Robot.from_table("tree", rows, gravity=[0, 0, -9.81]))


def test_what_has_no_place_is_named() -> None:
    robot = Robot.from_table("arm", [{**POINT, "wrench": "symbolic"}], gravity=[0, 0, -9.81])
    frame = robot.frame(1)
    joint = replace(frame.joint, limits=Limits(velocity=2.0))
    robot = robot.replace(frames=(replace(frame, joint=joint, actuator=Actuator(motor=Motor(KT=number(2)))),))
    with pytest.warns(RobotWarning) as caught:
        mjcf.dumps(robot)
    message = str(caught[0].message)
    for what in ("limits of velocity", "constants, limits and axes of motors", "external wrenches"):
        assert what in message


def test_what_cannot_be_written() -> None:
    with pytest.raises(RobotError, match="MJCF needs numbers, and these symbols have none: G3, L"):
        mjcf.dumps(Robot.from_table("arm", [POINT, {**POINT, "d": "L"}]))
    robot = Robot.from_table("arm", [POINT], gravity=[0, 0, -9.81])
    for link, message in (
        (Link(MX=number(1), ZZ=number(1)), "a first moment without mass cannot be written in MJCF"),
        (Link(M=number(-1), ZZ=number(1)), "the mass -1 is negative"),
    ):
        with pytest.raises(RobotError, match=message):
            mjcf.dumps(robot.replace(frames=(replace(robot.frame(1), link=link),)))
    odd = replace(robot.frame(1), theta=robot.frame(1).theta * 2)
    with pytest.raises(RobotError, match=r"frame 1, theta: expected q plus a constant, got 2\*q1"):
        mjcf.dumps(robot.replace(frames=(odd,)))


@pytest.mark.slow
def test_long_chains(tmp_path: Path) -> None:
    rows = [{**POINT, "d": 0.1}] * 440
    robot = Robot.from_table("long", rows, gravity=[0, 0, -9.81])
    text = written(robot)
    assert compiled(text).nv == 440
    assert len(back(tmp_path, text).joint_names) == 440
    with pytest.raises(RobotError, match="more than 450 bodies on one another"):
        written(Robot.from_table("longer", [*rows, *rows[:20]], gravity=[0, 0, -9.81]))
