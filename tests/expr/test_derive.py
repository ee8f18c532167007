"""Derivatives against finite differences, complex steps and SymPy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from robosym.expr import (
    Expr,
    ExprError,
    absolute,
    acos,
    asin,
    atan,
    atan2,
    cos,
    derivative,
    evaluate,
    exp,
    floor,
    log,
    maximum,
    minimum,
    mul,
    number,
    parameter,
    power,
    select,
    sign,
    sin,
    sqrt,
    step,
    tan,
    tangents,
    tanh,
    to_sympy,
    variable,
)

from .strategies import SYMBOLS, points, smooth_expressions

x, y, a = variable("x"), variable("y"), parameter("a")


def _value(e: Expr, **values: float) -> float:
    return float(evaluate([e], values)[0])


CASES = {
    "sin": (sin, 0.4),
    "cos": (cos, 0.4),
    "tan": (tan, 0.4),
    "asin": (asin, 0.4),
    "acos": (acos, 0.4),
    "atan": (atan, 0.4),
    "sqrt": (sqrt, 0.4),
    "exp": (exp, 0.4),
    "log": (log, 0.4),
    "tanh": (tanh, 0.4),
    "abs+": (absolute, 0.4),
    "abs-": (absolute, -0.4),
    "x^3": (lambda u: u**3, 0.4),
    "x^-2": (lambda u: u**-2, 0.4),
    "x^(1/3)": (lambda u: power(u, 1 / 3), 0.4),
    "2^x": (lambda u: power(2, u), 0.4),
    "x^x": (lambda u: power(u, u), 0.4),
    "atan2(y,.)": (lambda u: atan2(0.7, u), -0.4),
    "atan2(.,x)": (lambda u: atan2(u, -0.7), 0.4),
    "min": (lambda u: minimum(u**2, u), 0.4),
    "max": (lambda u: maximum(u**2, u), 0.4),
    "select": (lambda u: select(u < 1, sin(u), u**2), 0.4),
    "select else": (lambda u: select(u < 0, sin(u), u**2), 0.4),
    "sign": (sign, 0.4),
    "floor": (floor, 0.4),
    "quotient": (lambda u: (1 + u) / (u * (2 + u)), 0.4),
    "step": (lambda u: step(u * sin(u)) * step(u + 1), 0.4),
}


@pytest.mark.parametrize("name", CASES)
def test_each_function_by_central_differences(name: str) -> None:
    function, at = CASES[name]
    h = 1e-6
    f = function(x)
    expected = (_value(f, x=at + h) - _value(f, x=at - h)) / (2 * h)
    assert math.isclose(_value(derivative(f, x), x=at), expected, rel_tol=1e-7, abs_tol=1e-7)


@pytest.mark.parametrize("name", ["sin", "cos", "tan", "asin", "sqrt", "exp", "x^3", "x^-2", "quotient", "step"])
def test_each_analytic_function_by_complex_step(name: str) -> None:
    function, at = CASES[name]
    f = function(x)
    (moved,) = evaluate([f], {x: np.array([at + 1e-30j])})
    assert math.isclose(_value(derivative(f, x), x=at), moved[0].imag / 1e-30, rel_tol=1e-13)


@settings(deadline=None, max_examples=60)
@given(smooth_expressions, points, st.sampled_from(SYMBOLS))
def test_random_expressions_by_richardson_differences(e: Expr, point: dict[str, float], by: Expr) -> None:
    def at(shift: float) -> float:
        return float(evaluate([e], {**point, by.name: point[by.name] + shift})[0])

    def slope(h: float) -> float:
        return (at(h) - at(-h)) / (2 * h)

    coarse, fine = slope(2e-3), slope(1e-3)
    expected = fine + (fine - coarse) / 3
    (exact,) = evaluate([derivative(e, by)], point)
    size = max(abs(exact), abs(at(0.0)), 1.0)
    assume(abs(fine - coarse) < 1e-4 * size)  # where differences mean something
    assert abs(exact - expected) < 1e-5 * size


@settings(deadline=None, max_examples=25)
@given(st.recursive(st.sampled_from([x, y, number(2)]), lambda s: st.one_of(
    st.tuples(s, s).map(lambda p: p[0] * p[1]),
    st.tuples(s, s).map(lambda p: p[0] - 3 * p[1]),
    s.map(sin),
    s.map(lambda u: sqrt(1 + u**2)),
    s.map(lambda u: 1 / (2 + cos(u))),
), max_leaves=5))  # fmt: skip
def test_random_expressions_by_sympy(e: Expr) -> None:
    import sympy

    sx, sy = sympy.Symbol("x", real=True), sympy.Symbol("y", real=True)
    theirs = sympy.lambdify((sx, sy), sympy.diff(to_sympy(e), sx), "math")
    for u, v in [(0.3, -1.2), (1.7, 0.4)]:
        assert math.isclose(_value(derivative(e, x), x=u, y=v), theirs(u, v), rel_tol=1e-9, abs_tol=1e-9)


def test_known_derivatives() -> None:
    assert derivative(sin(2 * x), x) is 2 * cos(2 * x)
    assert derivative(x**3, x) is 3 * x**2
    assert derivative(a * x, x) is a
    assert derivative(a, x) is number(0)
    assert derivative(1 / x, x) is -(x**-2)
    assert derivative(absolute(x), x) is sign(x)


def test_tangents_are_directional_and_share() -> None:
    qd = variable("qd")
    velocity, other = tangents([sin(x) * a, x * y], {x: qd, y: 2})
    assert velocity is a * cos(x) * qd
    assert other is y * qd + 2 * x


def test_a_branch_with_infinite_slope_does_not_spoil_the_other() -> None:
    f = select(x <= 0, x, sqrt(x))
    assert _value(derivative(f, x), x=0.0) == 1.0
    assert derivative(minimum(x, 2 * x), x) is select(x <= 2 * x, 1, 2)


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("count", [5, 32, 33, 3000])
def test_long_products_by_their_logarithmic_derivative(count: int) -> None:
    product = mul(*[1 + x / i for i in range(10_000, 10_000 + count)])
    logarithmic = _value(derivative(product, x), x=0.3) / _value(product, x=0.3)
    assert math.isclose(logarithmic, math.fsum(1 / (i + 0.3) for i in range(10_000, 10_000 + count)), rel_tol=1e-11)


def test_a_derivative_that_does_not_exist_says_so() -> None:
    with pytest.raises(ExprError, match="derivative"):
        derivative(power(-2, x), x)
