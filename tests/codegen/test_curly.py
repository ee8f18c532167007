"""Spaced operators and signatures of the languages with braces."""

from __future__ import annotations

import re

import pytest

from robosym.codegen.curly import SpacedPrinter, signature
from robosym.expr import add, variable

a, b, c = (variable(name) for name in "abc")
NAMES = {a: "a", b: "b", c: "c"}


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (2 * a * b - c, "2.0 * a * b - c"),
        (a * b / c, "a * b / c"),
        (a / (b * c), "a / (b * c)"),
        (a / b**2, "a / (b * b)"),
        (a / (b + c), "a / (b + c)"),
        (2 / a, "2.0 / a"),
        (a**5, "(a * a) * (a * a) * a"),
    ],
)
def test_operators_stand_between_spaces(expression, text):
    assert SpacedPrinter(NAMES).write(expression) == text


@pytest.mark.parametrize("count", [SpacedPrinter.widest, SpacedPrinter.widest + 1])
def test_long_sums_are_written_in_groups(count):
    terms = [variable(f"x{i}") for i in range(count)]
    text = SpacedPrinter({term: f"x{i}" for i, term in enumerate(terms)}).write(add(*terms))
    groups = re.findall(r"\(([^()]*)\)", text)
    assert len(groups) == (0 if count == SpacedPrinter.widest else 2)
    assert max([len(group.split(" + ")) for group in groups], default=0) <= SpacedPrinter.widest
    assert sorted(re.findall(r"x\d+", text)) == sorted(f"x{i}" for i in range(count))


def test_a_signature_that_does_not_fit_has_a_line_for_each_argument():
    line = "fn f(a: f64, b: f64) -> f64 {"
    taken, tail = ["a: f64", "b: f64"], " -> f64 {"
    assert signature("fn f", taken, tail, len(line), "  ") == [line]
    assert signature("fn f", taken, tail, len(line) - 1, "  ") == ["fn f(", "  a: f64,", "  b: f64,", ") -> f64 {"]
    assert signature("fn f", [], " {", 80, "  ") == ["fn f() {"]
