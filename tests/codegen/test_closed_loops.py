"""Models of robots with closed loops in every language: the mode is stated, and no angle is left that is not computed."""

from __future__ import annotations

import pytest

import robosym
from robosym import codegen, models
from robosym.expr import postorder
from robosym.generated import Model
from robosym.program import optimise_program
from robosym.program.json import loads
from robosym.program.program import Program
from robosym.program.routine import Routine

MODE = "Closed loops assembled in mode: cut-"
NAMES = ("geometric", "loop-geometry", "jacobian", "inverse-dynamics", "inverse-geometric")


@pytest.fixture(scope="module")
def made() -> dict[str, Model]:
    return {name: models.MODELS[name](robosym.load("four-bar"), mode="cut-") for name in NAMES}


def programs(code: Program | Routine) -> tuple[Program, ...]:
    return code.programs if isinstance(code, Routine) else (code,)


@pytest.mark.mostly_slow(fast=8)
@pytest.mark.parametrize("language", codegen.languages())
def test_the_mode_is_stated(made: dict[str, Model], language: str) -> None:
    for name, model in made.items():
        if isinstance(model.code, Routine) and language not in codegen.languages(routines=True):
            continue
        for numeric in (False, True):
            text = " ".join(model.source(language, numeric=numeric).split())
            assert MODE in text.replace(" * ", " ").replace(" % ", " "), name


@pytest.mark.mostly_slow(fast=5)
@pytest.mark.parametrize("language", codegen.languages())
def test_what_goes_in_and_comes_out_is_named(made: dict[str, Model], language: str) -> None:
    robot = robosym.load("four-bar")
    kinematics, wrenches = models.loop_kinematics(robot), models.constraint_wrenches(robot)
    status = "1 where the loops close and all rates are defined, else 0"
    expected = [
        (made["inverse-dynamics"], ["positions of the driven joints", "crank", status]),
        (made["loop-geometry"], ["positions of all joints, those of the tree, then the cut ones", "rocker", status]),
        (kinematics, ["Rows of W: coupler, rocker", "Rows of W_a and W_p: cut vx, cut vy"]),
        (wrenches, ["force and moment through each cut joint", "CX", "and zero: cut FZ, cut CX, cut CY"]),
    ]
    for model, notes in expected:
        text = model.source(language)
        words = " ".join(word for word in text.split() if word not in ("*", "%", "#", "!", "//", "///"))
        for note in notes:
            assert note in words, (model.name, note)
        assert max(map(len, text.splitlines())) <= 120 or language in ("json", "latex")


@pytest.mark.parametrize("name", NAMES)
def test_whether_it_is_assembled_is_an_output(made: dict[str, Model], name: str) -> None:
    outputs = [array.name for array in made[name].code.outputs]
    assert outputs[-1] == ("status" if name == "inverse-geometric" else "assembled")


@pytest.mark.parametrize("name", NAMES)
def test_no_angle_is_left_to_a_printer(made: dict[str, Model], name: str) -> None:
    """The angle of a known sine and cosine is an operation of models alone."""
    every = [*programs(made[name].code), *programs(made[name].with_values())]
    every += [optimise_program(program) for program in programs(made[name].code)]
    for program in every:
        roots = [*program.roots, *(step.expr for step in program.precompute)]
        assert not [node for node in postorder(roots) if node.op == "angle"]
    assert "angle(" not in made[name].explain()
    assert "angle(" not in made[name].explain(latex=True)


@pytest.mark.parametrize("name", NAMES)
def test_json_keeps_the_mode(made: dict[str, Model], name: str) -> None:
    code = made[name].code
    again = loads(codegen.source(code, "json"))
    assert again.notes == code.notes
    assert MODE in again.notes
    assert codegen.source(again, "json") == codegen.source(code, "json")


def test_an_optimised_program_keeps_the_mode(made: dict[str, Model]) -> None:
    assert optimise_program(made["geometric"].program).notes[0] == MODE


def test_explained(made: dict[str, Model]) -> None:
    assert MODE in made["geometric"].explain()
    assert f"% {MODE}" in made["geometric"].explain(latex=True)
    assert f"% {MODE}" in made["inverse-geometric"].explain(latex=True)
