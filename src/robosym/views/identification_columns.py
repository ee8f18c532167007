"""A recording looked at before anything is known about it: its columns, what they probably are, and a recipe to begin with.

Names tell most ("q3", "tau.elbow", "motor_current_2 [A]", a file "positions.csv"); where they tell nothing, the order does. Numbers
tell time, units and sides. All of it is a guess, and says so: the recipe is what counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ..identification import Recording
from ..identification.data.inspection import MOST_SLIDE, MOST_TURN
from ..identification.data.joint_side import described_J
from ..identification.data.recipe import ANGLES, TIME_UNITS, UNITS, RecipeError
from ..identification.data.recording_errors import RecordingError
from ..library import is_built_in
from ..reals import Floats
from ..robot import PRISMATIC, Robot
from ..simulation.files import plain

MOST_COLUMNS = 400
POINTS = 48  # of the small picture of a column
WORDS = {
    "time": ("t", "time", "stamp", "timestamp", "clock", "seconds", "sec", "millis", "micros"),
    "acceleration": ("qdd", "ddq", "qddot", "acc", "accel", "acceleration", "accelerations"),
    "velocity": ("qd", "dq", "qdot", "vel", "velocity", "velocities", "speed", "omega", "qp"),
    "torque": ("tau", "torque", "torques", "trq", "effort", "efforts", "force", "forces", "gamma"),
    "current": ("i", "iq", "cur", "curr", "current", "currents", "amps", "ampere"),
    "position": ("q", "pos", "position", "positions", "angle", "angles", "theta", "th", "enc", "encoder"),
}
WISHED = frozenset(
    ["des", "desired", "cmd", "command", "commanded", "ref", "reference", "target", "setpoint", "goal", "error", "err"]
)
OF_MOTOR = {"motor", "motors", "mot", "rotor"}
_UNIT = re.compile(r"[\[(_ ]\s*(rad/s\^?2|rad/s|deg/s|rad|deg|rpm|mm|kNm|mNm|Nm|N m|N\.m|mA|A|%|ms|us|ns|s)\s*[\])]?$")
_SPELT = {"Nm": "N m", "N.m": "N m", "mNm": "mN m", "kNm": "kN m", "rad/s2": "rad/s^2"}
_TOKEN = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")


@dataclass(frozen=True)
class Column:
    """A column of a recording: its numbers, and what its name probably says."""

    name: str  # by which the recording gives it
    file: str
    own: str  # in its file
    least: float
    most: float
    missing: int
    rows: int
    picture: tuple[float | None, ...]
    kind: str = ""
    joint: int | None = None  # from 0
    number: int | None = None  # the last in its name
    family: tuple[str, ...] = ()  # its name without the number
    unit: str = ""
    motor: bool = False
    wished: bool = False

    def as_dict(self) -> dict[str, Any]:
        names = ("name", "file", "least", "most", "missing", "rows", "kind", "joint", "unit", "picture")
        data: dict[str, Any] = plain({name: getattr(self, name) for name in names})
        return data | {"constant": self.least == self.most}


def looked_at(robot: Robot, recordings: Sequence[str | Path]) -> dict[str, Any]:
    """Files of recordings looked at: their columns with ranges and what these probably are, the rate, and the tables of a recipe
    that follows from it. Files that cannot be read are problems, by name."""
    paths = [Path(one) for one in recordings]
    twice = sorted({path.name for path in paths if [other.name for other in paths].count(path.name) > 1})
    if twice:
        raise RecordingError("", f"two files are called {twice[0]}: rename one of them")
    files: dict[str, list[Column]] = {}
    problems = []
    for path in paths:
        try:
            files[path.name] = list(_columns(robot, path))
        except RecordingError as error:
            problems.append({"where": path.name, "message": str(error).removeprefix(f"{path}: ")})
    groups = _recordings(robot, files)
    notes: list[str] = []
    table = _recipe(robot, files, groups, notes) if groups else {}
    return {
        "files": [
            {"name": name, "rows": found[0].rows, "columns": [column.as_dict() for column in found]}
            for name, found in files.items()
        ],
        "recordings": groups,
        "table": table,
        "notes": notes,
        "problems": problems,
    }


# --- columns -------------------------------------------------------------------------------------------------------------


def _columns(robot: Robot, path: Path) -> Iterator[Column]:
    opened = Recording.read(path)
    if len(opened.names) > MOST_COLUMNS:
        raise RecordingError(path, f"{len(opened.names)} columns, expected at most {MOST_COLUMNS}")
    rows, least, most, missing, kept = 0, [], [], [], []
    for block in opened.blocks(opened.names):
        there = np.isfinite(block)
        rows += len(block)
        least.append(np.where(there, block, np.inf).min(axis=0))
        most.append(np.where(there, block, -np.inf).max(axis=0))
        missing.append((~there).sum(axis=0))
        kept.append(block[:: max(1, len(block) // POINTS)])
    if rows < 2:
        raise RecordingError(path, f"{rows} rows of numbers, expected a row for each sample")
    lows, highs, gone = np.min(least, axis=0), np.max(most, axis=0), np.sum(missing, axis=0)
    seen = np.concatenate(kept)
    seen = seen[np.linspace(0, len(seen) - 1, min(POINTS, len(seen))).astype(int)]
    for k, own in enumerate(opened.names):
        low, high = float(lows[k]), float(highs[k])
        shape = [_short(x) for x in seen[:, k]]
        plain = Column(own, path.name, own, low, high, int(gone[k]), rows, tuple(shape))
        yield _named(robot, plain, _tokens(path.stem))


def _short(x: float) -> float | None:
    return float(f"{x:.4g}") if np.isfinite(x) else None


def _tokens(name: str) -> tuple[str, ...]:
    return tuple(token.lower() for token in _TOKEN.findall(name))


def _named(robot: Robot, column: Column, of_file: tuple[str, ...]) -> Column:
    """With what the name says."""
    unit = _UNIT.search(column.own)
    bare = column.own[: unit.start()] if unit else column.own
    joint, rest = _joint(robot, bare)
    tokens = _tokens(rest)
    words = tuple(token for token in tokens if not token.isdigit())
    numbers = [int(token) for token in tokens if token.isdigit()]
    kind = _kind(words) or _kind(of_file)
    spelt = _SPELT.get(unit[1], unit[1]) if unit else ""
    if kind == "time" and (joint is not None or numbers):
        kind = ""
    return replace(
        column,
        kind=kind,
        joint=joint,
        number=numbers[-1] if numbers else None,
        family=(column.file, *words),
        unit=spelt,
        motor=bool(OF_MOTOR & {*words, *of_file}),
        wished=bool(WISHED & {*words, *of_file}),
    )


def _joint(robot: Robot, name: str) -> tuple[int | None, str]:
    """The joint whose name a column carries, and the rest of the column's name."""
    for k, joint in sorted(enumerate(robot.joint_names), key=lambda one: -len(one[1])):
        found = re.search(rf"(?<![A-Za-z0-9]){re.escape(joint)}(?![A-Za-z0-9])", name, re.IGNORECASE)
        if found and len(joint) > 1:
            return k, name[: found.start()] + " " + name[found.end() :]
    return None, name


