"""How C spells expressions: on doubles, or on floats."""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping
from typing import ClassVar

from ....expr.node import Expr, Number
from ...errors import CodegenError
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

_SAME_NAME = ("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sqrt", "exp", "log", "tanh", "floor", "pow")


class CPrinter(CodePrinter):
    real: ClassVar[str] = "double"  # the type of every number
    calls: ClassVar[Mapping[str, str]] = {
        **{name: name for name in _SAME_NAME},
        "abs": "fabs",
        "sign": "real_sign",
        "min": "real_min",
        "max": "real_max",
    }
    helpers: ClassVar[Mapping[str, str]] = {"real_sign": SIGN, "real_min": MIN, "real_max": MAX}

    def number(self, value: Number) -> str:
        wanted = float(value)
        if math.isnan(wanted):
            return "NAN"
        return super().number(value) if math.isfinite(wanted) else "HUGE_VAL" if wanted > 0 else "-HUGE_VAL"

    def truth_as_number(self, truth: list[Piece]) -> tuple[list[Piece], int]:
        return [f"({self.real})(", *truth, ")"], ATOM

    def choice(self, condition: list[Piece], yes: Expr, no: Expr) -> tuple[list[Piece], int]:
        return ["(", *condition, ") ? ", (yes, SUM), " : ", (no, SUM)], CONDITION


class CFloatPrinter(CPrinter):
    """Everything in single precision: nothing is promoted to double on the way."""

    real = "float"
    calls: ClassVar[Mapping[str, str]] = {
        name: called if called in CPrinter.helpers else f"{called}f" for name, called in CPrinter.calls.items()
    }
    helpers: ClassVar[Mapping[str, str]] = {
        name: text.replace("double", "float").replace(".0", ".0f") for name, text in CPrinter.helpers.items()
    }

    def number(self, value: Number) -> str:
        """The nearest float, in the fewest digits that read back as exactly that float."""
        wanted = _nearest_float(float(value))
        if wanted in (float("inf"), float("-inf")):
            return "HUGE_VALF" if wanted > 0 else "-HUGE_VALF"
        digits = next(text for n in range(1, 10) if _nearest_float(float(text := f"{wanted:.{n}g}")) == wanted)
        return f"{float(digits)!r}f"


def _nearest_float(value: float) -> float:
    try:
        single: float = struct.unpack("f", struct.pack("f", value))[0]
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")
    return single


PRINTERS: Mapping[str, type[CPrinter]] = {"double": CPrinter, "float": CFloatPrinter}


def printer_for(precision: str) -> CPrinter:
    """The printer of a precision, or an error that names the two."""
    if precision not in PRINTERS:
        raise CodegenError(f"precision: got {precision!r}, expected 'double' or 'float'")
    return PRINTERS[precision]()
