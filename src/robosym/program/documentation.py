"""What code computes, in words: of the whole, and of every input and output what its entries are and in which units.

Plain data without a robot: whoever makes a program says it here once, and every printer, ``explain`` and JSON repeat it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, NamedTuple


class Entry(NamedTuple):
    """An entry of a vector, or a row or column of a matrix: what it is, and its unit ("" if it has none or none of its own)."""

    name: str
    unit: str = ""


Entries = tuple[Entry, ...]


@dataclass(frozen=True)
class Described:
    """An array in words. ``rows`` are the entries of a vector, or the rows of a matrix; an entry of a matrix has the unit of its row
    per that of its column, or ``unit``, which all entries have."""

    about: str
    rows: Entries = ()
    columns: Entries = ()
    unit: str = ""

    def as_dict(self) -> dict[str, Any]:
        data: dict[str, Any] = {"about": self.about}
        if self.unit:
            data["unit"] = self.unit
        for key in ("rows", "columns"):
            if entries := getattr(self, key):
                data[key] = [[one.name, one.unit] for one in entries]
        return data


@dataclass(frozen=True)
class Documentation:
    """What code computes (``about``), what it was made of and how (``made``, a sentence each), and its arrays by name."""

    about: str
    made: tuple[str, ...] = ()
    arrays: Mapping[str, Described] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """Lists, dictionaries and texts, as JSON has them."""
        arrays = {name: one.as_dict() for name, one in self.arrays.items()}
        return {"about": self.about, "made": list(self.made), "arrays": arrays}

    @classmethod
    def from_dict(cls, data: Any) -> Documentation:
        """What ``as_dict`` gave; ValueError, with what is wrong, for anything else."""
        if not isinstance(data, Mapping) or not isinstance(data.get("arrays"), Mapping):
            raise ValueError("expected 'about', 'made' and 'arrays'")
        arrays = {_text(name): _described(one) for name, one in data["arrays"].items()}
        return cls(_text(data.get("about")), tuple(map(_text, _list(data.get("made")))), arrays)

    def words(self, name: str) -> str:
        """An array in a sentence, without the entries of a vector."""
        one = self.arrays[name]
        unit = _unit_of(one)
        head = one.about if unit is None else f"{one.about}, in {unit}"
        if not one.columns:
            return head
        # Where the rows have no units, or all entries have one, the columns' are those of the entries.
        known, per = self._known(name), "per" if any(entry.unit for entry in one.rows) else "in"
        rows, columns = _axis(one.rows, known, "in"), _axis(one.columns, known, per)
        if rows == columns:
            return f"{head}; rows and columns: {rows}"
        return f"{head}; {f'rows: {rows}; ' if rows else ''}columns: {columns}"

    def labels(self, name: str) -> list[str]:
        """The entries of a vector, with their units where these differ."""
        one = self.arrays[name]
        if one.columns:
            return []
        same = _unit_of(one) is not None
        return [entry.name if same or not entry.unit else f"{entry.name} ({entry.unit})" for entry in one.rows]

    def _known(self, name: str) -> dict[tuple[str, ...], str]:
        """The vectors that an axis of this array may be like."""
        found: dict[tuple[str, ...], str] = {}
        for other, one in self.arrays.items():
            if other != name and len(one.rows) > 1 and not one.columns:
                found.setdefault(tuple(entry.name for entry in one.rows), other)
        return found


def _unit_of(one: Described) -> str | None:
    """The unit of all entries of a vector, if it is one."""
    if one.unit:
        return one.unit
    units = {entry.unit for entry in one.rows}
    return next(iter(units)) or None if len(units) == 1 and not one.columns else None


def _axis(entries: Sequence[Entry], known: Mapping[tuple[str, ...], str], word: str) -> str:
    """``vx, vy, vz in m/s, wx, wy, wz in rad/s``; ``as q per rad/s``."""
    units = {entry.unit for entry in entries}
    like = known.get(tuple(entry.name for entry in entries))
    if like is not None and len(units) == 1:
        unit = next(iter(units))
        return f"as {like} {word} {unit}" if unit else f"as {like}"
    parts = []
    for unit, group in groupby(entries, key=lambda entry: entry.unit):
        names = ", ".join(entry.name for entry in group)
        parts.append(f"{names} {word} {unit}" if unit else names)
    return ", ".join(parts)


# --- reading -----------------------------------------------------------------------------------------------------------


def _described(data: Any) -> Described:
    if not isinstance(data, Mapping):
        raise ValueError("expected an object for each array")
    rows, columns = (tuple(map(_entry, _list(data.get(key, [])))) for key in ("rows", "columns"))
    return Described(_text(data.get("about")), rows, columns, _text(data.get("unit", "")))


def _entry(data: Any) -> Entry:
    name, unit = _list(data) if isinstance(data, list) and len(data) == 2 else (None, None)
    return Entry(_text(name), _text(unit))


def _list(data: Any) -> list[Any]:
    if not isinstance(data, list):
        raise ValueError(f"expected a list, got {data!r:.40}")
    return data


def _text(data: Any) -> str:
    if not isinstance(data, str):
        raise ValueError(f"expected a text, got {data!r:.40}")
    return data
