"""How C++ spells expressions on a scalar type that is not known yet: ``Scalar`` is float, double or one that derives.

Functions are called without ``std::``, so that a scalar of another library brings its own; wherever the type of an
expression would have to be known (numbers, the two sides of a choice, pairs of arguments) it is made a ``Scalar``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ....expr.node import NUM, Expr, Number
from ...printer import ATOM, CONDITION, CodePrinter, Piece

# Functions the standard library has by another meaning or not at all; nan passes through each of them.
SIGN = """\
template <typename Scalar>
Scalar real_sign(const Scalar &x)
{
    return x > Scalar(0.0) ? Scalar(1.0) : x < Scalar(0.0) ? Scalar(-1.0) : x == Scalar(0.0) ? Scalar(0.0) : x;
}"""
MIN = """\
template <typename Scalar>
Scalar real_min(const Scalar &a, const Scalar &b)
{
    return a <= b || a != a ? a : b;
}"""
MAX = """\
template <typename Scalar>
Scalar real_max(const Scalar &a, const Scalar &b)
{
    return a >= b || a != a ? a : b;
}"""

STANDARD = ("abs", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sqrt", "exp", "log", "tanh", "floor", "pow")
_OF_ONE_TYPE = ("atan2", "pow")


class CppPrinter(CodePrinter):
    calls: ClassVar[Mapping[str, str]] = {
        **{name: name for name in STANDARD},
        **{name: f"detail::real_{name}<Scalar>" for name in ("sign", "min", "max")},
    }
    helpers: ClassVar[Mapping[str, str]] = {
        "detail::real_sign<Scalar>": SIGN,
        "detail::real_min<Scalar>": MIN,
        "detail::real_max<Scalar>": MAX,
    }

    def __init__(self, names: Mapping[Expr, str] | None = None) -> None:
        super().__init__(names)
        self.used_standard: set[str] = set()  # since it was last emptied: each function says what it uses

    def number(self, value: Number) -> str:
        return f"Scalar({super().number(value)})"

    def truth_as_number(self, truth: list[Piece]) -> tuple[list[Piece], int]:
        return ["Scalar(", *truth, " ? 1.0 : 0.0)"], ATOM

    def choice(self, condition: list[Piece], yes: Expr, no: Expr) -> tuple[list[Piece], int]:
        return ["(", *condition, ") ? ", *self._as_scalar(yes), " : ", *self._as_scalar(no)], CONDITION

    def function(self, node: Expr) -> tuple[list[Piece], int]:
        if node.op in STANDARD:
            self.used_standard.add(node.op)
        if node.op not in _OF_ONE_TYPE:
            return super().function(node)
        first, second = (self._as_scalar(arg) for arg in node.args)
        return [f"{node.op}(", *first, ", ", *second, ")"], ATOM

    def _as_scalar(self, node: Expr) -> list[Piece]:
        if node in self.names or node.op == NUM:
            return [(node, CONDITION)]
        return ["Scalar(", (node, CONDITION), ")"]
