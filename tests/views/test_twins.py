"""Lines of a source and the steps they hold."""

from __future__ import annotations

import re

import pytest

from robosym import load, models
from robosym.codegen import languages
from robosym.expr import parameter, symbol, variable
from robosym.program.program import Array, Program, Step
from robosym.views.models import model_source, source_view
from robosym.views.twins import entry_names, twins_of

BASE = {"parameters": "base"}


@pytest.mark.mostly_slow(fast=5)
@pytest.mark.parametrize("language", languages())
def test_sources_are_those_of_the_model_and_every_line_has_its_twin(language: str) -> None:
    robot = load("rx90")
    model = models.inverse_dynamics(robot, parameters="base")
    found = source_view(robot, "inverse-dynamics", language, BASE)
    assert found["text"] == model.source(language) == model_source(robot, "inverse-dynamics", language, BASE)
    steps = [
        *(one.name for one in (*model.program.precompute, *model.program.steps)),
        *(f"tau[{k}]" for k in range(1, 7)),
    ]
    assert list(found["twins"]) == steps
    lines = found["text"].split("\n")
    assert re.search(r"IA6|\\mathit\{IA\}_\{6\}", " ".join(lines[k] for k in found["twins"]["tau[6]"]))
    held = " ".join(lines[k] for k in found["twins"]["W33"])
    assert re.search(r"qd2.*qd3|\\dot\{q\}_\{2\}.*\\dot\{q\}_\{3\}", held)
    taken = [k for name in steps for k in found["twins"][name]]
    assert len(taken) == len(set(taken))


def test_twins_of_a_routine_hold_their_names() -> None:
    found = source_view(load("rx90"), "inverse-geometric", "c")
    lines = found["text"].split("\n")
    steps = [(key, places) for key, places in found["twins"].items() if "[" not in key]
    assert len(steps) > 500
    named = [re.search(rf"\b{re.escape(key.split('.')[1])}(_\d*)?\b", lines[places[0]]) for key, places in steps]
    assert all(named)


# --- sources by hand -------------------------------------------------------------------------------------------------------


def program(*names: str, outputs: tuple[Array, ...] | None = None, once: tuple[str, ...] = ()) -> Program:
    """Steps of these names, each the sum of x and its number; without outputs given, the last of them is y."""
    x = variable("x")
    steps = tuple(Step(symbol(name, "local"), x + k) for k, name in enumerate(names, 1))
    before = tuple(Step(symbol(name, "constant"), parameter("L") + k) for k, name in enumerate(once, 1))
    last = steps[-1].symbol if steps else x
    return Program("f", (Array("x", (), (x,)),), (parameter("L"),) if once else (), before, steps, outputs or (Array("y", (), (last,)),))  # fmt: skip


def found(code: Program, text: str, language: str = "python") -> dict[str, list[int]]:
    return {name: places for name, places in twins_of(code, text, language).items() if places}


def test_a_step_is_where_its_name_is_assigned() -> None:
    text = "import math\n# a = 3\nab = 2\nif a == 3:\na = x + 1\nb = a\nreturn a"
    assert found(program("a", "ab"), "a = x + 1\nab = x + 2\nreturn ab") == {"a": [0], "ab": [1], "y": [2]}
    assert found(program("a"), text)["a"] == [4]


def test_steps_are_looked_for_one_after_the_other() -> None:
    """A name that was used before, for something else, is not taken again."""
    assert found(program("a", "b", "c"), "a = 1\nc = 0\nb = 2\nc = 3\nreturn c") == {
        "a": [0],
        "b": [2],
        "c": [3],
        "y": [4],
    }


def test_a_step_that_is_not_there_has_no_line_and_takes_none_from_others() -> None:
    assert found(program("a", "b", "c"), "a = 1\nc = 3\nreturn c") == {"a": [0], "c": [1], "y": [2]}
    assert found(program("a"), "", "python") == {}


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("c", "    const double lam = x + 1;"),
        ("c", "    static const double lam_2 = x + 1;"),
        ("cpp", "    const Scalar lam = x + 1;"),
        ("rust", "    let lam: f64 = x + 1.0;"),
        ("rust", "    let mut lam = x + 1.0;"),
        ("javascript", "  const lam = x + 1;"),
        ("maple", "  lam := x + 1:"),
        ("fortran", "  LAM = x + 1"),
        ("python", "    lam_ = x + 1"),
        ("mathematica", "  lam = x + 1;"),
        ("latex", r"\step{\mathit{lam} = x + 1}"),
    ],
)
def test_assignments_of_each_language(language: str, line: str) -> None:
    assert twins_of(program("lam"), f"first\n{line}\nlast", language)["lam"] == [1]