def _kind(words: tuple[str, ...]) -> str:
    return next((kind for kind, known in WORDS.items() if any(word in known for word in words)), "")


# --- recordings and joints -----------------------------------------------------------------------------------------------


def _recordings(robot: Robot, files: Mapping[str, list[Column]]) -> list[list[str]]:
    """Files with positions and torques are recordings; others of the same number of rows belong side by side."""
    groups: list[list[str]] = []
    parts: dict[int, list[str]] = {}
    for name, columns in files.items():
        kinds = {column.kind for column in columns}
        whole = "position" in kinds and kinds & {"torque", "current"}
        if whole or not kinds & {"position", "torque", "current", "velocity"}:
            groups.append([name])
        else:
            parts.setdefault(columns[0].rows, []).append(name)
    return [*groups, *parts.values()]


def _of_joints(robot: Robot, columns: Sequence[Column], kinds: Sequence[str]) -> list[Column]:
    """A column for each joint: by the joints' names, or by numbers; measured ones rather than wished ones."""
    n = len(robot.joint_names)
    families: dict[tuple[str, ...], list[Column]] = {}
    for column in columns:
        if column.kind in kinds:
            families.setdefault(column.family, []).append(column)
    for family in sorted(families.values(), key=lambda one: (one[0].wished, kinds.index(one[0].kind))):
        by_name = {column.joint: column for column in family}
        if set(range(n)) <= set(by_name):
            return [by_name[k] for k in range(n)]
        if len(family) == n and len({column.number for column in family}) == n:
            return sorted(family, key=lambda column: -1 if column.number is None else column.number)
    return []


def _by_order(robot: Robot, columns: Sequence[Column], notes: list[str]) -> dict[str, list[Column]]:
    """Columns without telling names: positions first, torques last."""
    n, rest = len(robot.joint_names), [column for column in columns if column.kind != "time"]
    if len(rest) % n or not 2 <= len(rest) // n <= 4:
        return {}
    notes.append(
        "The names of the columns say nothing: positions are taken to come first and torques last. Check them."
    )
    parts = [rest[k : k + n] for k in range(0, len(rest), n)]
    return {"position": parts[0], "torque": parts[-1]}


# --- a recipe ------------------------------------------------------------------------------------------------------------


