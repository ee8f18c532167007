"""The lines of a robot against products of plain matrices."""

from __future__ import annotations

import numpy as np
import pytest
from models.reference import frame_poses
from random_joint_kinds import random_joint_tree
from random_robots import random_robot

import robosym
from robosym import RobosymError, models
from robosym.analysis import skeleton
from robosym.robot import REVOLUTE
from robosym.robot.joint_entries import quaternions
from robosym.robot.parts import COMPOUND


@pytest.mark.parametrize("seed", range(5))
def test_origins_are_those_of_the_frames(seed: int) -> None:
    rng = np.random.default_rng(seed)
    robot = random_robot(rng, 7, rich=seed % 2 == 1)
    if robot.loops:
        pytest.skip("an open tree is asked for")
    q = rng.uniform(-2, 2, robot.nq)
    if robot.base.floating:
        q[3:7] /= np.linalg.norm(q[3:7])
    bones = skeleton(robot, q)
    poses = frame_poses(robot, q)
    from_world = robosym.models.geometric(robot, frames=[0], reference="world").evaluate(q=q)
    for j, pose in poses.items():
        np.testing.assert_allclose(bones.origins[j], (from_world @ pose)[:3, 3], atol=1e-12)
    for j, limb in bones.limbs.items():
        np.testing.assert_allclose(limb[0], bones.origins[robot.frame(j).antecedent], atol=1e-12)
        np.testing.assert_allclose(limb[-1], bones.origins[j], atol=1e-12)


def test_corners_of_a_puma() -> None:
    """Link 3 goes along x2 by the upper arm and then along z3 by the offset of the shoulder."""
    limb = skeleton(robosym.load("puma560"), np.zeros(6)).limbs[3]
    lengths = np.linalg.norm(np.diff(limb, axis=0), axis=1)
    np.testing.assert_allclose(lengths, [0, 0.4318, 0.15005], atol=1e-12)


def test_kinds_of_joints_and_missing_numbers() -> None:
    robot = robosym.load("scara")
    bones = skeleton(robot, np.zeros(4))
    assert (bones.revolute, bones.prismatic) == ((1, 2, 3), (4,))
    with pytest.raises(RobosymError, match="parameters without a value: D2, D3"):
        skeleton(robot.replace(values={}), np.zeros(4))
    with pytest.raises(RobosymError, match=r"q has shape \(2,\), expected \(4,\)"):
        skeleton(robot, [0, 0])


@pytest.mark.parametrize("seed", range(8))
def test_joints_of_several_axes(seed: int) -> None:
    """Frames are where the geometric model has them, and lines lead there; frames inside of joints do not show."""
    robot = random_joint_tree(seed)
    rng = np.random.default_rng(seed)
    q = rng.uniform(-1, 1, robot.nq)
    for place in quaternions(robot).values():
        q[place : place + 4] /= np.linalg.norm(q[place : place + 4])
    found = skeleton(robot, q)
    frames = range(len(robot.frames) + 1)
    poses = models.geometric(robot, frames=list(frames), reference="world").evaluate(q=q)
    assert set(found.origins) == set(frames)
    for j in frames[1:]:
        np.testing.assert_allclose(found.origins[j], np.asarray(poses[f"T{j}"])[:3, 3], atol=1e-12)
        np.testing.assert_allclose(
            found.limbs[j][[0, -1]], [found.origins[robot.frame(j).antecedent], found.origins[j]]
        )
        assert (j in found.revolute) == (robot.frame(j).sigma in (REVOLUTE, COMPOUND))
