"""The routines that every language prints, as machine code: one state at a time, and all states as a batch."""

from __future__ import annotations

import numpy as np
import pytest
from codegen.odd_routines import ROUTINE_CASES, check_routine

from robosym.runtime import compile_program

# Arguments of a compiled function: an input of that name cannot be given.
TAKEN = ("parameters", "out")


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("made", ROUTINE_CASES, ids=lambda made: made.__name__)
def test_machine_code_agrees_with_the_interpreter(made):
    for case in made():
        if not {slot.name for slot in case.routine.inputs} & set(TAKEN):
            check_machine_code(case)


def check_machine_code(case):
    given = {symbol.name: x for symbol, x in zip(case.routine.parameter_symbols, case.parameters, strict=True)}
    function = compile_program(case.routine, values=given)

    def outputs(**arrays):
        made = function(**arrays)
        return made if isinstance(made, dict) else {case.routine.outputs[0].name: made}

    singles = [{name: np.array(array) for name, array in outputs(**state).items()} for state in case.states]
    check_routine(case, singles)
    if case.routine.inputs:
        batch = outputs(**{name: np.stack([state[name] for state in case.states]) for name in case.states[0]})
        check_routine(case, [{name: array[i] for name, array in batch.items()} for i in range(len(case.states))])
