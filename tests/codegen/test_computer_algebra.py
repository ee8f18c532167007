"""Powers, exact constants and lists of lists, as computer algebra systems write them."""

from __future__ import annotations

import math
from ast import literal_eval
from fractions import Fraction

import numpy as np
import pytest
from sample_programs import arm, constant, vector

from robosym.codegen.computer_algebra import AlgebraPrinter, documentation, exact_product, list_of_lists
from robosym.codegen.interface import interface
from robosym.expr import add, number, parameter, power, variable
from robosym.expr.exact import Exact
from robosym.program.program import Program, Step

a, b, c = (variable(name) for name in "abc")
NAMES = {a: "a", b: "b", c: "c"}


class Words(AlgebraPrinter):
    calls = {"pow": "pow"}  # noqa: RUF012

    def decimal(self, value):
        return repr(float(value))

    def exact(self, constant):
        return exact_product(constant, "pi", "{}({})")


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (a**2 * b, "a^2*b"),
        (a**5, "a^5"),
        ((a + b) ** 2, "(a + b)^2"),
        (c / (a * b**3), "c/(a*b^3)"),
        (0.3 * a, "0.3*a"),
        (math.sqrt(3) / 2 * a, "sqrt(3)/2*a"),
        (-math.pi / 7 * a, "-pi/7*a"),
        (a - math.sqrt(2), "a - sqrt(2)"),
    ],
)
def test_spelling(expression, text):
    assert Words(NAMES).write(expression) == text


def test_an_exact_constant_binds_as_a_product():
    """Below a power it gets its parentheses, a decimal does not."""
    root = number(math.sqrt(3) / 2)
    assert "".join(str(piece) for piece in Words(NAMES).layout(root)[0]) == "sqrt(3)/2"
    written = Words(NAMES)
    pieces, _ = written.real_power(root, a + b)
    texts = [piece if isinstance(piece, str) else written.write(*piece) for piece in pieces]
    assert texts == ["(sqrt(3)/2)", "^", "(a + b)"]
    pieces, _ = written.real_power(number(0.3), a)
    assert [piece if isinstance(piece, str) else written.write(*piece) for piece in pieces] == ["0.3", "^", "a"]


CONSTANTS = [
    Exact(Fraction(sign * p, q), core, of)
    for sign in (1, -1)
    for p, q in ((1, 1), (1, 2), (3, 1), (5, 4))
    for core, of in (("pi", 1), ("sqrt", 2), ("sqrt", 6), ("sin", Fraction(1, 7)), ("sin", Fraction(3, 8)))
]


@pytest.mark.parametrize("one", CONSTANTS, ids=str)
def test_a_written_constant_has_its_value(one):
    one = Exact(one.factor, one.core, Fraction(one.of))
    text = exact_product(one, "pi", "{}({})")
    computed = eval(text, {"pi": math.pi, "sqrt": math.sqrt, "sin": math.sin})
    assert computed == pytest.approx(one.value, rel=1e-14)
    assert "1*" not in text
    assert not text.endswith("/1")
    assert exact_product(one, "%pi", "{}[{}]") == text.replace("pi", "%pi").replace("(", "[").replace(")", "]")


def test_arrays_are_lists_of_lists():
    texts = tuple(str(n) for n in range(6))
    lines = list_of_lists(texts, (2, 3), "[]", "  ", "(", ")")
    assert literal_eval("\n".join(lines).strip()) == np.arange(6).reshape(2, 3).tolist()
    assert lines == ["  ([", "    [0, 1, 2],", "    [3, 4, 5]", "  ])"]
    assert list_of_lists(texts, (6,), "{}", "") == ["{0, 1, 2, 3, 4, 5}"]


def test_indices_are_counted_from_one():
    text = "\n".join(documentation(interface(arm(), ()), 100, "a table"))
    assert "q [2], in: [1] q1, [2] q2" in text.replace("\0", " ")
    assert "constants [2], in, from planar_arm_precompute: [1] S, [2] R" in text
    assert "Returns a table: rotation [2x2], tip [3]." in text
    assert ", out" not in text  # what is returned is said once
    assert "Takes:" not in text  # the parameters are among the arguments


def test_parameters_that_only_the_precompute_function_takes_are_listed():
    L, K = parameter("L"), constant("K")
    step = Step(K, add(L, 1))
    program = Program("p", (vector("q", [a]),), (L,), (step,), (), (vector("y", [K * a]),))
    lines = documentation(interface(program, ()), 100, "a table")
    assert lines[lines.index("p_precompute:") :] == [
        "p_precompute:",
        "Takes:",
        "  parameters [1]: [1] L",
        "Returns:",
        "  constants [1]: [1] K",
    ]


def test_a_power_with_an_expression_is_a_function_unless_the_language_says_otherwise():
    assert Words(NAMES).write(power(a, b)) == "pow(a, b)"
