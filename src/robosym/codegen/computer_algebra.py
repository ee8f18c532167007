"""What computer algebra systems (Mathematica, Maple) write the same way: powers, and arrays as lists of lists."""

from __future__ import annotations

from ..expr.infix import POWER
from ..expr.node import Expr
from .interface import LISTED, Interface, arguments, costs, heading, precompute_arguments, results_listed
from .nested import nested
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
    """``head``, the entries in nested ``brackets``, ``tail``."""
    return nested(texts, shape, indent, head, tail, step=INDENT, brackets=brackets, last="")


def documentation(facts: Interface, width: int, several: str) -> list[str]:
    """What the file says of its functions, indices counted from 1."""
    lines = [*heading(facts), "", *costs(facts), ""]
    lines += arguments(facts, width, with_outputs=False, first=1, storage=LISTED)
    lines += ["", *results_listed(facts, width, several, first=1)]
    if facts.has_precompute and not facts.reads_parameters:  # then nothing above says what they are
        lines += ["", f"{facts.precompute_function}:", *precompute_arguments(facts, width, first=1)]
    return lines
