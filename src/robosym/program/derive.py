"""Derivatives of a whole program, in forward mode: every output at once, every shared step differentiated once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..expr import Expr, tangents, variable
from .graph import Graph, raise_program
from .lower import lower
from .program import Array, Program, ProgramError


def jacobian(program: Program, by: str = "q") -> Program:
    """A program for d(outputs)/d(input): output T of shape (4, 4) gives dT_dq of shape (4, 4, n)."""
    graph = raise_program(program)
    symbols = _input(program, by).entries
    columns = [tangents(graph.roots, {symbol: 1}) for symbol in symbols]
    outputs, start = [], 0
    for array in graph.outputs:
        rows = range(start, start + len(array.entries))
        entries = tuple(column[row] for row in rows for column in columns)
        outputs.append(Array(f"d{array.name}_d{by}", (*array.shape, len(symbols)), entries))
        start += len(array.entries)
    return _lowered(program, f"{program.name}_d{by}", (), tuple(outputs), graph)


def tangent(program: Program, rates: Mapping[str, str]) -> Program:
    """A program for the time derivative of the outputs, given the rate of each moving input ({"q": "qd"}).

    A rate that is not an input yet becomes one, of the same shape.
    """
    graph = raise_program(program)
    seeds: dict[Expr, Expr] = {}
    added: list[Array] = []
    for name, rate in rates.items():
        moving = _input(program, name)
        known = next((a for a in program.inputs if a.name == rate), None)
        if known is None:
            known = Array(rate, moving.shape, tuple(variable(f"{rate}{i}") for i in range(1, len(moving.entries) + 1)))
            added.append(known)
        if known.shape != moving.shape:
            raise ProgramError(f"'{rate}' has shape {known.shape}, but '{name}' has shape {moving.shape}")
        seeds.update(zip(moving.entries, known.entries, strict=True))
    moved = graph.with_roots(tangents(graph.roots, seeds)).outputs
    outputs = tuple(Array(f"{array.name}d", array.shape, array.entries) for array in moved)
    return _lowered(program, f"{program.name}_rate", added, outputs, graph)


def _input(program: Program, name: str) -> Array:
    for array in program.inputs:
        if array.name == name:
            return array
    raise ProgramError(
        f"program '{program.name}' has no input '{name}' (inputs: {', '.join(a.name for a in program.inputs)})"
    )


def _lowered(program: Program, name: str, added: Sequence[Array], outputs: tuple[Array, ...], graph: Graph) -> Program:
    derived = Graph(name, (*program.inputs, *added), outputs, graph.names)
    return lower(derived, program.parameter_symbols)
