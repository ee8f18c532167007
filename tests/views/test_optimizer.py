"""The optimiser on pasted text: what is understood, what costs less, and which line is wrong."""

from __future__ import annotations

import pytest

from robosym import models
from robosym.library import load
from robosym.views.optimizer import optimised

ARM = """
parameters: L1, L2
// the tip of two links
x = L1*cos(q1) + L2*cos(q1)*cos(q2) - L2*sin(q1)*sin(q2);
const double y = L1*sin(q1) + L2*sin(q1)*cos(q2)
    + L2*cos(q1)*sin(q2);
J[0] = -y; J[1] = -L2*sin(q1 + q2)
J[2] := x   % of the first joint
J[3] = L2*cos(q1 + q2)
"""


def test_less_is_computed_after() -> None:
    found = optimised(ARM, "python")
    assert found["problems"] == []
    assert found["after"]["total"] < found["before"]["total"]
    assert "return" in found["text"]
    assert set(found["twins"]) == {line[0] for section in found["sections"] for line in section["lines"]}


def test_a_program_in_json_is_taken_too() -> None:
    text = models.geometric(load("rx90")).source("json")
    found = optimised(text)
    assert found["after"]["total"] <= found["before"]["total"]


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("a = 1 + x\nb = )", 2, "character"),
        ("a = b\nb = x", 1, "b is used before it is assigned"),
        ("a = x\n\na = y", 3, "assigned a second time"),
        ("import os", 1, "expected name = expression"),
        ("outputs: z\na = x", 1, "z is not assigned"),
        ("", 1, "expected lines such as"),
        ("{", 1, "JSON"),
        ("a = __import__(x)", 1, "__import__"),
    ],
)
def test_what_is_wrong_is_said_at_its_line(text: str, line: int, words: str) -> None:
    (problem,) = optimised(text)["problems"]
    assert problem["line"] == line
    assert words in problem["message"]
