"""Programs as JSON: readable, complete, and checked when read back (a stranger's file is only ever data)."""

from __future__ import annotations

import json
import math
from typing import Any

from ..expr import Expr, ExprError, parse, symbol, text
from ..files import parse_json
from .program import Array, Program, ProgramError, Step
from .verify import verified

FORMAT = "robosym-program-1"


def to_data(program: Program) -> dict[str, Any]:
    """Plain lists, dictionaries and texts."""
    return {
        "format": FORMAT,
        "name": program.name,
        "inputs": [
            {"name": a.name, "shape": list(a.shape), "symbols": [s.name for s in a.entries]} for a in program.inputs
        ],
        "parameters": [s.name for s in program.parameter_symbols],
        "precompute": [[one.name, text(one.expr)] for one in program.precompute],
        "steps": [[one.name, text(one.expr)] for one in program.steps],
        "outputs": [
            {"name": a.name, "shape": list(a.shape), "entries": [text(e) for e in a.entries]} for a in program.outputs
        ],
    }


def dumps(program: Program) -> str:
    return json.dumps(to_data(program), indent=1) + "\n"


def loads(written: str, source: str = "program") -> Program:
    """The program in a JSON text; ``source`` names the file in messages."""
    return from_data(parse_json(written, source, ProgramError), source)


def from_data(data: Any, source: str = "program") -> Program:
    reader = _Reader(source)
    if reader.field(data, "format", str, "program") != FORMAT:
        raise ProgramError(f"{source}: format: got {data['format']!r}, expected '{FORMAT}'")
    name = reader.field(data, "name", str, "program")
    inputs = tuple(reader.input(item, i) for i, item in enumerate(reader.field(data, "inputs", list, "program")))
    parameters = tuple(
        reader.declare(n, "parameter", "parameters") for n in reader.field(data, "parameters", list, "program")
    )
    precompute = reader.steps(reader.field(data, "precompute", list, "program"), "precompute", "constant")
    steps = reader.steps(reader.field(data, "steps", list, "program"), "steps", "local")
    outputs = tuple(reader.output(item, i) for i, item in enumerate(reader.field(data, "outputs", list, "program")))
    try:
        # Steps nobody uses are what the optimiser is for.
        return verified(Program(name, inputs, parameters, precompute, steps, outputs), unused_steps=False)
    except ProgramError as error:
        raise ProgramError(f"{source}: {error}") from error


class _Reader:
    """Checks every field and knows which names are defined so far."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.known: dict[str, Expr] = {}

    def fail(self, where: str, message: str) -> ProgramError:
        return ProgramError(f"{self.source}: {where}: {message}")

    def field(self, data: Any, key: str, kind: type, where: str) -> Any:
        if not isinstance(data, dict):
            raise self.fail(where, f"expected an object with '{key}', got {type(data).__name__}")
        if key not in data:
            raise self.fail(where, f"'{key}' is missing")
        if not isinstance(data[key], kind):
            raise self.fail(where, f"'{key}' is {type(data[key]).__name__}, expected {kind.__name__}")
        return data[key]

    def declare(self, name: Any, kind: str, where: str) -> Expr:
        if not isinstance(name, str):
            raise self.fail(where, f"expected a name, got {name!r}")
        if name in self.known:
            raise self.fail(where, f"'{name}' is defined twice")
        try:
            self.known[name] = symbol(name, kind)
        except ExprError as error:
            raise self.fail(where, str(error)) from error
        return self.known[name]

    def expression(self, written: Any, where: str) -> Expr:
        try:
            return parse(written, lambda name: self._known(name, where))
        except ExprError as error:
            raise self.fail(where, str(error)) from error

    def _known(self, name: str, where: str) -> Expr:
        if name not in self.known:
            raise self.fail(where, f"'{name}' is not an input, a parameter or an earlier step")
        return self.known[name]

    def shape(self, item: Any, where: str, length: int) -> tuple[int, ...]:
        shape = self.field(item, "shape", list, where)
        if not all(type(n) is int and n >= 0 for n in shape) or math.prod(shape) != length:
            raise self.fail(where, f"shape {shape!r} does not hold {length} entries")
        return tuple(shape)

    def input(self, item: Any, i: int) -> Array:
        where = f"inputs[{i}]"
        names = self.field(item, "symbols", list, where)
        entries = tuple(self.declare(name, "variable", where) for name in names)
        return Array(self.field(item, "name", str, where), self.shape(item, where, len(entries)), entries)

    def output(self, item: Any, i: int) -> Array:
        where = f"outputs[{i}]"
        written = self.field(item, "entries", list, where)
        entries = tuple(self.expression(w, f"{where}, entry {k}") for k, w in enumerate(written))
        return Array(self.field(item, "name", str, where), self.shape(item, where, len(entries)), entries)

    def steps(self, rows: list[Any], part: str, kind: str) -> tuple[Step, ...]:
        found = []
        for i, row in enumerate(rows):
            where = f"{part}[{i}]"
            if not isinstance(row, list) or len(row) != 2:
                raise self.fail(where, f"expected [name, expression], got {str(row)[:60]}")
            value = self.expression(row[1], where)
            found.append(Step(self.declare(row[0], kind, where), value))
        return tuple(found)
