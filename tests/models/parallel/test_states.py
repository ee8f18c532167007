"""Random states of a platform: the legs stay closed along their motions, by differences and in other closures."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from models.parallel.random_platforms import random_platform
from scipy.spatial.transform import Rotation

from robosym.models.parallel.kinematics import modes_of
from robosym.models.parallel.pose import pose_symbols, rate_symbols, twist_symbols
from robosym.models.parallel.states import States, random_states
from robosym.models.parallel.structure import module_of
from robosym.robot import PRISMATIC, Robot


@cache
def case(kind: str, count: int = 3) -> tuple[Robot, States]:
    robot, *_ = random_platform(kind, 3)
    return robot, random_states(module_of(robot), modes_of(robot).default, count, 5)


def later(states: States, h: float) -> tuple[np.ndarray, np.ndarray]:
    """Positions a time h later, to the second order."""
    T = states.T.copy()
    T[:, :3, 3] += h * states.u[:, :3] + h * h / 2 * states.ud[:, :3]
    turned = Rotation.from_rotvec(h * states.u[:, 3:6] + h * h / 2 * states.ud[:, 3:6])
    T[:, :3, :3] = turned.as_matrix() @ T[:, :3, :3]
    return T, states.x + h * states.u[:, 6:] + h * h / 2 * states.ud[:, 6:]


def sliding(robot: Robot, states: States) -> list[bool]:
    return [robot.frame(j).sigma == PRISMATIC for j in states.joints]


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("kind", ["3-RPS", "6-UPS-wrist", "planar-3-RRR"])
def test_legs_stay_closed_to_the_second_order(kind: str) -> None:
    robot, states = case(kind)
    own, n = states.mechanism, len(states.mechanism.joints)
    assert len(states) == 3
    assert own.gap(states.T, states.x[:, :n]).max() < 1e-9
    assert states.joints == (*own.joints, *module_of(robot).carried_joints)
    assert states.u.shape[1] == 6 + len(states.joints)
    assert np.abs(states.u).max() > 0.1
    assert np.abs(states.ud).max() > 0.1
    gaps = {}
    for h in (1e-3, 2e-3):
        T, x = later(states, h)
        gaps[h] = own.gap(T, x[:, :n])
    assert gaps[2e-3].max() < 1e-5
    assert (gaps[2e-3] > 6 * gaps[1e-3] - 1e-11).all()  # of the third order
    for basis, u in zip(states.motions, states.u, strict=True):
        assert np.linalg.norm(u - basis @ np.linalg.lstsq(basis, u, rcond=None)[0]) < 1e-9 * np.linalg.norm(u)
    units = np.array([*[own.size] * 3, *[1.0] * 3, *(own.size if slides else 1.0 for slides in sliding(robot, states))])
    motions = states.motions / units[:, None]
    np.testing.assert_allclose(
        np.swapaxes(motions, 1, 2) @ motions,
        np.tile(np.eye(states.motions.shape[2]), (3, 1, 1)),
        atol=1e-9,
    )


def test_how_frames_move() -> None:
    """Poses by products, speeds and accelerations by differences of them."""
    robot, states = case("6-UPS-wrist")
    h, moved = 1e-4, states.moving
    near = []
    for s in (1, -1):
        T, x = later(states, s * h)
        near.append(replace(states, T=T, x=x).moving)
    for j, one in moved.items():
        if j == 0:
            continue
        before, after = near[1][j].T, near[0][j].T
        np.testing.assert_allclose((after - 2 * one.T + before)[:, :3, 3] / h**2, one.a, atol=2e-5)
        spin = (after - before)[:, :3, :3] / (2 * h) @ np.swapaxes(one.T[:, :3, :3], 1, 2)
        np.testing.assert_allclose(np.stack([spin[:, 2, 1], spin[:, 0, 2], spin[:, 1, 0]], 1), one.w, atol=1e-6)
    assert set(moved) >= set(states.joints) | {robot.platforms[0].frame}


def test_numbers_for_the_symbols() -> None:
    robot, states = case("6-UPS-wrist")
    found = states.numbers()
    np.testing.assert_array_equal([found[s] for s in pose_symbols[:3]], states.T[:, :3, 3].T)
    R = Rotation.from_quat(np.array([found[s] for s in pose_symbols[3:]]).T).as_matrix()
    np.testing.assert_allclose(R, states.T[:, :3, :3], atol=1e-12)
    np.testing.assert_array_equal([found[s] for s in twist_symbols], states.u[:, :6].T)
    np.testing.assert_array_equal([found[s] for s in rate_symbols], states.ud[:, :6].T)
    n = len(states.mechanism.joints)
    for k, j in enumerate(module_of(robot).carried_joints):
        np.testing.assert_array_equal(found[robot.frame(j).joint.variable], states.x[:, n + k])
