"""Forward geometry of a chain in numbers: poses, misses, derivatives, and the ways towards a pose."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from models.inverse_geometry.robots import CHAINS
from models.reference import frame_poses
from scipy.spatial.transform import Rotation

import robosym
from robosym.models.inverse_geometry.chain.task import chain_for
from robosym.models.inverse_geometry.solver.forward_geometry import Forward

POSE, PLACE = slice(0, 4), slice(3, 4)


@cache
def forward_of(name: str, *given: int) -> Forward:
    chain = chain_for(CHAINS[name](), given=given)
    return Forward(chain, len(chain.robot.frames), 0)


def expected_poses(forward: Forward, Q: np.ndarray, given: np.ndarray | None = None) -> np.ndarray:
    robot, chain = forward.chain.robot, forward.chain
    found = []
    for k, q in enumerate(Q):
        held = [] if given is None else np.broadcast_to(given, (len(Q), len(chain.given)))[k]
        at = dict(zip([joint.frame for joint in chain.joints], q, strict=True)) | dict(
            zip(chain.given, held, strict=True)
        )
        found.append(frame_poses(robot, np.array([at[j] for j in robot.moving]))[len(robot.frames)])
    return np.array(found)


def test_poses_with_joints_given() -> None:
    rng = np.random.default_rng(1)
    forward = forward_of("scara")
    Q = rng.uniform(-2, 2, (4, 4))
    np.testing.assert_allclose(forward(Q), expected_poses(forward, Q), atol=1e-13)
    forward = forward_of("scara", 2)
    Q = rng.uniform(-2, 2, (4, 3))
    for given in (np.array([0.7]), rng.uniform(-2, 2, (4, 1))):
        held = forward.at(given, None)
        np.testing.assert_allclose(held(Q), expected_poses(forward, Q, given), atol=1e-13)
        assert held._function is forward._function  # compiled once


def test_parameters_of_a_call() -> None:
    forward = Forward(chain_for(robosym.load("planar-2r")), 3, 0).at(None, {"L1": 2.0, "L2": 3.0, "M1": 7.0})
    np.testing.assert_allclose(forward(np.array([[0.0, np.pi / 2]]))[0, :3, 3], [2, 3, 0], atol=1e-14)
    T = np.eye(4)
    J = forward.jacobian(np.array([0.0, np.pi / 2]), T, PLACE)
    np.testing.assert_allclose(J, [[-3, -3], [2, 0], [0, 0]], atol=1e-14)


def test_misses_in_metres_and_radians() -> None:
    rng = np.random.default_rng(2)
    forward = forward_of("scara")
    Q = rng.uniform(-2, 2, (6, 4))
    poses = forward(Q)
    for angle in (0.0, 1e-7, 0.4, 2.0, np.pi):
        axis = rng.normal(size=3)
        turn = Rotation.from_rotvec(angle * axis / np.linalg.norm(axis)).as_matrix()
        way = rng.normal(size=3)
        T = poses[3].copy()
        T[:3, :3] = T[:3, :3] @ turn
        T[:3, 3] += way
        distances, angles = forward.misses(Q, T)
        assert distances[3] == pytest.approx(np.linalg.norm(way))
        assert angles[3] == pytest.approx(angle, abs=1e-12)
        apart = [Rotation.from_matrix(P[:3, :3].T @ T[:3, :3]).magnitude() for P in poses]
        np.testing.assert_allclose(angles, apart, atol=1e-7)
        np.testing.assert_allclose(distances, np.linalg.norm(poses[:, :3, 3] - T[:3, 3], axis=1))


@pytest.mark.parametrize("columns", [POSE, PLACE])
@pytest.mark.parametrize(("name", "given"), [("zigzag", ()), ("scara", (3,))])
def test_derivatives_are_those_of_differences(name: str, given: tuple[int, ...], columns: slice) -> None:
    forward = forward_of(name, *given).at(np.array([0.4]) if given else None, None)
    rng, step = np.random.default_rng(3), 1e-6
    n = len(forward.chain.joints)
    q, T = rng.uniform(-2, 2, n), np.eye(4)
    J = forward.jacobian(q, T, columns)
    for k in range(n):
        after, before = (forward((q + sign * step * np.eye(n)[k])[None])[0] for sign in (1, -1))
        np.testing.assert_allclose(J[:, k], ((after - before) / (2 * step))[:3, columns].ravel(), atol=1e-8)


def test_residuals_are_the_largest_entries() -> None:
    forward, rng = forward_of("scara"), np.random.default_rng(4)
    Q = rng.uniform(-2, 2, (3, 4))
    poses = forward(Q)
    wanted = poses[::-1]
    np.testing.assert_allclose(forward.residuals(Q, wanted, POSE), np.abs(poses - wanted).max(axis=(1, 2)))
    np.testing.assert_allclose(forward.residuals(Q, wanted, PLACE), np.abs(poses - wanted)[:, :, 3].max(axis=1))
    assert forward.residuals(Q, poses[1], POSE)[1] == 0


def test_polished_is_nearer_never_farther() -> None:
    forward, rng = forward_of("scara"), np.random.default_rng(5)
    q = rng.uniform(-2, 2, 4)
    T = forward(q[None])[0]
    near = forward.polished(q + 1e-3 * rng.normal(size=4), T, POSE)
    np.testing.assert_allclose(near, q, atol=1e-12)
    T[:3, 3] += 50
    start = q.copy()
    far = forward.polished(start, T, POSE)
    assert forward.residuals(far[None], T, POSE) <= forward.residuals(start[None], T, POSE)


def test_approached_points_at_a_place_out_of_reach() -> None:
    """The SCARA stretched towards it, its slide as high as it."""
    forward = forward_of("scara")
    T = np.eye(4)
    T[:3, 3] = [3.0, 4.0, 2.0]
    starts = np.random.default_rng(6).uniform(-1, 1, (3, 4))
    values = {key: value.number for key, value in forward.chain.robot.values.items()}
    reach = values["D2"] + values["D3"]
    for pose in forward(forward.approached(T, starts, PLACE)):
        np.testing.assert_allclose(pose[:3, 3], [0.6 * reach, 0.8 * reach, 2.0], atol=1e-5)
