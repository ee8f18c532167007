"""How Julia spells expressions. ``min``, ``max`` and ``sign`` treat nan and zero as they should: no helper is needed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ....expr.infix import POWER
from ....expr.node import Expr
from ...printer import ATOM, CONDITION, SUM, CodePrinter, Piece

_SAME_NAME = """
sin cos tan asin acos atan sqrt abs sign exp log tanh floor min max
"""


class JuliaPrinter(CodePrinter):
    widest = 30  # a + b + c is one call with three arguments, which Julia unrolls up to 32
    calls: ClassVar[Mapping[str, str]] = {**{name: name for name in _SAME_NAME.split()}, "atan2": "atan"}

    def function(self, node: Expr) -> tuple[list[Piece], int]:
        if node.op == "pow":
            base, exponent = node.args
            return [(base, ATOM), "^", (exponent, ATOM)], POWER
        return super().function(node)

    def truth_as_number(self, truth: list[Piece]) -> tuple[list[Piece], int]:
        return ["Float64(", *truth, ")"], ATOM

    def choice(self, condition: list[Piece], yes: Expr, no: Expr) -> tuple[list[Piece], int]:
        return [*condition, " ? ", (yes, SUM), " : ", (no, SUM)], CONDITION
