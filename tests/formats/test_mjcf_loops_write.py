"""Closed loops as constraints: MuJoCo leaves the motions that the robot has, and each kind of joint has its constraints."""

from __future__ import annotations

import warnings
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import mujoco
import numpy as np
import pytest
from formats.test_mjcf_write import POINT, back, written
from models.loops.described_places import frame_matrix
from mujoco_compared import compiled, constrained
from sweeps import some

import robosym
from robosym.expr import number
from robosym.formats import mjcf
from robosym.formats.mjcf_loops_write import ARM, LoopWriter
from robosym.robot import FIXED, Frame, Robot, RobotWarning, Spring

LOOPS = {
    "four-bar": [1.5],
    "five-bar-general": [1.9, 0.9],
    "bennett": [0.4],
    "slider-crank": [0.5],
    "sr400": [0.1, 0.2, 0.1, 0.1, 0.1, 1.4],  # the last is the crank: the parallelogram is not flat
    "palletizer": [0.1, 1.4, 0.1, 0.1],
    "planar-3rrr": [2.3, 2.3, 2.3],
    "delta": [0.3, 0.35, 0.25],
}


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", some(LOOPS, 2))
def test_closed_loops_and_platforms(tmp_path: Path, name: str) -> None:
    """What MuJoCo's constraints leave of the motions is what the loops do, and reading gives the same loops."""
    robot = robosym.load(name).closed_loops()
    text = written(robosym.load(name))
    model = compiled(text)
    constrained(robot, model, LOOPS[name], tolerance=1e-6)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RobotWarning)
        again = robosym.load(tmp_path / "robot.xml") if (tmp_path / "robot.xml").write_text(text) else None
    assert again is not None
    assert again.loops == robot.loops
    assert sorted(again.joint_names) == sorted(robot.joint_names)
    assert robosym.mobility(again).mobility == robosym.mobility(robot).mobility


def test_twins_placed_from_twins() -> None:
    """Where a frame of a loop is said from another one, the file is the same."""

    def made(second_twin: dict[str, object]) -> Robot:
        passive = {**POINT, "active": False}
        links = [
            POINT,
            {**passive, "d": 0.2},
            {**passive, "antecedent": 0, "d": 0.5},
            {**passive, "antecedent": 1, "d": 0.1},
        ]
        cuts = [{"antecedent": 2, "d": 0.4}, {"antecedent": 4, "d": 0.3}]
        twins = [{"antecedent": 3, "sigma": "fixed", "d": 0.45}, {"sigma": "fixed", **second_twin}]
        return Robot.from_table("two loops", [*links, *cuts, *twins], loops=2, gravity=[0, -9.81, 0])

    assert written(made({"antecedent": 7, "d": 0.1})) == written(made({"antecedent": 3, "d": 0.55}))


def test_a_slide_that_closes_a_loop(tmp_path: Path) -> None:
    """A crank that moves a slider along a rail that turns: the slide between them is cut."""
    rows = [
        {**POINT, "joint": "crank", "position": 0.5},
        {**POINT, "joint": "rail", "antecedent": 0, "d": 1.0, "active": False, "position": 2.0},
        {"name": "cut", "antecedent": 2, "joint": "slide", "sigma": "prismatic", "alpha": "pi/2", "active": False},
        {"name": "twin", "antecedent": 1, "joint": "twin", "sigma": "fixed", "d": 0.4, "alpha": "pi/2"},
    ]
    rows[2]["alpha"], rows[2]["theta"] = "pi/2", 0
    robot = Robot.from_table("rail", rows, loops=1, gravity=[0, -9.81, 0])
    with pytest.warns(RobotWarning, match="a slide that closes a loop gets a light body: slide"):
        text = mjcf.dumps(robot)
    model = compiled(text)
    assert [model.joint(i).name for i in range(model.njnt)] == ["crank", "rail", "slide"]
    again = back(tmp_path, text)
    assert (again.loops, again.frame(again.n_links + 1).sigma) == (1, FIXED)


# --- which constraints ------------------------------------------------------------------------------------------------


def constraints(text: str) -> list[tuple[str, str]]:
    found = ET.fromstring(text).find("equality")
    return [] if found is None else [(one.tag, one.get("name") or "") for one in found]


def test_a_hinge_is_two_points_on_its_axis() -> None:
    """At the closed position of the keyframe, the two sites of each constraint are one point, and the two points are ARM apart
    along the axis of the joint."""
    robot = robosym.load("four-bar")
    text = written(robot)
    assert constraints(text) == [("connect", "cut"), ("connect", "cut_axis")]
    model = compiled(text)
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_kinematics(model, data)
    for name in ("cut", "cut_axis"):
        np.testing.assert_allclose(data.site(f"{name}_1").xpos, data.site(f"{name}_2").xpos, atol=1e-9)
    way = data.site("cut_axis_1").xpos - data.site("cut_1").xpos
    np.testing.assert_allclose(way, ARM * data.site("cut_1").xmat.reshape(3, 3)[:, 2], atol=1e-12)


