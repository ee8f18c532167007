"""What the languages with braces and spaced operators (Rust, JavaScript) write the same way."""

from __future__ import annotations

from collections.abc import Sequence

from .printer import PRODUCT, CodePrinter, Piece


class SpacedPrinter(CodePrinter):
    """``a * b``; compilers walk ``a + b + c + ...`` by recursion, and some run out of stack after thousands."""

    times = " * "
    widest = 500

    def quotient(self, above: list[Piece], below: list[Piece], single: bool) -> tuple[list[Piece], int]:
        return [*above, " / ", *(below if single else ["(", *below, ")"])], PRODUCT


def signature(head: str, taken: Sequence[str], tail: str, width: int, indent: str) -> list[str]:
    """``head(taken, ...)tail``, on one line or with a line for each argument."""
    line = f"{head}({', '.join(taken)}){tail}"
    if len(line) <= width:
        return [line]
    return [f"{head}(", *(f"{indent}{argument}," for argument in taken), f"){tail}"]
