"""Calls of generated Python and NumPy, which take the same arguments and return the same results."""

from __future__ import annotations

import warnings
from copy import deepcopy
from dataclasses import replace
from typing import Any

import numpy as np
from codegen.calling import by_name, loaded, shared_values
from codegen.conformance import Arrays, Case, RoutineCase, check_routine
from codegen.odd_routines import all_routine_cases, odd_routine_cases

from robosym import codegen
from robosym.codegen.interface import interface
from robosym.codegen.routines.facts import routine_facts
from robosym.program.program import Program

NAME = "tested"


def call(space: dict[str, Any], program: Program, arrays: dict[str, Any], parameters: Any) -> dict[str, Any]:
    taken = [arrays[array.name] for array in program.inputs]
    taken += shared_values(space, interface(program, (), NAME), parameters)
    return by_name(program.outputs, space[NAME](*taken))


def run(case: Case, language: str) -> list[Arrays]:
    """Lists in; outputs have the shapes they should."""
    space = loaded(codegen.source(case.program, language, name=NAME))
    found = []
    for state in case.states:
        arrays = {name: array.tolist() for name, array in state.items()}
        results = call(space, case.program, arrays, list(case.parameters))
        for array in case.program.outputs:
            if 0 not in array.shape or language == "numpy":
                assert np.shape(results[array.name]) == array.shape
        found.append(results)
    return found


def run_routine(case: RoutineCase, language: str, given: Any) -> list[dict[str, Any] | None]:
    """Results at each state, whose arrays are handed over as ``given`` makes them; None where Python's floats raise."""
    space = loaded(codegen.source(case.routine, language, name=NAME))
    more = shared_values(space, routine_facts(case.routine, [], NAME), list(case.parameters))
    found: list[dict[str, Any] | None] = []
    for state in case.states:
        taken = [given(np.array(state[slot.name], dtype=float)) for slot in case.routine.inputs]
        before = deepcopy(taken)
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # a division by zero that is looked after is not worth a warning
            try:
                results = by_name(case.routine.outputs, space[NAME](*taken, *more))
            except (ValueError, ZeroDivisionError) as error:
                if language != "python" or str(error) not in ("float division by zero", "math domain error"):
                    raise
                found.append(None)
                continue
        for slot in case.routine.outputs:
            if 0 not in slot.shape or language == "numpy":
                assert np.shape(results[slot.name]) == slot.shape, (case.name, slot.name)
        found.append(deepcopy(results))
        for array in results.values():
            scribble(array)
        for array, original in zip(taken, before, strict=True):
            np.testing.assert_array_equal(array, original, err_msg=case.name)
    return found


def scribble(array: Any) -> None:
    """Another number wherever one can be put."""
    if isinstance(array, list | np.ndarray) and np.ndim(array):
        for i in range(len(array)):
            if isinstance(array[i], list | np.ndarray):
                scribble(array[i])
            else:
                array[i] = 777.0


def check_all_routines(language: str) -> int:
    """Compare every routine with the interpreter, given lists and arrays; how many states raised."""
    raised = 0
    for case in all_routine_cases():
        for given in (np.ndarray.tolist, np.array):
            found = run_routine(case, language, given)
            there = [i for i, outputs in enumerate(found) if outputs is not None]
            raised += len(found) - len(there)
            some = replace(case, states=tuple(case.states[i] for i in there))
            some.__dict__["expected"] = [case.expected[i] for i in there]
            check_routine(some, [found[i] for i in there])
    return raised


def check_nothing_is_shared(language: str) -> None:
    """Results of a routine share no memory with each other."""
    for case in odd_routine_cases():
        if len(case.routine.outputs) < 2 or case.parameters or case.name.startswith(("random", "finite")):
            continue
        function = loaded(codegen.source(case.routine, language, name=NAME))[NAME]
        results = function(*(np.array(case.states[0][slot.name]) for slot in case.routine.inputs))
        for name, array in results.items():
            others = {other: deepcopy(value) for other, value in results.items() if other != name}
            scribble(array)
            for other, value in others.items():
                np.testing.assert_array_equal(results[other], value, err_msg=f"{case.name}: {name} and {other}")
