"""Inverses of a Jacobian: the Penrose conditions, the normal equations, and what the null space must do."""

from __future__ import annotations

import numpy as np
import pytest

from robosym import RobosymError
from robosym.analysis import damped_inverse, null_space, pseudo_inverse

SHAPES = [(6, 6), (6, 7), (6, 4), (3, 3), (2, 5), (1, 1)]


def matrix(rng: np.random.Generator, m: int, n: int, rank: int) -> np.ndarray:
    return rng.normal(size=(m, rank)) @ rng.normal(size=(rank, n))


@pytest.mark.parametrize(("m", "n"), SHAPES)
@pytest.mark.parametrize("lost", [0, 1])
def test_the_pseudo_inverse_satisfies_the_four_penrose_conditions(m: int, n: int, lost: int) -> None:
    rng = np.random.default_rng(m * 10 + n)
    rank = min(m, n) - lost
    J = matrix(rng, m, n, rank)
    X, found = pseudo_inverse(J)
    assert found == rank
    scale = max(1.0, float(np.abs(X).max(initial=0)))
    np.testing.assert_allclose(J @ X @ J, J, atol=1e-11 * scale)
    np.testing.assert_allclose(X @ J @ X, X, atol=1e-11 * scale**2)
    np.testing.assert_allclose((J @ X).T, J @ X, atol=1e-11 * scale)
    np.testing.assert_allclose((X @ J).T, X @ J, atol=1e-11 * scale)


def test_the_tolerance_decides_which_singular_values_count() -> None:
    J = np.diag([1.0, 1e-4])
    assert pseudo_inverse(J).rank == 2
    assert pseudo_inverse(J).matrix[1, 1] == pytest.approx(1e4)
    assert pseudo_inverse(J, tolerance=1e-3).rank == 1
    assert pseudo_inverse(J, tolerance=1e-3).matrix[1, 1] == 0


@pytest.mark.parametrize(("m", "n"), SHAPES)
def test_the_damped_inverse_is_the_solution_of_the_normal_equations(m: int, n: int) -> None:
    rng = np.random.default_rng(n)
    J = matrix(rng, m, n, min(m, n))
    W = np.diag(rng.uniform(0.5, 2, n))
    L = rng.normal(size=(m, m))
    T = L @ L.T + np.eye(m)
    expected = np.linalg.solve(J.T @ T @ J + 0.09 * W, J.T @ T)
    np.testing.assert_allclose(damped_inverse(J, 0.3, np.diag(W), T), expected, atol=1e-11)
    plain = J.T @ np.linalg.inv(J @ J.T + 0.09 * np.eye(m))
    np.testing.assert_allclose(damped_inverse(J, 0.3), plain, atol=1e-11)


def test_without_damping_it_is_the_pseudo_inverse() -> None:
    rng = np.random.default_rng(3)
    J = matrix(rng, 6, 7, 5)
    np.testing.assert_allclose(damped_inverse(J, 0.0), pseudo_inverse(J).matrix, atol=1e-11)
    # With joint weights it is the solution of least weighted norm: W^-1 J^T (J W^-1 J^T)^-1 at full rank.
    J, w = matrix(rng, 3, 7, 3), rng.uniform(0.5, 2, 7)
    expected = (J / w).T @ np.linalg.inv((J / w) @ J.T)
    np.testing.assert_allclose(damped_inverse(J, 0.0, joint_weights=w), expected, atol=1e-11)


def test_at_a_singularity_the_damped_inverse_stays_bounded() -> None:
    J = np.array([[1.0, 1.0], [0.0, 0.0]])
    assert np.linalg.norm(damped_inverse(J, 0.1), 2) <= 1 / (2 * 0.1) + 1e-12
    assert np.isfinite(damped_inverse(np.zeros((6, 3)), 0.0)).all()


def test_the_null_space_leaves_the_frame_at_rest() -> None:
    rng = np.random.default_rng(5)
    J = matrix(rng, 6, 7, 5)
    basis, projector, rank = null_space(J)
    assert basis.shape == (7, 2)
    assert rank == 5
    np.testing.assert_allclose(J @ basis, 0, atol=1e-12)
    np.testing.assert_allclose(basis.T @ basis, np.eye(2), atol=1e-12)
    np.testing.assert_allclose(projector, np.eye(7) - pseudo_inverse(J).matrix @ J, atol=1e-11)
    assert null_space(np.eye(3)).basis.shape == (3, 0)


def test_a_batch_is_its_matrices_one_by_one() -> None:
    rng = np.random.default_rng(6)
    J = np.stack([matrix(rng, 6, 7, rank) for rank in (6, 4, 5)])
    damping = np.array([0.1, 0.2, 0.3])
    many, null = pseudo_inverse(J), null_space(J)
    assert many.rank.tolist() == [6, 4, 5]
    assert null.basis.shape == (3, 7, 3)
    for i in range(3):
        np.testing.assert_allclose(many.matrix[i], pseudo_inverse(J[i]).matrix, atol=1e-11)
        np.testing.assert_allclose(damped_inverse(J, damping)[i], damped_inverse(J[i], float(damping[i])), atol=1e-12)
        np.testing.assert_allclose(null.projector[i], null_space(J[i]).projector, atol=1e-11)
        assert np.count_nonzero(np.abs(null.basis[i]).sum(axis=0)) == 7 - many.rank[i]


def test_no_joints_and_no_motion() -> None:
    assert pseudo_inverse(np.zeros((6, 0))).matrix.shape == (0, 6)
    assert pseudo_inverse(np.zeros((6, 2))).rank == 0
    np.testing.assert_array_equal(pseudo_inverse(np.zeros((6, 2))).matrix, np.zeros((2, 6)))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: pseudo_inverse([1.0, 2.0]), "J: expected shape"),
        (lambda: pseudo_inverse([[1.0, np.nan]]), "not finite"),
        (lambda: pseudo_inverse([["a"]]), "real numbers"),
        (lambda: pseudo_inverse(np.eye(2) * 1j), "J: expected real numbers"),
        (lambda: pseudo_inverse(np.eye(2), tolerance="a"), "tolerance"),
        (lambda: damped_inverse(np.eye(2), "a"), "damping: expected real numbers"),
        (lambda: damped_inverse(np.eye(2), 0.1, joint_weights="a"), "joint_weights: expected real numbers"),
        (lambda: pseudo_inverse(np.eye(2), tolerance=-1), "tolerance"),
        (lambda: damped_inverse(np.eye(2), -0.1), "damping"),
        (lambda: damped_inverse(np.eye(2), [0.1, 0.2, 0.3]), "damping: has shape"),
        (lambda: damped_inverse(np.eye(2), 0.1, joint_weights=[1, 0]), "joint_weights: expected 2 positive"),
        (lambda: damped_inverse(np.eye(2), 0.1, task_weights=[[1, 2], [2, 1]]), "task_weights"),
    ],
)
def test_wrong_arguments_are_named(call, words: str) -> None:
    with pytest.raises(RobosymError, match=words):
        call()
