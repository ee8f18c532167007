"""Measures of platforms at poses: matrices of an independent implementation, geometry that is known, and poses as they are given."""

from __future__ import annotations

import numpy as np
import pytest
from analysis.platform_poses import about_z
from models.parallel import reference
from models.parallel.platform_model import Mechanism
from models.parallel.random_platforms import random_platform
from scipy.spatial.transform import Rotation
from sweeps import some

import robosym
from robosym import RobosymError
from robosym.analysis import PlatformMotion
from robosym.analysis.platform_motion import LegMatrices, _condition, pose_batch
from robosym.spatial.floats import pose_matrices

L1 = 0.3  # of planar-3rrr
CLASSES = ("6-RUS", "6-UPS-wrist", "planar-3-RRR", "five-bar", "3-UPU", "4-RUU", "spherical-3-RRR", "3-RPS", "3-UPS-UP")


@pytest.fixture(scope="module")
def planar() -> PlatformMotion:
    return PlatformMotion(robosym.load("planar-3rrr"))


def test_the_distance_from_type_1_is_that_of_the_elbow(planar: PlatformMotion) -> None:
    """A unit force along the outer link turns the crank with the arm L1 sin(elbow)."""
    motion = planar
    poses = [about_z(a, (x, y, 0.0)) for a, x, y in ((0.0, 0.05, 0.02), (0.3, -0.1, 0.05), (-0.2, 0.1, 0.0))]
    x, reach = motion.joints(np.array(poses))
    assert reach.all()
    expected = L1 * np.abs(np.sin(x[:, 1::3])) / motion.length
    np.testing.assert_allclose(motion.measures(poses).motors, expected, atol=1e-13)


def test_passive_joints_that_depend_on_each_other_leave_the_motor_its_direction() -> None:
    """Of the plane across two parallel columns, the line along the motor's."""
    draw = np.random.default_rng(8)
    for _ in range(5):
        Q = np.linalg.qr(draw.normal(size=(3, 3)))[0]
        W = np.stack([Q[:, 0], 2 * Q[:, 0], Q[:, 1]], axis=1)[None]
        leg = LegMatrices(W, np.zeros((1, 3, 6)), motors=[2], passive=[0, 1])
        np.testing.assert_allclose(np.abs(leg.unyielding[0] @ Q), [[0, 1, 0]], atol=1e-12)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("kind", some(CLASSES, every=2))
def test_measures_of_every_class(kind: str) -> None:
    """Against the closures of Pinocchio: which motions there are with the motors held, and the speeds of motors for a twist."""
    robot, pose, joints = random_platform(kind, 2)
    motion = PlatformMotion(robot, near={robot.frame(j).joint.name: float(x) for j, x in
                                         zip(Mechanism.of(robot).joints, joints, strict=True) if j in _leg_joints(robot)})  # fmt: skip
    found = motion.measures(pose)
    assert found.reached[0]
    assert found.distance[0] > 1e-3
    # qd by a twist that the legs allow, lengths over the size: its condition number
    free = reference.admissible(robot, pose, joints).platform
    scale = np.diag([*[1 / found.length] * 3, 1, 1, 1])
    basis = np.linalg.qr(scale @ free)[0]
    twists = np.linalg.inv(scale) @ basis
    legs = [Mechanism.of(robot).joints.index(j) for j in motion.module.motors]
    slides = np.array([robot.frame(j).sigma == 1 for j in motion.module.motors])
    speeds = np.array([reference.rates(robot, pose, joints, twist).value[legs] for twist in twists.T]).T
    speeds[slides] /= found.length
    s = np.linalg.svd(speeds, compute_uv=False)
    assert found.condition[0] == pytest.approx(s[0] / s[-1], rel=1e-7)
    assert np.isinf(found.constraints[0]) == (free.shape[1] == 6)


def _leg_joints(robot: robosym.Robot) -> set[int]:
    return {j for leg in robot.platforms[0].legs for j in robot.path(leg.end)}


# --- matrices of one leg, drawn -----------------------------------------------------------------------------------------


def drawn(seed: int, rows: int = 6, n: int = 4) -> LegMatrices:
    """Two poses of a leg whose second and last joints have motors."""
    rng = np.random.default_rng(seed)
    return LegMatrices(rng.normal(size=(2, rows, n)), rng.normal(size=(2, rows, 6)), [1, n - 1], [0, *range(2, n - 1)])


