"""How plain Python spells expressions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ....expr.node import Expr
from ...printer import ATOM, CONDITION, SUM, CodePrinter, Piece

SIGN = """\
def real_sign(x):
    return 1.0 if x > 0.0 else -1.0 if x < 0.0 else 0.0 if x == 0.0 else x"""
MIN = """\
def real_min(a, b):
    return a if a <= b or a != a else b"""
MAX = """\
def real_max(a, b):
    return a if a >= b or a != a else b"""
FLOOR = """\
def real_floor(x):
    return float(math.floor(x)) if math.isfinite(x) and x != 0.0 else x"""

_SAME_NAME = ("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sqrt", "exp", "log", "tanh", "pow")


class PythonPrinter(CodePrinter):
    widest = 200
    calls: ClassVar[Mapping[str, str]] = {
        **{name: f"math.{name}" for name in _SAME_NAME},
        "abs": "abs",
        "floor": "real_floor",
        "sign": "real_sign",
        "min": "real_min",
        "max": "real_max",
    }
    helpers: ClassVar[Mapping[str, str]] = {"real_sign": SIGN, "real_min": MIN, "real_max": MAX, "real_floor": FLOOR}
    joints: ClassVar[Mapping[str, str]] = {"and": " and ", "or": " or "}
    negation = "not "

    def truth_as_number(self, truth: list[Piece]) -> tuple[list[Piece], int]:
        return ["float(", *truth, ")"], ATOM

    def choice(self, condition: list[Piece], yes: Expr, no: Expr) -> tuple[list[Piece], int]:
        return [(yes, SUM), " if ", *condition, " else ", (no, SUM)], CONDITION
