"""Numbers as people give them, anywhere: arrays of doubles that hold what was given, or an error that says why not.

NumPy converts more than it should: a complex number loses its imaginary part, a masked array its mask, an array with a
unit the unit, a text that reads like a number becomes one. Whatever enters as an array enters here.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import RobosymError

Floats = NDArray[np.float64]
DOUBLE = np.dtype(np.float64)
LONGEST_SHOWN = 60  # letters of a value in a message


def real_array(what: str, value: Any, error: type[RobosymError] = RobosymError) -> Floats:
    """The value as an array of doubles of this machine, where the machine wants them; copied only if it must be."""
    if type(value) is np.ndarray and value.dtype is DOUBLE and value.flags.aligned:
        return value
    try:
        array = np.asarray(value)
    except (TypeError, ValueError) as reason:
        raise error(f"{what}: expected real numbers: {reason}") from reason
    if array.dtype.kind not in "fiub":
        raise error(f"{what}: expected real numbers, got {_shown(value)} ({array.dtype})")
    lost = _lost(value)
    if lost:
        raise error(f"{what}: expected plain numbers, got {lost}")
    if array.dtype is DOUBLE and array.flags.aligned:
        return array
    if array.dtype.itemsize <= DOUBLE.itemsize:
        return array.astype(DOUBLE)
    with np.errstate(over="ignore"):
        found = array.astype(DOUBLE)
    if (np.isinf(found) & np.isfinite(array)).any():
        raise error(f"{what}: holds a number that is too large for a double")
    return found


def plain_array(what: str, value: Any, error: type[RobosymError] = RobosymError) -> Floats:
    """The same, without truth values: settings and parameters that are True or False are mistakes."""
    if type(value) not in (float, np.ndarray) or (isinstance(value, np.ndarray) and value.dtype.kind == "b"):
        truth = _truth(value)
        if truth is not None:
            raise error(f"{what}: expected real numbers, got {truth}")
    return real_array(what, value, error)


def finite_array(what: str, value: Any, error: type[RobosymError] = RobosymError) -> Floats:
    """The same, without infinities and nan."""
    found = plain_array(what, value, error)
    if not np.isfinite(found).all():
        raise error(f"{what}: holds numbers that are not finite")
    return found


def _lost(value: Any) -> str:
    """What NumPy would leave behind: masks and units, of the value or of anything in its lists."""
    if isinstance(value, np.ma.MaskedArray):
        return "a masked array with masked entries" if np.ma.is_masked(value) else ""
    if isinstance(value, list | tuple):
        return next(filter(None, map(_lost, value)), "")
    unit = getattr(value, "unit", None) if isinstance(value, np.ndarray) else None
    return "" if unit is None else f"an array with the unit '{unit}'"


def _truth(value: Any) -> str | None:
    """A truth value, of the value or of anything in its lists."""
    if isinstance(value, bool | np.bool_):
        return str(value)
    if isinstance(value, list | tuple):
        return next((text for one in value if (text := _truth(one)) is not None), None)
    return "truth values" if isinstance(value, np.ndarray) and value.dtype.kind == "b" else None


def _shown(value: Any) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 1] + "…"


def overlaps_itself(array: NDArray[Any]) -> bool:
    """Whether two entries may lie at the same place, as in what ``broadcast_to`` or ``as_strided`` make: written, one
    of them would be lost. Every view made by slicing, turning and reshaping is free of that."""
    if not array.size:
        return False
    taken = array.itemsize
    for stride, length in sorted((abs(s), n) for s, n in zip(array.strides, array.shape, strict=True) if n > 1):
        if stride < taken:
            return True
        taken += stride * (length - 1)
    return False


def overlap(a: NDArray[Any], b: NDArray[Any]) -> bool:
    """Whether two arrays share an entry, or it takes too long to find out."""
    return bool(np.may_share_memory(a, b, max_work=10_000))  # type: ignore[arg-type]
