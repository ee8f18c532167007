"""Exact numbers as doubles: the nearest, or the short decimal that was meant."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from robosym.expr import evaluate, expr, in_floats, number, parameter, sin
from robosym.expr.node import LIN, NUM
from robosym.expr.rounding import LONGEST_WRITTEN, plain_double, rounded
from robosym.expr.walk import postorder

x, y = parameter("x"), parameter("y")


def test_plain_doubles() -> None:
    for value, plain in ((1e-7**2, 1e-14), (0.1 + 0.2, 0.3), (5.772006249999999e-14, 5.77200625e-14)):
        assert plain_double(value) == plain
    for value in (math.pi, 1 / 3, 0.1, 2, Fraction(1, 3), math.sqrt(3) / 2, 0.30000000000001):
        assert plain_double(value) is value


def test_fractions_of_many_digits_are_doubles() -> None:
    long, short = Fraction(1, 2**LONGEST_WRITTEN), Fraction(1, 2 ** (LONGEST_WRITTEN - 1))
    assert plain_double(short) is short
    assert plain_double(long) == float(long)
    assert type(plain_double(long)) is float


def test_the_decimal_is_taken_within_two_roundings_only() -> None:
    rng = np.random.default_rng(0)
    for decimal in (round(float(v), 6) for v in rng.uniform(0.1, 9, 300)):
        for k in range(-4, 5):
            near = decimal + k * math.ulp(decimal)
            assert plain_double(near) == (decimal if abs(near - decimal) <= 2 * math.ulp(near) else near)
            assert plain_double(-near) == -plain_double(near)


def test_only_the_numbers_of_a_node_change() -> None:
    noisy = Fraction(0.1) + Fraction(0.2)
    assert rounded(number(noisy)) is number(0.3)
    assert rounded(number(0.25)) is None
    assert rounded(x) is None
    assert rounded(noisy * x - 2 * y + 1) is 0.3 * x - 2 * y + 1
    assert rounded(x - 2 * y + noisy) is x - 2 * y + 0.3
    assert rounded(0.25 * x + y) is None
    assert rounded(sin(noisy * x)) is None


def test_a_whole_graph_holds_doubles() -> None:
    rng = np.random.default_rng(1)
    exact = [expr(Fraction(float(v))) / 3 for v in rng.uniform(-2, 2, 6)]
    root = sin(exact[0] * x + exact[1]) * (exact[2] * y + exact[3] * x) + exact[4] * x * y + exact[5]
    (found,) = in_floats([root])
    numbers = [v for n in postorder([found]) for v in ([n.value] if n.op == NUM else [])]
    numbers += [v for n in postorder([found]) if n.op == LIN for v in (n.value[0], *n.value[1])]
    assert numbers
    assert not any(type(v) is Fraction and v.denominator.bit_length() > LONGEST_WRITTEN for v in numbers)
    at = {"x": 0.7, "y": -1.3}
    np.testing.assert_allclose(evaluate([found], at), evaluate([root], at), rtol=1e-14)
