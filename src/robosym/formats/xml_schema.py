"""Which attributes and children the elements of an XML format have, and what a file has beside them.

A format has one table of ``Part``, by kind of element; ``checked_elements`` walks through a tree of elements once. A name that differs
from one of the table only in its letters' case or in hyphens, an element that must be unique and is not, and a missing
attribute are errors, as they would change numbers. Any other name that is not in the table is named in a warning.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ..notices import warn
from ..robot import RobotWarning

MOST_NAMED = 8
ANY = "*"
FOREIGN = "}"  # in a name: it belongs to a name space, and so to another tool


@dataclass(frozen=True)
class Part:
    """The names that an element may hold, each list separated by blanks.

    A child "tag?" may occur once, "tag!" occurs exactly once. "tag=kind" is read as another kind than its tag. A child whose
    kind is not in the table is not looked into. ``ANY`` as a child (or attribute): elements (attributes) of other tools are accepted.
    """

    attributes: str = ""
    children: str = ""
    required: str = ""

    @cached_property
    def names(self) -> frozenset[str]:
        """All attributes."""
        return frozenset(f"{self.attributes} {self.required}".split())

    @cached_property
    def kinds(self) -> Mapping[str, str]:
        """The kind of each child, by tag."""
        words = [word.partition("=") for word in self.children.split()]
        return {tag.rstrip("?!"): kind or tag.rstrip("?!") for tag, _, kind in words}

    @cached_property
    def unique(self) -> tuple[str, ...]:
        """The tags of children that occur once at most."""
        return tuple(tag[:-1] for tag in self._tags if tag.endswith(("?", "!")))

    @cached_property
    def needed(self) -> tuple[str, ...]:
        """The tags of children that occur in any case."""
        return tuple(tag[:-1] for tag in self._tags if tag.endswith("!"))

    @property
    def _tags(self) -> list[str]:
        return [word.partition("=")[0] for word in self.children.split()]


Table = Mapping[str, Part]
Report = Callable[[str, str], None]


def checked_elements(root: ET.Element, kind: str, table: Table, report: Report) -> list[str]:
    """Reports every error of a tree of elements; returns what is not in the table, with its place."""
    unknown: list[str] = []
    waiting = [(root, kind, "")]
    while waiting:
        element, kind, where = waiting.pop()
        part = table[kind]
        _attributes(element, part, where or str(element.tag), report, unknown)
        _children(element, part, where or str(element.tag), report, unknown)
        known = [(child, part.kinds.get(str(child.tag), "")) for child in element]
        waiting += [(child, own, _where(child, where)) for child, own in reversed(known) if own in table]
    return unknown


def warn_of_unknown(path: Path, format: str, unknown: list[str], stacklevel: int = 3) -> None:
    """One warning for all names that a format does not have."""
    if unknown:
        found = list(dict.fromkeys(unknown))
        more = f" and {len(found) - MOST_NAMED} more" if len(found) > MOST_NAMED else ""
        message = f"{path}: not in {format}, and not read: {'; '.join(found[:MOST_NAMED])}{more}"
        warn(RobotWarning(message), stacklevel=stacklevel + 1)


def _where(element: ET.Element, around: str) -> str:
    """The place of an element in messages: its name, or what it is in."""
    name = element.get("class" if element.tag == "default" else "name")
    if name:
        return f"{element.tag} '{name}'"
    return f"{around}, {element.tag}" if around else str(element.tag)


def _attributes(element: ET.Element, part: Part, where: str, report: Report, unknown: list[str]) -> None:
    for key in element.attrib:
        if key in part.names or FOREIGN in key:
            continue
        meant = _alike(key, part.names)
        if meant:
            report(where, f"expected the attribute '{meant}', got '{key}'")
        elif ANY not in part.names:
            unknown.append(f"{where}: attribute '{key}'")
    for key in part.required.split():
        if key not in element.attrib and _alike(key, element.attrib) is None:
            report(where, f"expected the attribute '{key}', got none")


def _children(element: ET.Element, part: Part, where: str, report: Report, unknown: list[str]) -> None:
    counts = Counter(str(child.tag) for child in element)
    for tag in counts:
        if tag in part.kinds or FOREIGN in tag:
            continue
        meant = _alike(tag, part.kinds)
        if meant:
            report(where, f"expected <{meant}>, got <{tag}>")
        elif ANY not in part.kinds:
            unknown.append(f"{where}: <{tag}>")
    for tag in part.unique:
        if counts[tag] > 1:
            report(where, f"expected one <{tag}>, got {counts[tag]}")
    for tag in part.needed:
        if not counts[tag] and _alike(tag, counts) is None:
            report(where, f"expected one <{tag}>, got none")


def _alike(name: str, names: Iterable[str]) -> str | None:
    """The name that is written another way."""
    return next((other for other in names if _plain(other) == _plain(name)), None)


def _plain(name: str) -> str:
    return name.casefold().replace("_", "").replace("-", "")
