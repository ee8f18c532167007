"""Functions of arrays: the same of numbers and of expressions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from robosym.expr import Expr, evaluate, expr, number, variable
from robosym.models.inverse_geometry.special_poses import scalars


def symbols(name: str, values: np.ndarray) -> tuple[np.ndarray, dict[Expr, float]]:
    """An array of symbols with their numbers."""
    entries = np.array([variable(f"{name}{k}") for k in range(values.size)], dtype=object)
    return entries.reshape(values.shape), dict(zip(entries, values.ravel().tolist(), strict=True))


def evaluated(entries: Any, known: dict[Expr, float]) -> np.ndarray:
    flat = np.asarray(entries, dtype=object)
    return np.array(evaluate([expr(x) for x in flat.ravel()], known), dtype=float).reshape(flat.shape)


ONE = {"absolute": np.abs, "cos": np.cos, "sin": np.sin, "log": np.log, "sqrt": np.sqrt}
TWO = {"atan2": np.arctan2, "maximum": np.maximum, "minimum": np.minimum, "logical_and": np.logical_and}


@pytest.mark.parametrize("name", [*ONE, *TWO])
def test_elementwise_functions(name: str) -> None:
    rng = np.random.default_rng(0)
    function = getattr(scalars, name)
    a, b = rng.normal(size=(2, 2, 3))
    if name in ("log", "sqrt"):
        a = np.abs(a)
    if name == "logical_and":
        a, b = (a > 0).astype(float), (b > 0).astype(float)
    expected = ONE[name](a) if name in ONE else TWO[name](a, b)
    taken = (a,) if name in ONE else (a, b)
    np.testing.assert_allclose(function(*taken), expected, atol=1e-15)
    x, known = symbols("a", a)
    y, more = symbols("b", b)
    made = function(x) if name in ONE else function(x, y)
    np.testing.assert_allclose(evaluated(made, known | more), expected, atol=1e-15)
    if name in TWO:  # numbers beside expressions
        np.testing.assert_allclose(evaluated(function(x, b), known), expected, atol=1e-15)


def test_dot_and_cross_of_the_last_axes() -> None:
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=(2, 4, 3))
    x, known = symbols("a", a)
    y, more = symbols("b", b)
    known |= more
    for p, q in ((a, b), (x, y), (x, b), (a, y)):
        np.testing.assert_allclose(evaluated(scalars.dot(p, q), known), (a * b).sum(axis=1), atol=1e-14)
        np.testing.assert_allclose(evaluated(scalars.cross(p, q), known), np.cross(a, b), atol=1e-14)
        assert evaluated(scalars.dot(p[0], q[0]), known) == pytest.approx(a[0] @ b[0])
    np.testing.assert_allclose(evaluated(scalars.dot(x, b[0]), known), a @ b[0], atol=1e-14)


def test_what_is_made_of_expressions() -> None:
    x = variable("x")
    assert scalars.is_symbolic(1.0, x)
    assert scalars.is_symbolic(np.array([x]))
    assert not scalars.is_symbolic(np.zeros(2), 3.0)
    assert scalars.kind_of(np.zeros(2)) is np.float64
    assert scalars.kind_of(np.zeros(2), np.array([x])) is object


def test_constants_beside_expressions_have_no_rounding() -> None:
    values = np.array([[1 - 1e-16, -1e-16], [0.3, 2 + 1e-14]])
    numbers = scalars.constants(values, np.zeros(1))
    np.testing.assert_array_equal(numbers, values)
    made = scalars.constants(values, np.array([variable("x")]))
    assert made.shape == (2, 2)
    assert made[0, 0] is number(1)
    assert made[0, 1] is number(0)
    assert float(made[1, 0].value) == 0.3
    assert made[1, 1] is not number(2)


def test_steps_are_named_values_and_numbers_stay() -> None:
    x, known = symbols("x", np.array([[0.3, 0.4]]))
    numbers = np.zeros((2, 2))
    assert scalars.as_steps(numbers) is numbers
    made = scalars.as_steps(x * x + 1)
    assert made.shape == (1, 2)
    np.testing.assert_allclose(evaluated(made, known), [[1.09, 1.16]])
