"""Minors, determinants and cofactors against NumPy, on floats and on expressions."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from robosym.expr import count, evaluate, expr, number, variable
from robosym.program import Scope, Unmarked
from robosym.spatial.minors import Minors

SIZES = st.integers(1, 6)
SEEDS = st.integers(0, 2**32 - 1)


def sparse(seed: int, rows: int, columns: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(rows, columns)) * (rng.random((rows, columns)) < 0.7)


@given(SEEDS, SIZES, st.integers(0, 2))
def test_minors_of_the_rows_above_and_below(seed: int, n: int, more: int) -> None:
    matrix = sparse(seed, n, n + more)
    minors = Minors(matrix.tolist(), Unmarked())
    for k in range(1, n + 1):
        for columns in combinations(range(n + more), k):
            assert minors.above(columns) == pytest.approx(np.linalg.det(matrix[:k, columns]), abs=1e-10)
            assert minors.below(columns) == pytest.approx(np.linalg.det(matrix[n - k :, columns]), abs=1e-10)


@given(SEEDS, SIZES)
def test_cofactors_make_the_adjugate(seed: int, n: int) -> None:
    """A adj(A) = det(A) 1, also where A is singular."""
    matrix = sparse(seed, n, n)
    minors = Minors(matrix.tolist(), Unmarked())
    adjugate = np.array([[minors.cofactor(i, j) for i in range(n)] for j in range(n)], dtype=float)
    np.testing.assert_allclose(matrix @ adjugate, minors.determinant * np.eye(n), atol=1e-10)


def test_no_pivot_can_vanish() -> None:
    minors = Minors([[0, 0, 2], [0, 3, 0], [5, 0, 0]], Unmarked())
    assert minors.determinant == -30
    assert minors.cofactor(2, 0) == -6


def test_every_minor_is_made_once() -> None:
    """The determinant of six rows takes 6 * 2^5 - 6 products: one for each column of each minor but the first row's."""
    matrix = [[variable(f"a{i}{j}") for j in range(6)] for i in range(6)]
    scope = Scope()
    minors = Minors(matrix, scope)
    determinant = expr(minors.determinant)
    assert count([determinant]).mul == 6 * 2**5 - 6
    values = {
        x: float(v) for row, own in zip(matrix, sparse(1, 6, 6), strict=True) for x, v in zip(row, own, strict=True)
    }
    known = np.array([[values[x] for x in row] for row in matrix])
    assert evaluate([determinant], values)[0] == pytest.approx(np.linalg.det(known), abs=1e-12)
    assert any(name.startswith("DA") for name in scope.names.values())


def test_zeros_are_left_out() -> None:
    x = variable("x")
    matrix = [[x, number(0)], [number(0), x + 1]]
    assert count([expr(Minors(matrix, Scope()).determinant)]).mul == 1
