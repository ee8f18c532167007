"""Options as JSON has them, judged by the controls they come from, as the keyword arguments of a model function."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from ..robot import Robot, RobotError
from ..robot.problems import Problem
from .controls import kinds
from .guesses import guess
from .meanings import FRAMES

TRUTHS = {"yes": True, "no": False}


def keywords(robot: Robot, model: str, options: Any) -> dict[str, Any]:
    """What the model function is called with; a RobotError that names every option that is wrong."""
    if not isinstance(options, Mapping):
        raise RobotError([Problem("options", f"got {options!r:.60}, expected options by name")], robot.name)
    known = kinds(robot, model)
    found, problems = {}, []
    for name, value in options.items():
        if name not in known:
            near = guess(str(name), known)
            hint = f" (did you mean {near}?)" if near else ""
            listed = ", ".join(known) or "it has none"
            problems.append(Problem(f"{name!s:.60}", f"is no option of {model}{hint}; options: {listed}"))
            continue
        if value is None:
            continue
        try:
            found[name] = _converted(robot, known[name], value)
        except ValueError as error:
            problems.append(Problem(name, f"got {value!r:.80}, expected {error}"))
    if problems:
        raise RobotError(problems, robot.name)
    return found


def _converted(robot: Robot, control: Mapping[str, Any], value: Any) -> Any:
    """The value as the function takes it; a ValueError says what was expected."""
    kind = control["kind"]
    if kind in ("choice", "frame"):
        return _chosen(robot, control, value)
    if kind == "flag":
        if not isinstance(value, bool):
            raise ValueError("true or false")
        return value
    if kind == "several":
        return _several(control, value)
    if kind == "names":
        return _names(control, value)
    if kind == "numbers":
        return _numbers(value)
    if kind == "tool":
        return _tool(value)
    if kind in ("integer", "number"):
        return _number(value, whole=kind == "integer")
    if kind == "data" and isinstance(value, Mapping):
        return value
    if kind == "text" and isinstance(value, str):
        return value
    raise ValueError("a text" if kind == "text" else "a JSON object")


def _chosen(robot: Robot, control: Mapping[str, Any], value: Any) -> Any:
    for one in control["choices"]:
        if one["value"] == value and isinstance(one["value"], bool) == isinstance(value, bool):
            return one["value"]
    if control["kind"] == "frame" and isinstance(value, int) and not isinstance(value, bool):
        if 0 <= value <= len(robot.frames):
            return value
        raise ValueError(f"a frame from 0 to {len(robot.frames)}, or a name")
    words = [one["words"] for one in control["choices"]]
    near = guess(value, words) if isinstance(value, str) else ""
    what = "a frame of the robot: " if control["name"] in FRAMES else ""
    raise ValueError(f"{what}{', '.join(words)}{f' (did you mean {near}?)' if near else ''}")


def _several(control: Mapping[str, Any], value: Any) -> Any:
    known = [one["value"] for one in control["choices"]]
    if value == "all" and "all" in known:
        return value
    if not isinstance(value, Sequence) or isinstance(value, str) or not all(one in known for one in value):
        raise ValueError(f"a list of some of {', '.join(map(str, known))}")
    return list(value)


def _names(control: Mapping[str, Any], value: Any) -> Any:
    if isinstance(value, bool) and control.get("truth"):
        return value
    if isinstance(value, str):
        if control.get("truth") and value in TRUTHS:
            return TRUTHS[value]
        value = [word.strip() for word in value.split(",") if word.strip()]
    if not isinstance(value, Sequence) or not all(isinstance(one, str | int) for one in value):
        raise ValueError("names")
    return list(value)


def _numbers(value: Any) -> dict[str, float]:
    if not isinstance(value, Mapping):
        raise ValueError("a number for each joint by its name")
    return {str(name): float(_number(one)) for name, one in value.items()}


def _number(value: Any, whole: bool = False) -> float:
    kind = int if whole else (int, float)
    if isinstance(value, bool) or not isinstance(value, kind) or not math.isfinite(value):
        raise ValueError("a whole number" if whole else "a number")
    return value


def _tool(value: Any) -> Any:
    """Three numbers or expressions, x, y, z, in a list or with commas; or a matrix of four rows."""
    if isinstance(value, str):
        value = [word.strip() for word in value.split(",")]
    if isinstance(value, Sequence) and len(value) == 3 and all(isinstance(one, str | int | float) for one in value):
        return [_entry(one) for one in value]
    if isinstance(value, Sequence) and len(value) == 4 and all(isinstance(row, Sequence) for row in value):
        return [[_entry(one) for one in row] for row in value]
    raise ValueError("a point x, y, z in the last frame, or a matrix of 4 x 4")


def _entry(value: Any) -> float | str:
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return str(value)
    return _number(value)
