"""Order, substitution and symbols."""

from __future__ import annotations

import math

from hypothesis import given, settings

from robosym.expr import (
    Expr,
    cos,
    evaluate,
    free_symbols,
    number,
    parameter,
    postorder,
    sin,
    step,
    substitute,
    variable,
)
from robosym.expr.walk import transform

from .strategies import SYMBOLS, expressions, points

x, y, a, b = variable("x"), variable("y"), parameter("a"), parameter("b")


@settings(deadline=None, max_examples=100)
@given(expressions, expressions)
def test_postorder_has_every_node_once_after_its_arguments(e: Expr, f: Expr) -> None:
    order = postorder([e, f, e])
    place = {node: i for i, node in enumerate(order)}
    assert len(place) == len(order)
    assert e in place
    assert f in place
    assert all(place[arg] < place[node] for node in order for arg in node.args)


@settings(deadline=None, max_examples=100)
@given(expressions, points)
def test_substituting_numbers_is_evaluating(e: Expr, point: dict[str, float]) -> None:
    (by_value,) = evaluate([e], point)
    try:
        (new,) = substitute([e], {s: point[s.name] for s in SYMBOLS})
    except ValueError:
        return  # a value without a finite number is refused
    assert free_symbols(new) == []
    (value,) = evaluate([new], {})
    assert math.isclose(value, by_value, rel_tol=1e-6, abs_tol=1e-6) or not math.isfinite(by_value)


def test_substitution_is_simultaneous_and_simplifies() -> None:
    assert substitute([x - 2 * y], {x: y, y: x}) == [y - 2 * x]
    assert substitute([sin(x) * a + b], {x: 0}) == [b]
    assert substitute([cos(x + y)], {x + y: a}) == [cos(a)]
    assert substitute([step(x + a)], {a: number(0)}) == [x]
    (same,) = substitute([x * a + b], {y: 3})
    assert same is x * a + b


def test_transform_sees_rebuilt_nodes() -> None:
    doubled = transform([sin(x) + a, x], lambda n: 2 * n if n is x else None)
    assert doubled == [sin(2 * x) + a, 2 * x]


def test_free_symbols_in_natural_order() -> None:
    q = [variable(f"q{i}") for i in (10, 9, 1)]
    assert [s.name for s in free_symbols(q[0] * q[1], q[2] + a, step(q[0] + 1))] == ["a", "q1", "q9", "q10"]
    assert free_symbols(number(3)) == []
