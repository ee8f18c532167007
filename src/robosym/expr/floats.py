"""The functions on Python floats, behaving as IEEE arithmetic and compiled code do: nan and inf, never an exception."""

from __future__ import annotations

import math
from collections.abc import Callable


def or_nan(function: Callable[..., float]) -> Callable[..., float]:
    """A function of ``math``, with nan outside its domain and inf beyond the largest float."""

    def guarded(*values: float) -> float:
        try:
            return function(*values)
        except ValueError:
            return math.nan
        except OverflowError:
            return math.inf

    return guarded


def log(x: float) -> float:
    return math.log(x) if x > 0 else -math.inf if x == 0 else math.nan


def sign(x: float) -> float:
    return float((x > 0) - (x < 0)) if x == x else x


def floor(x: float) -> float:
    return float(math.floor(x)) if math.isfinite(x) and x != 0.0 else x  # -0.0 stays what it is


def minimum(a: float, b: float) -> float:
    """The smaller one; nan if either is."""
    return a if a <= b or a != a else b


def maximum(a: float, b: float) -> float:
    return a if a >= b or a != a else b


def power(x: float, y: float) -> float:
    odd = abs(y) < 2**53 and y % 2 == 1
    try:
        return math.pow(x, y)
    except ValueError:  # 0 to a negative power, or a negative number to a fractional one
        return (math.copysign(math.inf, x) if odd else math.inf) if x == 0 else math.nan
    except OverflowError:
        return -math.inf if x < 0 and odd else math.inf


def divide(a: float, b: float) -> float:
    if b:
        return a / b
    return math.nan if a == 0 or a != a else math.copysign(math.inf, a) * math.copysign(1.0, b)


def integer_power(value: float, exponent: int) -> float:
    """value^exponent for exponent >= 1 by repeated squaring, as it is counted. Also for arrays."""
    result = None
    while True:
        if exponent & 1:
            result = value if result is None else result * value
        exponent >>= 1
        if not exponent:
            assert result is not None
            return result
        value = value * value
