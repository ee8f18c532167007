"""What is said to be the same in all states is the same: the interpreter runs states that differ in some inputs alone."""

from __future__ import annotations

import numpy as np
import pytest
from codegen.random_routines import INPUTS, MIXING, PARAMETERS, random_routine, random_states

from robosym.program.interpreter import Interpreter
from robosym.program.routine import Copy, Each, Fill, Newton, Record, Repeat, Routine, Run, Slot, Take, When
from robosym.runtime.differing import differing

OTHERS = {"L": -0.3, "M": 0.7}
X, N = Slot("x", (2,)), Slot("n", ())


def workspace(routine, state, parameters):
    run = Interpreter(parameters)
    run.arrays |= {name: np.array(array) for name, array in state.items()}
    with np.errstate(all="ignore"):
        run.all(routine.stages)
    return run.arrays


@pytest.mark.parametrize("seed", range(30))
def test_random_routines(seed):
    """Also the sets of parameters may be what differs."""
    routine, (one, *others) = random_routine(seed), random_states(seed, 4)
    given = [slot.name for slot in INPUTS]
    for changed, sets in (([], True), (given[:1], False), (given[1:2], False), (given[2:3], True), (given[3:], False)):
        found = differing(routine, changed, sets)
        assert found >= set(changed)
        expected = workspace(routine, one, PARAMETERS)
        for other in others:
            state = one | {name: other[name] for name in changed}
            made = workspace(routine, state, OTHERS if sets else PARAMETERS)
            for name in made.keys() & expected.keys() - found:
                np.testing.assert_array_equal(made[name], expected[name], err_msg=f"{name}, {changed}")


def found(stages, *given, sets=False):
    return differing(Routine("r", (X, N), (), tuple(stages)), given, sets)


def test_counts_and_conditions_carry_over():
    body = (Fill("y", (2,)),)
    assert found([Repeat("n", body, "turn")]) == set()
    assert found([Repeat("n", body, "turn")], "n") == {"n", "y", "turn"}
    assert found([Repeat(5, body, "turn", "n")], "n") == {"n", "y", "turn"}
    assert found([Each("table", "row", body)], "table") == {"table", "row"}
    assert found([Each("table", "row", body, "n")], "n") == {"n", "row", "y"}
    assert found([When("n", (), body)], "n") == {"n", "y"}
    assert found([Newton((Copy("x", "dx"),), 3)], "x") == {"x", "dx"}
    assert found([Newton((Fill("dx", (2,)),), 3)]) == set()


def test_what_differs_at_the_end_of_a_turn_differs_at_its_beginning():
    stages = [Fill("a", (2,)), Fill("b", (2,)), Repeat(3, (Copy("a", "c"), Copy("b", "a"), Copy("x", "b")))]
    assert found(stages, "x") == {"x", "a", "b", "c"}


def test_references_and_turns_of_all_stay_so():
    turn = (Take("table", "turn", "row"), Run(MIXING[1], {"u": "row", "v": "x"}), Record("x", "log", "turn"))
    assert found([Fill("log", (4, 2)), Repeat("n", turn, "turn")], "x") == {"x", "flag", "number", "log"}
    assert "row" in found([Repeat("n", turn, "turn")], "n", "x")
    assert found([Run(MIXING[1], {"u": "x", "v": "x", "x": "y"})], sets=True) == {"y", "flag", "number"}
