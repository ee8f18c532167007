"""How Maple spells expressions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ....expr.exact import Exact
from ....expr.infix import CONDITION
from ....expr.node import Expr, Number
from ...computer_algebra import AlgebraPrinter, exact_product
from ...printer import ATOM, Piece


class MaplePrinter(AlgebraPrinter):
    calls: ClassVar[Mapping[str, str]] = {
        **{name: name for name in ("sin", "cos", "tan", "sqrt", "exp", "tanh", "abs", "floor", "min", "max")},
        "asin": "arcsin",
        "acos": "arccos",
        "atan": "arctan",
        "atan2": "arctan",
        "log": "ln",
        "sign": "signum",
    }
    comparisons: Mapping[str, str] = {"lt": "<", "le": "<=", "eq": "=", "ne": "<>"}
    joints: ClassVar[Mapping[str, str]] = {"and": " and ", "or": " or "}
    negation = "not "

    def exact(self, constant: Exact) -> str:
        """With as many digits as Maple works with: 0.5*sqrt(3) stays a product otherwise."""
        return f"evalf({exact_product(constant, 'Pi', '{}({})')})"

    def decimal(self, value: Number) -> str:
        mantissa, _, exponent = repr(float(value)).partition("e")
        mantissa = mantissa if "." in mantissa else f"{mantissa}.0"
        return f"{mantissa}e{int(exponent)}" if exponent else mantissa

    def function(self, node: Expr) -> tuple[list[Piece], int]:
        if node.op in ("sign", "floor"):  # exact integers otherwise, and sin of one stays as it is
            return ["evalf(", *self.call(self.calls[node.op], node.args), ")"], ATOM
        if node.op == "pow":
            return self.real_power(*node.args)
        return super().function(node)

    def truth_as_number(self, truth: list[Piece]) -> tuple[list[Piece], int]:
        return ["piecewise(", *truth, f", {self.number(1)}, {self.number(0)})"], ATOM

    def choice(self, condition: list[Piece], yes: Expr, no: Expr) -> tuple[list[Piece], int]:
        return ["piecewise(", *condition, ", ", (yes, CONDITION), ", ", (no, CONDITION), ")"], ATOM
