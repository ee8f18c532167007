"""Generated Python and NumPy: run, and compared with the interpreter."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest
from codegen.conformance import Arrays, Case, RoutineCase, check, function_case, model_cases, sample_cases
from codegen.odd_programs import named_cases, odd_cases, random_cases
from codegen.odd_routines import all_routine_cases, check_routine, program
from sample_programs import arm

from robosym import codegen
from robosym.codegen import routines
from robosym.codegen.routines.facts import routine_facts
from robosym.codegen.targets.c import facts_of
from robosym.program.program import Program
from robosym.program.routine import Emit, Routine, Run, Slot

BOTH = pytest.mark.parametrize(
    "language", [pytest.param(name, marks=pytest.mark.runs(name)) for name in ("python", "numpy")]
)


def load(text: str) -> dict[str, Any]:
    space: dict[str, Any] = {}
    exec(compile(text, "generated", "exec"), space)
    return space


def call(space: dict[str, Any], program: Program, arrays: dict[str, Any], parameters: Any) -> dict[str, Any]:
    facts = facts_of(program)
    taken = [arrays[array.name] for array in program.inputs]
    taken += [parameters] if facts.reads_parameters else []
    taken += [space["made_precompute"](parameters)] if facts.has_precompute else []
    result = space["made"](*taken)
    return result if len(program.outputs) != 1 else {program.outputs[0].name: result}


def run(case: Case, language: str) -> list[Arrays]:
    """Lists in; outputs have the shapes they should."""
    space = load(codegen.source(case.program, language, name="made"))
    found = []
    for state in case.states:
        arrays = {name: array.tolist() for name, array in state.items()}
        results = call(space, case.program, arrays, list(case.parameters))
        for array in case.program.outputs:
            if 0 not in array.shape or language == "numpy":
                assert np.shape(results[array.name]) == array.shape
        found.append(results)
    return found


@BOTH
def test_programs_agree_with_the_interpreter(language):
    for case in (*sample_cases(), *model_cases(), *odd_cases(), *random_cases()):
        check(case, run(case, language))


@BOTH
def test_any_name_gives_code_that_runs(language):
    for case in named_cases():
        text = codegen.source(case.program, language)
        compile(text, "generated", "exec")


def test_every_function_in_python():
    """Where Python's floats raise, the interpreter's answer is not a finite number."""
    case = function_case()
    for array in case.program.outputs:
        made = load(codegen.source(case.program.replace(outputs=(array,)), "python", name="made"))["made"]
        for state, expected in zip(case.states, case.expected, strict=True):
            try:
                result = made(state["x"].tolist())
            except (ValueError, ZeroDivisionError, OverflowError):
                assert not math.isfinite(expected[array.name])
                continue
            np.testing.assert_allclose(result, expected[array.name], rtol=1e-14, err_msg=f"{array.name} at {state}")


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_every_function_in_numpy_over_a_batch():
    case = function_case()
    points = np.array([state["x"] for state in case.states])
    results = load(codegen.source(case.program, "numpy", name="made"))["made"](points)
    check(case, [{name: values[i] for name, values in results.items()} for i in range(len(points))])


def test_batches_broadcast():
    """Leading axes of states and of parameters, shared or each its own."""
    program = arm()
    space = load(codegen.source(program, "numpy", name="made"))
    rng = np.random.default_rng(3)
    q, parameters = rng.uniform(size=(5, 1, 2)), rng.uniform(size=(4, 2))
    many = call(space, program, {"q": q}, parameters)
    assert many["rotation"].shape == (5, 4, 2, 2)
    for i in range(5):
        for j in range(4):
            one = call(space, program, {"q": q[i, 0]}, parameters[j])
            for name, value in one.items():
                np.testing.assert_allclose(many[name][i, j], value, rtol=1e-15)


# --- routines --------------------------------------------------------------------------------------------------------


def solve_all(case: RoutineCase, language: str) -> list[Any]:
    space = load(routines.source(case.routine, language, name="made"))
    facts = routine_facts(case.routine, [], "made")
    more = [list(case.parameters)] if facts.reads_parameters else []
    more += [space["made_precompute"](list(case.parameters))] if facts.constants else []
    given = [[np.asarray(state[slot.name]).tolist() for slot in case.routine.inputs] for state in case.states]
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a division by zero that is looked after is not worth a warning
        return [space["made_solve"](*state, *more) for state in given]


@BOTH
def test_routines_agree_with_the_interpreter(language):
    for case in all_routine_cases():
        if language == "python" and case.name == "finite":
            with pytest.raises(ZeroDivisionError):  # as Python does
                solve_all(case, language)
            continue
        found = solve_all(case, language)
        if language == "numpy":
            assert all(rows.shape[1:] == (case.routine.width,) for rows in found)
        check_routine(case, found)


def test_solutions_are_kept_when_the_input_changes_later():
    flag = program("flag", {"a": (2,)}, lambda a: {"one": ((), [1.0])})
    routine = Routine("c", (Slot("a", (2,)),), (Run(flag), Emit("a", "one")), 1, (False, False))
    given = np.array([1.0, 2.0])
    found = load(routines.source(routine, "numpy"))["c_solve"](given)
    given[:] = 0.0
    assert found.tolist() == [[1.0, 2.0]]
