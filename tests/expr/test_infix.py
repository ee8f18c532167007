"""Infix notation: parentheses where the meaning needs them, so that Python reads back what the printer writes."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings

from robosym.expr import Expr, evaluate, number, parameter, sin, step, variable
from robosym.expr.functions import FUNCTIONS
from robosym.expr.infix import ATOM, POWER, PRODUCT, SUM, Infix, Piece
from robosym.expr.node import Number

from .strategies import SYMBOLS, expressions, points

x, y, a, b = variable("x"), variable("y"), parameter("a"), parameter("b")


class Printer(Infix):
    """Expressions of Python; powers are written with ``**``."""

    def number(self, value: Number) -> str:
        return repr(value) if isinstance(value, float) else str(value)

    def power(self, base: Expr, exponent: int) -> tuple[list[Piece], int]:
        return [(base, ATOM), f"**{exponent}"], POWER

    def function(self, node: Expr) -> tuple[list[Piece], int]:
        if node.op in self.comparisons:
            return self.comparison(node)
        return self.call(f"{node.op}_", node.args), ATOM


CALLS: dict[str, Any] = {f"{name}_": function.on_floats for name, function in FUNCTIONS.items()} | {"pi": math.pi}


@settings(max_examples=100)
@given(expressions, points)
def test_python_reads_back_what_is_written(e: Expr, point: dict[str, float]) -> None:
    written = Printer().write(e)
    found = eval(written, {**CALLS, **point})
    expected = float(evaluate([e], point)[0])
    assert float(found) == pytest.approx(expected, rel=1e-9, abs=1e-9, nan_ok=True), written


@pytest.mark.parametrize(
    ("e", "written"),
    [
        (-(a - b), "b - a"),
        (-(1 - a - b), "a + b - 1"),
        (-(a + b), "-(a + b)"),
        (2 / a, "2/a"),
        (3 / (a * b), "3/(a*b)"),
        (a / b**2, "a/(b**2)"),
        (x * (a + b) ** 2, "x*(a + b)**2"),
        (a - 2 * b - 3, "a - 2*b - 3"),
        (number(Fraction(1, 2)) * a + b, "1/2*a + b"),
        ((a < b) * x, "x*(a < b)"),
        (step(a + b) * x, "x*(a + b)"),
        (sin(-a) + 1, "1 - sin_(a)"),
    ],
)
def test_forms(e: Expr, written: str) -> None:
    assert Printer().write(e) == written


def test_names_stand_for_nodes_computed_elsewhere() -> None:
    printer = Printer({a + b: "s", 1 / (x * y): "r"})
    assert printer.write(x * (a + b)) == "x*s"
    assert printer.write(2 / (x * y)) == "2*r"
    assert printer.write(-(a + b)) == "-s"


def test_a_tighter_surrounding_gets_parentheses() -> None:
    for around, written in ((SUM, "a + b"), (PRODUCT, "(a + b)"), (ATOM, "(a + b)")):
        assert Printer().write(a + b, around) == written
    assert Printer().write(a * b, PRODUCT) == "a*b"
    assert Printer().write(a * b, POWER) == "(a*b)"
    assert Printer().write(a < b, SUM) == "(a < b)"
    assert Printer().write(number(-2), PRODUCT) == "(-2)"
    assert Printer().write(number(0), POWER) == "0"
    assert Printer().write(number(Fraction(1, 2)), POWER) == "(1/2)"


def test_parts_have_numbered_names() -> None:
    assert Printer().part(3) == "t3"
    assert {s.name for s in SYMBOLS}.isdisjoint({Printer().part(k) for k in range(5)})
