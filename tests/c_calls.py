"""Calling generated C through ctypes, as its documentation says."""

from __future__ import annotations

import ctypes

import numpy as np
from codegen.calling import shared

from robosym.codegen.targets.c import facts_of as program_facts
from robosym.codegen.targets.c.routine import facts_of as routine_facts
from robosym.program import Program
from robosym.program.routine import Routine


def pointer(array: np.ndarray) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def call_c(
    library: ctypes.CDLL,
    program: Program | Routine,
    arrays: dict,
    parameters: list,
    name: str | None = None,
    real: type = np.float64,
) -> dict[str, np.ndarray]:
    """Call the compiled functions as their documentation says: inputs, parameters, constants, outputs."""
    facts = program_facts(program, name) if isinstance(program, Program) else routine_facts(program, name)
    numbers = np.array(parameters, dtype=real)
    constants = np.empty(facts.constants.size, dtype=real)
    if facts.has_precompute:
        library[facts.precompute_function](pointer(numbers), pointer(constants))
    taken = [np.ascontiguousarray(arrays[array.name], dtype=real) for array in program.inputs]
    taken += shared(facts, numbers, constants)
    results = {array.name: np.full(array.shape, np.nan, dtype=real) for array in program.outputs}
    library[facts.function](*map(pointer, [*taken, *results.values()]))
    return results
