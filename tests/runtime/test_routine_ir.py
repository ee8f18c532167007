"""Modules of routines: where arrays lie, and which programs are put in where they are used."""

from __future__ import annotations

import re

import numpy as np
import pytest
from codegen.random_routines import (
    MIXING,
)
from runtime.batches import nearly_same as same

from robosym.codegen.routines.facts import routine_facts
from robosym.codegen.targets.c.routine import facts_of
from robosym.expr import parameter, sin, variable
from robosym.program import Array, Graph, Program, lower
from robosym.program.routine import Copy, Each, Fill, Record, Repeat, Routine, Run, Slot, When
from robosym.runtime import compile_program, routine_ir
from robosym.runtime.host import host
from robosym.runtime.routine_ir import LARGE, ROOM, _guarded, _near


def test_arrays_of_many_rows():
    """Large outputs are worked on in place, large arrays of the workspace do not lie on the stack."""
    x, rows = Slot("x", (2,)), 200_000
    stages = (
        Fill("log", (rows, 2), 1.0),
        Fill("first", (rows, 2), -1.0),
        Repeat("n", (Run(MIXING[0], {"u": "x", "v": "x"}), Record("x", "first", "turn")), "turn"),
        Copy("first", "log"),
        Each("first", "row", (Record("row", "seen", "zero"),)),
        Record("x", "big", "n"),
    )
    big = Slot("big", (600, 2))
    stages = (Fill("zero"), Fill("seen", (1, 2)), *stages)
    outputs = (x, Slot("log", (rows, 2)), Slot("seen", (1, 2)), big)
    routine = Routine("many", (Slot("n", ()), x, big), outputs, stages)
    f = compile_program(routine)
    state = {"n": np.array(5.0), "x": np.array([0.3, -0.2]), "big": np.arange(1200.0).reshape(600, 2)}
    found = f(**state)
    assert (found["log"][5:] == -1.0).all()
    assert (found["log"][:5] != -1.0).all()
    np.testing.assert_array_equal(found["log"][4], found["x"])
    np.testing.assert_array_equal(found["seen"], [[-1.0, -1.0]])
    changed = {name: state[name].copy() for name in ("x", "big")}
    out = {slot.name: np.zeros(slot.shape) for slot in outputs} | changed
    same(f.bind(n=state["n"], **changed, out=out)(), found)
    for slot in outputs:
        assert found[slot.name].shape == slot.shape


def test_many_arrays_together_do_not_fill_the_stack():
    """Some of them, outputs among them, then lie elsewhere; outputs may still lie where inputs do."""
    names = [f"a{i}" for i in range(90)]
    fills = [Fill(name, (500,), float(i)) for i, name in enumerate(names)]
    last = [Record("x", "z", "n"), Copy("a89", "a0"), Record("x", "a89", "n"), Copy("a88", "a1")]
    outputs = (Slot("z", (500,)), Slot("a0", (500,)), Slot("a1", (500,)), Slot("a89", (500,)))
    routine = Routine("r", (Slot("z", (500,)), Slot("x", ()), Slot("n", ())), outputs, (*fills, *last))
    text = routine_ir.routine_module(facts_of(routine), host())
    assert sum(int(size) for size in re.findall(r"alloca \[(\d+) x double\]", text)) <= routine_ir.ROOM
    function, z = compile_program(routine), np.arange(500.0)
    expected = routine.call(z=z, x=7.0, n=3.0)
    same(function(z=z, x=7.0, n=3.0), expected)
    places = {name: np.empty(500) for name in ("a0", "a1", "a89")}
    same(function(z=z, x=7.0, n=3.0, out={"z": z, **places}), expected)


@pytest.mark.parametrize("shift", [0, 1])
def test_large_outputs_that_are_filled_may_lie_where_inputs_do(shift):
    """They are worked on in place while the input is still read: a call sees to it that it is not overwritten."""
    stages = (Fill("y", (1000, 2), 5.0), Fill("z", (2,)), Each("x", "row", (Copy("row", "z"),)))
    f = compile_program(Routine("r", (Slot("x", (1000, 2)),), (Slot("y", (1000, 2)), Slot("z", (2,))), stages))
    room = np.zeros((1001, 2))
    for _ in range(2):
        room[:1000] = x = np.arange(2000.0).reshape(1000, 2)
        out = {"y": room[shift : 1000 + shift], "z": np.zeros(2)}
        f(x=room[:1000], out=out)
        np.testing.assert_array_equal(out["z"], x[-1])
        assert (out["y"] == 5.0).all()


def grown(name: str, count: int) -> Program:
    """A program of so many steps."""
    x = entry = variable("x")
    for _ in range(count):
        entry = entry * entry + x
    return Program(name, (Array("x", (), (x,)),), (), (), (), (Array("y", (), (entry,)),))


def test_programs_of_guarded_parts_alone():
    one, two, three = (grown(name, k) for k, name in enumerate(("one", "two", "three"), 1))
    stages = (
        Run(one),
        When("y", (Run(one), Run(two)), (Repeat(2, (Run(three),)),)),
        Repeat(2, (When("y", (Run(two),)),)),
    )
    assert _guarded(Routine("r", (), (), stages)) == {two, three}
    assert _guarded(Routine("r", (), (), (*stages, Run(three)))) == {two}


def test_the_smallest_arrays_lie_on_the_stack():
    assert _near({"a": 3, "b": LARGE, "c": LARGE + 1}) == {"a": 3, "b": LARGE}
    many = {f"x{k}": LARGE for k in range(ROOM // LARGE + 3)} | {"small": 1}
    found = _near(many)
    assert sum(found.values()) <= ROOM < sum(found.values()) + LARGE
    assert "small" in found


def test_programs_are_put_in_where_they_are_short_or_run_once():
    short, long = grown("short", 10), grown("long", 200)
    x, y = Slot("x", ()), Slot("y", ())

    def heads(*stages):
        routine = Routine("r", (x,), (y,), stages)
        text = routine_ir.routine_module(routine_facts(routine, (), None), host())
        return re.findall(r"@program(\d)\([^)]*\) (\w+)", text)

    assert ("0", "alwaysinline") in heads(Run(short), Run(short))
    assert ("0", "alwaysinline") in heads(Run(long))
    assert ("0", "noinline") in heads(Run(long), Run(long))


def test_constants_of_several_programs_and_far_workspaces():
    """Each program finds its constants behind those of the programs before it; long arrays come from the heap."""

    def scaled(name: str, k: int):
        x, p = variable("x"), parameter("p")
        graph = Graph(name, (Array("x", (), (x,)),), (Array(f"y{k}", (), (sin(p + k) * x + sin(p * k + 1),)),))
        return lower(graph)

    one, two = scaled("one", 2), scaled("two", 3)
    stages = (Fill("long", (700,), 2.0), Run(one), Run(two), Record("y2", "long", "zero"), Copy("long", "out"))
    routine = Routine(
        "r", (Slot("x", ()), Slot("zero", ())), (Slot("y2", ()), Slot("y3", ()), Slot("out", (700,))), stages
    )
    f = compile_program(routine)
    for p in (0.3, -1.2):
        state = {"x": 0.7, "zero": 5.0}
        expected = routine.call(**state, parameters={"p": p})
        same(f(**state, parameters={"p": p}), expected)
        assert expected["out"][5] == expected["y2"]
