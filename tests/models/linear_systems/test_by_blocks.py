"""Solving systems with and without pivots, against NumPy: on floats."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from robosym.expr import count, evaluate, expr, variable
from robosym.models.linear_systems.by_blocks import best_order, products, solved, symmetric_solved
from robosym.program import Scope, Unmarked
from robosym.spatial.blocks import SingularPatternError, blocks

SEEDS = st.integers(0, 2**32 - 1)


@given(seed=SEEDS, n=st.integers(1, 10), width=st.integers(1, 3))
def test_square_systems(seed: int, n: int, width: int) -> None:
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(n, n)) * (rng.random((n, n)) < 0.6)
    B = rng.normal(size=(n, width))
    try:
        found = blocks(A.tolist())
    except SingularPatternError:
        return
    if np.linalg.cond(A) < 1e4:
        X = np.array(solved(A.tolist(), found, B.tolist(), Unmarked()))
        np.testing.assert_allclose(X, np.linalg.solve(A, B), rtol=1e-9, atol=1e-9)


@given(seed=SEEDS, n=st.integers(1, 7), width=st.integers(1, 3))
def test_symmetric_systems(seed: int, n: int, width: int) -> None:
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(n, n)) * (rng.random((n, n)) < 0.5)
    A, B = root @ root.T + np.eye(n), rng.normal(size=(n, width))
    X = np.array(symmetric_solved(A.tolist(), B.tolist(), Unmarked()))
    np.testing.assert_allclose(X, np.linalg.solve(A, B), rtol=1e-9, atol=1e-9)


def test_zeros_of_a_symmetric_matrix_stay() -> None:
    """An arrow with its head first: from the tips on, nothing is filled in."""
    n = 6
    x = [[variable(f"a{min(i, j)}{max(i, j)}") if i == j or not i * j else expr(0) for j in range(n)] for i in range(n)]
    X = symmetric_solved(x, [[variable(f"b{i}")] for i in range(n)], Scope())
    done = count([row[0] for row in X])
    assert done.div == n
    assert done.mul <= 5 * n  # a full one takes some 100


def test_a_cofactor_has_the_row_and_column_of_its_entry() -> None:
    A, B = ([[variable(f"{x}{i}{j}") for j in range(1, n + 1)] for i in range(1, 4)] for x, n in (("a", 3), ("b", 2)))
    scope = Scope()
    solved(A, blocks(A), B, scope)
    rng = np.random.default_rng(0)
    values = {A[i][j]: float(rng.normal()) for i in range(3) for j in range(3)}
    numbers = np.array([[values[x] for x in row] for row in A])
    named = {name: evaluate([step], values)[0] for step, name in scope.names.items() if name.startswith("CF")}
    assert set(named) == {"CF211", "CF221", "CF231"}  # of block 1; the others are minors, or their negatives
    for name, value in named.items():
        i, j = int(name[2]) - 1, int(name[3]) - 1
        minor = np.delete(np.delete(numbers, i, 0), j, 1)
        np.testing.assert_allclose(float(value), (-1) ** (i + j) * np.linalg.det(minor), rtol=1e-12)


def test_no_pivot_vanishes_where_the_matrix_is_regular() -> None:
    A = [[0.0, 1.0, 2.0], [1.0, 0.0, 3.0], [4.0, 5.0, 0.0]]
    X = solved(A, blocks(A), [[1.0], [2.0], [3.0]], Unmarked())
    np.testing.assert_allclose(np.array(X)[:, 0], np.linalg.solve(A, [1, 2, 3]))


@given(seed=SEEDS, n=st.integers(2, 5))
def test_the_order_of_the_rows_takes_no_more_products(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    filled = rng.random((n, n)) < 0.6
    rows = [[j for j in range(n) if row[j]] for row in filled]
    order = best_order(filled.astype(int).tolist())
    assert sorted(order) == list(range(n))
    assert products([rows[i] for i in order]) <= products(rows)


def test_products_of_full_minors() -> None:
    assert products([range(4)] * 4) == 4 * 2**3
