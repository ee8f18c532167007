"""Closed loops made from a platform stand in the described pose, whatever its kind, and have the same forces."""

from __future__ import annotations

import warnings
from dataclasses import replace

import mujoco
import numpy as np
import pytest
from models.loops.closed_reference import Closed
from models.loops.path_following import placement
from models.parallel.both_forms import check_both_forms, check_described_mode
from models.parallel.random_platforms import random_platform
from sweeps import many

import robosym
from robosym.formats import mjcf_write
from robosym.robot import Robot, RobotWarning
from robosym.robot.loop_closure import described_poses

KINDS = ("6-UPS", "6-RUS", "3-RPS", "3-RUU", "3-PUU", "planar-3-RRR")


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_the_described_pose_is_the_default_mode(kind: str) -> None:
    for seed in range(many(2)):
        check_described_mode(kind, seed)


def with_balls_in_line(robot: Robot) -> Robot:
    """The same robot with tips of its legs whose x axis is z of the seat in the described pose, to rounding: the first and the
    last axis of a ball x, y, z are in line there."""
    poses, platform = described_poses(robot), robot.platforms[0]
    added, legs = [], []
    for leg in platform.legs:
        seat = poses[leg.seat][:3, :3]
        T = np.eye(4)
        T[:3, :3] = poses[leg.end][:3, :3].T @ np.column_stack([seat[:, 2], seat[:, 0], seat[:, 1]])
        row = {"antecedent": 0, "sigma": "fixed", **placement(T)}
        name = f"{leg.name}_turned_tip"
        frame = Robot.from_table("tip", [{"name": "moving"}, {**row, "name": name, "joint": name}]).frame(2)
        added.append(replace(frame, antecedent=leg.end))
        legs.append(replace(leg, end=len(robot.frames) + len(added)))
    return robot.replace(frames=(*robot.frames, *added), platforms=(replace(platform, legs=tuple(legs)),))


@pytest.mark.parametrize("kind", ["6-UPS", "3-RPS"])
def test_the_axes_of_a_ball_are_not_in_line_where_it_stands(kind: str) -> None:
    for seed in range(many(2)):
        loops = with_balls_in_line(random_platform(kind, seed)[0]).closed_loops()
        second = [f.joint.position for f in loops.frames if f.joint.name.endswith("_ball_y_joint")]
        assert max(abs(x) for x in second if x is not None) < 1.26
        tree = Closed(loops)
        x = np.array([loops.frame(j).joint.position for j in tree.frames], dtype=float)
        assert tree.residuals(x[None])[0] < 1e-12
        J, _ = tree.constraints(x, np.zeros(len(x)))
        sizes = np.linalg.svd(J[:, tree.passive], compute_uv=False)
        assert sizes[len(tree.passive) - 1] > 1e-3 * sizes[0]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "dynamics"), [("6-UPS", False), ("3-RPS", True), ("planar-3-RRR", True)])
def test_random_platforms_in_both_forms(kind: str, dynamics: bool) -> None:
    check_both_forms(kind, seed=4, poses=many(1), dynamics=dynamics)


@pytest.mark.slow
def test_the_holding_forces_of_tsai_s_platform() -> None:
    """Symmetric: each leg bears the same, 7.22 N, in the pose of the description."""
    robot = robosym.load("gough-stewart").closed_loops()
    q = [robot.frame(j).joint.position for j in robot.moving]
    found = robosym.models.gravity(robot).evaluate(q=q)
    assert found["assembled"] == 1
    np.testing.assert_allclose(found["Q"], 7.217, atol=2e-3)


def keyframe_gap(robot: Robot) -> float:
    """By how much MuJoCo finds the loops open at the keyframe of a written file, in m and rad."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RobotWarning)
        model = mujoco.MjModel.from_xml_string(mjcf_write.dumps(robot))
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    equalities = data.efc_type == int(mujoco.mjtConstraint.mjCNSTR_EQUALITY)
    assert equalities.any()
    return float(np.abs(data.efc_pos[equalities]).max())


@pytest.mark.parametrize("kind", KINDS)
def test_the_keyframe_of_a_written_platform_is_closed(kind: str) -> None:
    for seed in range(many(2)):
        assert keyframe_gap(random_platform(kind, seed)[0]) < 1e-12


@pytest.mark.parametrize("name", ["gough-stewart", "delta", "orthoglide", "planar-3rrr"])
def test_the_keyframe_of_a_built_in_platform_is_closed(name: str) -> None:
    assert keyframe_gap(robosym.load(name)) < 1e-12


def test_the_keyframe_of_loops_of_which_a_part_is_described() -> None:
    """The positions that are not described are those that close the loop."""
    robot = robosym.load("four-bar")
    frames = [
        replace(frame, joint=replace(frame.joint, position=at))
        for frame, at in zip(robot.frames, (0.9, None, 1.4, None, None), strict=True)
    ]
    assert keyframe_gap(robot.replace(frames=tuple(frames))) < 1e-12
