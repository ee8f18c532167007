"""Objects with thousands of parts in one short line, for people at a prompt."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping, Sequence
from typing import Any

LONGEST = 110
LONGEST_PART = 48  # of one value in a line


def brief(*words: str) -> str:
    """``<words>`` on one line, cut where it gets long."""
    return f"<{cut(' '.join(words), LONGEST)}>"


def listed(names: Sequence[str], most: int) -> str:
    """The first names of a list with commas, and how many more there are."""
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def one_line(self: Any) -> str:
    """``__repr__`` of a dataclass: its fields that are not as by default, arrays by their shapes."""
    words = []
    for one in dataclasses.fields(self):
        value = getattr(self, one.name)
        if one.repr and not _as_by_default(one, value):
            words.append(f"{one.name}={part(value)}")
    return brief(type(self).__name__, *(f"{word}," for word in words[:-1]), *words[-1:])


def _as_by_default(field: Any, value: Any) -> bool:
    default = field.default if field.default_factory is dataclasses.MISSING else field.default_factory()
    if value is default:
        return True
    if isinstance(value, str | int | float):
        return type(value) is type(default) and bool(value == default)
    return isinstance(value, tuple | list | Mapping) and not value and not default


def part(value: Any) -> str:
    """One value in a line of several."""
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple):
        few = getattr(value, "size", 9) <= 3
        return cut(repr(value.tolist()), LONGEST_PART) if few else f"array {shape}"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, Mapping | Collection) and not isinstance(value, str) and len(value) > 3:
        return f"{len(value)} entries"
    return cut(repr(value), LONGEST_PART)


def cut(text: str, most: int) -> str:
    """The text on one line, with a sign where it was cut."""
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 1] + "…"
