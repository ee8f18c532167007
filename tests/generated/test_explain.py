"""A model as readable text: what goes in, the steps, what comes out; of a routine what happens when."""

from __future__ import annotations

import re

import pytest
from generated.cases import arm

import robosym
from robosym import models
from robosym.expr import evaluate, parameter, parse, variable
from robosym.generated import Model
from robosym.generated.explain import WIDTH, explain, one_line, stage_lines, wrap
from robosym.program import Array, Program
from robosym.program.routine import (
    Collect,
    Copy,
    Each,
    Fill,
    Kernel,
    Newton,
    Record,
    Repeat,
    Routine,
    Run,
    Slot,
    Stage,
    Take,
    When,
)

X = variable("x")
ADD = Program("add", (Array("a", (), (X,)),), (), (), (), (Array("b", (), (X + 1,)),))


@pytest.mark.parametrize(
    ("stage", "lines"),
    [
        (Run(ADD), ["b = add(a)"]),
        (Run(ADD, {"a": "x", "b": "y"}), ["y = add(x)"]),
        (Kernel("solve", ("A", "B"), ("X",)), ["X = solve(A, B)"]),
        (Fill("o"), ["o = 0"]),
        (Fill("o", (2, 3), -0.5), ["o = -0.5 of shape (2, 3)"]),
        (Fill("o", (), 0.1), ["o = 0.10000000000000001"]),
        (Copy("s", "t"), ["t = s"]),
        (Collect("v", "w", "into", "n"), ["append v where w: into, n"]),
        (Collect("v", "w", "into", "n", (0.1,)), ["append v, if it is not there, where w: into, n"]),
        (Record("r", "into", "k", 3), ["record r in into every 3 of k"]),
        (Take("t", "k", "r"), ["r = row k of t"]),
        (Take("t", "k", "r", 4), ["r = row k / 4 of t"]),
        (Each("t", "r", (Copy("r", "o"),)), ["for each r of t:", "  o = r"]),
        (Each("t", "r", (), "n"), ["for each r of t, the first n:"]),
        (Repeat(3, (Copy("r", "o"),), "k", "done"), ["3 times (k), until done:", "  o = r"]),
        (Repeat("n", ()), ["n times:"]),
        (When("c", (Copy("a", "o"),), (Copy("b", "o"),)), ["if c:", "  o = a", "else:", "  o = b"]),
        (When("c", (Copy("a", "o"),)), ["if c:", "  o = a"]),
        (Newton((Copy("x", "dx"),), 7), ["x -= dx, at most 7 times, with", "  dx = x"]),
    ],
)
def test_stages(stage: Stage, lines: list[str]) -> None:
    assert list(stage_lines([stage], 0)) == lines
    assert list(stage_lines([stage], 2)) == ["    " + line for line in lines]


def test_names_from_files_stay_on_their_line() -> None:
    assert one_line("a\n b\t\tc") == "a b c"
    assert one_line("red \x1b[31m\u202e text") == "red  [31m  text"


def test_long_lines_are_broken_at_words() -> None:
    text = "  " + " ".join(f"word{k}" for k in range(40))
    lines = wrap(text, "      ", 50)
    assert all(len(line) <= 50 for line in lines)
    assert lines[0].startswith("  word0")
    assert all(line.startswith("      word") for line in lines[1:])
    assert " ".join(line.strip() for line in lines) == text.strip()
    assert wrap("a" * 60, "  ", 50, "> ") == ["> " + "a" * 60] or wrap("a" * 60, "  ", 50, "> ")[-1].endswith("a" * 60)


def own_model() -> Model:
    L, s = parameter("L"), variable("x")
    outputs = (Array("M", (2, 2), (s, L, s + L, 2 * s)), Array("v", (2,), (s, L)), Array("e", (), (s * s,)))
    return Model("own", arm(), Program("own", (Array("x", (1,), (s,)),), (L,), (), (), outputs, ("a note",)))


def test_a_model_that_is_none_of_ours() -> None:
    lines = explain(own_model()).splitlines()
    assert lines[0].startswith("own of arm: ")
    assert lines[1:4] == ["  a note", "  given x = (x)", "  parameters L"]
    assert lines[lines.index("result:") + 1 :] == [
        "  M[1, 1] = x",
        "  M[1, 2] = L",
        "  M[2, 1] = x + L" if "  M[2, 1] = x + L" in lines else "  M[2, 1] = L + x",
        "  M[2, 2] = 2*x",
        "  v[1] = x",
        "  v[2] = L",
        "  e = x^2",
    ]


def test_what_is_written_computes_what_the_model_computes() -> None:
    """The lines, read back one after the other, give the numbers of the model."""
    model = models.inverse_dynamics(robosym.load("planar-2r"))
    text = explain(model)
    assert all(len(line) <= WIDTH for line in text.split("steps:")[0].splitlines())
    state = {"q": [0.4, -1.1], "qd": [0.5, 0.7], "qdd": [-0.3, 0.2]}
    known = dict(model.values)
    for array in model.program.inputs:
        if array.name in state:
            known.update({s.name: x for s, x in zip(array.entries, state[array.name], strict=True)})
        else:
            known.update({s.name: 0.0 for s in array.entries})
    for name, right in re.findall(r"^  (\S+) = (.+)$", text, re.MULTILINE):
        known[name] = float(evaluate([parse(right, variable)], known)[0])
    expected = model.evaluate(**state)
    assert [known["tau[1]"], known["tau[2]"]] == pytest.approx(list(expected), rel=1e-12)
    assert "once, from the parameters alone:" in explain(models.inverse_dynamics(robosym.load("rx90")))


def test_entries_are_listed_unless_their_names_say_it() -> None:
    text = explain(models.gravity(robosym.load("rx90"))).replace("\n      ", " ")
    assert "given q = (q1, q2, q3, q4, q5, q6): positions of the joints, in rad: [1] waist, [2] shoulder" in text
    bare = explain(models.gravity(robosym.Robot.from_table("bare", [{"M": 1}, {"d": 1, "M": 1}])))
    assert "given q = (q1, q2): positions of the joints, in rad\n" in bare
    assert "gives Q [2]: torques of the joints, in N m: [1] q1, [2] q2" in bare


def test_routines() -> None:
    stages = (Fill("b"), Repeat(2, (Run(ADD),)))
    routine = Routine(
        "own", (Slot("a", (), "a number"), Slot("t", (2, 3))), (Slot("b", ()),), stages, ("first", "second")
    )
    lines = explain(Model("own", arm(), routine)).splitlines()
    assert lines[0].startswith("own of arm: every call ")
    assert lines[1:5] == ["  second", "  given a: a number", "  given t (2, 3)", "  made b"]
    at = lines.index("stages:")
    assert lines[at + 1 : at + 4] == ["  b = 0", "  2 times:", "    b = add(a)"]
    assert lines[at + 5].startswith("program add: ")
    assert lines[-1] == "  b = x + 1"


def test_articles() -> None:
    assert "\\begin{bmatrix}" in explain(own_model(), as_latex=True)
    assert "result:" not in explain(own_model(), as_latex=True)
    routine = Routine("own", (Slot("a", ()),), (Slot("b", ()),), (Run(ADD),))
    article = explain(Model("own", arm(), routine), as_latex=True)
    assert "b = add(a)" in article.replace("\\_", "_")
