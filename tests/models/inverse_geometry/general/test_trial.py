"""Trials of eliminations: Newton's iteration, the closure it solves, and what is counted as found."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from models.inverse_geometry.general.general_arms import ALL_REVOLUTE, random_arm

from robosym.models.inverse_geometry.general.arm import Arm
from robosym.models.inverse_geometry.general.labelling import labellings
from robosym.models.inverse_geometry.general.roots import Elimination
from robosym.models.inverse_geometry.general.trial import (
    TRIALS,
    Trial,
    closure,
    distance,
    most_solutions,
    refined,
    trial_poses,
    tried,
)

KINDS = (0, 0, 0, 1, 0, 0)


@cache
def arm() -> Arm:
    return random_arm(np.random.default_rng(5), KINDS)


def test_newton_converges_and_keeps_the_best() -> None:
    rng = np.random.default_rng(5)
    robot = arm()
    q = rng.uniform(-1, 1, (50, 6))
    T = robot.poses(q)
    near, residual = refined(robot, T, q + 1e-4 * rng.normal(size=q.shape))
    assert residual.max() < 1e-12
    assert np.median(np.abs(near - q).max(axis=1)) < 1e-12
    far = np.tile(np.eye(4), (50, 1, 1))
    far[:, 0, 3] = 100
    _, residual = refined(robot, far, q)
    assert np.isfinite(residual).all()
    assert residual.min() > 1


def test_distance_is_modulo_whole_turns_of_angles() -> None:
    a = np.array([[np.pi, 0.1, 3 * np.pi, 0, 0, 7.0], [0, 0, 0, 0, 0, 2 * np.pi]])
    assert np.allclose(distance((0, 0, 0, 0, 0, 1), a, np.array([-np.pi, 0.0, np.pi, 0, 0, 7.0])), [0.1, np.pi])


def test_the_closure_and_its_derivatives() -> None:
    """The Jacobian matrix is that of differences of the poses; the missing twist is what it makes of a small step."""
    robot, rng, step = arm(), np.random.default_rng(6), 1e-6
    q = rng.uniform(-2, 2, (4, 6))
    T = robot.poses(q)
    error, J, residual = closure(robot, T, q)
    assert np.abs(error).max() < 1e-13
    assert residual.max() < 1e-13
    for k in range(6):
        moved = step * np.eye(6)[k]
        rate = (robot.poses(q + moved) - robot.poses(q - moved)) / (2 * step)
        spin = rate[:, :3, :3] @ T[:, :3, :3].transpose(0, 2, 1)
        expected = np.column_stack([rate[:, :3, 3], spin[:, 2, 1], spin[:, 0, 2], spin[:, 1, 0]])
        np.testing.assert_allclose(J[:, :, k], expected, atol=1e-8)
    small = 1e-5 * rng.normal(size=(4, 6))
    error, _, residual = closure(robot, robot.poses(q + small), q)
    np.testing.assert_allclose(error, (J @ small[:, :, None])[:, :, 0], atol=1e-8)
    missed = (robot.poses(q + small) - T)[:, :3]
    np.testing.assert_allclose(residual, np.linalg.norm(missed.reshape(4, -1), axis=1), rtol=1e-6)


def test_trial_poses_are_reached() -> None:
    robot = arm()
    q, T = trial_poses(robot)
    assert q.shape == (TRIALS, 6)
    np.testing.assert_array_equal(robot.poses(q), T)
    turns = np.array(KINDS) == 0
    assert 2 < np.abs(q[:, turns]).max() <= np.pi
    assert 0.5 < np.abs(q[:, ~turns]).max() <= 1
    assert np.abs(trial_poses(robot, 3, seed=8)[0] - q[:3]).min() > 0


def test_a_good_elimination_finds_every_trial_and_a_wrong_arm_none() -> None:
    robot = arm()
    q, T = trial_poses(robot)
    method = Elimination(robot, next(iter(labellings(KINDS))))
    good = tried(method, robot, q, T)
    assert good.found.all()
    assert good.error < 1e-6
    assert good.spurious == 0
    assert good.worth[0] == 1
    other = Elimination(random_arm(np.random.default_rng(9), KINDS), method.labelling)
    bad = tried(other, robot, q, T)
    assert not bad.found.all()
    assert bad.error > 1e-3
    assert bad.worth < good.worth


def test_worth_is_first_what_is_found_then_how_well() -> None:
    method = Elimination(arm(), next(iter(labellings(KINDS))))
    all_, half = np.ones(4, dtype=bool), np.array([True, False, True, False])
    order = [
        Trial(method, all_, 1e-9, 0.0),
        Trial(method, all_, 1e-9, 0.01),
        Trial(method, all_, 1e-6, 0.0),
        Trial(method, half, 1e-12, 0.0),
    ]
    assert sorted(order, key=lambda one: one.worth, reverse=True) == order
    assert order[1].worth[1] == pytest.approx(-1e-9 * 11)
    assert Trial(method, all_, 0.0, 0.0).worth == (1.0, -1e-12)


def test_the_most_solutions_of_any_pose() -> None:
    robot = random_arm(np.random.default_rng(1), ALL_REVOLUTE)
    _, T = trial_poses(robot, 6)
    method = Elimination(robot, next(iter(labellings(ALL_REVOLUTE))))
    most = 0
    for pose in T:
        _, starts, _ = method.starts(pose[None])
        solutions, residual = refined(robot, np.repeat(pose[None], len(starts), axis=0), starts)
        rows = solutions[residual < 1e-9]
        apart = np.abs((rows[:, None] - rows[None] + np.pi) % (2 * np.pi) - np.pi).max(axis=2)
        most = max(most, sum(not (apart[i, :i] < 1e-6).any() for i in range(len(rows))))
    assert most >= 2
    assert most % 2 == 0
    assert most_solutions(robot, [method], T) == most
    assert most_solutions(robot, [method, method], T) == most
