"""How Rust spells expressions.

Functions are called by their path, ``f64::sin(x)``: the type of a literal is then always known, and the same text finds
the functions of a trait where ``std`` is missing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ....expr.node import Expr, Number
from ...curly import SpacedPrinter
from ...printer import ATOM, CONDITION, Piece

# f64::signum(0.0) is 1.0, f64::min and f64::max drop nan.
SIGN = """\
fn real_sign(x: f64) -> f64 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else if x == 0.0 {
        0.0
    } else {
        x
    }
}"""
MIN = """\
fn real_min(a: f64, b: f64) -> f64 {
    if a <= b || a.is_nan() {
        a
    } else {
        b
    }
}"""
MAX = """\
fn real_max(a: f64, b: f64) -> f64 {
    if a >= b || a.is_nan() {
        a
    } else {
        b
    }
}"""

_SAME_NAME = ("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sqrt", "abs", "exp", "tanh", "floor")


class RustPrinter(SpacedPrinter):
    calls: ClassVar[Mapping[str, str]] = {
        **{name: f"f64::{name}" for name in _SAME_NAME},
        "log": "f64::ln",
        "pow": "f64::powf",
        "sign": "real_sign",
        "min": "real_min",
        "max": "real_max",
    }
    helpers: ClassVar[Mapping[str, str]] = {"real_sign": SIGN, "real_min": MIN, "real_max": MAX}

    def number(self, value: Number) -> str:
        """With a decimal point: ``1`` is an integer."""
        return literal(float(value))

    def truth_as_number(self, truth: list[Piece]) -> tuple[list[Piece], int]:
        return ["f64::from(", *truth, ")"], ATOM

    def choice(self, condition: list[Piece], yes: Expr, no: Expr) -> tuple[list[Piece], int]:
        return ["if ", *condition, " { ", (yes, CONDITION), " } else { ", (no, CONDITION), " }"], CONDITION


def literal(value: float) -> str:
    mantissa, e, exponent = repr(value).partition("e")
    if "." not in mantissa:
        mantissa += ".0"
    return f"{mantissa}e{int(exponent)}" if e else mantissa
