"""How C spells expressions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ....expr.node import Expr
from ...printer import ATOM, CONDITION, SUM, CodePrinter, Piece

# Functions C99 has by another meaning or not at all; nan passes through each of them.
SIGN = """\
static double real_sign(double x)
{
    return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : x == 0.0 ? 0.0 : x;
}"""
MIN = """\
static double real_min(double a, double b)
{
    return a <= b || a != a ? a : b;
}"""
MAX = """\
static double real_max(double a, double b)
{
    return a >= b || a != a ? a : b;
}"""

_SAME_NAME = ("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sqrt", "exp", "log", "floor", "pow")


class CPrinter(CodePrinter):
    calls: ClassVar[Mapping[str, str]] = {
        **{name: name for name in _SAME_NAME},
        "abs": "fabs",
        "sign": "real_sign",
        "min": "real_min",
        "max": "real_max",
    }
    helpers: ClassVar[Mapping[str, str]] = {"real_sign": SIGN, "real_min": MIN, "real_max": MAX}

    def truth_as_number(self, truth: list[Piece]) -> tuple[list[Piece], int]:
        return ["(double)(", *truth, ")"], ATOM

    def choice(self, condition: list[Piece], yes: Expr, no: Expr) -> tuple[list[Piece], int]:
        return ["(", *condition, ") ? ", (yes, SUM), " : ", (no, SUM)], CONDITION
