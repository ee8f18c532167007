"""The counting rule of the published tables."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from robosym.expr import (
    PARAMETER,
    Expr,
    Operations,
    absolute,
    atan2,
    cos,
    count,
    parameter,
    pi,
    select,
    sin,
    step,
    variable,
)
from robosym.expr.count import cost, power_cost, uses
from robosym.expr.walk import postorder

from .strategies import expressions

x, y, z = (variable(n) for n in "xyz")
a, b = parameter("a"), parameter("b")


@pytest.mark.parametrize(
    ("root", "mul", "add", "div", "trig", "other"),
    [
        (x + y, 0, 1, 0, 0, 0),
        (x - y, 0, 1, 0, 0, 0),
        (-x, 0, 0, 0, 0, 0),
        (-(x - y), 0, 1, 0, 0, 0),
        (2 * x, 1, 0, 0, 0, 0),
        (x + x, 1, 0, 0, 0, 0),
        (x**2, 1, 0, 0, 0, 0),
        (x**3, 2, 0, 0, 0, 0),
        (x**4, 2, 0, 0, 0, 0),
        (x * y * z, 2, 0, 0, 0, 0),
        (-x * y, 1, 0, 0, 0, 0),
        (2 * x * y, 2, 0, 0, 0, 0),
        (x + y + z + 1, 0, 3, 0, 0, 0),
        (x - 2 * y, 1, 1, 0, 0, 0),
        (1 / x, 0, 0, 1, 0, 0),
        (x / y, 0, 0, 1, 0, 0),
        (x / (y * z), 1, 0, 1, 0, 0),
        (x / 2, 1, 0, 0, 0, 0),
        (x * y / z**2, 2, 0, 1, 0, 0),
        (sin(x) * cos(x), 1, 0, 0, 2, 0),
        (atan2(x, y) + absolute(z), 0, 1, 0, 0, 2),
        (select(x < y, x, 0), 0, 0, 0, 0, 2),
        (step(x * y), 1, 0, 0, 0, 0),
    ],
)
def test_rule(root: Expr, mul: int, add: int, div: int, trig: int, other: int) -> None:
    assert count([root]) == Operations(mul, add, div, trig, other)


def test_shared_work_is_counted_once() -> None:
    product = x * y
    assert count([product + z, product - z, product]) == Operations(mul=1, add=2)
    assert count([x - y, y - x]) == Operations(add=1)


def test_parameter_work_is_counted_apart() -> None:
    root = (a * b + 1) * x + sin(a)
    assert count([root]) == Operations(mul=1, add=1)
    assert count([root], PARAMETER) == Operations(mul=1, add=1, trig=1)
    assert count([x * (pi / 2)]) == Operations(mul=2)


def test_strict_charges_each_derived_pair() -> None:
    pair = [sin(x + y), cos(x + y)]
    assert count(pair) == Operations(add=1, trig=2, derived_angles=1)
    assert count(pair).strict == 1 + 6
    assert count([cos(2 * x)]).derived_angles == 1
    assert count([cos(x), cos(x + a), sin(x + 1), sin(x - pi / 3)]).derived_angles == 0
    assert count([cos(step(x + y)), sin(x - y)]).derived_angles == 2
    assert count(pair).as_dict() == {"mul": 0, "add": 1, "div": 0, "trig": 2, "other": 0, "strict": 7}


@settings(deadline=None, max_examples=60)
@given(expressions)
def test_count_is_the_sum_of_costs(e: Expr) -> None:
    by_node = sum((cost(n) for n in postorder([e]) if n.level == 2), Operations())
    total = count([e])
    assert (total.mul, total.add, total.div, total.trig, total.other) == (
        by_node.mul,
        by_node.add,
        by_node.div,
        by_node.trig,
        by_node.other,
    )
    assert total.total == total.mul + total.add


def test_power_cost_and_uses() -> None:
    assert [power_cost(n) for n in (1, 2, 3, 4, 5, 7, 8, -2)] == [0, 1, 2, 2, 3, 4, 3, 1]
    assert uses([x * y + x, x])[x] == 3
    assert str(Operations(3, 2)) == "3 mul + 2 add = 5 (0 div, 0 sin/cos, 0 other)"
    assert count([]) == Operations()
