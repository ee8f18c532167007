"""How CasADi spells expressions in Python: the same for symbols (SX, MX) and numbers (DM)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ....expr.node import Expr
from ...printer import ATOM, CONDITION, CodePrinter, Piece

_SAME_NAME = ("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sqrt", "exp", "log", "tanh", "floor", "sign")


class CasadiPrinter(CodePrinter):
    widest = 200
    calls: ClassVar[Mapping[str, str]] = {
        **{name: f"ca.{name}" for name in _SAME_NAME},
        "abs": "ca.fabs",
        "min": "ca.fmin",
        "max": "ca.fmax",
        "pow": "ca.power",
    }
    negation = "ca.logic_not"

    def truth(self, node: Expr) -> list[Piece]:
        """``and`` and ``or`` of Python would ask a symbol for its truth; CasADi has functions for them."""
        if node.op in self.joints and node not in self.names:
            left, right = (self.truth(arg) for arg in node.args)
            return [f"ca.logic_{node.op}(", *left, ", ", *right, ")"]
        return super().truth(node)

    def truth_as_number(self, truth: list[Piece]) -> tuple[list[Piece], int]:
        return truth, CONDITION  # CasADi's conditions are 1 and 0

    def choice(self, condition: list[Piece], yes: Expr, no: Expr) -> tuple[list[Piece], int]:
        return ["ca.if_else(", *condition, ", ", (yes, CONDITION), ", ", (no, CONDITION), ")"], ATOM
