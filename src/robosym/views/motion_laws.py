"""Control laws for a page: what each is and its options, and the law that a form asks for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ..caches import Kept
from ..control import ControlError, Law
from ..control.laws import DECLARATIONS, law_named
from ..options.docstrings import docstring_of
from ..options.kinds import ListOf, Plain
from ..options.signatures import Option, options_of
from ..robot import Robot

_LAWS: Kept[Law] = Kept(12)


def laws(robot: Robot) -> list[dict[str, Any]]:
    """Every law: its name, what it follows ("joints" or "tip"), the first sentence about it, and its options."""
    return [
        {
            "name": name,
            "follows": "tip" if law.reference == "task" else "joints",
            "words": docstring_of(law.function).summary,
            "options": _options(robot, law.function),
        }
        for name, law in DECLARATIONS.items()
    ]


def law_of(robot: Robot, name: Any, options: Any) -> Law:
    """The law with these options; the same one again while it is kept, so that its code is compiled once."""
    make = law_named(name)
    if not isinstance(options, Mapping | None):
        raise ControlError(f"options: got {options!r:.40}, expected values by name")
    given = dict(options or {})
    key = json.dumps([name, given], sort_keys=True, default=str)

    def made() -> Law:
        missing = [one.name for one in options_of(make).values() if one.required and one.name not in given]
        if missing:
            raise ControlError(f"{name} needs {' and '.join(missing)}: there is no default")
        return make(robot, **given)

    return _LAWS.of(robot, key, made)


def _options(robot: Robot, function: Any) -> list[dict[str, Any]]:
    """The options that a form has fields for: all but places by name and poses; the assembly mode where there are loops."""
    found = [_field(one) for one in options_of(function).values()]
    return [one for one in found if one["kind"] != "text" or (one["name"] == "mode" and robot.loops)]


def _field(option: Option) -> dict[str, Any]:
    return {
        "name": option.name,
        "kind": _kind(option),
        "choices": [*([False, True] if option.is_flag else []), *option.words],
        "default": None if option.required else option.default,
        "needed": option.required,
        "words": option.help,
    }


def _kind(option: Option) -> str:
    """ "flag", "choice", "numbers" (one, or one for each joint), "number", "text"; choices may stand beside numbers."""
    kinds = option.kind.alternatives
    if kinds == (Plain(bool),):
        return "flag"
    if any(isinstance(one, ListOf) and one.entry.is_number for one in kinds):
        return "numbers"
    if any(one.is_number for one in kinds):
        return "number"
    return "choice" if option.words or option.is_flag else "text"
