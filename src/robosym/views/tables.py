"""A robot as tables that a person fills in, and back: every cell is a text (a number, an expression, a name) or true or false.

Both ways go through the tables of a TOML description, so what an entry means is said in ``robot.table`` alone; ``columns`` says where
an entry stands there. An empty cell is what is left out of a description.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import Any

from ..errors import RobosymError
from ..formats.toml import dumps, from_data, parsed
from ..robot import Problem, Robot, RobotError
from ..robot.keys import ACTUATOR, MOTION_KEYS, VALUE_KEYS
from ..robot.parts import INERTIA, WRENCH
from .columns import BODIES, BY_ID, FRAMES, TABLES, Column, Table

Row = dict[str, Any]
Tables = dict[str, list[Row]]
GROUPS = {"inertia": INERTIA, "wrench": WRENCH, "actuator": ACTUATOR}
IDENTITY = tuple(tuple(str(int(i == k)) for k in range(4)) for i in range(4))
EMPTY = (None, "")  # cells
SOURCE = "tables"  # what messages call them
MOST_ROWS = 2000  # of a table
_WHOLE = re.compile(r"\d{1,9}")


# --- from a robot ------------------------------------------------------------------------------------------------------


def tables(robot: Robot) -> Tables:
    """The description of a robot in tables; ``from_tables`` gives an equal robot back."""
    data = parsed(dumps(robot), robot.name)
    base = _in_full(data.get("base", {}), "0")
    frames = [_in_full(row, str(j)) for j, row in enumerate(data.get("frame", []), 1)]
    made: Tables = {}
    for table in TABLES:
        if table.rows == FRAMES:
            made[table.id] = [_cells(table, row) for row in frames]
        elif table.rows == BODIES:
            made[table.id] = [_cells(table, row) for row in (base, *frames)]
    made["general"] = [_cells(BY_ID["general"], data)]
    made["loops"] = [_cells(BY_ID["loops"], data)]
    made["location"] = [
        {key: "" if row[key] == usual else row[key] for key, usual in zip(row, blank, strict=True)}
        for line, blank in zip(base.get("location", IDENTITY)[:3], IDENTITY, strict=False)
        for row in [_cells(BY_ID["location"], dict(enumerate(line)))]
    ]
    made["motion"] = [_cells(BY_ID["motion"], dict(enumerate(base.get(key, [])))) for key in MOTION_KEYS]
    made["couplings"] = [_cells(BY_ID["couplings"], row) for row in data.get("coupling", [])]
    legs = [{"platform": one["platform"], **leg} for one in data.get("module", []) for leg in one["legs"]]
    made["legs"] = [_cells(BY_ID["legs"], leg) for leg in legs]
    made["values"] = list(_values(robot))
    return {table.id: made[table.id] for table in TABLES}


def _in_full(row: Mapping[str, Any], suffix: str) -> Row:
    """A row with the symbols written out that "symbolic" stands for."""
    full = dict(row)
    for group, names in GROUPS.items():
        wanted = full.pop(group, [])
        full |= {name: f"{name.upper()}{suffix}" for name in (names if wanted == "symbolic" else wanted)}
    return full


def _cells(table: Table, row: Mapping[Any, Any]) -> Row:
    return {column.key: _cell(column, row) for column in table.columns}


def _cell(column: Column, row: Any) -> Any:
    part: Any
    for part in column.path:
        if not (isinstance(row, list) or (isinstance(row, dict) and part in row)):
            return ""
        row = row[part]
    between = {"frames": (", ",), "points": ("; ", ": "), "matrix": ("; ", ", ")}.get(column.kind, ())
    shown = _shown(row, *between)
    return "" if shown == column.blank == "0" and column.path[0] != "gravity" else shown


def _shown(entry: Any, *between: str) -> Any:
    if isinstance(entry, list):
        return between[0].join(_shown(one, *between[1:]) for one in entry)
    return entry if isinstance(entry, bool | str) else repr(entry)


def _values(robot: Robot) -> Iterator[Row]:
    """A row for each value, then one for each symbol that has none."""
    for name, value in robot.values.items():
        yield {"symbol": name, "value": repr(value.number), "unit": value.unit, "source": value.source}
    for symbol in robot.parameter_symbols:
        if symbol.name not in robot.values:
            yield {"symbol": symbol.name, "value": "", "unit": "", "source": ""}


# --- to a robot --------------------------------------------------------------------------------------------------------


def from_tables(tables: Mapping[str, Any]) -> Robot:
    """The robot that tables describe; a RobotError has all problems otherwise, named as in a TOML description."""
    data, found = description(tables)
    try:
        robot = from_data(data, SOURCE)
    except RobotError as error:
        raise RobotError([*found, *error.problems], SOURCE) from None
    if found:
        raise RobotError(found, SOURCE)
    return robot


def description(tables: Mapping[str, Any]) -> tuple[dict[str, Any], list[Problem]]:
    """The tables of a TOML description, and what cannot even be written there."""
    rows = _judged(tables)
    problems: list[Problem] = []
    frames: list[Row] = [{} for _ in rows["frames"]]
    base: Row = {}
    for table in TABLES:
        if table.rows == FRAMES:
            _put(table, rows[table.id], frames)
        elif table.rows == BODIES:
            _put(table, rows[table.id], [base, *frames])
    data: dict[str, Any] = {"gravity": ["0", "0", "0"]}
    for single in ("general", "loops"):
        _put(BY_ID[single], rows[single][:1], [data])
    data["base"] = _base(rows, base | data.get("base", {}))
    if not data["base"] and frames:
        del data["base"]
    data.setdefault("name", "")
    data["frame"] = frames
    data["coupling"] = _put(BY_ID["couplings"], rows["couplings"], [{} for _ in rows["couplings"]])
    data["module"] = _modules(rows["legs"])
    data["values"] = _read_values(rows["values"], problems)
    return {key: value for key, value in data.items() if value != []}, problems


def _judged(tables: Mapping[str, Any]) -> Tables:
    """Tables as they should be: lists of rows whose cells are texts, numbers or truth values."""
    if not isinstance(tables, Mapping) or any(name not in BY_ID for name in tables):
        raise RobosymError(f"tables: expected {', '.join(BY_ID)}")
    found: Tables = {}
    for table in TABLES:
        rows = tables.get(table.id, [])
        if not isinstance(rows, list) or len(rows) > MOST_ROWS or not all(isinstance(row, Mapping) for row in rows):
            raise RobosymError(f"table {table.id}: expected a list of at most {MOST_ROWS} rows")
        found[table.id] = [{key: _judged_cell(table, key, cell) for key, cell in row.items()} for row in rows]
        most = len(found["frames"]) + (table.rows == BODIES) if table.rows in (FRAMES, BODIES) else MOST_ROWS
        if len(rows) > most:
            raise RobosymError(f"table {table.id}: expected {most} rows, as there are frames, got {len(rows)}")
    return found


def _judged_cell(table: Table, key: str, cell: Any) -> Any:
    if key not in table.keys or not isinstance(cell, str | int | float | None):
        expected = f"expected texts in {', '.join(table.keys)}"
        raise RobosymError(f"table {table.id}: got {key!r:.40}: {cell!r:.40}, {expected}")
    return cell.strip() if isinstance(cell, str) else cell


def _put(table: Table, rows: Sequence[Row], into: list[Row]) -> list[Row]:
    """The cells of rows at their places in rows of a description."""
    for row, target in zip(rows, into, strict=False):
        for column in table.columns:
            if (cell := row.get(column.key)) not in EMPTY:
                _set(target, column.path, _read(column, cell))
    return into


def _set(target: Any, path: Sequence[str | int], entry: Any) -> None:
    for part, following in pairwise(path):
        usual: Any = ["0", "0", "0"] if isinstance(following, int) else {}
        target = target.setdefault(part, usual)
    target[path[-1]] = entry


def _read(column: Column, cell: Any) -> Any:
    """What a cell is in a description."""
    if not isinstance(cell, str):
        return cell
    if column.kind == "frame" or column.key in ("sigma", "par_type", "loops"):
        return _numbered(cell)
    if column.kind == "frames":
        return [_numbered(one) for one in _parts(cell, ",")]
    if column.kind == "points":
        return [_parts(pair, ":") for pair in _parts(cell, ";")]
    if column.kind == "matrix":
        return [_parts(line, ",") for line in _parts(cell, ";")]
    return cell


def _numbered(word: str) -> int | str:
    return int(word) if _WHOLE.fullmatch(word) else word


def _parts(text: str, between: str) -> list[str]:
    """The parts of a text, divided outside of brackets."""
    found, depth = [""], 0
    for letter in text:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == between and depth <= 0:
            found.append("")
        else:
            found[-1] += letter
    return [part.strip() for part in found]


def _base(rows: Tables, base: Row) -> Row:
    keys, lines = BY_ID["location"].keys, rows["location"][:3]
    location = [_filled([row.get(key) for key in keys], usual) for row, usual in zip(lines, IDENTITY, strict=False)]
    if any(location):
        usual = [list(line) for line in IDENTITY[: len(location)]]
        base["location"] = [*(line or least for line, least in zip(location, usual, strict=True)), list(IDENTITY[3])]
    for key, row in zip(MOTION_KEYS, rows["motion"], strict=False):
        if moved := _filled([row.get(axis) for axis in "xyz"], ("0", "0", "0")):
            base[key] = moved
    return base


def _filled(cells: Sequence[Any], usual: Sequence[str]) -> list[Any]:
    """Cells with what is usual in place of empty ones; nothing if all are empty."""
    if all(cell in EMPTY for cell in cells):
        return []
    return [blank if cell in EMPTY else cell for cell, blank in zip(cells, usual, strict=True)]


def _modules(rows: Sequence[Row]) -> list[Row]:
    """Legs of the same platform, one after the other, are a module."""
    modules = []
    legs = _put(BY_ID["legs"], rows, [{} for _ in rows])
    for platform, group in groupby(legs, key=lambda leg: leg.get("platform", "")):
        module: Row = {"legs": [{key: leg[key] for key in leg if key != "platform"} for leg in group]}
        modules.append(module | ({"platform": platform} if platform != "" else {}))
    return modules


def _read_values(rows: Sequence[Row], problems: list[Problem]) -> Row:
    """Values by their symbols: a symbol without a number is only named, and a number without a symbol is a problem."""
    values: Row = {}
    for k, row in enumerate(rows, 1):
        cells = {key: row[key] for key in VALUE_KEYS if row.get(key) not in EMPTY}
        symbol = row.get("symbol")
        if not cells:
            continue
        if not isinstance(symbol, str) or not symbol:
            problems.append(Problem(f"value {k}, symbol", "expected the name of a symbol"))
        elif symbol in values:
            message = f"'{symbol}' has a value already: expected one for each symbol"
            problems.append(Problem(f"value {k}, symbol", message))
        else:
            values[symbol] = cells
    return values
