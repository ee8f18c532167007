"""Robots that can be moved, and their geometry in numbers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from random_joint_kinds import random_joint_tree
from random_robots import random_robot
from scene.float_geometry import placed, tree_poses
from scipy.spatial.transform import Rotation

import robosym
from robosym.errors import RobosymError
from robosym.expr import parameter
from robosym.program import Array, Graph, optimised
from robosym.robot import Robot, RobotError
from robosym.robot.parts import Limits
from robosym.scene import direct_module, scene
from robosym.scene.mechanism import _starts, in_robot_numbers, mechanism_of, quaternion


def test_geometry_without_numbers_is_named() -> None:
    robot = Robot.from_table("symbolic", [{"d": 0}, {"d": "L1"}, {"sigma": 2, "d": "L2"}])
    with pytest.raises(robosym.RobosymError, match="L1, L2"):
        direct_module(robot)
    platform = robosym.load("delta")
    without = {name: value for name, value in platform.values.items() if name not in list(platform.values)[:1]}
    with pytest.raises(robosym.RobosymError, match=next(iter(platform.values))):
        scene(platform.replace(values=without))


def test_a_quaternion_is_that_of_the_angles() -> None:
    for seed in range(20):
        angles = np.random.default_rng(seed).uniform(-3, 3, 3)
        own = Rotation.from_euler("xyz", angles).as_quat()
        found = np.array(quaternion(*angles))
        assert min(np.abs(found - own).max(), np.abs(found + own).max()) < 1e-15


@pytest.mark.parametrize("seed", range(6))
def test_frames_are_where_plain_floats_put_them(seed: int) -> None:
    """In Python as in the modules: trees with sliding and fixed joints, on placed and on free bases."""
    rng = np.random.default_rng(seed)
    robot = random_robot(rng, 3 + 2 * seed, symbolic=seed % 2 == 1, rich=seed > 3)
    robot = robot.replace(base=robot.base.__class__(location=robot.base.location, floating=seed % 2 == 0))
    made = mechanism_of(robot)
    assert not made.of_platform
    x = rng.uniform(-1, 1, len(made.controls))
    free = placed(*x[:6]) if robot.base.floating else None
    q = x[6:] if robot.base.floating else x
    np.testing.assert_allclose(made.poses(x), tree_poses(robot, q, free), rtol=0, atol=1e-12)
    assert made.is_assembled(x)
    state = made.state(x)
    assert len(state) == robot.nq
    np.testing.assert_allclose(state[-len(q) :], q)
    if free is not None:
        np.testing.assert_allclose(state[:3], x[:3])
        np.testing.assert_allclose(Rotation.from_quat(state[3:7]).as_matrix(), free[:3, :3], atol=1e-15)


def test_a_robot_without_joints_stands() -> None:
    robot = Robot.from_table("still", [{"sigma": "fixed", "d": 0.5}, {"sigma": "fixed", "alpha": "pi/2", "r": 0.2}])
    made = mechanism_of(robot)
    assert (made.controls, made.state([]), made.tip) == ((), [], 0)
    np.testing.assert_allclose(made.poses([]), tree_poses(robot, np.zeros(0)), atol=1e-15)
    floating = mechanism_of(robot.replace(base=robot.base.__class__(floating=True)))
    assert [one.group for one in floating.controls] == ["base"] * 6


def test_the_tip_is_the_end_of_the_chain_or_what_is_asked() -> None:
    robot = robosym.load("rx90")
    assert mechanism_of(robot).tip == 6
    assert mechanism_of(robot, "link2").tip == mechanism_of(robot, 2).tip == 2
    assert mechanism_of(robot, "link2").geometry is mechanism_of(robot).geometry
    assert mechanism_of(robot) is mechanism_of(robot)
    delta = robosym.load("delta")
    assert mechanism_of(delta).tip == delta.platforms[0].frame
    with pytest.raises(RobotError, match="frame"):
        mechanism_of(robot, "tail")
    branches = Robot.from_table("tree", [{}, {"antecedent": 1, "d": 1}, {"antecedent": 1, "d": 2}])
    assert mechanism_of(branches).tip == 2  # the first of several ends


@pytest.mark.parametrize("name", ["five-bar", "four-bar", "slider-crank"])
def test_loops_are_closed_where_it_begins(name: str) -> None:
    made = mechanism_of(robosym.load(name))
    x = [control.at for control in made.controls]
    assert made.is_assembled(x)
    poses, n, loops = made.poses(x), made.robot.n_links, made.robot.loops
    for k in range(n + 1, n + loops + 1):
        np.testing.assert_allclose(poses[k], poses[k + loops], atol=1e-9)


def test_positions_within_the_limits_are_tried_first() -> None:
    """After where the description stands: all positions at which the loops close, those that limits allow before the others."""
    robot = robosym.load("five-bar-general")
    frames = list(robot.frames)
    for j, (lower, upper) in zip(robot.moving, ((-np.pi, 0.0), (-np.pi, np.pi)), strict=True):
        joint = replace(frames[j - 1].joint, position=None, limits=Limits(lower, upper))
        frames[j - 1] = replace(frames[j - 1], joint=joint)
    made = mechanism_of(robot.replace(frames=tuple(frames)))
    first, *others = _starts(made)
    assert first == [control.at for control in made.controls]
    allowed = [all(c.allows(v) for c, v in zip(made.controls, x, strict=True)) for x in others]
    assert {*allowed} == {True, False}
    assert allowed == sorted(allowed, reverse=True)
    assert all(made.is_assembled(x) for x in others)
    assert all(control.allows(control.at) for control in made.controls)


def test_where_loops_are_open_it_is_not_assembled() -> None:
    made = mechanism_of(robosym.load("five-bar-general"))
    assert made.is_assembled([one.at for one in made.controls])
    robot = made.robot
    a, b, base = (robot.values[name].number for name in ("D2", "D4", "D3"))
    left = np.arccos((a * a + base * base - b * b) / (2 * a * base))
    right = np.arctan2(a * np.sin(left), a * np.cos(left) - base)
    assert not made.is_assembled([left, right])  # the ends of both cranks in one point: couplers differ


def test_a_robot_that_is_assembled_nowhere_is_an_error() -> None:
    robot = robosym.load("four-bar")
    with pytest.raises(RobosymError, match=r"cannot be assembled .+ its links do not reach each other"):
        mechanism_of(robot.replace(values={**robot.values, "D3": 100.0}))


def test_symbols_without_a_number_are_named() -> None:
    x = parameter("L")
    code = optimised(Graph("f", (), (Array("y", (), (x * x,)),), {}))
    robot = Robot.from_table("one", [{"d": "L"}])
    with pytest.raises(RobosymError, match="one: no value for L: a robot is drawn with numbers"):
        in_robot_numbers(robot, code)
    valued = robot.replace(values={"L": 3.0})
    assert in_robot_numbers(valued, code).call()["y"] == 9.0


@pytest.mark.parametrize("seed", range(6))
def test_joints_of_several_axes_have_a_control_for_each_way_they_move(seed: int) -> None:
    """Quaternions are those of three angles, wherever they stand in q; all other numbers are their controls."""
    robot = random_joint_tree(seed)
    made = mechanism_of(robot)
    x = np.random.default_rng(seed).uniform(-1, 1, len(made.controls)).tolist()
    q = made.state(x)
    assert (len(x), len(q)) == (robot.nv, robot.nq)
    names = [control.name for control in made.controls]
    for block in robot.blocks:
        own, given = q[block.q], x[block.qd]
        place = [entry.unit for entry in block.positions].index("quaternion") if len(own) > len(given) else len(own)
        assert own[:place] == given[:place]
        if place < len(own):
            assert np.allclose(Rotation.from_euler("xyz", given[place:]).as_quat(), own[place:], atol=1e-12)
            assert [name.split()[-1].split("_")[-1] for name in names[block.qd][place:]] == ["roll", "pitch", "yaw"]


def test_kinds_that_are_drawn_as_balls() -> None:
    rows = [
        {"sigma": "ball", "alpha": 0.5, "d": 0.3, "r": 0.2, "gamma": 0.4},
        {"sigma": "screw", "pitch": 0.1},
        {"d": 1},
    ]
    found = scene(Robot.from_table("arm", rows))
    assert [frame["kind"] for frame in found["frames"]] == ["base", "several", "revolute", "revolute"]
    assert [(frame["control"], frame["passive"]) for frame in found["frames"]] == [
        (None, False),
        (None, False),
        (3, False),
        (4, False),
    ]
    at = mechanism_of(Robot.from_table("arm", rows)).poses([0.3, -0.2, 0.1, 0.0, 0.0])[1][:3, 3]
    np.testing.assert_allclose(found["frames"][1]["corners"][-1], at, atol=1e-12)
