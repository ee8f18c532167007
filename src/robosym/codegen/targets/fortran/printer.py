"""How Fortran spells expressions."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import ClassVar

from ....expr.infix import POWER
from ....expr.node import Expr, Number
from ...printer import ATOM, CONDITION, CodePrinter, Piece
from .statements import MOST_NODES

# Functions Fortran has by another meaning or not at all; nan passes through each of them.
SIGN = """\
  elemental function real_sign(x) result(y)
    real(dp), intent(in) :: x
    real(dp) :: y

    if (x > 0.0_dp) then
      y = 1.0_dp
    else if (x < 0.0_dp) then
      y = -1.0_dp
    else
      y = abs(x)  ! zero, or not a number
    end if
  end function real_sign"""
SMALLER = """\
  elemental function real_min(a, b) result(y)
    real(dp), intent(in) :: a, b
    real(dp) :: y

    if (a <= b) then
      y = a
    else if (b < a) then
      y = b
    else
      y = a + b  ! one of them is not a number
    end if
  end function real_min"""
LARGER = SMALLER.replace("real_min", "real_max").replace("<", ">")
FLOOR = """\
  elemental function real_floor(x) result(y)
    real(dp), intent(in) :: x
    real(dp) :: y

    y = aint(x)
    if (y > x) y = y - 1.0_dp
  end function real_floor"""
# The same as a == b, of which compilers warn, as it is seldom meant for real numbers.
EQUAL = """\
  elemental function is_equal(a, b) result(same)
    real(dp), intent(in) :: a, b
    logical :: same

    same = a <= b .and. a >= b
  end function is_equal"""

_SAME_NAME = ("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sqrt", "abs", "exp", "log", "tanh")


class FortranPrinter(CodePrinter):
    calls: ClassVar[Mapping[str, str]] = {
        **{name: name for name in _SAME_NAME},
        "floor": "real_floor",
        "sign": "real_sign",
        "min": "real_min",
        "max": "real_max",
    }
    helpers: ClassVar[Mapping[str, str]] = {
        "real_sign": SIGN,
        "real_min": SMALLER,
        "real_max": LARGER,
        "real_floor": FLOOR,
        "is_equal": EQUAL,
    }
    joints: ClassVar[Mapping[str, str]] = {"and": " .and. ", "or": " .or. "}
    negation = ".not. "
    largest = MOST_NODES

    def number(self, value: Number) -> str:
        wanted = float(value)
        if math.isfinite(wanted):
            return f"{super().number(value)}_dp"
        kind = "quiet_nan" if math.isnan(wanted) else "positive_inf" if wanted > 0 else "negative_inf"
        return f"ieee_value(1.0_dp, ieee_{kind})"

    def power(self, base: Expr, exponent: int) -> tuple[list[Piece], int]:
        """An integer exponent: compilers multiply."""
        return [(base, ATOM), f"**{exponent}"], POWER

    def function(self, node: Expr) -> tuple[list[Piece], int]:
        if node.op == "pow":
            return [(node.args[0], ATOM), "**", (node.args[1], ATOM)], POWER
        return super().function(node)

    def truth_as_number(self, truth: list[Piece]) -> tuple[list[Piece], int]:
        return [f"merge({self.number(1)}, {self.number(0)}, ", *truth, ")"], ATOM

    def choice(self, condition: list[Piece], yes: Expr, no: Expr) -> tuple[list[Piece], int]:
        return ["merge(", (yes, CONDITION), ", ", (no, CONDITION), ", ", *condition, ")"], ATOM

    def comparison(self, node: Expr) -> tuple[list[Piece], int]:
        if node.op not in ("eq", "ne"):
            return super().comparison(node)
        self.used_helpers.add("is_equal")
        same = self.call("is_equal", node.args)
        return ([self.negation, *same] if node.op == "ne" else same), CONDITION

    def nonzero(self, node: Expr) -> list[Piece]:
        self.used_helpers.add("is_equal")
        return [f"{self.negation}is_equal(", (node, CONDITION), f", {self.number(0)})"]

    def is_nonzero(self, name: str) -> str:
        """That the number of this name is not zero."""
        self.used_helpers.add("is_equal")
        return f"{self.negation}is_equal({name}, {self.number(0)})"

    def is_whole(self, name: str) -> str:
        """That the number of this name has no fraction."""
        self.used_helpers.add("is_equal")
        return f"is_equal({name}, aint({name}))"
