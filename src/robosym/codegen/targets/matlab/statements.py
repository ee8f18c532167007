"""Matlab's statements and functions: continued lines, the help text after the first line."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from ...layout import WIDTH, wrap

INDENT = " " * 4


def statement(text: str, depth: int) -> list[str]:
    """One statement, on as many lines as it needs."""
    pad = INDENT * depth
    *lines, last = wrap(pad + text, pad + INDENT, WIDTH - 4)
    return [*(f"{line} ..." for line in lines), last]


def function_text(
    name: str, made: Sequence[str], taken: Sequence[str], about: Sequence[str], code: Sequence[str]
) -> str:
    """A function; the first line of its help says its name in capitals and what it does."""
    results = f"{made[0]} = " if len(made) == 1 else f"[{', '.join(made)}] = " if made else ""
    head = statement(f"function {results}{name}({', '.join(taken)})", 0)
    return "\n".join([*head, *_help(name, about), "", *code, "end"])


def _help(name: str, about: Sequence[str]) -> list[str]:
    first, *rest = about
    lines = textwrap.wrap(f"%{name.upper()} {first}", WIDTH, subsequent_indent="%   ")
    for text in rest:
        long = len(text) > WIDTH - 4
        lines += [f"%   {line}".rstrip() for line in (textwrap.wrap(text, WIDTH - 4) if long else [text])]
    return lines
