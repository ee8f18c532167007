"""Loops closed in numbers: the gap is zero, its slope the derivative, and joints that are held stay."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from built_in import LOOPED, PARALLEL
from models.reference import dh_matrix, frame_poses
from parallel_robots import frames, shift, turn
from random_robots import random_robot

import robosym
from robosym.robot import FIXED, PRISMATIC, Robot
from robosym.robot.loop_closure import (
    CLOSED,
    NumericGeometry,
    _Closure,
    _fitted,
    closed_positions,
    described_poses,
    standing_positions,
)

SEEDS = range(5)


def rotation(vector: np.ndarray) -> np.ndarray:
    """exp of a skew matrix (Rodrigues)."""
    angle = float(np.linalg.norm(vector))
    if not angle:
        return np.eye(3)
    x, y, z = vector / angle
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + math.sin(angle) * K + (1 - math.cos(angle)) * K @ K


def by_name(robot: Robot, positions: Mapping[int, float]) -> dict[str, float]:
    return {robot.frame(j).joint.variable.name: x for j, x in positions.items()}  # type: ignore[union-attr]


def twins(robot: Robot, positions: Mapping[int, float]) -> list[tuple[np.ndarray, np.ndarray]]:
    """The poses of the two frames of every cut joint."""
    at = by_name(robot, positions)
    for j, frame in enumerate(robot.frames, 1):  # joints that follow others
        if frame.joint.mimic is not None and frame.joint.variable is not None:
            at[frame.joint.variable.name] = float(
                robosym.expr.evaluate([robot.position(j)], at | {n: v.number for n, v in robot.values.items()})[0]
            )
    found = frames(robot, at)
    cuts = range(robot.n_links + 1, robot.n_links + robot.loops + 1)
    return [(found[cut], found[cut + robot.loops]) for cut in cuts]


def ring(seed: int, sliding: bool = False) -> tuple[Robot, dict[int, float]]:
    """A planar ring of four joints (the last cut) with a fixed frame in it, in any of its configurations."""
    rng = np.random.default_rng(seed)
    a, b = rng.uniform(0.5, 1.0, 2)
    q = rng.uniform(-1.2, 1.2, 3)
    rows: list[dict[str, Any]] = [
        {},
        {"d": float(a)},
        {"d": float(b), "sigma": 1, "alpha": "pi/2"} if sliding else {"d": float(b)},
    ]
    tree = Robot.from_table("tree", rows, gravity=[0, 0, 0])
    end = frame_poses(tree, q)[3] @ shift(x=0.4)
    angle = math.atan2(end[1, 0], end[0, 0])
    x, y = end[:2, 3]
    length, direction = float(np.hypot(x, y)), math.atan2(y, x)
    twin = {"antecedent": 0, "sigma": 2, "gamma": direction, "d": length, "theta": angle - direction + 0.3}
    if sliding:  # its x axis stands as after the slider, about z of the plane
        last = {"antecedent": 3, "alpha": "-pi/2", "d": 0.4, "active": False}
    else:
        last = {"antecedent": 3, "d": 0.4, "active": False}
    robot = Robot.from_table("ring", [*rows, last, twin], loops=1)
    turned = frame_poses(robot.equivalent_tree, q)[3] @ dh_matrix(0, 0, -math.pi / 2 if sliding else 0, 0.4, 0, 0)
    target = turn(2, direction) @ shift(x=length) @ turn(2, angle - direction + 0.3)
    if sliding:
        target[:3, 3] = turned[:3, 3]
    R = turned[:3, :3].T @ target[:3, :3]
    return robot, {1: q[0], 2: q[1], 3: q[2], 4: math.atan2(R[1, 0], R[0, 0])}


@pytest.mark.parametrize("seed", SEEDS)
def test_frames_in_numbers(seed: int) -> None:
    rng = np.random.default_rng(seed)
    robot = random_robot(rng, 9, symbolic=True, rich=True)
    q = rng.uniform(-2, 2, robot.nq)
    found = NumericGeometry(robot).poses(dict(zip(robot.moving, q, strict=True)))
    for j, T in frame_poses(robot, q).items():
        np.testing.assert_allclose(found[j], T, atol=1e-13)


def test_a_parameter_without_a_value() -> None:
    with pytest.raises(KeyError):
        NumericGeometry(Robot.from_table("x", [{"d": "L"}]))
    robot = robosym.load("four-bar").replace(values={})
    assert closed_positions(robot, {}, ()) is None
    assert described_poses(robot) == {}


@pytest.mark.parametrize("name", [*LOOPED, "ring", "sliding"])
def test_the_slope_of_the_gap_is_its_derivative(name: str) -> None:
    """Where the loops are closed: there a rotation vector's slope is that of its rotation."""
    robot = robosym.load(name) if name in LOOPED else ring(3, name == "sliding")[0]
    closure = _Closure(robot)
    start = standing_positions(robot) if name in LOOPED else closed_positions(robot, ring(3, name == "sliding")[1], ())
    assert start is not None
    x, h = np.array([start[j] for j in closure.joints]), 1e-6
    gap, slope = closure._gap(x)
    assert np.abs(gap).max() < CLOSED
    for k, unit in enumerate(np.eye(len(x)) * h):
        column = (closure._gap(x + unit)[0] - closure._gap(x - unit)[0]) / (2 * h)
        np.testing.assert_allclose(slope[:, k], column, atol=1e-8)


@pytest.mark.parametrize("name", LOOPED)
def test_built_in_loops_close_where_they_stand(name: str) -> None:
    robot = robosym.load(name)
    found = standing_positions(robot)
    assert found is not None
    for K, T in twins(robot, found):
        np.testing.assert_allclose(K, T, atol=1e-10)


