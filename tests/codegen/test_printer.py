"""Expressions in the spelling of a small language: what every language inherits."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import ClassVar

import numpy as np
import pytest

from robosym.codegen import CodegenError
from robosym.codegen.printer import ATOM, CONDITION, PRODUCT, SUM, CodePrinter
from robosym.expr import absolute, add, cos, evaluate, minimum, mul, number, pi, select, sign, sin, sqrt, variable
from robosym.expr.functions import apply

a, b, c, d = SYMBOLS = [variable(name) for name in "abcd"]
NAMES = {symbol: symbol.name for symbol in SYMBOLS}


class Words(CodePrinter):
    """Python, with two helpers that stand in another order than in ``calls``."""

    calls: ClassVar[Mapping[str, str]] = {"sin": "sin", "cos": "cos", "min": "low", "sign": "side"}
    helpers: ClassVar[Mapping[str, str]] = {"side": "def side(x)", "low": "def low(x, y)"}
    joints: ClassVar[Mapping[str, str]] = {"and": " and ", "or": " or "}
    negation = "not "
    widest = 3

    def truth_as_number(self, truth):
        return ["float(", *truth, ")"], ATOM

    def choice(self, condition, yes, no):
        return [(yes, SUM), " if ", *condition, " else ", (no, SUM)], CONDITION


def written(expression, **more):
    return Words({**NAMES, **more}).write(expression)


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (a**2 * b, "a*a*b"),
        (a**3, "a*a*a"),
        (a**4, "(a*a)*(a*a)"),
        (a**7, "(a*a*a)*(a*a*a)*a"),
        (2 / a, "2.0/a"),
        (2 / a**2, "2.0/(a*a)"),
        (-3 / (a * b), "-3.0/(a*b)"),
        (sin(b - 2 / a), "sin(b - 2.0/a)"),
        (select(a, sqrt(number(2)) / 2, b), f"{math.sqrt(2) / 2!r} if a != 0.0 else b"),
        (pi * a, f"a*{math.pi!r}"),
        (number(-1) * a - 2, "-(a + 2.0)"),
        (select(a < b, a, b), "a if a < b else b"),
        (select(a, c, b), "c if a != 0.0 else b"),
        (1 + apply("and", a <= b, apply("not", c)), "float((a <= b) and (not (c != 0.0))) + 1.0"),
        (select(apply("or", apply("eq", a, b), apply("ne", c, d)), a, c), "a if (a == b) or (c != d) else c"),
    ],
)
def test_spelling(expression, text):
    assert written(expression) == text


def test_a_condition_computed_before_is_a_number():
    condition = a < b
    assert Words({**NAMES, condition: "t1"}).write(select(condition, a, b)) == "a if t1 != 0.0 else b"
    assert Words({**NAMES, condition: "t1"}).write(apply("not", condition)) == "float(not (t1 != 0.0))"


def test_a_quotient_computed_before_is_not_divided_again():
    quotient = 1 / (a * b)
    assert Words({**NAMES, quotient: "t1"}).write(2 * quotient) == "2.0*t1"


@pytest.mark.parametrize("count", [*range(2, 12), 40])
@pytest.mark.parametrize("signs", ["plus", "mixed"])
def test_groups_compute_the_same(count, signs):
    """Sums and products of no more than three terms, or of as many groups as are needed."""
    symbols = [variable(f"x{i}") for i in range(count)]
    factors = [1 if signs == "plus" or i % 3 else -2 for i in range(count)]
    values = dict(zip(symbols, np.random.default_rng(count).uniform(0.5, 1.5, count).tolist(), strict=True))
    names = {symbol: f"x{i}" for i, symbol in enumerate(symbols)}
    numbers = {names[symbol]: value for symbol, value in values.items()}
    total = add(*(factor * symbol for factor, symbol in zip(factors, symbols, strict=True)))
    for expression in (total, mul(*symbols) / symbols[0] ** 2, cos(total) - total):
        text = Words(names).write(expression)
        expected = float(evaluate([expression], values)[0])
        assert eval(text, {"cos": math.cos}, numbers) == pytest.approx(expected, rel=1e-13)
    for expression, joint in ((mul(*symbols), "*"), (add(*symbols), " + ")):
        text = Words(names).write(expression)
        assert ("(" in text) == (count > 3)
        while inner := re.search(r"\(([^()]*)\)", text):
            assert len(inner[1].split(joint)) <= 3
            text = text.replace(inner[0], "x")
        assert len(text.split(joint)) <= 3


def test_helpers_come_in_the_order_of_the_table():
    printer = Words(NAMES)
    printer.write(sin(a))
    assert printer.helper_definitions() == []
    printer.write(minimum(a, b))
    assert printer.helper_definitions() == ["def low(x, y)"]
    assert printer.write(sign(a)) == "side(a)"
    assert printer.helper_definitions() == ["def side(x)", "def low(x, y)"]


def test_layout_binds_as_the_language_does():
    assert Words(NAMES).layout(a**2)[1] == PRODUCT
    assert Words(NAMES).layout(number(2))[1] == ATOM
    assert written((a + b) * c) == "c*(a + b)"
    assert written(2 * select(a < b, a, b)) == "2.0*(a if a < b else b)"
    assert written(select(a < b, a, b) < c) == "float((a if a < b else b) < c)"


def test_numbers_are_the_nearest_doubles():
    for text in ("0.1", "1e-300", "123456789.123456789"):
        assert float(written(number(float(text)))) == float(text)
    assert written(number(1) / 3) == repr(1 / 3)


def test_what_cannot_be_written_is_named():
    with pytest.raises(CodegenError, match="'q' is used but is neither an input, a parameter nor an earlier step"):
        written(variable("q") + a)
    with pytest.raises(CodegenError, match="Words cannot write the function 'abs'"):
        written(absolute(a))
