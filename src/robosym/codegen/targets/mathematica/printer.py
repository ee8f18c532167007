"""How Mathematica spells expressions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from ....expr.exact import Exact
from ....expr.infix import CONDITION
from ....expr.node import Expr, Number
from ...computer_algebra import AlgebraPrinter, exact_product
from ...printer import ATOM, Piece

SURELY_MACHINE = 15  # digits; a number with more is a machine number only by its mark


class MathematicaPrinter(AlgebraPrinter):
    calls: ClassVar[Mapping[str, str]] = {
        "sin": "Sin",
        "cos": "Cos",
        "tan": "Tan",
        "asin": "ArcSin",
        "acos": "ArcCos",
        "atan": "ArcTan",
        "atan2": "ArcTan",
        "sqrt": "Sqrt",
        "abs": "Abs",
        "sign": "Sign",
        "exp": "Exp",
        "log": "Log",
        "tanh": "Tanh",
        "floor": "Floor",
        "min": "Min",
        "max": "Max",
    }

    def exact(self, constant: Exact) -> str:
        """Exact beside symbols; a machine number beside one."""
        return exact_product(constant, "Pi", "{}[{}]").replace("sqrt", "Sqrt").replace("sin", "Sin")

    def decimal(self, value: Number) -> str:
        """A machine number; ``1.5*^-7`` is 1.5e-7."""
        mantissa, _, exponent = repr(float(value)).partition("e")
        mantissa = mantissa.removesuffix("0") if mantissa.endswith(".0") else mantissa
        if "." not in mantissa:
            mantissa += "."
        if len(mantissa.strip("-0.").replace(".", "")) > SURELY_MACHINE:
            mantissa += "`"
        return f"{mantissa}*^{int(exponent)}" if exponent else mantissa

    def call(self, function: str, args: Sequence[Expr]) -> list[Piece]:
        pieces: list[Piece] = [function, "["]
        for i, arg in enumerate(args):
            pieces += [", ", (arg, CONDITION)] if i else [(arg, CONDITION)]
        return [*pieces, "]"]

    def function(self, node: Expr) -> tuple[list[Piece], int]:
        if node.op == "atan2":  # the abscissa first
            return self.call(self.calls["atan2"], node.args[::-1]), ATOM
        if node.op in ("sign", "floor"):  # exact integers otherwise, and Sin of one stays as it is
            return ["N[", *self.call(self.calls[node.op], node.args), "]"], ATOM
        if node.op == "pow":
            return self.real_power(*node.args)
        return super().function(node)

    def truth_as_number(self, truth: list[Piece]) -> tuple[list[Piece], int]:
        return ["N[Boole[", *truth, "]]"], ATOM

    def choice(self, condition: list[Piece], yes: Expr, no: Expr) -> tuple[list[Piece], int]:
        return ["Piecewise[{{", (yes, CONDITION), ", ", *condition, "}}, ", (no, CONDITION), "]"], ATOM
