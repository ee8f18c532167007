"""A model's keyword arguments as command-line options: ``--part position`` is ``part="position"``.

The options come from the signature of the Python function, so a new model needs nothing here.
"""

from __future__ import annotations

import inspect
import math
import re
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, Union, get_args, get_origin

import typer

from ..asked.guesses import guess
from ..asked.meanings import COLUMNS, of_columns
from ..asked.signatures import parameters
from .payload import OF_PAYLOADS, read_payload
from .pose import numbers, read_tool

TRUTHS = {**dict.fromkeys(("true", "yes", "1"), True), **dict.fromkeys(("false", "no", "0"), False)}
# Options of load(), which every command that takes a robot accepts too.
LOADING = {"floating": bool, "mimic": bool, "loops": str, "snap": float, "payload": str}
# For the help of commands: what else may stand on the line, as ``split`` reads it.
EXTRA = {"allow_extra_args": True, "ignore_unknown_options": True}
OF_A_FILE = (
    "Of a file: --snap RADIANS takes angles that are so near to a multiple of pi/12 for it (1e-9, or 1e-4 for 1.5708); "
    "of a .urdf or .xml (MJCF) file: --floating, --no-mimic; of .urdf: --loops FILE, the joints that close its loops. "
    f"{OF_PAYLOADS}"
)
OF_LOOPS = "For closed loops: --mode NAME, or --near JOINT=VALUE,... of their joints, choose the assembly mode."


def loop_options(
    robot: Any,
    *,
    mode: str | None = None,
    near: Mapping[str, float] | None = None,
    structure: Literal["closed", "tree"] = "closed",
) -> None:
    """The options that every model has for robots with closed loops."""


