"""Numbers among values of any type: truth values, texts and nan are none; NumPy scalars are.

Arguments are checked by their annotations (``validate.py``). These functions check numbers of files, JSON and browsers, too.
"""

from __future__ import annotations

import math
import operator
import sys
from numbers import Real
from typing import Any


def is_array(value: Any) -> bool:
    """Whether a value is a NumPy array, which it can be only where NumPy is imported."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, numpy.ndarray)


def is_bool(value: Any) -> bool:
    """Whether a value is True or False, also one of NumPy."""
    return isinstance(value, bool) or getattr(getattr(value, "dtype", None), "kind", "") == "b"


def is_whole(value: Any) -> bool:
    """Whether a value is a whole number."""
    if is_bool(value) or is_array(value):
        return False
    try:
        operator.index(value)
    except TypeError:
        return False
    return True


def is_number(value: Any) -> bool:
    """Whether a value is a real number that a double can hold; infinities are, nan is not."""
    if is_array(value):
        return value.ndim == 0 and value.dtype.kind in "fiu" and not math.isnan(float(value))
    if is_bool(value) or not isinstance(value, Real):
        return False
    try:
        return not math.isnan(float(value))
    except OverflowError:
        return False


def is_finite(value: Any) -> bool:
    """Whether a value is a finite real number that a double can hold."""
    return is_number(value) and math.isfinite(value)


def without_dtype(value: Any) -> Any:
    """A NumPy number, or array without dimensions, as a number of Python; any other value as it is."""
    numpy = sys.modules.get("numpy")
    if numpy is None or not (isinstance(value, numpy.number) or (type(value) is numpy.ndarray and value.ndim == 0)):
        return value
    return value.item() if value.dtype.kind in "fiu" else value
