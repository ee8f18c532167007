"""A routine cut after the programs it begins with: both parts one after the other are the whole."""

from __future__ import annotations

import numpy as np
import pytest
from codegen.random_routines import MIXING, PARAMETERS, program, random_routine, random_states

from robosym.program.routine import Copy, Fill, Kernel, Routine, Run, Slot, When, verified_routine
from robosym.runtime.leading import leading_runs, made_name, rest_of


def in_two(routine, state):
    """What the programs and then the rest make."""
    place = dict(state)
    made = set()
    for run in leading_runs(routine):
        taken = {array.name: place[run.place(array)] for array in run.program.inputs}
        found = run.program.call(**taken, parameters=PARAMETERS)
        place |= {run.place(array): found[array.name] for array in run.program.outputs}
        made |= {run.place(array) for array in run.program.outputs}
    place |= {made_name(name): place[name] for name in made}
    rest = verified_routine(rest_of(routine))
    return rest.call(**{slot.name: place[slot.name] for slot in rest.inputs}, parameters=PARAMETERS)


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
    assert "t" not in {slot.name for slot in rest_of(routine).inputs}