def test_a_joint_that_is_fixed_is_a_weld() -> None:
    rows = [
        {**POINT, "joint": "crank", "position": 0.5},
        {**POINT, "joint": "a", "d": 1.0, "active": False, "position": 1.0},
        {**POINT, "joint": "b", "d": 1.0, "active": False, "position": 1.0},
        {**POINT, "joint": "c", "d": 1.0, "active": False, "position": 1.0},
        {"name": "cut", "joint": "weld", "sigma": "fixed", "active": False},
        {"name": "twin", "antecedent": 0, "joint": "twin", "sigma": "fixed", "d": 0.9, "theta": 0.3},
    ]
    robot = Robot.from_table("welded", rows, loops=1, gravity=[0, -9.81, 0])
    text = written(robot)
    assert constraints(text) == [("weld", "weld")]
    model = compiled(text)
    assert model.neq == 1
    at = model.site("weld_2")
    np.testing.assert_allclose(at.pos, [0.9, 0, 0], atol=1e-15)
    np.testing.assert_allclose(at.quat, [np.cos(0.15), 0, 0, np.sin(0.15)], atol=1e-15)


def test_a_ball_is_one_point() -> None:
    """Six spherical joints of a platform: six points, no massless body, and the same motions."""
    robot = robosym.load("gough-stewart").closed_loops()
    loops = LoopWriter(robot)
    assert len(loops.balls) == 5  # the platform is carried by the first leg
    assert len(loops.skipped) == 10
    text = written(robot)
    assert [tag for tag, _ in constraints(text)] == ["connect"] * 5
    model = compiled(text)
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_kinematics(model, data)
    for _, name in constraints(text):
        np.testing.assert_allclose(data.site(f"{name}_1").xpos, data.site(f"{name}_2").xpos, atol=1e-9)
    names = {body.get("name") for body in ET.fromstring(text).iter("body")}
    assert not names & {robot.frame(j).name for j in loops.skipped}


def change(robot: Robot, j: int, **changes: object) -> Robot:
    frame = replace(robot.frame(j), **changes)  # type: ignore[arg-type]
    return robot.replace(frames=tuple(frame if k == j else f for k, f in enumerate(robot.frames, 1)))


def spoiled(robot: Robot, second: int, how: str) -> Robot:
    """The second hinge of a ball, changed so that the three are no ball any more."""
    frame: Frame = robot.frame(second)
    if how == "beside the point":
        return change(robot, second, d=frame.d + number(1e-3))
    if how == "not square":
        return change(robot, second, alpha=frame.alpha + number(1e-3))
    if how == "with mass":
        return change(robot, second, link=replace(frame.link, M=number(0.1)))
    if how == "with friction":
        return change(robot, second, actuator=replace(frame.actuator, Fv=number(0.1)))
    if how == "with a spring":
        return change(robot, second, joint=replace(frame.joint, spring=Spring(number(1))))
    if how == "with a motor":
        return change(robot, second, joint=replace(frame.joint, active=True))
    assert how == "a slide"
    q = frame.joint.variable
    assert q is not None
    return change(robot, second, sigma=1, theta=frame.theta - q, r=frame.r + q)


@pytest.mark.parametrize(
    "how", ["beside the point", "not square", "with mass", "with friction", "with a spring", "with a motor", "a slide"]
)
def test_three_hinges_that_are_no_ball(how: str) -> None:
    robot = robosym.load("gough-stewart").closed_loops()
    balls = LoopWriter(robot).balls
    k = min(balls)
    second = robot.frame(k).antecedent
    changed = LoopWriter(spoiled(robot, second, how)).balls
    assert set(changed) == set(balls) - {k}


def test_the_centre_of_a_ball_is_where_its_axes_meet() -> None:
    """The same point seen from what carries the ball and, by its height, from the cut joint's frame."""
    robot = robosym.load("gough-stewart").closed_loops()
    loops = LoopWriter(robot)
    for k, ball in loops.balls.items():
        second = robot.frame(k).antecedent
        first = robot.frame(second).antecedent
        assert ball.carrier == robot.frame(first).antecedent
        T = np.eye(4)
        for j in (first, second, k):
            T = T @ at_zero(robot, j)
        np.testing.assert_allclose((T @ [0, 0, ball.height, 1])[:3], ball.point, atol=1e-9)


def at_zero(robot: Robot, j: int) -> np.ndarray:
    """The pose of frame j in its antecedent where its joint is at zero."""
    own = robot.frame(j).joint.variable
    return frame_matrix(robot, j, {**{name: value.number for name, value in robot.values.items()}, own: 0.0})
