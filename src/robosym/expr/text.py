"""Readable text, which the parser reads back: ``2*D3*cos(q2) + RL4*sin(q2 + q3)``."""

from __future__ import annotations

from fractions import Fraction

from .exact import exact
from .infix import ATOM, POWER, PRODUCT, Infix, Piece
from .node import LIN, PROD, Expr, Number
from .sharing import tree_size, write_out
from .walk import postorder


class TextPrinter(Infix):
    def number(self, value: Number) -> str:
        return repr(value) if isinstance(value, float) else str(value)

    def power(self, base: Expr, exponent: int) -> tuple[list[Piece], int]:
        return [(base, ATOM), f"^{exponent}"], POWER

    def scaled(self, coefficient: Number, term: Expr) -> list[Piece]:
        if isinstance(coefficient, Fraction):
            above: list[Piece] = [] if coefficient.numerator == 1 else [str(coefficient.numerator), "*"]
            return [*above, (term, PRODUCT), f"/{coefficient.denominator}"]
        return super().scaled(coefficient, term)

    def function(self, node: Expr) -> tuple[list[Piece], int]:
        if node.op in self.comparisons:
            return self.comparison(node)
        return super().function(node)


class ReadablePrinter(TextPrinter):
    """With the exact constants that doubles stand for: sqrt(3)/2."""

    def number(self, value: Number) -> str:
        constant = exact(value)
        return super().number(value) if constant is None else TextPrinter().write(constant.expr)

    def _tightness(self, value: Number) -> int:
        return super()._tightness(value) if exact(value) is None else PRODUCT


def readable(root: Expr) -> str:
    """``text`` for people, with exact constants in the place of their doubles."""
    return write_out(root, ReadablePrinter)


def text(root: Expr) -> str:
    """The expression as text; a graph with very much sharing as ``t1 = ...`` lines and a last line."""
    return write_out(root, TextPrinter)


def abbreviated(root: Expr, length: int = 120) -> str:
    """One short line, for error messages and repr."""
    if tree_size(root, 1000) < 1000:
        written = TextPrinter().write(root)
        return written if len(written) <= length else written[: length - 1] + "…"
    what = {LIN: "sum", PROD: "product"}.get(root.op, root.op)
    return f"<{what} of {len(postorder([root]))} nodes>"
