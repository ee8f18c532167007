"""From poses to joints: the frame follows its path, on one branch, or the error says where and why not."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
from trajectory.test_task_space import pose

import robosym
from robosym.errors import RobosymError
from robosym.generated import Model
from robosym.reals import Floats
from robosym.robot import Robot
from robosym.trajectory import (
    JointMotion,
    TaskMotion,
    TaskPath,
    TrajectoryError,
    straight,
    timed,
    to_joints,
    turned,
    via,
)

LIMITS = {"linear": (0.5, 2.0), "angular": (1.0, 4.0)}
START = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])


@cache
def puma() -> Robot:
    """One for all tests: what is made for it is kept."""
    return robosym.load("puma560")


@cache
def pose_of(robot: Robot) -> Model:
    return robosym.models.transform(robot)


def place(robot: Robot, q: object) -> Floats:
    """By the interpreter of the model."""
    return np.asarray(pose_of(robot).evaluate(q=q))


def by(T: Floats, move: object, turn: object = (0, 0, 0)) -> Floats:
    """A pose moved in the base and turned in its own axes."""
    found = T @ pose(turn=turn)
    found[:3, 3] += np.asarray(move)
    return found


def moving(path: TaskPath, profile: str = "quintic") -> TaskMotion:
    return timed(path, profile=profile, **LIMITS)  # type: ignore[arg-type]


def check(robot: Robot, found: JointMotion, within: float) -> None:
    """By the interpreted forward model at times that are no samples."""
    for t in np.random.default_rng(2).uniform(0, found.duration, 40):
        T, wanted = place(robot, found(t)[0]), found.task(float(t))
        assert np.abs(T - wanted).max() < 3 * within
    for t in (0.0, found.duration):
        np.testing.assert_allclose(found(t)[1], 0, atol=1e-9)
    acceleration = found.derived(2)
    end = acceleration[:-1, 0] + np.diff(found.times)[:-1, None] * acceleration[:-1, 1]
    np.testing.assert_allclose(end, acceleration[1:, 0], atol=1e-5)


def test_a_line_and_a_rotation_of_the_puma() -> None:
    robot = puma()
    A = place(robot, START)
    found = to_joints(robot, moving(straight(A, by(A, (-0.1, 0.1, 0.1), (0, 0, 0.8)))), 200, seed=START)
    np.testing.assert_allclose(found.start, START, atol=1e-9)
    assert max(found.deviation, found.angle) < 1e-8
    assert 5 < found.condition < 30
    assert 0 < found.margin < math.pi
    check(robot, found, 1e-8)


def test_every_branch_can_be_asked_for() -> None:
    robot = puma()
    A = place(robot, START)
    task = moving(straight(A, by(A, (-0.005, 0.005, 0.005))))
    for q in robosym.models.inverse_geometric(robot)(A, limits=True).solutions:
        found = to_joints(robot, task, 100, seed=q)
        np.testing.assert_allclose(found.start, q, atol=1e-8)
        check(robot, found, 1e-6)


def test_without_a_seed_a_branch_is_found() -> None:
    robot = puma()
    A = place(robot, START)
    found = to_joints(robot, moving(straight(A, by(A, (0.05, 0, 0)))), 100)
    check(robot, found, 1e-6)


def test_more_samples_are_closer_to_the_path() -> None:
    robot = puma()
    A = place(robot, START)
    task = moving(straight(A, by(A, (-0.1, 0.1, 0.1))))
    rough, fine = (to_joints(robot, task, rate, seed=START).deviation for rate in (25, 100))
    assert 100 < rough / fine < 500  # fourth order


def test_poses_passed_by_and_turns_beyond_half() -> None:
    robot = puma()
    A = place(robot, START)
    poses = [A, by(A, (0.05, 0, 0), (0, 0, 0.3)), by(A, (0.05, 0.1, 0)), by(A, (0, 0.1, 0.05))]
    found = to_joints(robot, moving(via(poses, radian=0.3)), 200, seed=START)
    check(robot, found, 1e-4)
    assert found.deviation < 1e-4
    spin = to_joints(robot, moving(turned(A, (0, 0, 1), 3.6)), 200, seed=[0.1, 0.2, 0.3, 0.4, 0.5, -2.0])
    assert abs(spin.end[5] - spin.start[5]) == pytest.approx(3.6, abs=1e-6)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize(
    ("name", "q", "move"),
    [
        ("sr400", [0.3] * 6, (-0.1, 0.2, 0.1)),
        ("planar-2r", [0.3, 0.9], (-0.1, 0.15, 0)),
        ("five-bar", [0.4, 1.3], (0.02, 0.03, 0)),
        ("scara", [0.3, 0.7, 0.1, 0.2], (-0.05, -0.05, 0.02)),
    ],
)
def test_other_robots(name: str, q: list[float], move: tuple[float, ...]) -> None:
    robot = robosym.load(name)
    A = place(robot, q)
    found = to_joints(robot, moving(straight(A, by(A, move))), 200, seed=q)
    np.testing.assert_allclose(found.start, q, atol=1e-8)
    assert found.deviation < 1e-6
    t = np.linspace(0, found.duration, 7)
    for k, q_t in enumerate(found(t)[0]):
        np.testing.assert_allclose(place(robot, q_t)[:3, 3], found.task(t)[k, :3, 3], atol=1e-6)


# --- hostile input ----------------------------------------------------------------------------------------------------


def test_out_of_reach_is_said_with_the_time() -> None:
    robot = puma()
    A = place(robot, START)
    task = moving(straight(A, by(A, (3, 0, 0))), "trapeze")
    with pytest.raises(TrajectoryError, match=r"puma560: at [\d.]+ s: out of reach: the arm stays"):
        to_joints(robot, task, 100, seed=START)
    with pytest.raises(TrajectoryError, match=r"none of the \d+ solutions"):
        to_joints(robot, task, 100)
    with pytest.raises(TrajectoryError, match="at 0 s: out of reach"):
        to_joints(robot, moving(straight(by(A, (3, 0, 0)), A)), 100, seed=START)


def test_a_limit_on_the_way_names_the_joint() -> None:
    robot = puma()
    A = place(robot, START)
    with pytest.raises(TrajectoryError, match=r"at [\d.]+ s: joint '\w+' is at [-\d.]+, outside its limits"):
        to_joints(robot, moving(turned(A, (0, 0, 1), 9.0)), 100, seed=START)


def test_a_branch_that_ends_is_said() -> None:
    """Straight through the shoulder of a planar arm of two equal links: it cannot pass without turning round."""
    robot = robosym.load("planar-2r")
    A = place(robot, [0.0, 2.0])
    B = by(A, -1.9 * A[:3, 3])
    with pytest.raises(TrajectoryError, match=r"at [\d.]+ s: (joint '\w+' would have to jump|out of reach|singular)"):
        to_joints(robot, moving(straight(A, B)), 100, seed=[0.0, 2.0])


def test_a_singular_path_is_said() -> None:
    """The wrist of the PUMA with its two rolls in line."""
    robot = puma()
    straightened = [0.1, 0.2, 0.3, 0.4, 0.0, 0.6]
    A = place(robot, straightened)
    with pytest.raises(TrajectoryError, match="singular"):
        to_joints(robot, moving(straight(A, by(A, (0.1, 0, 0)))), 100, seed=straightened)


def test_bad_requests_get_a_clear_word() -> None:
    robot = puma()
    A = place(robot, START)
    task = moving(straight(A, by(A, (0.1, 0, 0))))
    for options, word in (
        ({"rate": 0}, "rate"),
        ({"rate": 1e12}, "samples"),
        ({"seed": [0, 0]}, "seed: got shape"),
        ({"frame": "nowhere"}, "nowhere"),
    ):
        with pytest.raises(RobosymError, match=word):
            to_joints(robot, task, **options)  # type: ignore[arg-type]
