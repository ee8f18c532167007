"""A recipe between a form and a text: its tables written as TOML, its text read as tables, and what is wrong with either."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..errors import RobosymError
from ..formats.toml import parsed
from ..formats.toml_write import toml_key, toml_value
from ..identification import Recipe, Recording
from ..identification.data.joint_side import doubts, joint_side
from ..identification.data.recipe import KINDS, METHODS, SIDES, TIME_UNITS, UNITS, RecipeError
from ..identification.data.recipe_file import KEYS, from_data, ranged
from ..identification.data.signals import Array
from ..models.regressors.terms import FRICTION
from ..robot import INERTIA, Robot, RobotError
from ..robot.problems import Problem

DEEPEST = 6  # tables within tables
LONG = 100  # letters of a list in one line
SIGNALS = ("position", "velocity", "acceleration", "torque")


@dataclass
class Named:
    """A file of which only the names of the columns are known: enough to check a recipe."""

    path: Path
    names: tuple[str, ...]
    cheap: bool = True
    unread: dict[str, str] = field(default_factory=dict)

    def blocks(self, columns: Sequence[int]) -> Iterator[Array]:
        raise RobosymError(f"{self.path}: only the names of its columns are known")


def recipe_view(
    robot: Robot,
    *,
    table: Mapping[str, Any] | None = None,
    text: str | None = None,
    files: Mapping[str, Sequence[str]] | None = None,
) -> dict[str, Any]:
    """A recipe as tables and as text, from either of them, with its problems, each at its key, and doubts. ``files`` are the names of
    the columns of each file that is there."""
    if text is None:
        tables: Mapping[str, Any] = _table(table)
        text = recipe_text(tables)
    if not isinstance(text, str):
        raise RobosymError("text: expected the text of a recipe")
    try:
        tables = parsed(text)
    except RobotError as error:
        said = [problem.as_dict() | {"where": "text"} for problem in error.problems]
        return {"table": None, "text": text, "problems": said, "doubts": []}
    problems, strange = _checked(robot, dict(tables), files or {})
    return {"table": _spread(tables), "text": text, "problems": [one.as_dict() for one in problems], "doubts": strange}


def recipe_choices(robot: Robot) -> dict[str, Any]:
    """What a form offers: joints and frames of the robot, units, methods and so on."""
    return {
        "joints": list(robot.joint_names),
        "frames": [frame.name for frame in robot.frames],
        "units": {name: list(known) for name, known in UNITS.items()},
        "time_units": list(TIME_UNITS),
        "sides": list(SIDES),
        "kinds": list(KINDS),
        "friction": list(FRICTION),
        "methods": list(METHODS),
        "inertia": list(INERTIA),
    }


def recipe_text(table: Mapping[str, Any]) -> str:
    """The tables of a recipe as TOML, in the order of the documentation; what is empty is left out."""
    lines = [f"{toml_key(key)} = {_value(value)}" for key, value in table.items() if not isinstance(value, Mapping)]
    order = [key for key in KEYS[""] if key in table] + [key for key in table if key not in KEYS[""]]
    for key in order:
        if isinstance(table[key], Mapping):
            rows = [f"{toml_key(name)} = {_value(x)}" for name, x in table[key].items() if x is not None]
            if rows:
                lines += ["", f"[{toml_key(key)}]", *rows]
    return "\n".join(lines) + "\n"


def _value(value: Any, depth: int = 0) -> str:
    if depth > DEEPEST:
        raise RobosymError("the tables of a recipe are nested too deeply")
    if isinstance(value, Mapping):
        inside = ", ".join(f"{toml_key(str(key))} = {_value(x, depth + 1)}" for key, x in value.items())
        return "{" + inside + "}"
    if isinstance(value, list | tuple):
        items = [_value(x, depth + 1) for x in value]
        line = f"[{', '.join(items)}]"
        return line if len(line) <= LONG else "[\n" + "".join(f"  {item},\n" for item in items) + "]"
    if isinstance(value, bool | int | float | str):
        return toml_value(value)
    raise RobosymError(f"no value of a recipe: {value!r:.60}")


def _table(given: Mapping[str, Any] | None) -> Mapping[str, Any]:
    if not isinstance(given, Mapping):
        raise RobosymError("table: expected the tables of a recipe")
    return {key: value for key, value in given.items() if value is not None}


def _spread(tables: Mapping[str, Any]) -> dict[str, Any]:
    """With ranges of columns, q{1..6}, written out."""
    found = dict(tables)
    for name in SIGNALS:
        one = found.get(name)
        if isinstance(one, Mapping) and isinstance(one.get("columns"), list | str):
            given = one["columns"] if isinstance(one["columns"], list) else [one["columns"]]
            found[name] = {**one, "columns": [each for column in given for each in ranged(str(column))]}
    return found


def _checked(
    robot: Robot, tables: dict[str, Any], files: Mapping[str, Sequence[str]]
) -> tuple[list[Problem], list[str]]:
    if not isinstance(files, Mapping) or not all(isinstance(names, list | tuple) for names in files.values()):
        raise RobosymError("files: expected the names of the columns of each file")
    known = {name: Recording((Named(Path(name), tuple(map(str, names))),)) for name, names in files.items()}
    try:
        recipe = from_data(tables, Path(), robot=robot, files=known)
        for recording in recipe.recordings():
            joint_side(recipe, recording)
            if recipe.data.time is not None:
                recording.place(recipe.data.time)
    except RecipeError as error:
        return error.problems, []
    except RobosymError as error:
        return [Problem("data, time" if tables.get("data", {}).get("time") else "", str(error))], []
    return [], list(doubts(recipe))


def recipe_of(text: str, robot: Robot, files: Mapping[str, Path]) -> Recipe:
    """The recipe of a text with these files; its problems as those of a form."""
    try:
        return Recipe.from_text(text, robot, files)
    except RecipeError as error:
        raise RobotError(error.problems, "recipe") from error
