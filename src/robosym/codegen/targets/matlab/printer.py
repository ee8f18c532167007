"""How Matlab spells expressions on rows of numbers: one number, or one for each state of a batch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ....expr.infix import POWER
from ....expr.node import Expr, Number
from ...printer import ATOM, CONDITION, CodePrinter, Piece

# Matlab's sqrt, log, asin, acos and powers turn to complex numbers, its min and max pass over nan.
SQRT = """\
function y = real_sqrt(x)
%REAL_SQRT Square root, NaN where it is not real.
    y = real(sqrt(x));
    y(x < 0) = NaN;
end"""
LOG = """\
function y = real_log(x)
%REAL_LOG Natural logarithm, NaN where it is not real.
    y = real(log(x));
    y(x < 0) = NaN;
end"""
ASIN = """\
function y = real_asin(x)
%REAL_ASIN Inverse sine, NaN where it is not real.
    y = real(asin(x));
    y(abs(x) > 1) = NaN;
end"""
ACOS = """\
function y = real_acos(x)
%REAL_ACOS Inverse cosine, NaN where it is not real.
    y = real(acos(x));
    y(abs(x) > 1) = NaN;
end"""
POW = """\
function z = real_pow(x, y)
%REAL_POW x to the power y, NaN where it is not real.
    z = abs(x).^y;
    turned = x < 0 & mod(y, 2) == 1;
    z(turned) = -z(turned);
    z(x < 0 & isfinite(x) & y ~= floor(y)) = NaN;
end"""
SMALLER = """\
function y = real_min(a, b)
%REAL_MIN The smaller one, NaN if either is.
    y = min(a, b);
    y(isnan(a) | isnan(b)) = NaN;
end"""
LARGER = """\
function y = real_max(a, b)
%REAL_MAX The larger one, NaN if either is.
    y = max(a, b);
    y(isnan(a) | isnan(b)) = NaN;
end"""
CHOOSE = """\
function y = choose(condition, a, b)
%CHOOSE a where the condition holds, else b.
    if isscalar(condition)
        if condition
            y = a;
        else
            y = b;
        end
    else
        a = repmat(a, size(condition)./size(a));
        y = repmat(b, size(condition)./size(b));
        y(condition) = a(condition);
    end
end"""

_SAME_NAME = ("sin", "cos", "tan", "atan", "atan2", "abs", "sign", "exp", "tanh", "floor")
_REAL = ("sqrt", "log", "asin", "acos", "pow", "min", "max")


class MatlabPrinter(CodePrinter):
    calls: ClassVar[Mapping[str, str]] = {
        **{name: name for name in _SAME_NAME},
        **{name: f"real_{name}" for name in _REAL},
    }
    helpers: ClassVar[Mapping[str, str]] = {
        **{
            f"real_{name}": text
            for name, text in zip(_REAL, (SQRT, LOG, ASIN, ACOS, POW, SMALLER, LARGER), strict=True)
        },
        "choose": CHOOSE,
    }
    times = ".*"
    comparisons: Mapping[str, str] = {**CodePrinter.comparisons, "ne": "~="}
    joints: ClassVar[Mapping[str, str]] = {"and": " & ", "or": " | "}
    negation = "~"

    def quotient(self, above: list[Piece], below: list[Piece], single: bool) -> tuple[list[Piece], int]:
        pieces, own = super().quotient(above, below, single)
        pieces[len(above)] = "./"
        return pieces, own

    def scaled(self, coefficient: Number, term: Expr) -> list[Piece]:
        """A number times a row needs no dot."""
        pieces = super().scaled(coefficient, term)
        return [pieces[0], "*", *pieces[2:]] if pieces[1] == self.times else pieces

    def power(self, base: Expr, exponent: int) -> tuple[list[Piece], int]:
        return [(base, ATOM), f".^{exponent}"], POWER

    def truth_as_number(self, truth: list[Piece]) -> tuple[list[Piece], int]:
        return ["double(", *truth, ")"], ATOM

    def choice(self, condition: list[Piece], yes: Expr, no: Expr) -> tuple[list[Piece], int]:
        self.used_helpers.add("choose")
        return ["choose(", *condition, ", ", (yes, CONDITION), ", ", (no, CONDITION), ")"], ATOM
