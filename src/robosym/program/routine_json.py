"""Routines as JSON: every program once, under a label, and the stages as nested objects; checked when read back.

A stage is an object whose ``stage`` says which kind it is, with the fields of that kind (``FIELDS``). Those that need not be
given are left out; no other is allowed, so that none is misspelt and overlooked. Infinities and nan are texts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, fields
from typing import Any

from ..options.numbers import is_bool, is_finite
from .json import documentation_data, documentation_from, program_data, program_from
from .numeric import pruned
from .program import Program, ProgramError
from .routine import (
    Collect,
    Copy,
    Each,
    Fill,
    Kernel,
    Newton,
    Record,
    Repeat,
    Routine,
    Run,
    Slot,
    Stage,
    Take,
    When,
    verified_routine,
)
from .routine_check import DEEPEST

FORMAT = "robosym-routine-1"
KEYS = ("format", "name", "notes", "documentation", "inputs", "outputs", "programs", "stages")
NOT_FINITE = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}
KINDS: Mapping[str, type] = {
    kind.__name__.lower(): kind for kind in (Run, Kernel, Fill, Copy, Collect, Record, Take, Each, Repeat, When, Newton)
}
# What the fields of stages hold; all others hold the name of an array.
FIELDS: Mapping[tuple[type, str], str] = {
    (Run, "program"): "program",
    (Run, "names"): "mapping",
    (Kernel, "inputs"): "names",
    (Kernel, "outputs"): "names",
    (Fill, "shape"): "shape",
    (Fill, "value"): "real",
    (Collect, "within"): "reals",
    (Collect, "turns"): "flags",
    (Record, "every"): "whole",
    (Take, "every"): "whole",
    (Each, "stages"): "stages",
    (Repeat, "times"): "times",
    (Repeat, "stages"): "stages",
    (When, "stages"): "stages",
    (When, "otherwise"): "stages",
    (Newton, "stages"): "stages",
    (Newton, "steps"): "whole",
    (Newton, "tolerance"): "real",
}


def routine_data(routine: Routine) -> dict[str, Any]:
    """Plain lists, dictionaries, numbers and texts."""
    labels = _labels(routine.programs)
    return {
        "format": FORMAT,
        "name": routine.name,
        "notes": list(routine.notes),
        **documentation_data(routine.documentation),
        "inputs": [_slot_data(slot) for slot in routine.inputs],
        "outputs": [_slot_data(slot) for slot in routine.outputs],
        "programs": {label: program_data(program) for program, label in labels.items()},
        "stages": [_stage_data(stage, labels) for stage in routine.stages],
    }


def _labels(programs: Sequence[Program]) -> dict[Program, str]:
    """The name of each, with a number where two have the same."""
    labels: dict[Program, str] = {}
    for program in programs:
        label, number = program.name, 1
        while label in labels.values():
            number += 1
            label = f"{program.name} ({number})"
        labels[program] = label
    return labels


def _slot_data(slot: Slot) -> dict[str, Any]:
    return {"name": slot.name, "shape": list(slot.shape), "about": slot.about}


def _stage_data(stage: Stage, labels: Mapping[Program, str]) -> dict[str, Any]:
    kind = type(stage)
    data: dict[str, Any] = {"stage": kind.__name__.lower()}
    for field in fields(stage):
        value = getattr(stage, field.name)
        match FIELDS.get((kind, field.name), "name"):
            case "program":
                data[field.name] = labels[value]
            case "stages":
                data[field.name] = [_stage_data(inside, labels) for inside in value]
            case "mapping":
                data[field.name] = dict(value)
            case "real":
                data[field.name] = float(value) if math.isfinite(value) else str(float(value))
            case "reals":
                data[field.name] = [float(one) for one in value]
            case "flags":
                data[field.name] = [bool(one) for one in value]
            case "names" | "shape":
                data[field.name] = list(value)
            case _:
                data[field.name] = value
    return {key: value for key, value in data.items() if value is not None}


# --- reading ---------------------------------------------------------------------------------------------------------


def routine_from(data: Any, source: str = "routine") -> Routine:
    """The routine in such data, every field checked; ``source`` names the file in messages."""
    reader = _Reader(source)
    reader.known_keys(data, KEYS, "routine")
    name = reader.text(reader.field(data, "name", "routine"), "routine, 'name'")
    notes = reader.names(reader.field(data, "notes", "routine"), "routine, 'notes'")
    inputs, outputs = (reader.slots(reader.field(data, key, "routine"), key) for key in ("inputs", "outputs"))
    programs = reader.object(reader.field(data, "programs", "routine"), "routine, 'programs'")
    for label, one in programs.items():
        # Steps that are not used are taken out: a routine is to hold none.
        reader.programs[label] = pruned(program_from(one, f"{source}: programs[{label!r}]"))
    stages = reader.stages(reader.field(data, "stages", "routine"), "stages", 1)
    said = documentation_from(data, source)
    unused = [label for label in reader.programs if label not in reader.run]
    if unused:
        raise reader.fail("programs", f"no stage runs {', '.join(map(repr, unused))}")
    try:
        return verified_routine(Routine(name, inputs, outputs, stages, notes, said))
    except ProgramError as error:
        raise ProgramError(f"{source}: {error}") from error


class _Reader:
    """Checks every field; knows the programs by label, and which of them a stage runs."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.programs: dict[str, Program] = {}
        self.run: set[str] = set()

    def fail(self, where: str, message: str) -> ProgramError:
        return ProgramError(f"{self.source}: {where}: {message}")

    def expected(self, where: str, what: str, got: Any) -> ProgramError:
        return self.fail(where, f"expected {what}, got {repr(got)[:60]}")

    def object(self, data: Any, where: str) -> dict[str, Any]:
        if not isinstance(data, dict):
            raise self.expected(where, "an object", data)
        return data

    def known_keys(self, data: Any, keys: Sequence[str], where: str) -> None:
        for key in self.object(data, where):
            if key not in keys:
                raise self.fail(where, f"there is no field {key!r} (fields: {', '.join(keys)})")

    def field(self, data: dict[str, Any], key: str, where: str) -> Any:
        if key not in data:
            raise self.fail(where, f"'{key}' is missing")
        return data[key]

    def list(self, data: Any, what: str, where: str, fits: Callable[[Any], bool] = lambda one: True) -> list[Any]:
        if not isinstance(data, list) or not all(map(fits, data)):
            raise self.expected(where, f"a list of {what}", data)
        return data

    def slots(self, data: Any, key: str) -> tuple[Slot, ...]:
        found = []
        for i, item in enumerate(self.list(data, "arrays", key)):
            where = f"{key}[{i}]"
            self.known_keys(item, ("name", "shape", "about"), where)
            name = self.text(self.field(item, "name", where), f"{where}, 'name'")
            shape = self.shape(self.field(item, "shape", where), f"{where}, 'shape'")
            found.append(Slot(name, shape, self.text(item.get("about", ""), f"{where}, 'about'")))
        return tuple(found)

    def stages(self, data: Any, where: str, depth: int) -> tuple[Stage, ...]:
        listed = self.list(data, "stages", where)
        if listed and depth > DEEPEST:
            raise self.fail(where[:60], f"more than {DEEPEST} stages inside each other")
        return tuple(self.stage(item, f"{where}[{i}]", depth) for i, item in enumerate(listed))

    def stage(self, data: Any, where: str, depth: int) -> Stage:
        kind = self.field(self.object(data, where), "stage", where)
        if not isinstance(kind, str) or kind not in KINDS:
            raise self.expected(f"{where}, 'stage'", f"one of {', '.join(KINDS)}", kind)
        made = KINDS[kind]
        where = f"{where} ({kind})"
        self.known_keys(data, ["stage", *(field.name for field in fields(made))], where)
        values: dict[str, Any] = {}
        for field in fields(made):
            if field.name in data:
                holds = FIELDS.get((made, field.name), "name")
                values[field.name] = self.value(holds, data[field.name], f"{where}, '{field.name}'", depth)
            elif field.default is MISSING and field.default_factory is MISSING:
                raise self.fail(where, f"'{field.name}' is missing")
        stage: Stage = made(**values)
        return stage

    def value(self, kind: str, data: Any, where: str, depth: int) -> Any:
        match kind:
            case "name":
                return self.text(data, where)
            case "names":
                return self.names(data, where)
            case "mapping":
                return {key: self.text(one, f"{where}, {key!r}") for key, one in self.object(data, where).items()}
            case "shape":
                return self.shape(data, where)
            case "real":
                return self.real(data, where)
            case "reals":
                return tuple(map(float, self.list(data, "numbers", where, is_finite)))
            case "flags":
                return tuple(self.list(data, "true and false", where, is_bool))
            case "whole":
                return self.whole(data, where)
            case "times":
                return data if isinstance(data, str) else self.whole(data, where)
            case "program":
                return self.program(data, where)
            case _:
                return self.stages(data, where, depth + 1)

    def text(self, data: Any, where: str) -> str:
        if not isinstance(data, str):
            raise self.expected(where, "a text", data)
        return data

    def names(self, data: Any, where: str) -> tuple[str, ...]:
        return tuple(self.list(data, "texts", where, lambda one: isinstance(one, str)))

    def shape(self, data: Any, where: str) -> tuple[int, ...]:
        return tuple(self.list(data, "sizes", where, lambda one: type(one) is int and one >= 0))

    def real(self, data: Any, where: str) -> float:
        if isinstance(data, str) and data in NOT_FINITE:
            return NOT_FINITE[data]
        if not is_finite(data):
            raise self.expected(where, f"a number or one of {', '.join(map(repr, NOT_FINITE))}", data)
        return float(data)

    def whole(self, data: Any, where: str) -> int:
        if type(data) is not int:
            raise self.expected(where, "a whole number", data)
        return data

    def program(self, data: Any, where: str) -> Program:
        if not isinstance(data, str) or data not in self.programs:
            raise self.expected(where, f"a program (programs: {', '.join(self.programs)})", data)
        self.run.add(data)
        return self.programs[data]
