"""The numbers inside expressions: exact integers and fractions, and floats. Always finite, always in one form."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from .node import ExprError, Number

# An exact number beyond the range of floats, or with a longer denominator than this, is a mistake or an attack.
_LARGEST = int(sys.float_info.max)
_LONGEST_DENOMINATOR = 1 << 4096
_SMALL = 1 << 53


def normal(value: Any) -> Number:
    """The one form of a number: a float or fraction that is a whole number is that integer, so 1.0 costs nothing."""
    kind = type(value)
    if kind is int:
        if -_SMALL < value < _SMALL:
            return value  # type: ignore[no-any-return]
        return _bounded(value)
    if kind is float:
        if not math.isfinite(value):
            raise ExprError(f"a number must be finite, got {value}")
        return int(value) if value.is_integer() and -_SMALL < value < _SMALL else value
    if kind is Fraction:
        return _bounded(value.numerator if value.denominator == 1 else value)
    return normal(_plain(value))


def _bounded(value: int | Fraction) -> int | Fraction:
    if not -_LARGEST <= value <= _LARGEST or value.denominator > _LONGEST_DENOMINATOR:
        raise ExprError("an exact number in the expression has too many digits")
    return value


def _plain(value: Any) -> Number:
    """Python's own number for what NumPy and others bring."""
    if isinstance(value, Fraction):
        return Fraction(value.numerator, value.denominator)
    if isinstance(value, int):
        return int(value)
    is_real = getattr(getattr(value, "dtype", None), "kind", "f") in "fiub"  # NumPy's complex numbers turn into floats
    if is_real and not getattr(value, "ndim", 0) and not hasattr(value, "free_symbols"):
        for convert in ("__index__", "__float__"):
            try:
                return getattr(value, convert)()  # type: ignore[no-any-return]
            except (AttributeError, TypeError):
                continue
            except OverflowError as error:
                raise ExprError("a number in the expression is too large for a float") from error
    raise ExprError(f"expected a number or an expression, got {type(value).__name__}")


def tag_of(numbers: Iterable[Number]) -> str | None:
    """Tells 1/2 from 0.5, which Python finds equal; None when all are integers."""
    for value in numbers:
        if type(value) is not int:
            return "".join(["i" if type(v) is int else "f" if type(v) is float else "r" for v in numbers])
    return None


def magnitude(value: Number) -> Number:
    return -value if value < 0 else value


def number_power(value: Number, exponent: int) -> Number:
    """value^exponent, exact for exact numbers; refused when it has no value or far too many digits."""
    if exponent == 1:
        return value
    if value == 0 and exponent < 0:
        raise ExprError("division by zero")
    if isinstance(value, float):
        try:
            return float(value**exponent)
        except OverflowError as error:
            raise ExprError(f"{value}^{exponent} is too large for a number") from error
    size = max(abs(value.numerator).bit_length(), value.denominator.bit_length())
    if size > 1 and size * abs(exponent) > 8192:
        raise ExprError(f"an exact power with exponent {exponent} is too large")
    return normal(Fraction(value) ** exponent)


def times_power(coefficient: Number, value: Number, exponent: int) -> Number:
    """coefficient * value^exponent; 0.1 / 3 is one division, not 0.1 times the rounded third."""
    if exponent == -1 and value != 0 and (type(coefficient) is float or type(value) is float):
        return coefficient / value
    return coefficient * number_power(value, exponent)


def pull_squares(value: Number) -> tuple[Number, int]:
    """(outside, inside) with sqrt(value) = outside * sqrt(inside), for an exact value >= 0: sqrt(1/8) = 1/4 sqrt(2)."""
    exact = Fraction(value)
    inside, outside = exact.numerator * exact.denominator, 1  # sqrt(p/q) = sqrt(p q) / q
    for factor in range(2, 100):
        square = factor * factor
        if square > inside:
            break
        while inside % square == 0:
            inside, outside = inside // square, outside * factor
    root = math.isqrt(inside)
    if root * root == inside:
        inside, outside = 1, outside * root
    return normal(Fraction(outside, exact.denominator)), inside
