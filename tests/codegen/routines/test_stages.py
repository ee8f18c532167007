"""The walk over stages: each kind goes to its own method, in the order written, at the depth asked for."""

from __future__ import annotations

from typing import get_args

import pytest
from codegen.odd_routines import angles
from program.routines import program

from robosym.codegen.routines.facts import routine_facts
from robosym.codegen.routines.stages import StagePrinter
from robosym.program.routine import (
    Collect,
    Copy,
    Each,
    Fill,
    Kernel,
    Newton,
    Record,
    Repeat,
    Run,
    Stage,
    Take,
    When,
)

STAGES = (
    Run(program("p", {"x": ()}, lambda x: {"y": ((), [x[0] + 1])})),
    Kernel("solve", ("A", "b"), ("x",)),
    Fill("f"),
    Copy("f", "g"),
    Collect("v", "w", "into", "count"),
    Record("x", "seen", "k"),
    Take("seen", "k", "row"),
    Each("rows", "r", ()),
    Repeat(3, ()),
    When("x", ()),
    Newton((), 5),
)


class Recorder(StagePrinter):
    """Writes the name of the method, the stage and the depth."""


def _recorded(name):
    def method(self, stage, depth):
        return [f"{name} {type(stage).__name__} {depth}", "end"]

    return method


for stage in STAGES:
    setattr(Recorder, type(stage).__name__.lower(), _recorded(type(stage).__name__.lower()))


@pytest.fixture(scope="module")
def facts():
    return routine_facts(angles(), (), None)


def test_every_kind_of_stage_is_here():
    assert {type(stage) for stage in STAGES} == set(get_args(Stage))


@pytest.mark.parametrize("stage", STAGES, ids=lambda stage: type(stage).__name__)
def test_a_stage_goes_to_the_method_of_its_name(facts, stage):
    name = type(stage).__name__
    assert Recorder(facts).one(stage, 2) == [f"{name.lower()} {name} 2", "end"]
    with pytest.raises(NotImplementedError):
        StagePrinter(facts).one(stage, 2)


def test_stages_are_written_in_order(facts):
    lines = Recorder(facts).all(STAGES, 1)
    assert lines[::2] == [f"{type(stage).__name__.lower()} {type(stage).__name__} 1" for stage in STAGES]
    assert set(lines[1::2]) == {"end"}
    assert Recorder(facts).all((), 1) == []
    assert StagePrinter(facts).number(3) == "3.0"
    assert StagePrinter(facts).facts is facts
