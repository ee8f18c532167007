"""The other functions: folding of numbers, conditions, select."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from robosym.expr import (
    ExprError,
    absolute,
    equal,
    exp,
    floor,
    log,
    logical_and,
    logical_not,
    logical_or,
    maximum,
    minimum,
    not_equal,
    number,
    parameter,
    power,
    select,
    sign,
    sqrt,
    tanh,
    variable,
)
from robosym.expr.functions import CONDITIONS, apply

x, y, a = variable("x"), variable("y"), parameter("a")
ONE, ZERO = number(1), number(0)


def test_exact_numbers_fold_exactly() -> None:
    third = Fraction(1, 3)
    assert absolute(-third) is number(third)
    assert floor(Fraction(-7, 2)) is number(-4)
    assert sign(Fraction(-7, 2)) is number(-1)
    assert sign(0) is ZERO
    assert minimum(third, 0.5) is number(third)
    assert maximum(third, 0.5) is number(0.5)
    assert (number(third) < 0.5) is ONE
    assert exp(0) is ONE
    assert log(1) is ZERO
    assert exp(1).op == "exp"  # exact, not a float
    assert exp(1.5).value == math.exp(1.5)
    assert tanh(0) is ZERO
    assert tanh(1).op == "tanh"
    assert tanh(-1.5).value == math.tanh(-1.5)
    assert tanh(-2 * x) is -tanh(2 * x)
    assert power(2, 0.3).value == 2**0.3
    assert power(8, Fraction(1, 3)).op == "pow"


def test_signs_and_factors_leave_abs_and_sign() -> None:
    assert absolute(-2 * x) is 2 * absolute(x)
    assert abs(x - y) is abs(y - x)
    assert sign(-3 * x) is -sign(x)
    assert sign(x - y) is -sign(y - x)


def test_comparisons() -> None:
    assert (x < x) is ZERO
    assert (x <= x) is ONE
    assert equal(x, x) is ONE
    assert not_equal(x, x) is ZERO
    assert (x > y) is (y < x)
    assert (x >= y) is (y <= x)
    assert equal(x, y) is equal(y, x)
    assert minimum(x, y) is minimum(y, x)
    assert minimum(x, x) is x
    assert maximum(x, x) is x


def test_logic() -> None:
    p, r = x < y, x < 1
    assert logical_and(p, r) is logical_and(r, p)
    assert logical_and(p, 1) is p
    assert logical_and(p, 0) is ZERO
    assert logical_and(p, p) is p
    assert logical_or(p, 0) is p
    assert logical_or(p, 1) is ONE
    assert logical_or(p, p) is p
    assert logical_not(logical_not(p)) is p
    assert logical_not(0) is ONE
    assert logical_and(x, y) is logical_and(not_equal(x, 0), not_equal(y, 0))


def test_select() -> None:
    p = x < y
    assert select(p, a, a) is a
    assert select(1, x, y) is x
    assert select(0.5, x, y) is x
    assert select(0, x, y) is y
    assert select(p, 1, 0) is p
    assert select(p, 0, 1) is logical_not(p)
    assert select(logical_not(p), x, y) is select(p, y, x)
    assert select(x, 1, 2).args[0] is not_equal(x, 0)  # what is chosen by is always a condition
    assert all(select(c, 2, 3).args[0].op in CONDITIONS for c in (x, p, x * y, logical_and(p, x)))


@pytest.mark.parametrize("build", [lambda: log(0), lambda: log(-2), lambda: sqrt(-0.5), lambda: exp(1000.5)])
def test_no_value(build: object) -> None:
    with pytest.raises(ExprError):
        build()  # type: ignore[operator]


def test_wrong_number_of_arguments() -> None:
    with pytest.raises(ExprError, match="takes 2"):
        apply("atan2", x)
