"""A routine cut after the programs it begins with: both parts one after the other are the whole."""

from __future__ import annotations

import numpy as np
import pytest
from codegen.random_routines import MIXING, PARAMETERS, random_routine, random_states
from program.routines import program

from robosym.program.of_arrays import program_of
from robosym.program.routine import Copy, Fill, Kernel, Repeat, Routine, Run, Slot, When, verified_routine
from robosym.runtime import compile_program
from robosym.runtime.leading import leading_runs, rest_of
from robosym.runtime.routine_code import turns


def in_two(routine, state):
    """What the programs and then the rest make."""
    place = dict(state)
    for run in leading_runs(routine):
        taken = {array.name: place[run.place(array)] for array in run.program.inputs}
        found = run.program.call(**taken, parameters=PARAMETERS)
        place |= {run.place(array): found[array.name] for array in run.program.outputs}
    rest, sources = rest_of(routine)
    taken = {slot.name: place[source] for slot, source in zip(verified_routine(rest).inputs, sources, strict=True)}
    return rest.call(**taken, parameters=PARAMETERS)


def agree(routine, states):
    for state in states:
        expected, found = routine.call(**state, parameters=PARAMETERS), in_two(routine, state)
        assert list(found) == list(expected)
        for name, array in expected.items():
            np.testing.assert_array_equal(found[name], array, err_msg=name)


@pytest.mark.parametrize("seed", range(20))
def test_random_routines(seed):
    agree(random_routine(seed), random_states(seed))


STATES = [{"s": np.array([0.3, -0.4]), "t": np.array([1.0, 2.0])}]
S, T = Slot("s", (2,)), Slot("t", (2,))
ONE, TWO, THREE = MIXING


def test_state_that_the_programs_change():
    """Each program sees what the one before it has left; the rest changes it again."""
    first = Run(ONE, {"u": "s", "v": "t", "x": "s"})
    second = Run(TWO, {"u": "s", "v": "s", "x": "w"})
    stages = (first, second, When("flag", (Copy("w", "s"),)), Run(THREE, {"u": "s", "v": "w", "x": "w"}))
    routine = verified_routine(Routine("r", (S, T), (S, Slot("w", (2,)), Slot("number", ())), stages))
    assert leading_runs(routine) == (first, second)
    agree(routine, STATES)


def test_nothing_but_programs_and_no_programs_first():
    agree(Routine("r", (S, T), (Slot("x", (2,)),), (Run(ONE, {"u": "s", "v": "t"}),)), STATES)
    plain = Routine("r", (S, T), (Slot("y", (2,)),), (Copy("s", "y"), Run(ONE, {"u": "s", "v": "t"})))
    assert leading_runs(plain) == ()
    agree(plain, STATES)


def test_what_is_made_and_then_written_over_without_a_look_is_not_handed_on():
    ones = program("ones", {"s": (2,)}, lambda s: {"A": ((2, 2), [1 + s[0], 0, 0, 1]), "b": ((2,), [s[0], s[1]])})
    stages = (Run(ones), Fill("b", (2,), 3.0), Kernel("solve", ("A", "b"), ("x",)))
    routine = verified_routine(Routine("r", (S, T), (Slot("x", (2,)),), stages))
    agree(routine, STATES)
    assert "t" not in rest_of(routine)[1]


def powers(x):
    """Enough multiplications to be worth a function of its own."""
    y = x @ x
    for _ in range(3):
        y = y @ x * x
    return {"y": y}


POWERS = program_of("powers", {"x": (3, 3)}, powers)


def check_batches(routine, inputs):
    """As one state after the other, in every way of calling."""
    function = compile_program(routine)
    single = {slot.name for slot in routine.inputs} - inputs.keys()
    assert not single
    count = max(len(array) for array in inputs.values() if array.ndim == 3)
    states = [{name: array[i] if array.ndim == 3 else array for name, array in inputs.items()} for i in range(count)]
    expected = [routine.call(**state) for state in states]
    for options in ({}, {}, {"threads": 2}, {"layout": "soa"}, {"out": True}):
        if options.get("out"):
            options["out"] = {slot.name: np.empty((count, *slot.shape)) for slot in routine.outputs}
        found = function(**inputs, **options)
        found = found if isinstance(found, dict) else {routine.outputs[0].name: found}
        for name, array in found.items():
            np.testing.assert_allclose(array, [one[name] for one in expected], rtol=1e-12, err_msg=f"{name}, {options}")


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("name", ["y", "out", "threads", "y, as made"])
def test_batches_whatever_the_arrays_are_called_and_however_they_lie(name):
    trace = program_of("trace", {"a": (3, 3), "b": ()}, lambda a, b: {"s": a[0, 0] + a[1, 1] * b})
    b = Slot("y, as made" if name == "y" else "b", ())
    stages = (
        Run(POWERS, {"y": name}),
        Fill("one", (), 1.0),
        When("one", (Run(trace, {"a": name, "b": b.name}),), (Fill("s"),)),
    )
    routine = Routine("r", (Slot("x", (3, 3)), b), (Slot("s", ()), Slot(name, (3, 3))), stages)
    inside = Routine("r", (Slot("x", (3, 3)), b), (Slot("s", ()),), stages)
    states = np.random.default_rng(3).uniform(-1, 1, (300, 5, 5))
    for one in (routine, inside):
        check_batches(verified_routine(one), {"x": states[:, :3, :3], b.name: np.array(2.0)})


def test_loops_of_no_turns_do_not_hide_long_ones():
    inside = Repeat(0, (Repeat("n", (Fill("a"),)),))
    routine = Routine("r", (Slot("n", ()),), (Slot("a", ()),), (inside, Fill("a"), Repeat(5000, (Fill("a"),))))
    assert turns(routine, routine.stages) == 5000
