"""Readable text."""

from __future__ import annotations

from fractions import Fraction

import pytest

from robosym.expr import Expr, cos, equal, logical_and, number, parameter, pi, power, select, sin, step, text, variable
from robosym.expr.text import abbreviated

x, y, a, b = variable("x"), variable("y"), parameter("a"), parameter("b")


@pytest.mark.parametrize(
    ("e", "written"),
    [
        (a + b, "a + b"),
        (a - b, "a - b"),
        (b - a, "b - a"),
        (-a - b, "-(a + b)"),
        (1 - a, "1 - a"),
        (2 * a, "2*a"),
        (a / 2, "a/2"),
        (3 * a / 4, "3*a/4"),
        (0.5 * a, "0.5*a"),
        (2 / a, "2/a"),
        (-2 / a, "-2/a"),
        (2 / (a * b), "2/(a*b)"),
        (1 / a**2, "1/(a^2)"),
        (a * b / 2, "a*b/2"),
        ((a + b) * x, "x*(a + b)"),
        ((a + b) / 2, "(a + b)/2"),
        (2 * (a + b) + x, "x + 2*(a + b)"),
        ((a - b) ** 2, "(a - b)^2"),
        (sin(x) ** 2 * cos(y), "sin(x)^2*cos(y)"),
        (power(a, b), "pow(a, b)"),
        (number(Fraction(-1, 2)), "-1/2"),
        (a + Fraction(1, 2), "a + 1/2"),
        (pi / 2 - x, "pi/2 - x"),
        (select(x < y, a, -b), "select(x < y, a, -b)"),
        (logical_and(x < y, equal(a, b)), "and(a == b, x < y)"),
        ((x < y) * 2, "2*(x < y)"),
        (step(a + b) * x, "x*(a + b)"),
    ],
)
def test_text(e: Expr, written: str) -> None:
    assert text(e) == written


def test_repr_is_one_short_line() -> None:
    assert repr(a + b) == "a + b"
    node = x
    for _ in range(2000):
        node = sin(node) + a
    assert repr(node) == "<sum of 4002 nodes>"
    assert len(abbreviated(sum((variable(f"x{i}") for i in range(100)), a))) <= 200
