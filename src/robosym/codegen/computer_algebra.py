"""What computer algebra systems (Mathematica, Maple) write the same way: powers, and arrays as lists of lists."""

from __future__ import annotations

import textwrap

from ..expr.infix import POWER
from ..expr.node import Expr
from .interface import Interface, arguments, costs, heading
from .layout import wrap
from .printer import ATOM, CodePrinter, Piece

INDENT = " " * 2


class AlgebraPrinter(CodePrinter):
    """Expressions whose symbols may stand for numbers or for expressions: x^2, not x*x."""

    def power(self, base: Expr, exponent: int) -> tuple[list[Piece], int]:
        return [(base, ATOM), f"^{exponent}"], POWER

    def real_power(self, base: Expr, exponent: Expr) -> tuple[list[Piece], int]:
        return [(base, ATOM), "^", (exponent, ATOM)], POWER


def list_of_lists(
    texts: tuple[str, ...], shape: tuple[int, ...], brackets: str, indent: str, head: str = "", tail: str = ""
) -> list[str]:
    """``head``, the entries in nested ``brackets`` with a line for each row, ``tail``; a scalar stands alone."""
    opened, closed = brackets[0], brackets[1]
    if len(shape) <= 1:
        written = f"{opened}{', '.join(texts)}{closed}" if shape else texts[0]
        return wrap(f"{indent}{head}{written}{tail}", indent + INDENT)
    if shape[0] == 0:
        return [f"{indent}{head}{opened}{closed}{tail}"]
    size = len(texts) // shape[0]
    lines = [f"{indent}{head}{opened}"]
    for row in range(shape[0]):
        part = texts[row * size : (row + 1) * size]
        comma = "," if row < shape[0] - 1 else ""
        lines += list_of_lists(part, shape[1:], brackets, indent + INDENT, tail=comma)
    return [*lines, f"{indent}{closed}{tail}"]


def documentation(facts: Interface, width: int, returned: str) -> list[str]:
    """What the file says of its functions, indices counted from 1."""
    lines = [*heading(facts), "", *costs(facts), "", *arguments(facts, width, with_outputs=False, first=1)]
    return [*lines, "", *textwrap.wrap(returned, width)]
