"""What the languages with braces and spaced operators (Rust, JavaScript) write the same way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from ..expr.node import Expr, Number
from .printer import PRODUCT, CodePrinter, Piece

WIDEST = 500
T = TypeVar("T")


class SpacedPrinter(CodePrinter):
    """``a * b``, and groups of terms in sums of very many.

    Compilers walk ``a + b + c + ...`` by recursion, one level for each operator; some run out of stack after thousands.
    """

    times = " * "

    def quotient(self, above: list[Piece], below: list[Piece], single: bool) -> tuple[list[Piece], int]:
        return [*above, " / ", *(below if single else ["(", *below, ")"])], PRODUCT

    def _terms(self, terms: Sequence[tuple[Expr, Number]], first: bool) -> list[Piece]:
        if len(terms) <= WIDEST:
            return super()._terms(terms, first)
        groups = [super(SpacedPrinter, self)._terms(part, True) for part in _parts(terms)]
        return [*([] if first else [" + "]), *_grouped(groups, " + ")]

    def _factors(self, factors: Sequence[tuple[Expr, int]]) -> list[Piece]:
        if len(factors) <= WIDEST:
            return super()._factors(factors)
        return _grouped([super(SpacedPrinter, self)._factors(part) for part in _parts(factors)], self.times)


def _parts(sequence: Sequence[T]) -> list[Sequence[T]]:
    return [sequence[start : start + WIDEST] for start in range(0, len(sequence), WIDEST)]


def _grouped(groups: Sequence[list[Piece]], joint: str) -> list[Piece]:
    pieces: list[Piece] = []
    for group in groups:
        pieces += [*([joint] if pieces else []), "(", *group, ")"]
    return pieces


def signature(head: str, taken: Sequence[str], tail: str, width: int, indent: str) -> list[str]:
    """``head(taken, ...)tail``, on one line or with a line for each argument."""
    line = f"{head}({', '.join(taken)}){tail}"
    if len(line) <= width:
        return [line]
    return [f"{head}(", *(f"{indent}{argument}," for argument in taken), f"){tail}"]
