"""How all frames of a tree move: poses by products, twists, velocities and accelerations by differences of them."""

from __future__ import annotations

import numpy as np
import pytest
from models.loops.described_places import place, values_at
from random_robots import random_robot
from scipy.spatial.transform import Rotation

from robosym.models.mechanism.chain import Chain
from robosym.models.mechanism.frames import Linkage, MovingFrame, linkage_of
from robosym.robot import FIXED, Robot
from robosym.spatial.floats import poses_of_rows

COUNT = 3
Numbers = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def drawn(seed: int) -> tuple[Robot, Linkage, Numbers]:
    """A tree on a root that moves, and a batch of its poses, positions, motions and rates."""
    rng = np.random.default_rng(seed)
    robot = random_robot(rng, 7)
    joints = [j for j in robot.order if robot.frame(j).sigma != FIXED]
    still = {robot.frame(j).joint.variable: 0.0 for j in joints}
    linkage = linkage_of(robot, robot.order, joints, still)  # type: ignore[arg-type]
    n = len(joints)
    shapes = ((COUNT, n), (COUNT, 6 + n, 4), (COUNT, 6 + n), (COUNT, 6 + n))
    return robot, linkage, (poses_of_rows(rng.uniform(-2, 2, (COUNT, 6))), *(rng.uniform(-1, 1, s) for s in shapes))  # type: ignore[return-value]


def after(numbers: Numbers, h: float, u: np.ndarray, ud: np.ndarray) -> Numbers:
    """The positions a time h later, to the second order."""
    T, x, motions, *_ = numbers
    step = h * u + h * h / 2 * ud
    moved = T.copy()
    moved[:, :3, 3] += step[:, :3]
    moved[:, :3, :3] = Rotation.from_rotvec(step[:, 3:6]).as_matrix() @ T[:, :3, :3]
    return moved, x + step[:, 6:], motions, u, ud


def differences(before: MovingFrame, later: MovingFrame, h: float) -> tuple[np.ndarray, np.ndarray]:
    """The velocity of the origin and the angular velocity between two poses 2 h apart."""
    turned = Rotation.from_matrix(later.T[:, :3, :3] @ np.swapaxes(before.T[:, :3, :3], 1, 2)).as_rotvec()
    return (later.T - before.T)[:, :3, 3] / (2 * h), turned / (2 * h)


@pytest.mark.parametrize("seed", range(4))
def test_poses_are_products_of_frames(seed: int) -> None:
    robot, linkage, numbers = drawn(seed)
    found = linkage.moving(*numbers)
    assert set(found) == {0, *robot.order}
    assert linkage.antecedents == tuple(robot.frame(j).antecedent for j in linkage.frames)
    for b in range(COUNT):
        at = {robot.frame(j).joint.name: float(v) for j, v in zip(linkage.joints, numbers[1][b], strict=True)}
        for j in robot.order:
            expected = numbers[0][b] @ place(robot, j, values_at(robot, at))
            np.testing.assert_allclose(found[j].T[b], expected, atol=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_twists_and_rates_are_derivatives(seed: int) -> None:
    robot, linkage, numbers = drawn(seed)
    *_, motions, u, ud = numbers
    found, h = linkage.moving(*numbers), 1e-4
    before, later = (linkage.moving(*after(numbers, s * h, u, ud)) for s in (-1, 1))
    none = np.zeros_like(u)
    along = [
        [linkage.moving(*after(numbers, s * 1e-6, motions[:, :, k], none)) for s in (-1, 1)]
        for k in range(motions.shape[2])
    ]
    for j in (0, *robot.order):
        own = found[j]
        for k, (back, forth) in enumerate(along):
            v, w = differences(back[j], forth[j], 1e-6)
            np.testing.assert_allclose(v, own.twists[:, :3, k], atol=1e-8)
            np.testing.assert_allclose(w, own.twists[:, 3:, k], atol=1e-8)
        np.testing.assert_allclose(differences(before[j], later[j], h)[1], own.w, atol=1e-6)
        second = (later[j].T - 2 * own.T + before[j].T)[:, :3, 3] / h**2
        np.testing.assert_allclose(second, own.a, atol=1e-5)
        turned = [
            Rotation.from_matrix(one[j].T[:, :3, :3] @ np.swapaxes(own.T[:, :3, :3], 1, 2)).as_rotvec()
            for one in (before, later)
        ]
        np.testing.assert_allclose((turned[0] + turned[1]) / h**2, own.wd, atol=1e-5)


def test_twists_at_another_place_of_a_frame() -> None:
    _, linkage, numbers = drawn(2)
    own = linkage.moving(*numbers)[linkage.frames[-1]]
    offset = poses_of_rows(np.array([0.3, 0.2, -0.7, 0.5, 1.1, -0.4]))
    there = own.T @ offset
    twists = own.twists_at(there)
    for b in range(COUNT):
        R, arm = there[b, :3, :3], there[b, :3, 3] - own.T[b, :3, 3]
        for k in range(twists.shape[2]):
            v, w = own.twists[b, :3, k], own.twists[b, 3:, k]
            np.testing.assert_allclose(R @ twists[b, :3, k], v + np.cross(w, arm), atol=1e-12)
            np.testing.assert_allclose(R @ twists[b, 3:, k], w, atol=1e-12)
    np.testing.assert_allclose(own.twists_at(own.T)[:, 3:], np.swapaxes(own.T[:, :3, :3], 1, 2) @ own.twists[:, 3:])


def test_the_ground_is_at_rest_where_another_frame_moves_by_itself() -> None:
    _, linkage, numbers = drawn(1)
    j = linkage.frames[0]
    chain = Chain(linkage.chain.before[1:], linkage.chain.slope[1:], linkage.chain.level[1:])
    rest = Linkage(linkage.frames[1:], linkage.antecedents[1:], linkage.joints, chain, root=j)
    found = rest.moving(*numbers)
    assert not np.abs(found[0].twists).any()
    assert not np.abs(found[0].a).any()
    np.testing.assert_array_equal(found[0].T, np.tile(np.eye(4), (COUNT, 1, 1)))
    np.testing.assert_array_equal(found[j].T, numbers[0])
    np.testing.assert_array_equal(found[j].twists, numbers[2][:, :6])
    np.testing.assert_array_equal(found[j].a, numbers[4][:, :3])
