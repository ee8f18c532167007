"""Generated Python and NumPy: run, and compared with the interpreter."""

from __future__ import annotations

import math
import warnings
from copy import deepcopy
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from codegen.conformance import Arrays, Case, RoutineCase, check, function_case, model_cases, sample_cases
from codegen.odd_programs import named_cases, odd_cases, random_cases
from codegen.odd_routines import all_routine_cases, check_routine, odd_routine_cases
from codegen.odd_stages import one_state
from sample_programs import arm

from robosym import codegen
from robosym.codegen.routines.facts import routine_facts
from robosym.codegen.targets.c import facts_of
from robosym.program.program import Program

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


def run_routine(case: RoutineCase, language: str, given: Any) -> list[dict[str, Any] | None]:
    """What each state gives, whose arrays are handed over as ``given`` makes them; nothing where Python's floats raise."""
    space = load(codegen.source(case.routine, language, name="tested"))
    facts = routine_facts(case.routine, [], "tested")
    more = [list(case.parameters)] if facts.reads_parameters else []
    more += [space["tested_precompute"](list(case.parameters))] if facts.has_precompute else []
    found: list[dict[str, Any] | None] = []
    for state in case.states:
        taken = [given(np.array(state[slot.name], dtype=float)) for slot in case.routine.inputs]
        before = deepcopy(taken)
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # a division by zero that is looked after is not worth a warning
            try:
                results = space["tested"](*taken, *more)
            except (ValueError, ZeroDivisionError) as error:
                if language != "python" or str(error) not in ("float division by zero", "math domain error"):
                    raise
                found.append(None)
                continue
        results = {case.routine.outputs[0].name: results} if len(case.routine.outputs) == 1 else results
        for slot in case.routine.outputs:
            if 0 not in slot.shape or language == "numpy":
                assert np.shape(results[slot.name]) == slot.shape, (case.name, slot.name)
        found.append(deepcopy(results))
        for one in results.values():
            scribble(one)
        for one, other in zip(taken, before, strict=True):
            np.testing.assert_array_equal(one, other, err_msg=case.name)
    return found


def scribble(array: Any) -> None:
    """Another number wherever one can be put."""
    if isinstance(array, list | np.ndarray) and np.ndim(array):
        for i in range(len(array)):
            if isinstance(array[i], list | np.ndarray):
                scribble(array[i])
            else:
                array[i] = 777.0


@BOTH
def test_routines_agree_with_the_interpreter(language):
    raised = 0
    for case in all_routine_cases():
        for given in (np.ndarray.tolist, np.array):
            found = run_routine(case, language, given)
            there = [i for i, outputs in enumerate(found) if outputs is not None]
            raised += len(found) - len(there)
            some = replace(case, states=tuple(case.states[i] for i in there))
            some.__dict__["expected"] = [case.expected[i] for i in there]
            check_routine(some, [found[i] for i in there])
    assert (0 < raised < 80) if language == "python" else raised == 0


@BOTH
def test_results_share_nothing(language):
    """Neither with each other nor with what was given."""
    for case in odd_routine_cases():
        if len(case.routine.outputs) < 2 or case.name.startswith(("random", "finite")):
            continue
        made = load(codegen.source(case.routine, language, name="tested"))["tested"]
        if not case.parameters:
            results = made(*(np.array(case.states[0][slot.name]) for slot in case.routine.inputs))
            for name, array in results.items():
                others = {other: deepcopy(value) for other, value in results.items() if other != name}
                scribble(array)
                for other, value in others.items():
                    np.testing.assert_array_equal(results[other], value, err_msg=f"{case.name}: {name} and {other}")


def test_a_batch_is_refused_by_a_routine_in_numpy():
    made = load(codegen.source(one_state(), "numpy", name="tested"))["tested"]
    assert made(1.0, 4.0) == 2.0
    with pytest.raises(ValueError, match="cannot reshape"):
        made([1.0, 2.0], 4.0)