def test_wrenches_on_which_no_passive_joint_yields() -> None:
    leg = drawn(1)
    N = leg.unyielding
    assert N.shape == (2, 4, 6)
    np.testing.assert_allclose(N @ np.swapaxes(N, 1, 2), np.broadcast_to(np.eye(4), (2, 4, 4)), atol=1e-12)
    np.testing.assert_allclose(N @ leg.W[:, :, leg.passive], 0, atol=1e-12)
    np.testing.assert_allclose(leg.by_motors, N @ leg.W[:, :, leg.motors], atol=1e-12)
    np.testing.assert_allclose(leg.rows, N @ leg.P, atol=1e-12)
    driven = LegMatrices(leg.W, leg.P, [0, 1, 2, 3], [])
    np.testing.assert_array_equal(driven.unyielding, np.broadcast_to(np.eye(6), (2, 6, 6)))


def test_constraints_are_wrenches_on_which_no_joint_yields() -> None:
    """Zero rows where one does."""
    leg = drawn(2)
    leg.W[1, :, 0] = leg.W[1, :, 3]  # one more constraint at the second pose
    for k, count in ((0, 2), (1, 3)):
        left = np.linalg.svd(leg.W[k])[0][:, 6 - count :]
        found = leg.constraints[k]
        assert np.linalg.matrix_rank(found) == count
        np.testing.assert_allclose(found.T @ found, leg.P[k].T @ left @ left.T @ leg.P[k], atol=1e-10)


def test_the_condition_number_is_that_of_the_motors_by_the_twist() -> None:
    """Two legs of two motors each, and twists along three axes; stuck motors have none."""
    legs = [drawn(3), drawn(4)]
    free = np.broadcast_to(np.eye(6)[:, [0, 2, 5]], (2, 6, 3))
    rates = np.concatenate([np.linalg.pinv(leg.by_motors) @ leg.rows @ free for leg in legs], axis=1)
    np.testing.assert_allclose(_condition(legs, free), np.linalg.cond(rates), rtol=1e-10)
    stuck = drawn(3)
    stuck.W[0, :, 1] = stuck.W[0, :, 0]
    found = _condition([stuck, legs[1]], free)
    assert np.isinf(found[0])
    assert np.isfinite(found[1])


# --- poses ----------------------------------------------------------------------------------------------------------------


def test_poses_as_they_are_given() -> None:
    robot = robosym.load("planar-3rrr")
    rng = np.random.default_rng(5)
    quaternions = rng.normal(size=(4, 4))
    quaternions /= np.linalg.norm(quaternions, axis=1)[:, None]
    rows = np.hstack([rng.normal(size=(4, 3)), quaternions])
    T = np.tile(np.eye(4), (4, 1, 1))
    T[:, :3, :3], T[:, :3, 3] = Rotation.from_quat(quaternions).as_matrix(), rows[:, :3]
    np.testing.assert_allclose(pose_matrices(rows), T, atol=1e-12)
    for given, count in ((rows, 4), (rows[0], 1), (T, 4), (T[0], 1)):
        poses, matrices = pose_batch(robot, given)
        np.testing.assert_allclose(matrices, T[:count], atol=1e-12)
        np.testing.assert_allclose(pose_matrices(poses), T[:count], atol=1e-12)
    long = rows.copy()
    long[2, 3:] *= 1 + 1e-5
    with pytest.raises(RobosymError, match=r"the quaternion has length 1.00001, expected 1"):
        pose_batch(robot, long)
    long[2, 3:] *= (1 + 1e-7) / (1 + 1e-5)
    assert np.abs(np.linalg.norm(pose_batch(robot, long)[0][:, 3:], axis=1) - 1).max() < 1e-15
    with pytest.raises(RobosymError, match=r"pose: got shape \(6,\)"):
        pose_batch(robot, rows[0, :6])


def test_lengths_and_parameters(planar: PlatformMotion) -> None:
    """A length twice as large halves what motors do to a length; numbers take the place of the robot's."""
    pose = about_z(0.1, (0.02, 0.01, 0.0))
    twice = PlatformMotion(planar.robot, length=2 * planar.length)
    np.testing.assert_allclose(twice.measures(pose).motors, planar.measures(pose).motors / 2, rtol=1e-12)
    longer = PlatformMotion(planar.robot, parameters={"L1": 0.35})
    assert longer.robot.values["L1"].number == 0.35
    assert planar.motor_places == [planar.joint_names.index(f"leg{k}_motor") for k in (1, 2, 3)]
    for wrong in (0, -1.0, True, float("inf"), "1"):
        with pytest.raises(RobosymError, match="length: got"):
            PlatformMotion(planar.robot, length=wrong)  # type: ignore[arg-type]
