"""The direct module in Node: poses of all frames against plain floats, Pinocchio and the models, for all structures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from models.parallel.random_platforms import random_platform
from random_robots import random_robot
from scene.float_geometry import joint_positions, placed, tree_poses
from scene.modules_in_node import about, begun, called, needs_node, poses_of

import robosym
from robosym import models
from robosym.models.parallel.structure import as_closed_loops
from robosym.robot import Robot, RobotError
from robosym.scene import direct_module, scene

pytestmark = needs_node
EXACT = 1e-12
CLOSED = ("sr400", "five-bar-general", "four-bar", "palletizer", "slider-crank", "bennett")
PLATFORMS = ("gough-stewart", "delta", "planar-3rrr", "orthoglide")


@pytest.mark.parametrize("name", ["rx90", "panda", "ur5", "stanford", "scara", "planar-2r"])
def test_serial_arms_are_where_plain_floats_put_them(name: str, tmp_path: Path) -> None:
    robot = robosym.load(name)
    xs = about(scene(robot), 6, far=3.0)
    for x, answer in zip(xs, called(tmp_path, direct_module(robot), [["frames", x] for x in xs]), strict=True):
        assert np.abs(poses_of(answer) - tree_poses(robot, x)).max() < EXACT


@pytest.mark.mostly_slow(fast=5)
@pytest.mark.parametrize("seed", range(6))
def test_random_trees_on_placed_and_free_bases(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    robot = random_robot(rng, 4 + 2 * seed, symbolic=seed % 2 == 1, rich=seed > 2)
    base = robot.base.__class__(name="stand", location=robot.base.location, floating=seed % 3 == 0)
    robot = robot.replace(base=base)
    made = scene(robot)
    assert made["floating"] == base.floating
    xs = about(made, 4, far=1.0, seed=seed)
    for x, answer in zip(xs, called(tmp_path, direct_module(robot), [["frames", x] for x in xs]), strict=True):
        free = placed(*x[:6]) if base.floating else None
        assert np.abs(poses_of(answer) - tree_poses(robot, x[6 if base.floating else 0 :], free)).max() < EXACT


URDF = """
<robot name="walker">
  <link name="trunk"/>
  <link name="thigh"/><link name="shank"/><link name="foot"/><link name="arm"/>
  <joint name="hip" type="revolute"><parent link="trunk"/><child link="thigh"/>
    <origin xyz="0.1 -0.2 0.05" rpy="0.3 -0.2 0.9"/><axis xyz="0.6 0 0.8"/><limit lower="-2" upper="2" effort="1" velocity="1"/></joint>
  <joint name="knee" type="prismatic"><parent link="thigh"/><child link="shank"/>
    <origin xyz="0 0.1 -0.4" rpy="0.1 0 0"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <joint name="ankle" type="fixed"><parent link="shank"/><child link="foot"/><origin xyz="0.05 0 -0.3" rpy="0 1 0.2"/></joint>
  <joint name="shoulder" type="continuous"><parent link="trunk"/><child link="arm"/><origin xyz="0 0 0.5"/><axis xyz="1 0 0"/></joint>
