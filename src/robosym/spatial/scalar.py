"""Scalars of any kind: the same formula on expressions, floats and NumPy arrays."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from .. import expr as symbolic
from ..expr import Expr

Scalar = Any  # an Expr, a float, or an array of floats


def sin(angle: Scalar) -> Scalar:
    return _call("sin", angle)


def cos(angle: Scalar) -> Scalar:
    return _call("cos", angle)


def _call(name: str, x: Scalar) -> Scalar:
    if isinstance(x, Expr):
        return getattr(symbolic, name)(x)
    if isinstance(x, (int, float)):
        return getattr(math, name)(x)
    import numpy as np

    return getattr(np, name)(x)


def is_zero(x: Scalar) -> bool:
    """Whether a scalar is known to be zero: then what it multiplies is left out."""
    if isinstance(x, Expr):
        return x.is_zero
    return isinstance(x, (int, float)) and x == 0


def exactly(x: Scalar) -> Scalar:
    """A number of an expression as a fraction, with which sums are exact; anything else as it is."""
    if isinstance(x, Expr) and x.is_number and isinstance(x.value, float):
        return symbolic.number(Fraction(x.value))
    return x


def nearest(x: Scalar) -> Scalar:
    """An exact number of many digits as the nearest float: before it is multiplied again and again."""
    return symbolic.in_floats([x])[0] if isinstance(x, Expr) and x.is_number else x
