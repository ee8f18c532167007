"""How JavaScript spells expressions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ....expr.node import Expr, Number
from ...curly import SpacedPrinter
from ...printer import ATOM, CONDITION, SUM, Piece

# Math.sign(-0) is -0, and Math.pow gives NaN for 1^NaN and for an infinite power of 1 or -1, where IEEE 754 gives 1.
SIGN = """\
function realSign(x) {
  return x === 0 ? 0 : Math.sign(x);
}"""
POW = """\
function realPow(x, y) {
  return x === 1 || (x === -1 && Math.abs(y) === Infinity) ? 1 : Math.pow(x, y);
}"""

_SAME_NAME = (
    *("sin", "cos", "tan", "asin", "acos", "atan", "atan2"),
    *("sqrt", "abs", "exp", "log", "tanh", "floor", "min", "max"),
)


class JavaScriptPrinter(SpacedPrinter):
    calls: ClassVar[Mapping[str, str]] = {
        **{name: f"Math.{name}" for name in _SAME_NAME},
        "sign": "realSign",
        "pow": "realPow",
    }
    helpers: ClassVar[Mapping[str, str]] = {"realSign": SIGN, "realPow": POW}
    comparisons: Mapping[str, str] = {"lt": "<", "le": "<=", "eq": "===", "ne": "!=="}

    def number(self, value: Number) -> str:
        """Whole numbers without a point: all numbers are doubles."""
        return repr(float(value)).removesuffix(".0")

    def truth_as_number(self, truth: list[Piece]) -> tuple[list[Piece], int]:
        return ["Number(", *truth, ")"], ATOM

    def choice(self, condition: list[Piece], yes: Expr, no: Expr) -> tuple[list[Piece], int]:
        return [*condition, " ? ", (yes, SUM), " : ", (no, SUM)], CONDITION
