"""Docstrings in NumPy style: the first line, and what the Parameters section says of each parameter."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any


@dataclass(frozen=True)
class Docstring:
    """The parts of a docstring that other texts are made of."""

    summary: str  # the first paragraph
    body: str  # everything before the first section
    parameters: Mapping[str, str]  # by name


@cache
def docstring_of(function: Callable[..., Any]) -> Docstring:
    """The docstring of a function, without the backquotes of its code words."""
    lines = (inspect.getdoc(function) or "").replace("``", "").splitlines()
    sections = dict(_sections(lines))
    body = "\n".join(sections[""]).strip()
    return Docstring(_joined(body.split("\n\n")[0].splitlines()), body, _entries(sections.get("Parameters", [])))


def first_sentence(text: str) -> str:
    """The first sentence, with its full stop. Sentences end where a full stop and a blank stand before a capital or a quote."""
    start = 0
    while (end := text.find(". ", start)) >= 0:
        if not text[end + 2].islower():
            return text[: end + 1]
        start = end + 2
    return text


def _sections(lines: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Title and lines of each section; the first one has no title."""
    title, part = "", list[str]()
    for k, line in enumerate(lines):
        below = lines[k + 1] if k + 1 < len(lines) else ""
        if line and below and not below.strip("-") and len(below) >= len(line):
            yield title, part
            title, part = line, []
        elif not (part == [] and title and not line.strip("-")):
            part.append(line)
    yield title, part


def _entries(lines: list[str]) -> dict[str, str]:
    """Names, or several names with commas, and below each of them indented lines."""
    found: dict[str, list[str]] = {}
    names: list[str] = []
    for line in lines:
        if line and not line[0].isspace():
            names = [name.strip().lstrip("*") for name in line.partition(" : ")[0].split(",")]
            found |= {name: [] for name in names}
        else:
            for name in names:
                found[name].append(line)
    return {name: _joined(text) for name, text in found.items()}


def _joined(lines: list[str]) -> str:
    return " ".join(" ".join(lines).split())
