"""Elimination with exchanged rows as straight-line code: against NumPy, also where pivots vanish."""

from __future__ import annotations

import numpy as np
import pytest
from models.reference import relative_error
from sweeps import many

from robosym.expr import Expr, evaluate, expr, number, variable
from robosym.models.linear_systems.by_pivots import solved_by_pivots
from robosym.program import Scope, Unmarked


def in_symbols(n: int, width: int, pattern: np.ndarray | None = None) -> tuple[list[list[Expr]], list[list[Expr]]]:
    matrix = [[variable(f"m{i}_{k}") for k in range(n)] for i in range(n)]
    if pattern is not None:
        matrix = [[x if pattern[i, k] else number(0) for k, x in enumerate(row)] for i, row in enumerate(matrix)]
    return matrix, [[variable(f"r{i}_{k}") for k in range(width)] for i in range(n)]


def numbers(matrix: list[list[Expr]], M: np.ndarray, right: list[list[Expr]], R: np.ndarray) -> dict[Expr, float]:
    symbols = [s for rows in (matrix, right) for row in rows for s in row]
    pairs = zip(symbols, [*M.ravel(), *R.ravel()], strict=True)
    return {s: float(x) for s, x in pairs if not s.is_number}


@pytest.mark.parametrize("n", [1, 2, 4, 6])
def test_random_systems(n: int) -> None:
    matrix, right = in_symbols(n, 2)
    found = [expr(x) for row in solved_by_pivots(matrix, right, Unmarked()) for x in row]
    rng = np.random.default_rng(n)
    for _ in range(many(5)):
        M, R = rng.normal(size=(n, n)), rng.normal(size=(n, 2))
        X = np.array([float(x) for x in evaluate(found, numbers(matrix, M, right, R))]).reshape(n, 2)
        assert relative_error(X, np.linalg.solve(M, R)) < 1e-9


def test_one_code_for_every_order_of_rows() -> None:
    """Permutations with tiny entries in their zeros: elimination without exchanges would lose all digits."""
    n = 5
    matrix, right = in_symbols(n, 1)
    found = [expr(row[0]) for row in solved_by_pivots(matrix, right, Unmarked())]
    rng = np.random.default_rng(1)
    for _ in range(many(10)):
        M = np.eye(n)[rng.permutation(n)] + 1e-15 * rng.normal(size=(n, n))
        R = rng.normal(size=(n, 1))
        X = np.array([float(x) for x in evaluate(found, numbers(matrix, M, right, R))])
        assert relative_error(X, np.linalg.solve(M, R)[:, 0]) < 1e-13


def test_zeros_that_are_known_cost_nothing_and_exchange_nothing() -> None:
    """A pattern with zeros on its diagonal: the rows are exchanged when the code is written."""
    pattern = np.array([[0, 1, 0], [1, 0, 0], [0, 1, 1]], dtype=bool)
    matrix, right = in_symbols(3, 1, pattern)
    scope = Scope()
    found = [expr(row[0]) for row in solved_by_pivots(matrix, right, scope)]
    rng = np.random.default_rng(2)
    M, R = rng.normal(size=(3, 3)) * pattern, rng.normal(size=(3, 1))
    X = np.array([float(x) for x in evaluate(found, numbers(matrix, M, right, R))])
    assert relative_error(X, np.linalg.solve(M, R)[:, 0]) < 1e-13


def test_numbers_go_through_the_same_code() -> None:
    """Written once, for any scalar."""
    rng = np.random.default_rng(3)
    M, R = rng.normal(size=(4, 4)), rng.normal(size=(4, 1))
    found = solved_by_pivots(M.tolist(), R.tolist(), Unmarked())
    X = np.array([float(expr(row[0]).value) for row in found])
    assert relative_error(X, np.linalg.solve(M, R)[:, 0]) < 1e-12


def test_a_singular_matrix_gives_no_number() -> None:
    matrix, right = in_symbols(3, 1)
    found = [expr(row[0]) for row in solved_by_pivots(matrix, right, Unmarked())]
    M, R = np.ones((3, 3)), np.arange(3.0)[:, None]
    with np.errstate(all="ignore"):
        at = {s: np.array([x]) for s, x in numbers(matrix, M, right, R).items()}
        assert not np.isfinite(np.array(evaluate(found, at), dtype=float)).all()
