"""Control laws for a page: what each is, and its options with their kinds and defaults, by the signature of its function."""

from __future__ import annotations

import inspect
import json
import types
import typing
from collections.abc import Mapping
from typing import Any, Literal, Union, get_args, get_origin

from ..caches import Kept
from ..control import LAWS, ControlError, Law
from ..control.laws import law_named
from ..robot import Robot

_LAWS: Kept[Law] = Kept(12)

TASK = ("task-pid", "resolved-acceleration", "impedance", "compliance")
LEFT_OUT = ("near", "start", "tool", "rest", "frame", "parameters")  # for programs rather than forms
FIRST = ("bandwidth", "damping", "stiffness", "inertia", "Kp", "Kd", "KI", "K", "P", "feedback", "friction", "integral")
WORDS = {
    "bandwidth": "rad/s; one number, or one for each joint",
    "feedback": "bandwidth of the feedback, rad/s; none: feed-forward alone",
    "damping": "1: no overshoot of the error",
    "friction": "what the law compensates, as described",
    "velocity": "measured, or the cut-off of a filter of positions, rad/s",
    "period": "seconds between two calls",
    "limits": "torques are cut off: as described, never, or at numbers",
    "mode": "how closed loops are assembled",
}


def laws(robot: Robot) -> list[dict[str, Any]]:
    """Every law: its name, what it follows ("joints" or "tip"), the first sentence about it, and its options."""
    return [
        {"name": name, "follows": "tip" if name in TASK else "joints", "words": _sentence(function), "options": _options(robot, function)}
        for name, function in LAWS.items()
    ]  # fmt: skip


def law_of(robot: Robot, name: Any, options: Any) -> Law:
    """The law with these options; the same one again while it is kept, so that its code is compiled once."""
    make = law_named(name)
    if not isinstance(options, Mapping | None):
        raise ControlError(f"options: got {options!r:.40}, expected values by name")
    given = dict(options or {})
    key = json.dumps([name, given], sort_keys=True, default=str)

    def made() -> Law:
        missing = [one["name"] for one in _options(robot, make) if one["needed"] and one["name"] not in given]
        if missing:
            raise ControlError(f"{name} needs {' and '.join(missing)}: there is no default")
        return make(robot, **given)

    return _LAWS.of(robot, key, made)


# --- options -------------------------------------------------------------------------------------------------------------


def _sentence(function: Any) -> str:
    """The first paragraph of its documentation, in one line."""
    return " ".join((inspect.getdoc(function) or "").split("\n\n")[0].replace("``", "").split())


def _options(robot: Robot, function: Any) -> list[dict[str, Any]]:
    hints = typing.get_type_hints(function)
    found = [
        _option(one, hints[one.name])
        for one in inspect.signature(function).parameters.values()
        if one.kind is one.KEYWORD_ONLY and one.name not in LEFT_OUT and (one.name != "mode" or robot.loops)
    ]
    return sorted(found, key=lambda one: FIRST.index(one["name"]) if one["name"] in FIRST else len(FIRST))


def _option(one: inspect.Parameter, hint: Any) -> dict[str, Any]:
    kinds = list(get_args(hint)) if get_origin(hint) in (Union, types.UnionType) else [hint]
    words = [word for kind in kinds if get_origin(kind) is Literal for word in get_args(kind)]
    needed = one.default is one.empty
    return {
        "name": one.name,
        "kind": _kind(kinds, words),
        "choices": [*([False, True] if bool in kinds else []), *words],
        "default": None if needed else one.default,
        "needed": needed,
        "words": WORDS.get(one.name, ""),
    }


def _kind(kinds: list[Any], words: list[str]) -> str:
    """ "flag", "choice", "numbers" (one, or one for each joint), "number", "text"; choices may stand beside numbers."""
    if kinds == [bool]:
        return "flag"
    numbers = [kind for kind in kinds if kind in (float, int)]
    several = any(get_origin(kind) in (list, tuple, typing.get_origin(typing.Sequence[float])) for kind in kinds)
    if numbers:
        return "numbers" if several else "number"
    return "choice" if words or bool in kinds else "text"
