"""The options of a model of a robot as controls of a form: what kind each is, what may be chosen, and what it means."""

from __future__ import annotations

import types
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, Union, get_args, get_origin

from ..robot import Robot
from .meanings import FRAMES, meaning
from .signatures import named, options_of

AXES = ("local-world-aligned", "local", "world")
UNSET = "as it is"  # the word for an option that is left to the model


def controls(robot: Robot, model: str) -> list[dict[str, Any]]:
    """One for each option: name, label, kind, choices (value and words), default, meaning."""
    return [{**one, "meaning": _meaning(model, name)} for name, one in kinds(robot, model).items()]


def kinds(robot: Robot, model: str) -> dict[str, dict[str, Any]]:
    """The same by name, without the meanings."""
    return {
        name: {
            "name": name,
            "label": name.replace("_", " "),
            **_control(robot, name, kind, default),
            "default": list(default) if isinstance(default, tuple) else default,
        }
        for name, (kind, default) in options_of(robot, model).items()
    }


def _meaning(model: str, name: str) -> str:
    from ..models import MODELS

    return meaning(MODELS[model], name) if name in named(MODELS[model]) else ""


def _control(robot: Robot, name: str, kind: Any, default: Any) -> dict[str, Any]:
    if name == "mode" and (modes := _modes(robot)):
        return _choice([(None, UNSET), *((mode, mode) for mode in modes)])
    if name in FRAMES:
        first = (default, {None: "tip", 0: "base"}.get(default, str(default)))
        return _choice([first, *_other_frames(robot, {default})], "frame")
    if name == "axes":
        return _choice([*((one, one) for one in AXES), *_other_frames(robot, set(AXES))], "frame")
    if name == "frames":
        return _choice([("all", "all"), *frames_of(robot)], "several")
    if name == "tool":
        return {"kind": "tool"}
    choices = list(get_args(kind)) if get_origin(kind) in (Union, types.UnionType) else [kind]
    none = type(None) in choices
    choices = [one for one in choices if one is not type(None)]
    words = [word for one in choices if get_origin(one) is Literal for word in get_args(one)]
    listed = [one for one in choices if get_origin(one) in (list, tuple, Sequence, Iterable)]
    if words and listed:  # the words: lists are for Python and the command line
        return _choice([(word, str(word)) for word in words])
    if all(one is bool or get_origin(one) is Literal for one in choices):
        if choices == [bool] and not none:
            return {"kind": "flag"}
        truths = [(False, "no"), (True, "yes")] if bool in choices else []
        return _choice([*([(None, UNSET)] if none else []), *truths, *((word, str(word)) for word in words)])
    if any(get_origin(one) in (dict, Mapping) for one in choices):
        return {"kind": "numbers" if any(float in get_args(one) for one in choices) else "data"}
    if listed:
        inner = get_args(listed[0])[0]
        if get_origin(inner) is Literal:
            return _choice([(word, str(word)) for word in get_args(inner)], "several")
        return {"kind": "names", "truth": bool in choices}
    return {"kind": "integer" if choices == [int] else "number" if float in choices else "text"}


def _choice(choices: Sequence[tuple[Any, str]], kind: str = "choice") -> dict[str, Any]:
    return {"kind": kind, "choices": [{"value": value, "words": words} for value, words in choices]}


def frames_of(robot: Robot) -> list[tuple[str, str]]:
    """The names of the frames, each with its words."""
    base = robot.base.name
    return [(base, base), *((frame.name, frame.name) for frame in robot.frames)]


def _other_frames(robot: Robot, but: set[Any]) -> list[tuple[Any, str]]:
    return [
        (name, words)
        for name, words in frames_of(robot)
        if name not in but and not (0 in but and name == robot.base.name)
    ]


@lru_cache(maxsize=8)
def _modes(robot: Robot) -> tuple[str, ...]:
    """The assembly modes of closed loops, by name."""
    from ..models import MODELS
    from ..models.resolve import hybrid_as_loops

    if not hybrid_as_loops(robot).loops or hybrid_as_loops(robot).platforms:
        return ()
    return tuple(getattr(MODELS["loop-geometry"](robot), "modes", ()))
