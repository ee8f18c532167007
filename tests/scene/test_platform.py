"""Platforms on legs, moved by the coordinates of their motion space."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from models.parallel.random_platforms import random_platform
from parallel_robots import closed, frames, home
from scene.float_geometry import placed
from scipy.spatial.transform import Rotation

import robosym
from robosym.expr import evaluate, expr, number, variable
from robosym.robot import RobotError
from robosym.scene import scene
from robosym.scene.mechanism import Mechanism, mechanism_of
from robosym.scene.platform import NoControlsError, _about, platform_geometry

PLATFORMS = ("gough-stewart", "delta", "planar-3rrr", "orthoglide")


def test_the_controls_of_a_platform_are_its_motions() -> None:
    labels = {name: [one["label"] for one in scene(robosym.load(name))["controls"]] for name in PLATFORMS}
    assert labels["delta"] == labels["orthoglide"] == ["x", "y", "z"]
    assert labels["planar-3rrr"] == ["x", "y", "theta"]
    assert labels["gough-stewart"] == ["x", "y", "z", "roll", "pitch", "yaw"]


def begun(made: Mechanism) -> np.ndarray:
    return np.array([one.at for one in made.controls])


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", PLATFORMS)
def test_frames_and_motors_are_those_of_legs_closed_by_iteration(name: str) -> None:
    """All frames about home, in Python, and the motors within a whole turn."""
    robot = robosym.load(name)
    found = platform_geometry(robot)
    numbers = {symbol.name: robot.values[symbol.name].number for symbol in found.program.parameter_symbols}
    start = np.array([control.at for control in found.controls])
    moved = robot.platforms[0].frame
    at = home(robot)
    for x in (start, start + 0.04 * np.linspace(-1, 1, len(start))):
        made = found.program.call(x=x, parameters=numbers)
        assert made["assembled"] == 1
        poses = {j: np.array(made[f"T{j}"], float).reshape(4, 4) for j in range(len(robot.frames) + 1)}
        at = closed(robot, {moved: poses[moved]}, at)
        for j, T in frames(robot, at, {moved: poses[moved]}).items():
            np.testing.assert_allclose(poses[j], T, rtol=0, atol=1e-8)
        motors = np.array(made["motors"])
        own = [at[robot.frame(j).joint.variable.name] for j in robot.moving]
        np.testing.assert_allclose(np.sin((motors - own) / 2), 0, atol=1e-8)
        assert (np.abs(motors) <= np.pi + 1e-9).all()


def test_a_platform_is_turned_and_moved_by_its_controls() -> None:
    """Six of them: a position, and roll, pitch and yaw about the axes of the base."""
    robot = robosym.load("gough-stewart")
    made = mechanism_of(robot)
    assert (made.free, made.tip) == ((0, 1, 2, 3, 4, 5), robot.platforms[0].frame)
    np.testing.assert_array_equal(made.stands, np.eye(4))
    x = begun(made) + np.array([0.05, -0.02, 0.1, 0.1, -0.2, 0.3])
    np.testing.assert_allclose(made.poses(x)[made.tip], placed(*x), atol=1e-12)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("kind", ["6-UPS", "planar-3-RPR", "3-PUU", "3-UPU", "4-RUU"])
def test_a_platform_begins_at_home(kind: str) -> None:
    """Wherever its base stands, also where home is turned and its motions do not turn it."""
    robot, pose, _ = random_platform(kind, 1, placed=True)
    made = mechanism_of(robot)
    assert made.of_platform
    T = made.poses(begun(made))[robot.platforms[0].frame]
    np.testing.assert_allclose(T[:3, 3], pose[:3], atol=1e-8)
    np.testing.assert_allclose(T[:3, :3], Rotation.from_quat(pose[3:]).as_matrix(), atol=1e-8)


@pytest.mark.parametrize("name", ["delta", "planar-3rrr"])
def test_what_does_not_turn_keeps_its_orientation(name: str) -> None:
    """Its angles are zero at home, whatever the home pose is."""
    made = mechanism_of(robosym.load(name))
    x = begun(made)
    for k in range(len(x)):
        step = np.eye(len(x))[k] * 0.03
        before, after = (made.poses(one)[made.tip] for one in (x, x + step))
        turned = after[:3, :3] @ before[:3, :3].T
        wanted = Rotation.from_rotvec([0, 0, 0.03]).as_matrix() if made.controls[k].kind == "angle" else np.eye(3)
        np.testing.assert_allclose(turned, wanted, atol=1e-12)
        if made.controls[k].kind == "length":
            np.testing.assert_allclose(after[:3, 3] - before[:3, 3], 0.03 * np.eye(3)[made.free[k]], atol=1e-12)


def test_a_platform_on_a_placed_base_moves_in_the_axes_of_the_base() -> None:
    robot = robosym.load("planar-3rrr")
    Z = placed(0.3, -0.2, 1.0, 0.4, -0.5, 0.6)
    moved = robot.replace(base=replace(robot.base, location=tuple(number(float(v)) for v in Z.ravel())))
    plain, there = mechanism_of(robot), mechanism_of(moved)
    x = begun(plain) + np.array([0.03, -0.02, 0.1])
    np.testing.assert_allclose(there.poses(x), Z @ plain.poses(x), atol=1e-12)
    np.testing.assert_allclose(there.state(x), plain.state(x), atol=1e-12)


def test_out_of_reach_no_leg_is_assembled() -> None:
    made = mechanism_of(robosym.load("delta"))
    assert made.is_assembled([one.at for one in made.controls])
    assert not made.is_assembled([5.0, 0.0, -1.0])


def test_limits_of_motors_hold_where_a_turn_can_be_chosen() -> None:
    """A motor whose range begins beyond half a turn is within it, not a whole turn before."""
    robot = robosym.load("planar-3rrr")
    before = mechanism_of(robot)
    x = [one.at for one in before.controls]
    angle = before.state(x)[0]
    j = robot.moving[0]
    all_frames = list(robot.frames)
    low = angle + 2 * np.pi - 0.5
    limits = replace(all_frames[j - 1].joint.limits, lower=low, upper=low + 1.0)
    all_frames[j - 1] = replace(all_frames[j - 1], joint=replace(all_frames[j - 1].joint, limits=limits))
    after = mechanism_of(robot.replace(frames=tuple(all_frames))).state(x)
    assert after[0] == pytest.approx(angle + 2 * np.pi)
    np.testing.assert_allclose(after[1:], before.state(x)[1:])


@pytest.mark.slow
def test_a_platform_whose_motions_change_has_its_motors_for_controls() -> None:
    robot = random_platform("3-RPS", 3)[0]
    with pytest.raises(NoControlsError, match="its motors are its controls"):
        platform_geometry(robot)
    made = mechanism_of(robot)
    assert not made.of_platform
    assert [one.group for one in made.controls] == ["joint"] * 3
    assert made.is_assembled([one.at for one in made.controls])


def test_modes_of_legs_are_told_apart() -> None:
    robot = robosym.load("planar-3rrr")
    usual = platform_geometry(robot).mode
    other = usual.translate(str.maketrans("+-", "-+"))
    assert platform_geometry(robot, usual).mode == usual
    flipped = platform_geometry(robot, other)
    assert flipped.mode == other != usual
    with pytest.raises(RobotError, match="expected"):
        platform_geometry(robot, "sideways")


@pytest.mark.parametrize("axis", range(3))
def test_columns_of_a_rotation_about_an_axis(axis: int) -> None:
    angle = variable("a")
    columns = [[float(evaluate([expr(x)], {"a": 0.7})[0]) for x in column] for column in _about(axis, angle)]
    own = Rotation.from_rotvec(0.7 * np.eye(3)[axis]).as_matrix()
    np.testing.assert_allclose(np.array(columns).T, own, atol=1e-15)
