"""The text of ``.par`` files: fields with their lines, comments and lists."""

from __future__ import annotations

import pytest

from robosym.formats.par_text import Field, fields_and_comments, split, variable_in, without_comments
from robosym.robot import FIXED, PRISMATIC, REVOLUTE


def read(text: str) -> tuple[dict[str, Field], list[str], list[tuple[str, str]]]:
    problems: list[tuple[str, str]] = []
    found, comments = fields_and_comments(text, lambda where, what: problems.append((where, what)))
    return found, comments, problems


def test_fields_with_their_lines() -> None:
    text = "(* a\n robot *)\nNL = 3\r\n\nAnt = {0, 1,\n  max(1, 2)}\n SIGMA = {0,1,0} ; \n(* end *) Type=1"
    found, comments, problems = read(text)
    assert problems == []
    assert comments == [" a\n robot ", " end "]
    assert found["NL"] == Field("NL", ["3"], 3)
    assert found["ant"] == Field("ant", ["0", "1", "max(1, 2)"], 5)
    assert found["sigma"] == Field("sigma", ["0", "1", "0"], 7)
    assert found["Type"] == Field("Type", ["1"], 8)


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        ("NL = 3\nNL = 4", "line 2, NL", "given already on line 1"),
        ("Nx = 3", "line 1, Nx", "unknown field"),
        ("NL = {3}", "line 1, NL", "expected a number"),
        ("\nant = 3", "line 2, ant", "expected a list"),
        ("NL = 3\n\nwhat is this\nNJ = 3", "line 3", "expected 'name = {entry, ...}', got 'what is this'"),
        ("NL = 1\n(* (* NJ = 2", "line 2", "is not closed"),
        ("(* a\n\n*)(* b\n*)\n(* c", "line 5", "is not closed"),
    ],
)
def test_problems_have_the_line(text: str, where: str, what: str) -> None:
    _, _, ((at, said),) = read(text)
    assert at == where
    assert what in said


def test_comments_leave_their_line_ends() -> None:
    assert without_comments("a(*b\nc*)d(**)e", lambda *_: None) == ("a\nde", ["b\nc", ""])


def test_lists() -> None:
    assert split("a, f(b, c) ,d") == ["a", "f(b, c)", "d"]
    assert split("  ") == []
    assert split("Pi/2, PI, Pit, a") == ["pi/2", "pi", "Pit", "a"]
    assert split("a), b") == ["a)", "b"]


@pytest.mark.parametrize(
    ("entry", "sigma", "name"),
    [
        ("th3 + L", REVOLUTE, "th3"),
        ("pi/2 - Q_12 + off", REVOLUTE, "Q_12"),
        ("r3 + L", PRISMATIC, "r3"),
        ("r3 + L", REVOLUTE, None),
        ("alpha", REVOLUTE, "alpha"),
        ("t1 + t2", REVOLUTE, None),
        ("th3", FIXED, None),
        ("2e3*x", REVOLUTE, "x"),
        ("sin(pi)*x + x", REVOLUTE, "x"),
    ],
)
def test_the_variable_of_a_joint(entry: str, sigma: int, name: str | None) -> None:
    assert variable_in(entry, sigma) == name
