"""Derivatives of a whole program, in forward mode: every output at once, every shared step differentiated once."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from ..expr import Expr, ExprError, expr, free_symbols, gradient, tangents, variable
from ..expr.algebra import ExprLike
from .graph import Graph, raise_program
from .lower import lower
from .program import Array, Program, ProgramError, Rate

NUMBERED = re.compile(r"[tK]\d+(_[a-z]+)?")  # what lowering calls steps that have no name


def to_derive(program: Program) -> Graph:
    """The graph of a program with the names that mean something: its numbered ones would meet those of new steps."""
    graph = raise_program(program)
    return replace(graph, names={node: name for node, name in graph.names.items() if not NUMBERED.fullmatch(name)})


@dataclass(frozen=True)
class Directions:
    """What is differentiated by: its name, the shape it adds to that of an output, and how symbols move in each direction."""

    name: str
    shape: tuple[int, ...]
    seeds: tuple[Mapping[Expr, ExprLike], ...]


def entries_of(array: Array) -> Directions:
    """One direction for each entry of an input."""
    return Directions(array.name, array.shape, tuple({symbol: 1} for symbol in array.entries))


def slopes(outputs: Sequence[Array], by: Directions) -> list[Array]:
    """d(output)/d(by) of each: T of shape (4, 4) by q of shape (n,) gives dT_dq of shape (4, 4, n)."""
    roots = [entry for array in outputs for entry in array.entries]
    columns = [tangents(roots, seeds) for seeds in by.seeds]
    found, start = [], 0
    for array in outputs:
        rows = range(start, start + len(array.entries))
        entries = tuple(column[row] for row in rows for column in columns)
        found.append(Array(f"d{array.name}_d{by.name}", (*array.shape, *by.shape), entries))
        start += len(array.entries)
    return found


def slopes_back(outputs: Sequence[Array], by: Directions) -> list[Array] | None:
    """The same in reverse mode, which pays where there are fewer outputs than directions; None where something branches."""
    symbols = list(dict.fromkeys(x for seeds in by.seeds for x in seeds))
    found = []
    for array in outputs:
        entries: list[Expr] = []
        for root in array.entries:
            try:
                back = dict(zip(symbols, gradient(root, symbols), strict=True))
            except ExprError:
                return None
            for seeds in by.seeds:
                moving = ((back[x], expr(rate)) for x, rate in seeds.items() if not back[x].is_zero)
                entries.append(sum((slope * rate for slope, rate in moving), expr(0)))
        found.append(Array(f"d{array.name}_d{by.name}", (*array.shape, *by.shape), tuple(entries)))
    return found


def jacobian(program: Program, by: str = "q") -> Program:
    """A program for d(outputs)/d(input): output T of shape (4, 4) gives dT_dq of shape (4, 4, n)."""
    graph = raise_program(program)
    outputs = slopes(graph.outputs, entries_of(_input(program, by)))
    return _lowered(program, f"{program.name}_d{by}", (), tuple(outputs), graph)


def tangent(program: Program, rates: Mapping[str, str] | None = None, constant: Collection[str] = ()) -> Program:
    """A program for the time derivative of the outputs.

    By default every input changes by the rates it carries: q of a robot with qd, of a free base by its kinematics. ``rates``
    names the speeds of other inputs ({"x": "xd"}: an input of that name, made if there is none), ``constant`` those that do not
    move. An input of which nothing is known is refused: a derivative that leaves out its motion would be wrong.
    """
    graph = raise_program(program)
    used = set(free_symbols(*graph.roots))
    known = {array.name: array for array in program.inputs}
    for name in (*(rates or {}), *constant):
        _input(program, name)
    seeds: dict[Expr, Expr] = {}
    added: dict[str, Array] = {}
    for array in program.inputs:
        if array.name in constant or not used.intersection(array.entries):
            continue
        rate = _rate(program, array, (rates or {}).get(array.name), known)
        if known.setdefault(rate.array.name, rate.array).entries != rate.array.entries:
            raise ProgramError(
                f"'{rate.array.name}' is an input of '{program.name}' that is not the speed of '{array.name}'"
            )
        if rate.array.name not in {one.name for one in program.inputs}:
            added[rate.array.name] = rate.array
        seeds.update(zip(array.entries, rate.entries, strict=True))
    moved = graph.with_roots(tangents(graph.roots, seeds)).outputs
    outputs = tuple(Array(f"{array.name}d", array.shape, array.entries) for array in moved)
    return _lowered(program, f"{program.name}_rate", list(added.values()), outputs, graph)


def _rate(program: Program, array: Array, named: str | None, known: Mapping[str, Array]) -> Rate:
    """How an input changes: as it says itself, else at the speeds of the input that is named."""
    if array.rate is not None:
        if named not in (None, array.rate.array.name):
            raise ProgramError(f"'{array.name}' changes with '{array.rate.array.name}', not with '{named}'")
        return array.rate
    if named is None:
        problem = (
            f"nothing is known of how its input '{array.name}' changes: name its speeds, or say that it is constant"
        )
        raise ProgramError(f"program '{program.name}' has no time derivative: {problem}")
    speeds = known.get(named)
    if speeds is None:
        speeds = Array(named, array.shape, tuple(variable(f"{named}{i}") for i in range(1, len(array.entries) + 1)))
    if speeds.shape != array.shape:
        raise ProgramError(f"'{named}' has shape {speeds.shape}, but '{array.name}' has shape {array.shape}")
    return Rate(speeds, speeds.entries)


def _input(program: Program, name: str) -> Array:
    for array in program.inputs:
        if array.name == name:
            return array
    raise ProgramError(
        f"program '{program.name}' has no input '{name}' (inputs: {', '.join(a.name for a in program.inputs)})"
    )


def _lowered(program: Program, name: str, added: Sequence[Array], outputs: tuple[Array, ...], graph: Graph) -> Program:
    derived = Graph(name, (*program.inputs, *added), outputs, graph.names)
    made = lower(derived, program.parameter_symbols)
    return made.replace(parameter_symbols=made.used_parameters)
