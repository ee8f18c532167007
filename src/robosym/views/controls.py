"""Options of a model, or of a control law, as controls of a form; and what comes back from the form as keyword arguments."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from ..models import MODELS
from ..models.available import options_for
from ..models.resolve import hybrid_as_loops
from ..options.guesses import guess
from ..options.kinds import ListOf, MappingOf, Plain, Word, fits, formats_in
from ..options.markers import AXES, FRAME, TOOL
from ..options.signatures import Option
from ..robot import Robot, RobotError
from ..robot.problems import Problem

CONVENTIONS = ("local-world-aligned", "local", "world")
UNSET = "as it is"  # the word for an option that is left to the model
TRUTHS = {"yes": True, "no": False}


def controls(robot: Robot, model: str) -> list[dict[str, Any]]:
    """The options that a model has for this robot: name, label, kind, choices (value and words), default, meaning."""
    return [control(robot, one) for one in options_for(robot, model).values()]


def control(robot: Robot, option: Option) -> dict[str, Any]:
    """The control of one option."""
    default = list(option.default) if isinstance(option.default, tuple) else option.default
    return {
        "name": option.name,
        "label": option.name.replace("_", " "),
        **_kind(robot, option),
        "default": default,
        "meaning": option.help,
    }


def _kind(robot: Robot, option: Option) -> dict[str, Any]:
    formats, kinds, default = formats_in(option.kind), option.kind.alternatives, option.default
    if option.name == "mode" and (modes := _modes(robot)):
        return _choice([(None, UNSET), *((mode, mode) for mode in modes)])
    if FRAME in formats:
        first = (default, {None: "tip", 0: "base"}.get(default, str(default)))
        return _choice([first, *_other_frames(robot, {default})], "frame")
    if AXES in formats:
        return _choice([*((one, one) for one in CONVENTIONS), *_other_frames(robot, set(CONVENTIONS))], "frame")
    if TOOL in formats:
        return {"kind": "tool"}
    types = {one.type for one in kinds if isinstance(one, Plain)}
    words, lists = [one for one in kinds if isinstance(one, Word)], [one for one in kinds if isinstance(one, ListOf)]
    if any(FRAME in formats_in(one.entry) for one in lists):
        return _choice([*_named(words), *((name, name) for name in frames_of(robot))], "several")
    if words and lists:  # lists are for Python and the command line
        return _choice(_named(words))
    if kinds and len(words) + (types == {bool}) == len(kinds):
        if not words and default is not None:
            return {"kind": "flag"}
        truths = [(False, "no"), (True, "yes")] if types else []
        return _choice([*([(None, UNSET)] if option.kind.fits(None) else []), *truths, *_named(words)])
    mappings = [one for one in kinds if isinstance(one, MappingOf)]
    if mappings:
        return {"kind": "numbers" if any(one.value.is_number for one in mappings) else "data"}
    if lists:
        choices = [one for one in lists[0].entry.alternatives if isinstance(one, Word)]
        return _choice(_named(choices), "several") if choices else {"kind": "names", "truth": bool in types}
    return {"kind": "integer" if types == {int} else "number" if float in types else "text"}


def _named(words: Sequence[Word]) -> list[tuple[Any, str]]:
    return [(one.value, str(one.value)) for one in words]


def _choice(choices: Sequence[tuple[Any, str]], kind: str = "choice") -> dict[str, Any]:
    return {"kind": kind, "choices": [{"value": value, "words": words} for value, words in choices]}


def frames_of(robot: Robot) -> list[str]:
    """The names of the frames, the base first."""
    return [robot.base.name, *(frame.name for frame in robot.frames)]


def _other_frames(robot: Robot, but: set[Any]) -> list[tuple[Any, str]]:
    base = {robot.base.name} if 0 in but else set()
    return [(name, name) for name in frames_of(robot) if name not in but | base]


@lru_cache(maxsize=8)
def _modes(robot: Robot) -> tuple[str, ...]:
    """The assembly modes of closed loops, by name."""
    if not hybrid_as_loops(robot).loops or hybrid_as_loops(robot).platforms:
        return ()
    return tuple(getattr(MODELS["loop-geometry"](robot), "modes", ()))


# --- what a form sends back ---------------------------------------------------------------------------------------------


def keywords(robot: Robot, model: str, options: Any) -> dict[str, Any]:
    """The keyword arguments of the model function; a RobotError names every option that is wrong."""
    found, problems = checked_options(robot, model, options)
    if problems:
        raise RobotError(problems, robot.name)
    return found


def checked_options(robot: Robot, model: str, options: Any) -> tuple[dict[str, Any], list[Problem]]:
    """The options that can be taken, as the function takes them, and what is wrong with the others."""
    if not isinstance(options, Mapping):
        return {}, [Problem("options", f"got {options!r:.60}, expected options by name")]
    known = options_for(robot, model)
    found: dict[str, Any] = {}
    problems = []
    for name, value in options.items():
        if name not in known:
            near = guess(str(name), known)
            hint = f" (did you mean {near}?)" if near else ""
            listed = ", ".join(known) or "it has none"
            problems.append(Problem(f"{name!s:.60}", f"is no option of {model}{hint}; options: {listed}"))
        elif value is not None:
            try:
                found[name] = _value(robot, known[name], value)
            except ValueError as error:
                problems.append(Problem(name, f"got {value!r:.80}, expected {error}"))
    return found, problems


def _value(robot: Robot, option: Option, value: Any) -> Any:
    """The value as the function takes it; a ValueError says what was expected."""
    form = _kind(robot, option)
    if form["kind"] == "several":
        return _several(form, value)
    if "choices" in form:
        return _chosen(robot, option, form, value)
    if form["kind"] == "tool":
        return _tool(value)
    if form["kind"] == "names" and isinstance(value, str):
        value = TRUTHS[value] if form["truth"] and value in TRUTHS else _words(value)
    if not option.kind.fits(value) or (isinstance(value, float) and not math.isfinite(value)):
        raise ValueError(option.kind.phrase())
    return value


def _chosen(robot: Robot, option: Option, form: Mapping[str, Any], value: Any) -> Any:
    if any(one["value"] == value and type(one["value"]) is type(value) for one in form["choices"]):
        return value
    if form["kind"] == "frame" and type(value) is int:
        if 0 <= value <= len(robot.frames):
            return value
        raise ValueError(f"a frame from 0 to {len(robot.frames)}, or a name")
    words = [one["words"] for one in form["choices"]]
    near = guess(value, words) if isinstance(value, str) else ""
    what = "a frame of the robot: " if FRAME in formats_in(option.kind) else ""
    raise ValueError(f"{what}{', '.join(words)}{f' (did you mean {near}?)' if near else ''}")


def _several(form: Mapping[str, Any], value: Any) -> Any:
    known = [one["value"] for one in form["choices"]]
    if value == "all" and "all" in known:
        return value
    if not isinstance(value, list) or not all(one in known for one in value):
        raise ValueError(f"a list of some of {', '.join(map(str, known))}")
    return value


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _tool(value: Any) -> Any:
    """Three numbers or expressions, x, y, z, in a list or with commas; or a matrix of four rows."""
    point = _words(value) if isinstance(value, str) else value
    if fits(point, Sequence[float | str]) and len(point) == 3:
        return [_entry(one) for one in point]
    if fits(value, Sequence[Sequence[float | str]]) and len(value) == 4:
        return [[_entry(one) for one in row] for row in value]
    raise ValueError("a point x, y, z in the last frame, or a matrix of 4 x 4")


def _entry(value: float | str) -> float | str:
    """A number also where it is written as text; any other text is an expression."""
    try:
        number = float(value)
    except ValueError:
        return value
    if not math.isfinite(number):
        raise ValueError("a number")
    return number if isinstance(value, str) else value
