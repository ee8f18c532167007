"""Tables checked as one types: every problem at its cell, warnings and notes, and the robot as a text when there is one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import groupby
from typing import Any

from ..checking import examined
from ..formats.toml import dumps
from ..robot import Problem
from .columns import BODIES, FRAMES, TABLES, Table
from .tables import SOURCE, from_tables, tables

_FRAME = re.compile(r"frame (\d+)(?:, (.*))?")
_LEG = re.compile(r"module (\d+)(?:, leg (\d+))?(?:, (.*))?")
_COUPLING = re.compile(r"coupling (\d+)(?:, (.*))?")
_VALUE = re.compile(r"value (\d+), symbol")
# What problems name that is no cell of its own.
_INSTEAD = {
    "": "name", "link": "M", "inertia": "M", "wrench": "FX", "actuator": "Ia", "mimic": "mimic frame",
    "limits": "limits lower", "friction": "friction Fst", "motor": "motor Jm", "motor axis": "motor axis 1",
    "spring": "spring stiffness", "flexibility": "flexibility stiffness",
}  # fmt: skip
_GENERAL = {
    "Type": "par_type",
    "base, name": "base name",
    "base, floating": "base floating",
    "base, mobile": "base mobile",
}


def checked_tables(given: Mapping[str, Any]) -> dict[str, Any]:
    """What is wrong with tables, by cells; if nothing is, the TOML text of the robot, and its tables as they were understood."""
    found = examined(lambda: from_tables(given), SOURCE)
    made: dict[str, Any] = {
        "problems": [placed(problem, given) for problem in found.problems],
        "warnings": [placed(_apart(words), given) for words in found.warnings],
        "notes": list(found.notes),
        "text": None,
        "tables": None,
    }
    if found.robot is not None and not found.problems:
        made |= {"text": dumps(found.robot), "tables": tables(found.robot)}
    return made


def _apart(words: str) -> Problem:
    """A warning as it is printed, its place taken off."""
    where, colon, rest = words.partition(": ")
    return Problem(where, rest) if colon else Problem("", words)


def placed(problem: Problem, given: Mapping[str, Any]) -> dict[str, Any]:
    """A problem with the table, row (from 0) and column of its cell; without them if it is of no cell."""
    table, row, column = _place(problem.where, given) or (None, None, None)
    return {"table": table, "row": row, "column": column, "where": problem.where, "message": problem.message}


def _place(where: str, given: Mapping[str, Any]) -> tuple[str, int, str] | None:
    if match := _FRAME.fullmatch(where):
        return _column(int(match[1]), match[2] or "", (FRAMES, BODIES))
    if match := _COUPLING.fullmatch(where):
        return "couplings", int(match[1]) - 1, "frames" if (match[2] or "").startswith("frames") else "matrix"
    if match := _LEG.fullmatch(where):
        column = match[3] if match[3] in ("name", "end", "seat", "joint") else "platform"
        return "legs", _leg_row(given.get("legs", []), int(match[1]), int(match[2] or 1)), column
    if match := _VALUE.fullmatch(where):
        return "values", int(match[1]) - 1, "symbol"
    head, _, rest = where.partition(", ")
    if head == "values" and rest:
        return _value(rest, given)
    if head == "base" and (found := _of_base(rest)):
        return found
    if where == "loops":
        return "loops", 0, "loops"
    return _in(TABLES[0], 0, _GENERAL.get(where, where))


def _column(j: int, field: str, kinds: tuple[str, ...]) -> tuple[str, int, str] | None:
    """The cell of a field of frame j: the longest name of a column that the field begins with."""
    field = _INSTEAD.get(field, field)
    for table in TABLES:
        if table.rows in kinds and (found := _in(table, j - (table.rows == FRAMES), field)):
            return found
    shorter = field.rpartition(" ")[0]
    return _column(j, shorter, kinds) if shorter else None


def _in(table: Table, row: int, field: str) -> tuple[str, int, str] | None:
    return next(((table.id, row, column.key) for column in table.columns if field == column.where), None)


def _of_base(field: str) -> tuple[str, int, str] | None:
    name, _, number = field.rpartition(" ") if field[-1:].isdigit() else (field, "", "1")
    place = int(number) - 1
    for table in TABLES:
        if table.id == "location" and name == "location":
            return table.id, min(place // 4, 2), table.keys[place % 4]
        if table.id == "motion" and name.replace("_", " ") in table.lines:
            return table.id, table.lines.index(name.replace("_", " ")), table.keys[place]
    return _column(0, field, (BODIES,))


def _value(rest: str, given: Mapping[str, Any]) -> tuple[str, int, str] | None:
    symbol, _, column = rest.partition(", ")
    rows = [k for k, row in enumerate(given.get("values", [])) if str(row.get("symbol", "")).strip() == symbol]
    return ("values", rows[0], column if column in ("unit", "source") else "value") if rows else None


def _leg_row(rows: list[Any], module: int, leg: int) -> int:
    """The row of a leg of a module: legs of the same platform, one after the other, are one."""
    groups = [list(group) for _, group in groupby(enumerate(rows), key=lambda one: str(one[1].get("platform") or ""))]
    return int(groups[module - 1][leg - 1][0]) if module <= len(groups) and leg <= len(groups[module - 1]) else 0