</robot>
"""


def test_a_free_urdf_is_where_pinocchio_puts_it(tmp_path: Path) -> None:
    pin = pytest.importorskip("pinocchio")
    robot = robosym.loads(URDF, "urdf", floating=True)
    made = scene(robot)
    names = [control["name"] for control in made["controls"]]
    assert names[:6] == ["base_x", "base_y", "base_z", "base_roll", "base_pitch", "base_yaw"]
    xs = about(made, 5, far=1.5)
    module = direct_module(robot)
    answers = called(tmp_path, module, [["frames", x] for x in xs])
    states = called(tmp_path, module, [["state", x] for x in xs])
    back = called(tmp_path, module, [["controls", q] for q in states])
    model = pin.buildModelFromXML(URDF, pin.JointModelFreeFlyer())
    data = model.createData()
    for x, answer, q, controls in zip(xs, answers, states, back, strict=True):
        assert np.abs(np.array(controls) - x).max() < EXACT
        own = np.zeros(model.nq)
        own[:7] = q[:7]
        for name, value in zip(names[6:], x[6:], strict=True):
            joint = model.joints[model.getJointId(name)]
            own[joint.idx_q : joint.idx_q + joint.nq] = [value] if joint.nq == 1 else [np.cos(value), np.sin(value)]
        pin.framesForwardKinematics(model, data, own)
        poses = poses_of(answer)
        for frame in made["frames"]:
            if model.existBodyName(frame["name"]):
                there = data.oMf[model.getFrameId(frame["name"], pin.FrameType.BODY)].homogeneous
                assert np.abs(poses[frame["number"]] - there).max() < EXACT


@pytest.mark.mostly_slow(fast=3)
@pytest.mark.parametrize("name", CLOSED)
def test_loops_are_closed_and_links_keep_their_shape(name: str, tmp_path: Path) -> None:
    robot = robosym.load(name)
    _closed_robot(robot, tmp_path)


@pytest.mark.slow
def test_loops_without_a_closed_form_are_closed_by_iteration(tmp_path: Path) -> None:
    """Also where they are the controls of a platform whose motions change with its pose."""
    robot = random_platform("3-RPS", 3)[0]
    made = scene(robot)
    assert made["structure"] == "parallel"
    assert [control["group"] for control in made["controls"]] == ["joint"] * 3
    _closed_robot(as_closed_loops(robot), tmp_path)


def _closed_robot(robot: Robot, folder: Path) -> None:
    made = scene(robot)
    xs = about(made, 4, far=0.15)
    answers = called(folder, direct_module(robot), [["frames", x] for x in xs])
    assert answers[0]["ok"]
    model = models.geometric(robot, frames="all", reference="world")
    for x, answer in zip(xs, answers, strict=True):
        wanted = model.evaluate(q=x)
        assert answer["ok"] == bool(wanted.get("assembled", 1))
        if not answer["ok"]:
            continue
        poses = poses_of(answer)
        assert np.abs(poses[1:] - np.array([wanted[f"T{j}"] for j in range(1, len(poses))])).max() < EXACT
        at = joint_positions(robot, poses)
        driven = np.array([at[j] for j in robot.moving])
        assert np.abs(np.sin((driven - x) / 2)).max() < EXACT
        for one, other in made["loops"]:
            assert np.abs(poses[one] - poses[other]).max() < 1e-9


def test_where_loops_cannot_be_assembled_it_says_so(tmp_path: Path) -> None:
    robot = robosym.load("five-bar-general")
    a, b, base = (robot.values[name].number for name in ("D2", "D4", "D3"))
    left = np.arccos((a * a + base * base - b * b) / (2 * a * base))
    right = np.arctan2(
        a * np.sin(left), a * np.cos(left) - base
    )  # the ends of both cranks in one point: couplers differ
    values = [begun(scene(robot)), [left, right], [-left, -right]]
    good, *bad = called(tmp_path, direct_module(robot), [["frames", one] for one in values])
    assert good["ok"]
    for answer in bad:
        assert not answer["ok"]
        assert answer["message"] == "the closed loops cannot be assembled here"
        assert set(answer["poses"]) == {"NaN"}


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", PLATFORMS)
def test_platforms_carry_their_legs_along(name: str, tmp_path: Path) -> None:
    """Ends on seats, links in their shape, motors where the inverse geometric model has them, and back."""
    robot = robosym.load(name)
    made = scene(robot)
    solver = models.inverse_geometric(robot)
    xs = about(made, 4, far=0.08)
    module = direct_module(robot)
    answers = called(tmp_path, module, [["frames", x] for x in xs])
    states = called(tmp_path, module, [["state", x] for x in xs])
    back = called(tmp_path, module, [["controls", q] for q in states])
    for x, answer, q, controls in zip(xs, answers, states, back, strict=True):
        poses = poses_of(answer)
        at = joint_positions(robot, poses)
        legs = robot.platforms[0].legs
        gaps = [np.abs(poses[leg.end] - poses[leg.seat])[:3, 3 if leg.joint == "spherical" else 0 :] for leg in legs]
        assert max(gap.max() for gap in gaps) < 1e-11
        way = np.array([at[j] for j in robot.moving]) - np.array(q)
        assert np.abs(np.sin(way / 2)).max() < EXACT
        found = solver(poses[made["tip"]], seed=q)
        assert np.abs(np.sin((found.solutions[0] - np.array(q)) / 2)).max() < 1e-11
        assert np.abs(np.array(controls) - x).max() < 1e-9


def test_a_platform_is_where_its_controls_say(tmp_path: Path) -> None:
    robot = robosym.load("gough-stewart")
    made = scene(robot)
    x = begun(made) + np.array([0.1, -0.2, 0.1, 0.05, -0.1, 0.2])
    far = [*begun(made)[:5], None]  # not a number
    good, bad, short = called(tmp_path, direct_module(robot), [["frames", x], ["frames", far], ["frames", [1]]])
    assert np.abs(poses_of(good)[made["tip"]] - placed(*x)).max() < EXACT
    assert not bad["ok"]
    assert short["message"] == "expected 6 finite numbers, the controls"


def test_a_delta_out_of_reach_says_so(tmp_path: Path) -> None:
    robot = robosym.load("delta")
    (answer,) = called(tmp_path, direct_module(robot), [["frames", [5.0, 0.0, -1.0]]])
    assert not answer["ok"]
    assert answer["message"] == "a leg does not reach the platform here"


def test_a_mode_can_be_chosen(tmp_path: Path) -> None:
    robot = robosym.load("five-bar-general")
    modes = ["cut-", "cut+"]
    x = begun(scene(robot))
    tips = []
    for mode in modes:
        made = scene(robot, mode=mode)
        assert made["mode"] == mode
        (answer,) = called(tmp_path, direct_module(robot, mode=mode), [["frames", x]])
        tips.append(poses_of(answer)[made["tip"]])
    assert np.abs(tips[0] - tips[1]).max() > 0.1
    with pytest.raises(RobotError, match="expected one of"):
        direct_module(robot, mode="sideways")
