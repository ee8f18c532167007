"""To SymPy and back."""

from __future__ import annotations

import builtins
import math
import sys
from fractions import Fraction

import pytest
import sympy
from hypothesis import given, settings

from robosym.expr import (
    Expr,
    ExprError,
    absolute,
    acos,
    asin,
    atan,
    atan2,
    cos,
    equal,
    evaluate,
    exp,
    floor,
    from_sympy,
    log,
    logical_and,
    logical_not,
    logical_or,
    maximum,
    minimum,
    not_equal,
    number,
    parameter,
    pi,
    power,
    select,
    sign,
    sin,
    sqrt,
    step,
    tan,
    tanh,
    to_sympy,
    variable,
)

from .strategies import expressions, points, symbol_by_name

x, y, a = variable("x"), variable("y"), parameter("a")
BY_NAME = {"x": x, "y": y, "a": a}

SAME = [
    x + a,
    x - 2 * a + Fraction(1, 3),
    x * a / 7,
    x / (a * y**2),
    0.1 * x + 0.5,
    number(Fraction(22, 7)),
    sin(x) * cos(a),
    tan(x) + asin(y) + acos(y) + atan(y) + atan2(x, y),
    sqrt(x) * sqrt(2),
    absolute(x) + sign(y) + floor(x * y),
    exp(x) * log(a),
    tanh(x * a),
    power(x, y),
    power(x, Fraction(1, 3)),
    minimum(x, y) - maximum(x, a),
    x < y,
    x <= y,
    equal(x, y),
    not_equal(x, y),
    logical_and(x < y, y < a),
    logical_or(x < y, equal(y, a)),
    select(x < y, a, x**2),
    select(logical_and(x < y, x < a), a, select(x < 1, 2, 3)),
    2 * (x < y) + 1,
    pi * x,
]


@pytest.mark.parametrize("e", SAME, ids=str)
def test_round_trip_is_the_same_object(e: Expr) -> None:
    assert from_sympy(to_sympy(e), BY_NAME) is e


@settings(deadline=None, max_examples=80)
@given(expressions, points)
def test_round_trip_keeps_the_value(e: Expr, point: dict[str, float]) -> None:
    back = from_sympy(to_sympy(e), symbol_by_name)
    u, v = evaluate([e, back], point)
    assert u == v or math.isclose(u, v, rel_tol=1e-6, abs_tol=1e-6) or not math.isfinite(u)


def test_exact_numbers_stay_exact() -> None:
    third = to_sympy(x * Fraction(1, 3)) / to_sympy(x)
    assert third == sympy.Rational(1, 3)
    assert to_sympy(number(0.1)).is_Float
    assert float(to_sympy(number(0.1))) == 0.1
    assert to_sympy(pi / 4) == sympy.pi / 4


def test_names_and_symbols() -> None:
    theta = sympy.Symbol("theta")
    assert to_sympy(cos(x) + a, {x: theta, a: "L"}) == sympy.cos(theta) + sympy.Symbol("L", real=True)
    assert to_sympy(step(x + a)) == to_sympy(x + a)
    assert from_sympy(theta + 1) is parameter("theta") + 1
    assert from_sympy(sympy.Symbol("x"), variable) is x
    with pytest.raises(ExprError, match="theta"):
        from_sympy(theta, BY_NAME)


def test_sympy_functions_without_a_twin() -> None:
    s, t = sympy.symbols("x y", real=True)
    u, v = 0.7, -1.3
    for theirs in [sympy.cot(s), sympy.sec(s), sympy.csc(s), sympy.ceiling(3 * s), sympy.E * s, sympy.Max(s, t, 0.5)]:
        (ours,) = evaluate([from_sympy(theirs, BY_NAME)], {x: u, y: v})
        assert math.isclose(ours, float(theirs.subs({s: u, t: v})), rel_tol=1e-12)
    assert from_sympy(s > t, BY_NAME) is (y < x)
    assert from_sympy(sympy.Not(sympy.Eq(s, t)), BY_NAME) is not_equal(x, y)
    assert from_sympy(sympy.true) is number(1)
    assert from_sympy(2) is number(2)
    three = from_sympy(sympy.And(s < 1, t < 1, s < t), BY_NAME)
    for u, v in [(0, 0.5), (0.5, 0), (2, 3), (0, 2)]:
        assert evaluate([three], {x: u, y: v}) == [float(u < 1 and v < 1 and u < v)]
        assert evaluate([from_sympy(to_sympy(logical_not(x < y)), BY_NAME)], {x: u, y: v}) == [float(not u < v)]


@pytest.mark.parametrize(
    "theirs",
    [
        sympy.I,
        sympy.oo,
        sympy.zoo,
        sympy.nan,
        sympy.gamma(sympy.Symbol("x")),
        sympy.Integral(sympy.Symbol("x")),
        sympy.Function("f")(sympy.Symbol("x")),
        sympy.Piecewise((1, sympy.Symbol("x") < 1)),
        sympy.Matrix([[1]]),
        sympy.Symbol("a b"),
        sympy.Symbol("pi"),
        "x + 1",
        None,
    ],
    ids=str,
)
def test_no_counterpart(theirs: object) -> None:
    with pytest.raises(ExprError):
        from_sympy(theirs)


@pytest.mark.slow
def test_deep_graphs_do_not_hit_our_recursion_limit() -> None:
    node = x
    for _ in range(200):
        node = sin(node) * a + 1
    assert from_sympy(to_sympy(node), BY_NAME) is node
    for _ in range(2_000):  # twice the depth at which Python stops
        node = sin(node) + 1
    with pytest.raises(ExprError, match="deep"):
        to_sympy(node)


def test_sympy_is_asked_for_when_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def refuse(name: str, *args: object, **kwargs: object) -> object:
        if name == "sympy":
            raise ImportError(name)
        return real(name, *args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", refuse)
    monkeypatch.delitem(sys.modules, "sympy")
    with pytest.raises(ExprError, match="not installed"):
        to_sympy(x)
    with pytest.raises(ExprError, match="not installed"):
        from_sympy(1.5)