@pytest.mark.parametrize("seed", SEEDS)
def test_rings_close_from_nearby_with_the_motor_held(seed: int) -> None:
    robot, home = ring(seed)
    for K, T in twins(robot, home):
        np.testing.assert_allclose(K, T, atol=1e-12)
    rng = np.random.default_rng(seed)
    start = {j: x + rng.uniform(-0.05, 0.05) * (j != 1) for j, x in home.items()}
    found = closed_positions(robot, start, [1])
    assert found is not None
    assert found[1] == home[1]
    assert found == pytest.approx(home, abs=1e-9)
    moved = closed_positions(robot, {**home, 1: home[1] + 0.01}, ())
    assert moved is not None
    for K, T in twins(robot, moved):
        np.testing.assert_allclose(K, T, atol=1e-10)
    # Levenberg's steps are the shortest: all joints share the way back
    assert max(abs(moved[j] - home[j]) for j in home) < 0.05


def test_sliding_joints_close_in_their_own_unit() -> None:
    robot, home = ring(2, sliding=True)
    found = closed_positions(robot, {**home, 3: home[3] + 0.02}, [1])
    assert found is not None
    for K, T in twins(robot, found):
        np.testing.assert_allclose(K, T, atol=1e-10)


def test_loops_that_cannot_close() -> None:
    robot = Robot.from_table(
        "long", [{}, {"d": 1.0}, {"antecedent": 2, "d": 1.0}, {"antecedent": 0, "sigma": 2, "d": 3.0}], loops=1
    )
    assert closed_positions(robot, {}, ()) is None
    assert standing_positions(robot) is None
    open_ring, home = ring(0)
    assert closed_positions(open_ring, {**home, 2: home[2] + 0.5}, [1, 2, 3, 4]) is None
    assert closed_positions(open_ring, home, [1, 2, 3, 4]) == home


def test_motors_stay_where_they_are_described_if_they_can() -> None:
    robot, home = ring(1)
    frames_ = list(robot.frames)
    for j, offset in ((1, 0.0), (2, 0.02), (3, 0.0)):
        joint = replace(frames_[j - 1].joint, position=home[j] + offset, active=j == 1)
        frames_[j - 1] = replace(frames_[j - 1], joint=joint)
    standing = standing_positions(robot.replace(frames=tuple(frames_)))
    assert standing is not None
    assert standing[1] == home[1]
    assert standing[2] == pytest.approx(home[2], abs=1e-9)
    # All joints described and driven, and none of them right: then motors move as well.
    for j in (1, 2, 3, 4):
        joint = replace(frames_[j - 1].joint, position=home[j] + 0.01 * j, active=True)
        frames_[j - 1] = replace(frames_[j - 1], joint=joint)
    standing = standing_positions(robot.replace(frames=tuple(frames_)))
    assert standing is not None
    for K, T in twins(robot, standing):
        np.testing.assert_allclose(K, T, atol=1e-10)


# --- platforms --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PARALLEL)
def test_built_in_platforms_stand_on_their_legs(name: str) -> None:
    robot = robosym.load(name)
    poses = described_poses(robot)
    assert sorted(poses) == list(range(len(robot.frames) + 1))
    for platform in robot.platforms:
        for leg in platform.legs:
            np.testing.assert_allclose(poses[leg.end][:3, 3], poses[leg.seat][:3, 3], atol=1e-3)
        base = poses[robot.frame(platform.frame).antecedent]
        np.testing.assert_allclose(base[3], [0, 0, 0, 1])
    for j in robot.order:
        if robot.frame(j).sigma == FIXED and not robot.frame(j).theta.args:
            before = poses[robot.frame(j).antecedent]
            row = NumericGeometry(robot).rows({})[j]
            np.testing.assert_allclose(poses[j], before @ dh_matrix(*row), atol=1e-12)


@pytest.mark.parametrize("rigid", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_pose_that_fits_the_ends_of_legs(seed: int, rigid: bool) -> None:
    """Ends at exact places: the pose comes back; of rigid legs their orientation counts."""
    rng = np.random.default_rng(seed)
    robot = robosym.load("gough-stewart")
    (platform,) = robot.platforms
    if rigid:
        platform = type(platform)(
            platform.frame, tuple(type(leg)(leg.name, leg.end, leg.seat, "rigid") for leg in platform.legs)
        )
    unmoved = {0: np.eye(4), platform.frame: turn(0, 0.3) @ shift(1, 2, 3)}
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = rotation(rng.normal(size=3)), rng.normal(size=3)
    poses = {}
    for leg in platform.legs:
        seat = np.eye(4)
        seat[:3, :3], seat[:3, 3] = rotation(rng.normal(size=3)), rng.normal(size=3)
        unmoved[leg.seat] = unmoved[platform.frame] @ seat
        end = T @ seat
        if not rigid:
            end[:3, :3] = rotation(rng.normal(size=3))  # a ball may be turned any way
        poses[leg.end] = end
    np.testing.assert_allclose(_fitted(platform, poses, unmoved), T, atol=1e-12)


def test_a_prismatic_joint_has_its_own_entry() -> None:
    robot = random_robot(np.random.default_rng(4), 6)
    geometry = NumericGeometry(robot)
    zero = geometry.rows({})
    for j in robot.moving:
        row = geometry.rows({j: 0.7})[j]
        at = 5 if robot.frame(j).sigma == PRISMATIC else 4
        assert [k for k in range(6) if row[k] != zero[j][k]] == [at]
        assert row[at] - zero[j][at] == pytest.approx(0.7)