def split(
    words: Sequence[str], function: Callable[..., Any], more: Mapping[str, Any] | None = None
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The extra words of a command line as keyword arguments of load() and of the model function; ``more`` are names and types of
    options that the function takes of some robots only."""
    known = {**parameters(function), **(more or {})}
    loading: dict[str, Any] = {}
    options: dict[str, Any] = {}
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if not word.startswith("--"):
            raise typer.BadParameter(f"unexpected argument '{word}'")
        key, equals, attached = word[2:].partition("=")
        name = key.replace("-", "_")
        value: Any = None
        if name.startswith("no_") and _may_be_flag({**known, **LOADING}.get(name[3:])):
            name, value = name[3:], False
        kind = {**known, **LOADING}.get(name)
        if kind is None:
            near = guess(name, [*known, *LOADING])
            hint = f" (did you mean --{near.replace('_', '-')}?)" if near else ""
            listed = ", ".join(f"--{n.replace('_', '-')}" for n in [*known, *LOADING])
            raise typer.BadParameter(f"no option --{key}{hint}; options: {listed}")
        if kind is bool and value is None:
            said = not equals and bool(rest) and rest[0].lower() in TRUTHS  # --reactions no, beside --no-reactions
            attached = rest.pop(0) if said else attached
            value = _truth(key, attached) if equals or said else True
        elif value is None and _may_be_flag(kind) and not equals and (not rest or rest[0].startswith("--")):
            value = True
        elif value is None:
            if not equals:
                if not rest:
                    raise typer.BadParameter(f"option --{key} needs a value")
                attached = rest.pop(0)
            if name == "payload":
                value = read_payload(attached, loading.get(name, []))
            else:
                value = read_tool(attached) if name == "tool" else _converted(key, attached, kind)
        (loading if name in LOADING else options)[name] = value
    missing = [f"--{name.replace('_', '-')}" for name in _needed(function) if name not in options]
    if missing:
        raise typer.BadParameter(f"expected {' and '.join(missing)} too: there is no default")
    return loading, options


def _needed(function: Callable[..., Any]) -> list[str]:
    """The options that have no default."""
    given = inspect.signature(function).parameters.values()
    return [one.name for one in given if one.kind is one.KEYWORD_ONLY and one.default is one.empty]


def _may_be_flag(kind: Any) -> bool:
    """Whether an option may stand without a value: ``--friction``, beside ``--friction smooth``."""
    return kind is bool or bool in get_args(kind)


def _truth(key: str, text: str) -> bool:
    if text.lower() in TRUTHS:
        return TRUTHS[text.lower()]
    raise typer.BadParameter(f"option --{key} is true or false, got '{text}'")


def _converted(key: str, text: str, kind: Any) -> Any:
    """A word as the type the function takes; lists are comma-separated."""
    choices = list(get_args(kind)) if get_origin(kind) in (Union, types.UnionType) else [kind]
    words = {str(w): w for choice in choices if get_origin(choice) is Literal for w in get_args(choice)}
    if text in words:
        return words[text]
    if bool in choices and all(choice is bool or get_origin(choice) is Literal for choice in choices):
        if text.lower() not in TRUTHS:
            raise typer.BadParameter(_unknown_word(key, text, ["true", "false", *words]))
        return TRUTHS[text.lower()]
    if any(of_columns(choice) for choice in choices):
        return _columns(f"--{key}", text)
    listed = [choice for choice in choices if get_origin(choice) in (list, tuple, Sequence, Iterable)]
    if any(get_origin(choice) in (dict, Mapping) for choice in choices) and ("=" in text or not listed):
        return named_numbers(f"--{key}", text)
    if bool in choices and text.lower() in ("true", "false", "yes", "no"):
        return TRUTHS[text.lower()]
    if any(float in get_args(choice) for choice in listed):  # a number, or one for each joint
        found = numbers(f"--{key}", text)
        if not found:
            raise typer.BadParameter(f"option --{key} needs a number, or one for each joint")
        return found[0] if len(found) == 1 and float in choices else found
    if listed:
        return [_number_or_text(part, whole=True) for part in text.split(",")]
    if words and all(get_origin(choice) is Literal for choice in choices):
        raise typer.BadParameter(_unknown_word(key, text, words))
    if float in choices or int in choices:
        number = _number_or_text(text, whole=float not in choices)
        if (isinstance(number, str) and str not in choices) or number in (math.inf, -math.inf):
            raise typer.BadParameter(f"option --{key}: got '{text}', expected a number")
        return number
    return text


def _unknown_word(key: str, text: str, words: Iterable[str]) -> str:
    near = guess(text, words)
    hint = f" (did you mean {near}?)" if near else ""
    return f"option --{key}: got '{text}', expected {', '.join(words)}{hint}"


def named_numbers(option: str, text: str) -> dict[str, float]:
    """``elbow=1.2,coupler=0.3``: a number for each name."""
    found: dict[str, float] = {}
    for word in text.split(",") if text else []:
        name, equals, value = (part.strip() for part in word.partition("="))
        if not equals or not name:
            raise typer.BadParameter(f"{option}: got '{word}', expected joint=value")
        if name in found:
            raise typer.BadParameter(f"{option}: '{name}' is given twice")
        found[name] = numbers(option, value, (1,))[0]
    return found


def _columns(option: str, text: str) -> dict[str, dict[str, str]]:
    """``balancer:joint2=sin(q2)``: what a column is on a joint; commas inside brackets belong to the expression."""
    columns: dict[str, dict[str, str]] = {}
    for word in _outside_brackets(text):
        place, equals, entry = (part.strip() for part in word.partition("="))
        column, colon, joint = (part.strip() for part in place.partition(":"))
        if not (equals and colon and column and joint and entry):
            raise typer.BadParameter(f"{option}: got '{word}', expected {COLUMNS}")
        if joint in columns.setdefault(column, {}):
            raise typer.BadParameter(f"{option}: '{place}' is given twice")
        columns[column][joint] = entry
    return columns


def _outside_brackets(text: str) -> list[str]:
    """The parts between the commas that no bracket encloses."""
    parts, depth = [""], 0
    for letter in text:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == "," and depth <= 0:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def each(option: str, text: str | None) -> Any:
    """One number, or numbers by joint."""
    if text is None or "=" in text:
        return None if text is None else named_numbers(option, text)
    return numbers(option, text, (1,))[0]


def _number_or_text(text: str, whole: bool) -> int | float | str:
    """A number where the text is one in plain digits; anything else stays a name."""
    if re.fullmatch(r"[+-]?\d{1,9}", text):
        return int(text)
    if not whole and re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", text):
        return float(text)
    return text
