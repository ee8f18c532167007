"""Fortran's statements: free form, continued lines, and none too long for the compilers of any standard.

Lines are kept to 120 columns (132 are allowed) and a statement to 39 continuation lines, the limit of Fortran 90 and
95; later standards allow more. What would be longer is computed in several statements.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from itertools import pairwise

from ...layout import WIDTH, wrap
from ...names import Names
from ...straight_line import Line

INDENT = "  "
MOST_NODES = 100  # of an expression that is written in one statement
MOST_CHARACTERS = 1500  # 39 continuation lines, even if each is broken before a name of 63 characters


def statement(text: str, depth: int) -> list[str]:
    """One statement, on as many lines as it needs."""
    pad = INDENT * depth
    *lines, last = wrap(pad + text, pad + INDENT * 2, WIDTH - 2)
    return [*(f"{line} &" for line in lines), last]


def comment_lines(text: str) -> list[str]:
    """A line of a comment, or several, should it be too long."""
    return textwrap.wrap(text, WIDTH - 2, subsequent_indent=INDENT * 3) if len(text) > WIDTH - 2 else [text]


def declarations(kind: str, names: Sequence[str], depth: int) -> list[str]:
    """``kind :: a, b, c``, a statement for each line."""
    pad = f"{INDENT * depth}{kind} :: "
    lines: list[str] = []
    for name in names:
        if lines and len(lines[-1]) + len(name) + 2 <= WIDTH:
            lines[-1] += f", {name}"
        else:
            lines.append(pad + name)
    return lines


def short_lines(lines: Iterable[Line], names: Names) -> list[Line]:
    """The same lines; a sum or a product that is too long for a statement goes through temporaries, in its order."""
    found = []
    for line in lines:
        *parts, rest = _parts(line.text)
        before = ""
        for part in parts:
            found.append(Line(names.numbered("t"), before + part))
            before = found[-1].name
        found.append(Line(line.name, before + rest))
    return found


def _parts(text: str) -> list[str]:
    """The text, cut before operators so that each part but for its first term is short."""
    parts, start = [], 0
    cuts = _operators(text) if len(text) > MOST_CHARACTERS else []
    for here, there in pairwise([*cuts, len(text)]):
        if there - start > MOST_CHARACTERS and here > start:
            parts.append(text[start:here])
            start = here
    return [*parts, text[start:]]


def _operators(text: str) -> list[int]:
    """Where the operators stand that are done last, from left to right: + and -, or else * and /."""
    depth, sums, products = 0, [], []
    for i, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if depth == 0 and i > 0:
            if text[i : i + 3] in (" + ", " - "):
                sums.append(i)
            elif sign in "*/" and "*" not in (text[i - 1], text[i + 1]):
                products.append(i)
    return sums or products
