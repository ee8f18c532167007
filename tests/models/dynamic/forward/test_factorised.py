"""A = L^T D L with the zeros of the tree: solved as a matrix is, and no zero filled in."""

from __future__ import annotations

import numpy as np
import pytest
from models.reference import tree_on_floats
from models.tree.float_trees import SOURCES, float_tree

from robosym.library import load
from robosym.models.dynamic.forward.factorised import (
    accelerations,
    carried_inertias,
    lower_triangle,
    pair,
    solved,
    torques_of,
)
from robosym.models.dynamic.forward.pivots import MasslessJointError, Pivots
from robosym.models.tree.bodies import tree
from robosym.models.tree.inertia_entries import MatrixRoute
from robosym.models.tree.regrouping import regrouped
from robosym.program import Scope


def dense(rows: dict[int, dict[int, float]], n: int) -> np.ndarray:
    A = np.zeros((n, n))
    for i, row in rows.items():
        for k, entry in row.items():
            A[i, k] = A[k, i] = entry
    return A


def test_it_solves_what_a_matrix_solves() -> None:
    rng = np.random.default_rng(1)
    half = rng.normal(size=(5, 5))
    A, b = half @ half.T + 5 * np.eye(5), rng.normal(size=5)
    rows = {i: {k: float(A[i, k]) for k in range(i + 1)} for i in range(5)}
    pivots = Pivots()
    found = solved(rows, b.tolist(), {i: i + 1 for i in range(5)}, Scope(), pivots)
    np.testing.assert_allclose(found, np.linalg.solve(A, b), atol=1e-12)
    assert np.prod(list(pivots.found.values())) == pytest.approx(np.linalg.det(A))
    assert list(pivots.found) == [5, 4, 3, 2, 1]


def test_a_singular_matrix_names_the_row() -> None:
    with pytest.raises(MasslessJointError) as caught:
        solved({0: {0: 1.0}, 1: {1: 0.0}}, [1.0, 1.0], [4, 7], Scope(), Pivots())
    assert caught.value.axis == 7


@pytest.mark.parametrize("source", SOURCES)
def test_accelerations_satisfy_the_equation_of_motion(source: int | str) -> None:
    case = float_tree(source)
    still = regrouped(case.tree.at_constant_speed())
    n = case.robot.nv
    A = dense(lower_triangle(still, Scope(), MatrixRoute()), n)
    drive = np.random.default_rng(2).uniform(-5, 5, n)
    qdd = accelerations(still, drive.tolist(), Scope(), MatrixRoute(), Pivots())
    residual = A @ np.array(qdd, dtype=float) + torques_of(still, Scope()) - drive
    assert np.abs(residual).max() < 1e-9 * max(1.0, np.abs(A).max() * np.abs(qdd).max())
    assert (np.array(carried_inertias(case.tree, Scope())) >= 0).all()


@pytest.mark.parametrize("floating", [False, True])
@pytest.mark.parametrize("name", ["rx90", "stanford"])
def test_carried_inertias_are_the_diagonal(name: str, floating: bool) -> None:
    """Of the inertia matrix in these coordinates, the axes of a free base among them."""
    robot = load(name, floating=floating)
    q = np.random.default_rng(3).uniform(-2, 2, len(robot.coordinates))  # where a free base is makes no difference
    bodies = tree_on_floats(tree(robot), robot, {"q": q})
    A = dense(lower_triangle(bodies, Scope(), MatrixRoute()), robot.nv)
    found = np.array(carried_inertias(bodies, Scope()), dtype=float)
    assert (found > 0).all()
    np.testing.assert_allclose(found, np.diag(A), rtol=1e-12)


def test_names_of_two_axes() -> None:
    assert pair(3, 12) == (3, 12)
    assert pair((0, 4), 2) == (0, 4, 2)
    assert pair((0, 1), (0, 5)) == (0, 1, 0, 5)
