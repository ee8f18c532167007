"""Functions of arrays of numbers, with any axes before the last, or of expressions: what is written once for both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....expr import Expr, add, expr, number, step
from ....expr import absolute as _absolute
from ....expr import atan2 as _atan2
from ....expr import cos as _cos
from ....expr import log as _log
from ....expr import logical_and as _logical_and
from ....expr import maximum as _maximum
from ....expr import minimum as _minimum
from ....expr import sin as _sin
from ....expr import sqrt as _sqrt

Entries = NDArray[Any]  # numbers, or expressions and numbers
TINY = 1e-15  # a constant nearer than this to a whole number is that number but for rounding


def is_symbolic(*arrays: Any) -> bool:
    return any(isinstance(array, Expr) or getattr(array, "dtype", None) == np.dtype(object) for array in arrays)


def kind_of(*arrays: Any) -> Any:
    """The dtype for what is made of these arrays."""
    return object if is_symbolic(*arrays) else np.float64


def _either(symbolic: Callable[..., Expr], numeric: Callable[..., Any], count: int = 1) -> Callable[..., Any]:
    elementwise = np.frompyfunc(symbolic, count, 1)

    def function(*arrays: Any) -> Any:
        return elementwise(*arrays) if is_symbolic(*arrays) else numeric(*arrays)

    return function


absolute = _either(_absolute, np.abs)
cos = _either(_cos, np.cos)
sin = _either(_sin, np.sin)
log = _either(_log, np.log)
sqrt = _either(_sqrt, np.sqrt)
atan2 = _either(_atan2, np.arctan2, 2)
maximum = _either(_maximum, np.fmax, 2)
minimum = _either(_minimum, np.fmin, 2)
logical_and = _either(_logical_and, np.logical_and, 2)


def as_steps(entries: Entries) -> Entries:
    """Expressions as steps of a program, which what is made of them reads; numbers as they are."""
    if not is_symbolic(entries):
        return entries
    return np.array([step(expr(x)) for x in entries.ravel()], dtype=object).reshape(entries.shape)


def constants(values: Any, like: Any) -> Entries:
    """Numbers to compute with beside an array: as expressions if it has expressions, what is rounding in them left out."""
    numbers = np.asarray(values, dtype=np.float64)
    if not is_symbolic(like):
        return numbers
    return np.array([_tidy(x) for x in numbers.ravel().tolist()], dtype=object).reshape(numbers.shape)


def _tidy(x: float) -> Expr:
    nearest = round(x)
    return number(nearest if abs(x - nearest) < TINY else x)


def dot(a: Entries, b: Entries) -> Any:
    """Of the last axes."""
    products = np.asarray(a * b)
    if not is_symbolic(products):
        return products.sum(axis=-1)
    if products.ndim == 1:  # all at once: a sum that grows term by term costs the square of their number
        return add(*products)
    return np.array([dot(row, one) for row, one in zip(*np.broadcast_arrays(a, b), strict=True)], dtype=object)


def cross(a: Entries, b: Entries) -> Entries:
    """Of the last axes."""
    parts = [a[..., i] * b[..., j] - a[..., j] * b[..., i] for i, j in ((1, 2), (2, 0), (0, 1))]
    return np.stack(parts, axis=-1)