def _recipe(
    robot: Robot, files: Mapping[str, list[Column]], groups: Sequence[Sequence[str]], notes: list[str]
) -> dict[str, Any]:
    """The tables of a recipe that the columns of the first recording suggest."""
    columns = [column for name in groups[0] for column in files[name]]
    owns = [column.own for column in columns]
    clock = _clock(columns)
    found = {
        "position": _of_joints(robot, columns, ("position",)),
        "torque": _of_joints(robot, columns, ("torque", "current")),
    }
    if not any(found.values()):
        if clock is None and (first := columns[0]) and _is_clock(first):
            clock = first
        found |= _by_order(robot, [column for column in columns if column is not clock], notes)
    for name, chosen in found.items():
        if not chosen:
            notes.append(f"No columns were recognised as {name}s of the {len(robot.joint_names)} joints: choose them.")
    if _of_joints(robot, columns, ("velocity",)):
        notes.append("Velocities were recorded too; by default the filtered positions are differentiated instead.")
    data: dict[str, Any] = {"files": list(groups[0])}
    if len(groups) > 1:
        roles = ["train"] * (len(groups) - 1) + ["validate"]
        data = {"recordings": [list(group) for group in groups], "role": roles}
        notes.append("Of several recordings the last is kept for validation.")
    if clock is not None:
        data |= {"time": clock.own, "time_unit": _time_unit(clock)}
    else:
        notes.append("No column of time: give the rate.")

    def called(column: Column) -> str:
        return column.own if owns.count(column.own) == 1 else f"{Path(column.file).stem}.{column.own}"

    file = re.sub(r"[^\w.+-]+", "_", robot.name).lstrip(".") or "robot"
    table: dict[str, Any] = {"robot": robot.name if is_built_in(robot.name) else f"{file}.toml", "data": data}
    for name, chosen in found.items():
        choose = _position if name == "position" else _torque
        table[name] = {"columns": [called(c) for c in chosen]} | (choose(robot, chosen, notes) if chosen else {})
    return table


def _clock(columns: Sequence[Column]) -> Column | None:
    return next((column for column in columns if column.kind == "time" and _is_clock(column)), None)


def _is_clock(column: Column) -> bool:
    stamps = np.array([np.nan if x is None else x for x in column.picture])
    return bool(np.isfinite(stamps).all() and (np.diff(stamps) >= 0).all() and column.most > column.least)


def _time_unit(column: Column) -> str:
    """By the name, or such that the rate is one of recordings: 2 to 50 000 a second."""
    if column.unit in TIME_UNITS:
        return column.unit
    step = (column.most - column.least) / max(1, column.rows - 1)
    return next((unit for unit, size in TIME_UNITS.items() if 2e-5 <= step * size <= 0.5), "s")


def _position(robot: Robot, chosen: Sequence[Column], notes: list[str]) -> dict[str, Any]:
    """Unit and side: those of the names, else the first that leave the joints within what joints can do."""
    named = {column.unit for column in chosen} & set(UNITS["position"])
    sides = ["motor"] if any(column.motor for column in chosen) else ["joint", "motor"]
    span = np.array([column.most - column.least for column in chosen])
    kinds = [robot.frame(j).sigma == PRISMATIC for j in robot.moving]
    allowed = np.where(kinds, MOST_SLIDE, MOST_TURN)
    ways = [(side, unit) for unit in (named or ["rad", "deg"]) for side in sides]
    fitting = [way for way in ways if _fits(robot, span, kinds, allowed, *way)]
    side, unit = (fitting or ways)[0]
    if not fitting:
        notes.append("The positions exceed what joints turn in any unit and side that was tried: choose them.")
    elif not named and (side, unit) != ("joint", "rad"):
        others = " or ".join(f"{unit} of the {side}s" for side, unit in fitting[1:])
        notes.append(
            f"Positions are taken as {unit} of the {side}s, by their range"
            + (f"; {others} is possible too." if others else ".")
        )
    units = ["m" if slides and unit in ("rad", "deg") else unit for slides in kinds]
    return {"side": side, "unit": unit if len(set(units)) == 1 and units[0] == unit else units}


def _fits(robot: Robot, span: Floats, slides: Sequence[bool], allowed: Floats, side: str, unit: str) -> bool:
    factor = np.where(slides, 1.0, ANGLES.get(unit, 1.0))
    moved = span * factor
    if side == "motor":
        try:
            J = described_J(robot)
        except RecipeError:
            return False
        if np.allclose(np.abs(J), np.eye(len(J))):
            return False
        moved = np.abs(J) @ moved
    return bool((moved <= allowed).all())


def _torque(robot: Robot, chosen: Sequence[Column], notes: list[str]) -> dict[str, Any]:
    named = {column.unit for column in chosen} & set(UNITS["torque"])
    if len(named) == 1:
        unit = named.pop()
    elif chosen[0].kind == "current":
        unit = "A"
        notes.append(
            "Torques are taken as currents in ampere, by their names: they need the gain of each drive, in N m/A."
        )
    else:
        unit = "N m"
    motor = any(column.motor for column in chosen) or unit in ("A", "mA")
    return {"side": "motor" if motor else "joint", "unit": unit}
