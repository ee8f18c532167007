"""Routines as data: their parameters, operations, state and workspace, and other names for their arrays."""

from __future__ import annotations

from program.routines import counting, outputs, program, roots_of_unity

from robosym.expr import parameter
from robosym.generated.explain import stage_lines
from robosym.program.json import dumps, loads
from robosym.program.routine import (
    Each,
    Repeat,
    Routine,
    Run,
    Slot,
    Take,
    When,
    relabelled,
    routine_violations,
)


def test_take_is_relabelled_and_read_back():
    stage = Take("t", "k", "x", 4)
    assert relabelled([stage], "a_{}".format) == (Take("a_t", "a_k", "a_x", 4),)
    routine = Routine("r", (Slot("t", (3, 2)), Slot("k", ())), outputs(x=(2,)), (stage, Take("t", "k", "x")))
    assert loads(dumps(routine)) == routine
    assert list(stage_lines(routine.stages, 1)) == ["  x = row k / 4 of t", "  x = row k of t"]


def test_operations_are_those_of_every_call():
    grow = program("grow", {"x": ()}, lambda x: {"x_now": ((), [3 * x[0] + 1])})
    run = Run(grow, {"x_now": "x"})
    once = Routine("r", (Slot("x", ()),), outputs(x=()), (run, Repeat(5, (run,)), When("x", (run,))))
    assert (once.operations.mul, once.operations.add) == (6, 6)
    table = Routine("r", (Slot("x", ()), Slot("t", (4,))), outputs(x=()), (Each("t", "row", (run,)),))
    assert table.operations.mul == 4


def test_parameters_are_handed_to_every_program():
    L = parameter("L")
    one = program("p", {"a": ()}, lambda a: {"q": ((), [a[0] * L])}, (L,))
    routine = Routine("r", (Slot("a", ()),), outputs(q=()), (Run(one),))
    assert routine.parameter_symbols == (L,)
    assert routine.call(a=2.0, parameters={"L": 0.25})["q"] == 0.5


def test_a_sound_routine_has_no_violations():
    assert routine_violations(roots_of_unity()) == []
    assert [slot.name for slot in roots_of_unity().workspace] == ["x0", "x", "dx", "q", "ok"]
    assert [slot.name for slot in counting(3).state] == ["x"]
