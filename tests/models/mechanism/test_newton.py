"""The damped iteration and its last steps, against tasks whose solutions are known."""

from __future__ import annotations

import numpy as np
import pytest
from models.mechanism.poses_in_equations import at_a_pose, state
from scipy.linalg import expm
from scipy.spatial.transform import Rotation

from robosym.models.mechanism.closure import orthonormal_poses, random_states
from robosym.models.mechanism.newton import CLOSED, INEXACT, LONGEST, Reached, largest_residuals, moved, newton
from robosym.spatial.floats import rotations, skew

N = 5


def test_a_step_moves_turns_and_adds() -> None:
    rng = np.random.default_rng(1)
    R, p, q = Rotation.random(N, rng).as_matrix(), rng.normal(size=(N, 3)), rng.normal(size=(N, 2))
    x = state(R, p, q)
    step = rng.normal(size=(N, 8))
    y = moved(x, step)
    turned = np.array([expm(skew(w[None])[0]) @ one for w, one in zip(step[:, 3:6], R, strict=True)])
    np.testing.assert_allclose(y, state(turned, p + step[:, :3], q + step[:, 6:]), atol=1e-13)
    np.testing.assert_array_equal(moved(q, q), 2 * q)  # without a pose
    assert np.abs(x[:, 9:12] - p).max() == 0  # the states before are as they were


def test_the_iteration_finds_a_pose_and_keeps_it_if_it_has_to() -> None:
    rng = np.random.default_rng(2)
    R, p = Rotation.random(rng=rng).as_matrix(), rng.normal(size=3)
    equations = at_a_pose(R, p, rng.uniform(0.3, 1, 12))
    x = random_states(rng, 20, 1.0, np.zeros(0))
    x[:, 9:] += p
    x[:, :9] = (rotations(rng.uniform(-1, 1, (20, 3))) @ R).reshape(20, 9)
    ends, residual = newton(equations, x)
    assert residual.max() < 1e-12
    np.testing.assert_allclose(residual, np.linalg.norm(equations(ends)[0], axis=1), atol=1e-16)
    assert largest_residuals(equations, ends).max() < 1e-12
    np.testing.assert_allclose(orthonormal_poses(ends)[:, :3, :3], np.tile(R, (20, 1, 1)), atol=1e-11)
    np.testing.assert_array_equal(newton(equations, x, slice(6, None)).x, x)
    one = newton(equations, x, steps=1)
    assert np.abs(one.x[:, 9:12] - x[:, 9:12]).max() <= LONGEST
    assert (one.residual > 0).all()
    assert (one.residual <= np.linalg.norm(equations(x)[0], axis=1)).all()


def test_the_largest_residuals() -> None:
    rest = np.array([[0.1, -0.7, 0.2], [0.0, 0.0, 0.3]])
    np.testing.assert_array_equal(largest_residuals(lambda x: (rest, rest), np.zeros((2, 12))), [0.7, 0.3])
    assert largest_residuals(lambda x: (rest, rest), np.zeros((0, 12))).shape == (0,)


def parabola(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """x^2 + y = 0 and y = 0: a double solution; the rows are given twice."""
    e = np.stack([x[:, 0] ** 2 + x[:, 1], x[:, 1]] * 2, axis=1)
    J = np.zeros((len(x), 4, 2))
    J[:, ::2, 0], J[:, :, 1] = 2 * x[:, :1], 1.0
    return e, J


def test_a_double_solution_is_reached_to_half_the_digits() -> None:
    """Residuals there are squares of the distance, down to the last digits."""
    ends, residual = newton(parabola, np.array([[0.3, 0.2], [-1.0, 2.0]]))
    assert residual.max() < 1e-15
    assert np.abs(ends).max() < 1e-7


def test_directions_that_inexact_lengths_decide_are_left() -> None:
    """Two rows of the same that differ by less than lengths of few digits do: the least residual is met, y stays."""

    def equations(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        e = np.stack([x[:, 0], x[:, 0] + 1e-8 * x[:, 1] - 2e-8], axis=1)
        return e, np.broadcast_to([[1.0, 0.0], [1.0, 1e-8]], (len(x), 2, 2))

    ends, residual = newton(equations, np.array([[0.5, 0.1]]))
    assert abs(ends[0, 0]) < 1e-7
    assert abs(ends[0, 1] - 0.1) < 0.1
    assert CLOSED < residual[0] < INEXACT


def test_where_nothing_closes_the_iteration_ends() -> None:
    """Where the residual is least."""
    calls = []

    def equations(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        calls.append(len(x))
        return np.stack([x[:, 0] ** 2 + 1], axis=1), 2 * x[:, None, :]

    found = newton(equations, np.array([[0.5], [0.0]]), steps=40)
    assert found.residual[1] == 1
    assert calls[:2] == [2, 1]
    assert len(calls) < 40
    assert found.residual[0] == pytest.approx(1, abs=1e-9)
    assert found.closed().shape == (0, 1)


def test_those_that_are_closed() -> None:
    found = Reached(np.array([[1.0], [2.0], [3.0]]), np.array([1e-12, 1e-7, 1.0]))
    np.testing.assert_array_equal(found.closed(), [[1.0]])
    np.testing.assert_array_equal(found.closed(INEXACT), [[1.0], [2.0]])
