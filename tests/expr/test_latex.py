"""LaTeX: known forms, balanced braces, and no explosion on shared graphs."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings

from robosym.expr import Expr, cos, latex, number, parameter, pi, select, sin, sqrt, variable
from robosym.expr.latex import latex_name

from .strategies import expressions

q, a, b = variable("q1"), parameter("a"), parameter("b")


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("q12", "q_{12}"),
        ("alpha3", r"\alpha_{3}"),
        ("qd1", r"\dot{q}_{1}"),
        ("qdd2", r"\ddot{q}_{2}"),
        ("M_tool", "M_{tool}"),
        ("XX1", r"\mathit{XX}_{1}"),
        ("x", "x"),
        ("U313_2", "U_{313,2}"),
        ("C2q2", "C_{2q_{2}}"),
        ("q2q2", "q_{2q_{2}}"),
        ("S2m3", "S_{2-3}"),
        ("A_2_3", "A_{2,3}"),
        ("M_big_tool", r"M_{big\_tool}"),
        ("D3_tool", "D_{3,tool}"),
    ],
)
def test_names(name: str, written: str) -> None:
    assert latex_name(name) == written


@pytest.mark.parametrize(
    ("e", "written"),
    [
        (a / b, r"\frac{a}{b}"),
        (cos(q) ** 2, r"\cos^{2}\left(q_{1}\right)"),
        (a * Fraction(1, 2), r"\frac{1}{2} \, a"),
        (sqrt(a + b), r"\sqrt{a + b}"),
        (pi / 2 - q, r"\frac{1}{2} \, \pi - q_{1}"),
        (number(1e-7) * a, r"1 \cdot 10^{-7} \, a"),
        (2 / a, r"\frac{2}{a}"),
        (abs(a), r"\left|a\right|"),
        (select(a < b, a, b), r"\begin{cases} a & \text{if } a<b \\ b & \text{else} \end{cases}"),
    ],
)
def test_forms(e: Expr, written: str) -> None:
    assert latex(e).replace(" ", "") == written.replace(" ", "")


@settings(deadline=None, max_examples=100)
@given(expressions)
def test_braces_are_balanced(e: Expr) -> None:
    written = latex(e)
    assert written.count("{") == written.count("}")
    assert written.count(r"\left") - written.count(r"\left|") - written.count(r"\left\lfloor") == written.count(
        r"\right)"
    )
    assert written.count("(") == written.count(")")


def test_names_of_known_nodes() -> None:
    assert latex(cos(q) * a, {cos(q): "C_1"}) == r"a \, C_1"


def test_much_sharing_is_written_as_named_parts() -> None:
    node = q
    for i in range(60):
        node = sin(node * node + i) + node
    assert len(latex(node)) < 20_000
    assert latex(node).startswith("t_{1} = ")
