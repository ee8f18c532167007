"""Values on floats and arrays, with IEEE arithmetic in the corners."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from robosym.expr import (
    Expr,
    ExprError,
    atan2,
    cos,
    evaluate,
    exp,
    floor,
    log,
    logical_not,
    maximum,
    minimum,
    number,
    parameter,
    pi,
    power,
    select,
    sign,
    sin,
    sqrt,
    step,
    variable,
)
from robosym.expr.functions import FUNCTIONS
from robosym.expr.rebuild import REBUILD

from .strategies import expressions, points

x, y, a = variable("x"), variable("y"), parameter("a")


@settings(deadline=None, max_examples=100)
@given(expressions, st.lists(points, min_size=2, max_size=4))
def test_arrays_agree_with_floats(e: Expr, several: list[dict[str, float]]) -> None:
    arrays = {name: np.array([p[name] for p in several]) for name in several[0]}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        (batch,) = evaluate([e], arrays)
    one_by_one = [evaluate([e], p)[0] for p in several]
    np.testing.assert_allclose(np.broadcast_to(batch, len(several)), one_by_one, rtol=1e-12, atol=1e-12)


CORNERS = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 1e308, -1e308, 5e-324, math.inf, -math.inf, math.nan]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_corner_cases_agree_with_numpy(name: str) -> None:
    """NumPy follows IEEE 754 and C99, so floats must give what arrays give, signs of zeros included."""
    symbols = [variable(n) for n in ("u", "v", "w")][: FUNCTIONS[name].arity]
    node = REBUILD[name](*symbols)
    grid = np.meshgrid(*[np.array(CORNERS)] * len(symbols), indexing="ij")
    flat = {s: g.ravel() for s, g in zip(symbols, grid, strict=True)}
    (batch,) = evaluate([node], flat)
    for i in range(grid[0].size):
        (single,) = evaluate([node], {s: float(v[i]) for s, v in flat.items()})
        same = single == batch[i] or (math.isnan(single) and math.isnan(batch[i]))
        assert same or math.isclose(single, batch[i], rel_tol=1e-14), (name, [v[i] for v in flat.values()])


def test_arithmetic_corners() -> None:
    inf = math.inf
    assert evaluate([1 / x], {x: 0.0}) == [inf]
    assert evaluate([1 / x], {x: -0.0}) == [-inf]
    assert math.isnan(evaluate([x / y], {x: 0.0, y: 0.0})[0])
    assert evaluate([a / x**2], {x: 0.0, a: -1.0}) == [-inf]
    assert evaluate([x**2], {x: 1e200}) == [inf]
    assert math.copysign(1, evaluate([-x], {x: 0.0})[0]) == -1  # as compiled code does
    assert evaluate([atan2(-y, x)], {x: -1.0, y: 0.0}) == [-math.pi]
    assert evaluate([exp(x), log(x)], {x: 1e4})[0] == inf
    assert math.isnan(evaluate([sin(x)], {x: inf})[0])
    assert evaluate([power(x, y)], {x: 0.0, y: -1.5}) == [inf]


def test_division_is_done_once() -> None:
    values = {x: 0.1, y: 3.0, a: 7.0}
    assert evaluate([x / y], values) == [0.1 / 3.0]
    assert evaluate([x * a / (y * (1 + a))], values)[0] == pytest.approx(0.1 * 7 / (3 * 8), rel=1e-16)


def test_powers_by_squaring() -> None:
    for n in (1, 2, 3, 7, 64, 1000):
        assert math.isclose(evaluate([x**n], {x: 1.001})[0], 1.001**n, rel_tol=1e-12)
        assert math.isclose(evaluate([x**-n], {x: 1.001})[0], 1.001**-n, rel_tol=1e-12)


def test_values_by_symbol_or_name_and_of_any_numeric_type() -> None:
    assert evaluate([x + a], {x: 1, "a": np.float32(2)}) == [3.0]
    (batch,) = evaluate([x**2 * a], {x: np.array([10**10, 2]), a: 1.0})
    assert batch.tolist() == [1e20, 4.0]  # integers do not overflow
    assert evaluate([pi, number(3), step(x * 1)], {x: 2.0}) == [math.pi, 3.0, 2.0]


@pytest.mark.parametrize("values", [{}, {x: None}, {x: "one"}, {x: [1.0]}, {x: 1j}])
def test_missing_and_wrong_values_name_the_symbol(values: dict[object, object]) -> None:
    with pytest.raises(ExprError, match="'x'"):
        evaluate([x + 1], values)


def test_conditions_are_numbers_on_arrays_too() -> None:
    q = np.array([-1.0, 0.0, 2.0])
    roots = [x < 1, logical_not(x < 1), sin(x < 1), select(x < 1, x, 3), sign(x < 1), minimum(x, 0) + maximum(x, 1)]
    for root, value in zip(roots, evaluate([*roots], {x: q}), strict=True):
        assert value.dtype == np.float64
        np.testing.assert_array_equal(value, [evaluate([root], {x: v})[0] for v in q])
    assert evaluate([floor(x), sqrt(x), cos(x)], {x: 4.0}) == [4.0, 2.0, math.cos(4.0)]