@pytest.mark.parametrize("line", ["lam == x", "lambda = x", "print(lam)", "x.lam = 3", "LAM = x"])
def test_lines_that_assign_something_else(line: str) -> None:
    assert "lam" not in twins_of(program("lam"), line, "python")


def test_lines_that_go_on_stand_further_in() -> None:
    text = "def f(x):\n    a = (x\n        + 1\n    )\n    b = x\n        + 2\n\n    return b"
    assert found(program("a", "b"), text) == {"a": [1, 2], "b": [4, 5], "y": [7]}


def test_what_is_done_once_may_stand_before_or_behind() -> None:
    code = program("a", once=("K",))
    assert found(code, "K = L + 1\na = x + 1\nreturn a") == {"K": [0], "a": [1], "y": [2]}
    behind = found(code, "a = x + 1\nreturn a\nK = L + 1")
    assert (behind["K"], behind["a"]) == ([2], [0])


# --- results ---------------------------------------------------------------------------------------------------------------


def test_entries_are_counted_from_one_as_equations_do() -> None:
    x = variable("x")
    outputs = (Array("T", (2, 3), (x,) * 6), Array("v", (2,), (x, x)), Array("s", (), (x,)))
    names = list(entry_names(program("a", outputs=outputs)))
    assert [name for name, _ in names] == [
        *("T[1,1]", "T[1,2]", "T[1,3]", "T[2,1]", "T[2,2]", "T[2,3]", "v[1]", "v[2]"),
        "s",
    ]
    assert [of for _, of in names] == ["T"] * 6 + ["v"] * 2 + ["s"]


def matrix() -> Program:
    x = variable("x")
    return program("a", outputs=(Array("T", (2, 2), (x, x + 1, x + 2, x + 3)),))


def test_entries_that_are_assigned_one_by_one() -> None:
    text = "a = x\nT[0] = x\nT[1] = x + 1\nT[2] = x\n    + 2\nT[3] = x + 3"
    assert found(matrix(), text) == {"a": [0], "T[1,1]": [1], "T[1,2]": [2], "T[2,1]": [3, 4], "T[2,2]": [5]}


@pytest.mark.parametrize("line", ["T[0] = 3", "T = 3", "T[...] = 3", "T(1, :) = 3;", "T[] = 3"])
def test_a_scalar_is_assigned_by_its_name_or_its_place(line: str) -> None:
    code = program("a", outputs=(Array("T", (), (variable("x"),)),))
    assert found(code, f"a = x\n{line}\nTT = 4") == {"a": [0], "T": [1]}


def test_rows_of_a_matrix_hold_all_of_their_entries() -> None:
    text = "a = x\nreturn [\n    [x, x + 1],\n    [x + 2, x + 3],\n]"
    assert found(matrix(), text) == {"a": [0], "T[1,1]": [2], "T[1,2]": [2], "T[2,1]": [3], "T[2,2]": [3]}


def test_entries_of_a_list_stand_on_lines_of_their_own() -> None:
    x = variable("x")
    text = "a = x\nreturn [\n    x,\n    x\n        + 1,\n]"
    assert found(program("a", outputs=(Array("v", (2,), (x, x + 1)),)), text) == {"a": [0], "v[1]": [2], "v[2]": [3, 4]}


def test_results_on_one_line_are_all_on_it() -> None:
    assert found(matrix(), "a = x\n\nreturn [x, x + 1, x + 2, x + 3]") == {
        "a": [0],
        **{key: [2] for key in ("T[1,1]", "T[1,2]", "T[2,1]", "T[2,2]")},
    }


def test_a_list_of_another_length_is_not_taken_for_the_results() -> None:
    assert found(matrix(), "a = x\nreturn [\n    1,\n    2,\n    3,\n]") == {"a": [0]}
