"""Laying text out: lines of at most 120 columns, templates of paragraphs."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable
from importlib.resources import files
from string import Template

WIDTH = 120
NO_BREAK = "\0"  # a space that no line ends at


def wrap(text: str, indent: str, width: int = WIDTH) -> list[str]:
    """Break a line at its spaces (inside a product, after a ``*``); the lines after the first are indented."""
    if len(text) <= width:
        return [text.replace(NO_BREAK, " ")]
    lines: list[str] = []
    line = ""
    for word in _words(text, width - len(indent)):
        if line.strip() and len(line) + len(word.rstrip()) > width:
            lines.append(line.rstrip())
            line = indent
        line += word
    return [one.replace(NO_BREAK, " ") for one in [*lines, line.rstrip()]]


def wrap_arguments(text: str, indent: str, width: int = WIDTH) -> list[str]:
    """The same, but only after commas: ``const double *q`` stays together."""
    body = text.lstrip(" ")
    lead = text[: len(text) - len(body)]
    return wrap(lead + re.sub(r"(?<!,) ", NO_BREAK, body), indent, width)


def paragraph(text: str, width: int, indent: str = "  ", more: str = "      ") -> list[str]:
    """Prose in lines; ``more`` is the indentation of those after the first."""
    lines = textwrap.wrap(text, width, initial_indent=indent, subsequent_indent=more, break_long_words=False)
    return [line.replace(NO_BREAK, " ") for line in lines]


def _words(text: str, longest: int) -> Iterable[str]:
    lead = text[: len(text) - len(text.lstrip())]
    for i, word in enumerate(re.split(r"(?<= )", text[len(lead) :])):
        parts = [word] if len(word) <= longest else re.split(r"(?<=[*(])(?!\*)", word)
        for j, part in enumerate(parts):
            yield lead + part if i == j == 0 else part


def render(package: str, template: str, **blocks: str) -> str:
    """A target's template with its ``$blocks`` filled in; a paragraph left empty disappears."""
    text = files(package).joinpath(template).read_text(encoding="ascii")
    first, *others = re.split(r"(\n{2,})", text.rstrip("\n"))
    rendered = Template(first).substitute(blocks)
    for gap, paragraph in zip(others[::2], others[1::2], strict=True):
        filled = Template(paragraph).substitute(blocks)
        rendered += gap + filled if filled else ""
    return rendered + "\n"
