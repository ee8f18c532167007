"""Calls of generated functions: their optional arguments, their results by name, and Python code loaded from text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from robosym.codegen.interface import Interface
from robosym.codegen.routines.facts import RoutineFacts
from robosym.program.program import Array
from robosym.program.routine import Slot

T = TypeVar("T")


def shared(facts: Interface | RoutineFacts, parameters: T, constants: T) -> list[T]:
    """Arguments after the inputs: the parameters and the constants, each if the function reads it."""
    return [*([parameters] if facts.reads_parameters else []), *([constants] if facts.has_precompute else [])]


def shared_values(space: dict[str, Any], facts: Interface | RoutineFacts, parameters: Any) -> list[Any]:
    """Arguments after the inputs; the constants are computed by the precompute function in ``space``."""
    constants = space[facts.precompute_function](parameters) if facts.has_precompute else None
    return shared(facts, parameters, constants)


def by_name(outputs: Sequence[Array | Slot], result: Any) -> dict[str, Any]:
    """Results of a function in Python by name: a single output is returned alone."""
    return result if len(outputs) != 1 else {outputs[0].name: result}


def loaded(text: str) -> dict[str, Any]:
    """Names defined by Python code."""
    space: dict[str, Any] = {}
    exec(compile(text, "generated", "exec"), space)
    return space
