"""The rate of the Jacobian matrix, against differences of the matrix along a motion."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from models.kinematic.mass_states import random_placed
from models.kinematic.moving_frames import random_placed_tree, states, terminal

from robosym.expr import number
from robosym.models import jacobian, jacobian_rate
from robosym.models.tree.coordinates import coordinates
from robosym.models.tree.joints import free_rates
from robosym.program import verified
from robosym.robot import Base, Robot, RobotError

pytestmark = pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")

STEP = 1e-6


def along(robot: Robot, q: np.ndarray, qd: np.ndarray, t: float) -> np.ndarray:
    """The position after a short time at these speeds."""
    if not robot.base.floating:
        return q + t * qd
    moved = q + t * np.concatenate([np.array(free_rates(q[:7], qd[:6]), dtype=float), qd[6:]])
    moved[3:7] /= np.linalg.norm(moved[3:7])
    return moved


def check(robot: Robot, seed: int, **options: Any) -> None:
    state = {name: one[0] for name, one in states(np.random.default_rng(seed), robot, 1).items()}
    q, qd = state["q"], state["qd"]
    matrix, rate = jacobian(robot, **options), jacobian_rate(robot, **options)
    verified(rate.program)
    after, before = (np.asarray(matrix.evaluate(q=along(robot, q, qd, sign * STEP))) for sign in (1, -1))
    found = np.asarray(rate.evaluate(q=q, qd=qd))
    assert found.shape == (6, robot.nv)
    np.testing.assert_allclose(found, (after - before) / (2 * STEP), atol=1e-6 * (1 + np.abs(qd).max()))


@pytest.mark.parametrize("axes", ["local-world-aligned", "local", "world", 0])
@pytest.mark.parametrize("seed", range(4))
def test_it_is_the_difference_of_the_matrix(seed: int, axes: Any) -> None:
    robot = random_placed_tree(seed)
    check(robot, seed, frame=terminal(robot)[-1], axes=axes)


@pytest.mark.parametrize("axes", ["local-world-aligned", "local"])
def test_with_a_tool_and_on_a_free_base(axes: Any) -> None:
    robot = random_placed_tree(2)
    turned = np.array([[0, -1, 0, 0.1], [0, 0, -1, 0.3], [1, 0, 0, -0.2], [0, 0, 0, 1.0]])
    check(robot, 5, frame=terminal(robot)[-1], axes=axes, tool=turned)
    floating = robot.replace(base=replace(Base(), floating=True))
    check(floating, 6, frame=terminal(floating)[-1], axes=axes)


def test_it_is_zero_at_rest_and_linear_in_the_speeds() -> None:
    robot = random_placed_tree(3)
    q, a, b = np.random.default_rng(7).uniform(-2, 2, (3, coordinates(robot).nv))
    rate = jacobian_rate(robot, frame=terminal(robot)[-1])
    assert not np.asarray(rate.evaluate(q=q, qd=0 * a)).any()
    parts = [np.asarray(rate.evaluate(q=q, qd=qd)) for qd in (a, b, 2 * a - 3 * b)]
    np.testing.assert_allclose(parts[2], 2 * parts[0] - 3 * parts[1], atol=1e-12)


def test_the_rate_of_a_moving_base_is_asked_in_the_robots_axes() -> None:
    robot = random_placed(1, 4)
    moved = robot.replace(base=Base(angular_velocity=(number(0), number(1), number(0))))
    with pytest.raises(RobotError, match="ask for axes 'local' or 0"):
        jacobian_rate(moved, frame=1)
    assert jacobian_rate(moved, frame=1, axes=0).operations == jacobian_rate(robot, frame=1, axes=0).operations


def test_a_free_base_without_joints() -> None:
    robot = Robot.from_table("stone", [{"sigma": "fixed", "d": 0.3}], base={"floating": True})
    q, qd = np.array([0, 0, 0, 0, 0, 0, 1.0]), np.ones(6)
    assert np.shape(jacobian_rate(robot, frame=1).evaluate(q=q, qd=qd)) == (6, 6)
