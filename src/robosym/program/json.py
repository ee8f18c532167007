"""Programs and routines as JSON: readable, complete, and checked when read back (a file is only ever data, never code).

The field ``format`` of a file says which of the two it holds; what a routine adds is in ``routine_json``.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..expr import Expr, ExprError, parse, symbol, text
from ..files import parse_json
from .documentation import Documentation
from .program import Array, Program, ProgramError, Rate, Step
from .routine import Routine
from .verify import verified

FORMAT = "robosym-program-1"


def to_data(code: Program | Routine) -> dict[str, Any]:
    """Plain lists, dictionaries, numbers and texts."""
    from .routine_json import routine_data

    return program_data(code) if isinstance(code, Program) else routine_data(code)


def dumps(code: Program | Routine) -> str:
    return json.dumps(to_data(code), indent=1, allow_nan=False) + "\n"


def loads(written: str, source: str = "program") -> Program | Routine:
    """The program or the routine in a JSON text; ``source`` names the file in messages."""
    return from_data(parse_json(written, source, ProgramError), source)


def from_data(data: Any, source: str = "program") -> Program | Routine:
    from .routine_json import FORMAT as OF_ROUTINES
    from .routine_json import routine_from

    kind = _Reader(source).field(data, "format", str, "program")
    if kind not in (FORMAT, OF_ROUTINES):
        raise ProgramError(f"{source}: format: got {kind!r}, expected '{FORMAT}' or '{OF_ROUTINES}'")
    return program_from(data, source) if kind == FORMAT else routine_from(data, source)


# --- programs --------------------------------------------------------------------------------------------------------


def program_data(program: Program) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "name": program.name,
        **({"notes": list(program.notes)} if program.notes else {}),
        **documentation_data(program.documentation),
        "inputs": [_input_data(array) for array in program.inputs],
        "parameters": [s.name for s in program.parameter_symbols],
        "precompute": [[one.name, text(one.expr)] for one in program.precompute],
        "steps": [[one.name, text(one.expr)] for one in program.steps],
        "outputs": [
            {"name": a.name, "shape": list(a.shape), "entries": [text(e) for e in a.entries]} for a in program.outputs
        ],
    }


def documentation_data(said: Documentation | None) -> dict[str, Any]:
    """What is said of the code, where anything is."""
    return {} if said is None else {"documentation": said.as_dict()}


def documentation_from(data: Mapping[str, Any], source: str) -> Documentation | None:
    """The same read back."""
    if "documentation" not in data:
        return None
    try:
        return Documentation.from_dict(data["documentation"])
    except ValueError as error:
        raise ProgramError(f"{source}: documentation: {error}") from error


def _input_data(array: Array) -> dict[str, Any]:
    data = {"name": array.name, "shape": list(array.shape), "symbols": [s.name for s in array.entries]}
    if array.rate is None:
        return data
    return {**data, "rate": {"with": _input_data(array.rate.array), "entries": [text(e) for e in array.rate.entries]}}


def program_from(data: Any, source: str = "program") -> Program:
    """The program in such data, every field checked."""
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
    by_name = {array.name: array for array in inputs}
    inputs = tuple(
        reader.with_rates(array, item, f"inputs[{i}]", by_name)
        for i, (array, item) in enumerate(zip(inputs, data["inputs"], strict=True))
    )
    said = tuple(reader.notes(data)), documentation_from(data, source)
    try:
        # Unused steps are for the optimiser to remove.
        return verified(Program(name, inputs, parameters, precompute, steps, outputs, *said), unused_steps=False)
    except ProgramError as error:
        raise ProgramError(f"{source}: {error}") from error


class _Reader:
    """Checks every field and knows which names are defined so far."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.known: dict[str, Expr] = {}
        self.moving: dict[str, Expr] = {}  # inputs and their speeds

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

    def notes(self, data: Any) -> list[str]:
        """Lines of prose, if there are any."""
        lines: list[str] = self.field(data, "notes", list, "program") if "notes" in data else []
        if not all(isinstance(line, str) for line in lines):
            raise self.fail("program", f"'notes': expected texts, got {str(lines)[:60]}")
        return lines

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
        self.moving.update((entry.name, entry) for entry in entries)
        return Array(self.field(item, "name", str, where), self.shape(item, where, len(entries)), entries)

    def with_rates(self, array: Array, item: Any, where: str, inputs: Mapping[str, Array]) -> Array:
        """The input with the map of its rates, if the data has one: its speeds are another input, or known from here only."""
        if "rate" not in item:
            return array
        data = self.field(item, "rate", dict, where)
        speeds_data = self.field(data, "with", dict, f"{where}, rate")
        name = self.field(speeds_data, "name", str, f"{where}, rate")
        names = self.field(speeds_data, "symbols", list, f"{where}, rate")
        speeds = inputs.get(name)
        if speeds is None:
            symbols = tuple(self._speed(n, f"{where}, rate") for n in names)
            speeds = Array(name, self.shape(speeds_data, f"{where}, rate", len(symbols)), symbols)
        elif [s.name for s in speeds.entries] != names:
            raise self.fail(f"{where}, rate", f"'{name}' is an input with other symbols")
        speeds = self.with_rates(speeds, speeds_data, f"{where}, rate", inputs)
        written = self.field(data, "entries", list, f"{where}, rate")
        entries = tuple(self._of_time(w, f"{where}, rate, entry {k}") for k, w in enumerate(written))
        if len(entries) != len(array.entries):
            raise self.fail(f"{where}, rate", f"{len(entries)} rates for {len(array.entries)} entries")
        return replace(array, rate=Rate(speeds, entries))

    def _speed(self, name: Any, where: str) -> Expr:
        """The symbol of a speed that is not an input itself: a step of the program may have the same name."""
        if not isinstance(name, str):
            raise self.fail(where, f"expected a name, got {name!r}")
        try:
            return self.moving.setdefault(name, symbol(name, "variable"))
        except ExprError as error:
            raise self.fail(where, str(error)) from error

    def _of_time(self, written: Any, where: str) -> Expr:
        def found(name: str) -> Expr:
            own = self.moving[name] if name in self.moving else self.known.get(name)
            if own is None or own.kind not in ("variable", "parameter"):
                raise self.fail(where, f"'{name}' is not an input, a speed or a parameter")
            return own

        try:
            return parse(written, found)
        except ExprError as error:
            raise self.fail(where, str(error)) from error

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
