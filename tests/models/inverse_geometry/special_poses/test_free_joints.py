"""Free joints: one for each self-motion through a solution, none where it is isolated."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
from models.inverse_geometry.robots import CHAINS
from models.reference import frame_poses

import robosym
from robosym.models.inverse_geometry.chain.task import chain_for
from robosym.models.inverse_geometry.special_poses.free_joints import FreeJoints, _independent
from robosym.robot import Robot


@cache
def free_of(name: str, task: str) -> tuple[Robot, FreeJoints]:
    robot = CHAINS[name]() if name in CHAINS else robosym.load(name)
    values = {key: value.number for key, value in robot.values.items()}
    return robot, FreeJoints(chain_for(robot), task, values)  # type: ignore[arg-type]


def free_at(name: str, task: str, *positions: list[float], **lengths: float) -> list[list[bool]]:
    """The free joints of positions that make the pose of the first."""
    robot, free = free_of(name, task)
    at = robot.replace(values={**robot.values}) if not lengths else robot
    if lengths:
        values = dict(robot.values)
        for key, value in lengths.items():
            values[key] = type(values[key])(value)
        at = robot.replace(values=values)
    T = frame_poses(at, np.array(positions[0]))[len(robot.frames)]
    found = free(T, np.array(positions), parameters=lengths or None)
    return [row.tolist() for row in found]


def test_a_straight_wrist_has_one_free_joint_and_a_bent_one_none() -> None:
    bent, straight = ([0.3, -0.4, 0.5, 0.6, bend, 0.8] for bend in (0.7, 0.0))
    assert free_at("puma560", "pose", bent) == [[False] * 6]
    assert free_at("puma560", "pose", straight) == [[False] * 3 + [True] + [False] * 2]
    turned = [0.3, -0.4, 0.5, 0.6 - 0.25, 0.0, 0.8 + 0.25]  # the same pose
    assert free_at("puma560", "pose", straight, turned) == [[False] * 3 + [True] + [False] * 2] * 2


def test_equal_links_folded_free_the_first() -> None:
    assert free_at("planar-2r", "position", [0.4, math.pi], L1=0.5, L2=0.5) == [[True, False]]
    assert free_at("planar-2r", "position", [0.4, 1.0], L1=0.5, L2=0.5) == [[False, False]]
    assert free_at("planar-2r", "position", [0.4, math.pi]) == [
        [False, False]
    ]  # folded, and the end is away from the base


def test_a_stretched_arm_cannot_move_though_it_is_singular() -> None:
    """The null space of the Jacobian matrix is no self-motion: nothing moves to second order."""
    assert free_at("planar-2r", "position", [0.4, 0.0]) == [[False, False]]
    assert free_at("planar-3r", "pose", [0.4, 0.0, 0.3]) == [[False] * 3]


def test_no_solution_has_no_free_joint() -> None:
    _, free = free_of("planar-2r", "position")
    assert free(np.eye(4), np.zeros((0, 2))).shape == (0, 2)


@pytest.mark.parametrize("d", [1, 2, 3])
def test_joints_that_can_be_chosen_freely(d: int) -> None:
    """d of them, whose rows are independent: any values of theirs are made by one motion."""
    rng = np.random.default_rng(d)
    for _ in range(20):
        motion = np.linalg.qr(rng.normal(size=(6, d)))[0]
        chosen = _independent(motion)
        assert chosen.sum() == d
        assert np.linalg.svd(motion[chosen], compute_uv=False)[-1] > 1e-3
        first = np.linalg.norm(motion, axis=1)
        assert chosen[np.flatnonzero(first >= 0.5 * first.max())[0]]


def test_the_first_that_moves_well_comes_before_the_one_that_moves_most() -> None:
    faint, well, most = 0.2, 0.5, 0.8
    motion = np.array([[0.0], [faint], [well], [most]])
    assert _independent(motion / np.linalg.norm(motion)).tolist() == [False, False, True, False]
