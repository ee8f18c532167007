"""Equations as sections of lines."""

from __future__ import annotations

import math

import pytest

from robosym import load, models
from robosym.expr import add, variable
from robosym.program import Array, Graph, Program, optimised
from robosym.program.routine import Routine
from robosym.views.equations import LONGEST, sections
from robosym.views.models import model_view

BASE = {"parameters": "base"}


def test_equations_are_the_steps_of_the_program() -> None:
    program = models.inverse_dynamics(load("rx90"), parameters="base").program
    once, steps, results = model_view(load("rx90"), "inverse-dynamics", BASE)["sections"]
    assert [line[0] for line in once["lines"]] == [one.name for one in program.precompute]
    assert [line[0] for line in steps["lines"]] == [one.name for one in program.steps]
    assert [line[0] for line in results["lines"]] == [f"tau[{k}]" for k in range(1, 7)]
    by_key = {line[0]: line for line in (*once["lines"], *steps["lines"])}
    assert by_key["C2q2"][1].startswith("C_{2q_{2}} = ")
    assert by_key["W33"][1] == r"W_{33} = \dot{q}_{2} + \dot{q}_{3}"
    assert by_key["W33"][2] == "W33 = qd2 + qd3"


def test_a_routine_has_stages_and_programs() -> None:
    view = model_view(load("sr400"), "inverse-geometric")
    assert view["routine"]
    assert view["sections"][0]["title"] == "Stages"
    keys = [line[0] for section in view["sections"][1:] for line in section["lines"]]
    assert len(keys) == len(set(keys))
    assert view["reading"]["kind"] == "words"


def graph(*outputs: Array, inputs: tuple[str, ...] = ("x", "y")) -> Program:
    return optimised(Graph("f", tuple(Array(name, (), (variable(name),)) for name in inputs), outputs, {}))


def keys(code: Program | Routine) -> list[str]:
    return [line[0] for section in sections(code) if section["kind"] == "maths" for line in section["lines"]]


def test_the_text_of_the_equations_computes_the_model() -> None:
    """Line by line as Python reads them, ^ for a power: the torques are those of the compiled model."""
    model = models.inverse_dynamics(load("planar-2r"))
    state = {"q": [0.3, -0.7], "qd": [0.5, 1.1], "qdd": [-0.4, 0.9]}
    known: dict[str, float] = {f"{key}{k}": x for key, row in state.items() for k, x in enumerate(row, 1)}
    known = {entry.name: 0.0 for array in model.code.inputs for entry in array.entries} | known
    known |= {name: value.number for name, value in model.robot.values.items()}
    tau = {}
    for section in sections(model.code):
        for key, _, text in section["lines"]:
            name, _, formula = text.partition(" = ")
            assert name == key
            value = eval(formula.replace("^", "**"), {"sin": math.sin, "cos": math.cos, "pi": math.pi}, known)
            (tau if "[" in name else known)[name] = value
    assert [tau[f"tau[{k}]"] for k in (1, 2)] == pytest.approx(model.evaluate(**state).tolist(), abs=1e-12)


def test_results_are_indexed_by_the_shape_of_their_array() -> None:
    x, y = variable("x"), variable("y")
    code = graph(Array("J", (2, 2), (x, y, x + y, x * y)), Array("tip", (2,), (x, y)), Array("size", (), (x - y,)))
    assert [key for key in keys(code) if key[0] in "Jts"][-7:] == [
        *("J[1,1]", "J[1,2]", "J[2,1]", "J[2,2]", "tip[1]", "tip[2]"),
        "size",
    ]
    by_key = {line[0]: line for line in sections(code)[-1]["lines"]}
    assert by_key["J[2,1]"][1].startswith(r"\boldsymbol{J}_{2,1} = ")
    assert by_key["size"][1].partition(" = ")[0].endswith("}")
    assert "[" not in by_key["size"][0]


def test_an_array_with_an_index_of_its_own_is_bracketed() -> None:
    (line,) = sections(graph(Array("b_1", (1,), (variable("x"),))))[-1]["lines"]
    assert line[1].startswith(r"\left[\boldsymbol{b_{1}}\right]_{1} = ")


def test_names_that_are_typeset_alike_are_told_apart() -> None:
    x, y = variable("q1"), variable("q_1")
    code = graph(Array("sum", (2,), (x, y)), inputs=("q1", "q_1"))
    first, second = (line[1].partition(" = ")[2] for line in sections(code)[-1]["lines"])
    assert first != second


def test_a_formula_that_would_fill_pages_has_no_latex() -> None:
    terms = [variable(f"x{k}") for k in range(700)]
    found = {count: sections(Program("f", (Array("x", (700,), tuple(terms)),), (), (), (), (Array("s", (), (add(*terms[:count]),)),)))[-1]["lines"][0] for count in (20, 700)}  # fmt: skip
    assert 0 < len(found[20][1]) <= LONGEST
    assert found[700][1] == ""
    assert found[700][2].count("+") == 699


def test_sections_without_lines_are_left_out() -> None:
    assert [one["title"] for one in sections(graph(Array("s", (), (variable("x"),))))] == ["Results"]
