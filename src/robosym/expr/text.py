"""Readable text, which the parser reads back: ``2*D3*cos(q2) + RL4*sin(q2 + q3)``."""

from __future__ import annotations

from fractions import Fraction

from .count import uses
from .infix import ATOM, POWER, PRODUCT, Infix, Piece
from .node import LIN, PROD, Expr, Number
from .walk import postorder

# An expression whose written form would be longer than this many nodes is written as a list of named parts.
LONGEST = 20_000


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


def tree_size(root: Expr, limit: int = 1 << 62) -> int:
    """How many nodes the fully written expression has (shared parts written each time), at most ``limit``."""
    size: dict[Expr, int] = {}
    for node in postorder([root]):
        size[node] = min(limit, 1 + sum(size[arg] for arg in node.args))
    return size[root]


def text(root: Expr) -> str:
    """The expression as text; a graph with very much sharing as ``t1 = ...`` lines and a last line."""
    shared = _too_long_to_write_out(root)
    if not shared:
        return TextPrinter().write(root)
    names: dict[Expr, str] = {}
    lines = []
    for node in shared:
        printed = TextPrinter(names).write(node)
        names[node] = f"t{len(names) + 1}"
        lines.append(f"{names[node]} = {printed}")
    return "\n".join([*lines, TextPrinter(names).write(root)])


def _too_long_to_write_out(root: Expr) -> list[Expr]:
    """The nodes to name when writing the whole would be too long: those used more than once."""
    order = postorder([root])
    if tree_size(root) <= max(LONGEST, 2 * len(order)):
        return []
    times = uses([root])
    return [node for node in order if node.args and times[node] > 1 and node is not root]


def abbreviated(root: Expr, length: int = 200) -> str:
    """One short line, for error messages and repr."""
    if tree_size(root, 1000) < 1000:
        written = TextPrinter().write(root)
        if len(written) <= length:
            return written
        return written[: length - 1] + "…"
    what = {LIN: "sum", PROD: "product"}.get(root.op, root.op)
    return f"<{what} of {len(postorder([root]))} nodes>"
