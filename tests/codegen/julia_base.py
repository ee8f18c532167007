"""What generated Julia calls, as Base and LinearAlgebra have it: on NumPy's arrays, with places counted from one."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from robosym.expr import floats


class JuliaError(Exception):
    """What Julia would raise."""


def _guarded(function: Callable[..., float]) -> Callable[..., float]:
    def call(*values: float) -> float:
        try:
            return function(*map(float, values))
        except ValueError:
            raise JuliaError("DomainError") from None

    return call


def _power(x: float, y: float) -> float:
    found = floats.power(float(x), float(y))
    if math.isnan(found) and not (math.isnan(x) or math.isnan(y)):
        raise JuliaError("DomainError")
    return found


def _log(x: float) -> float:
    return math.log(x) if x != 0 else -math.inf


def _throw(error: Exception) -> None:
    raise error


def _all(*given: Any) -> bool:
    return bool(np.all(given[0](given[1]) if len(given) == 2 else given[0]))


class _Factors:
    def __init__(self, A: np.ndarray) -> None:
        self.A, self.regular = A, np.linalg.matrix_rank(A) == len(A)


def _hcat(*columns: np.ndarray) -> np.ndarray:
    return np.stack(columns, axis=1)


def _svd(A: np.ndarray) -> dict[str, np.ndarray]:
    return {"V": np.linalg.svd(A)[2].T}


def one_based(*arrays: Any) -> None:
    pass


def _view(array: np.ndarray, *places: Any) -> np.ndarray:
    """An array on the same numbers, even if it is one number."""
    return array[(*counted_from_zero(array.shape, places), ...)]


def counted_from_zero(shape: tuple[int, ...], places: Sequence[Any]) -> tuple[Any, ...]:
    """Places outside of the array are an error. A single one counts all entries, by columns."""
    if len(places) == 1 and len(shape) != 1 and isinstance(places[0], int):
        if not 1 <= places[0] <= math.prod(shape):
            raise JuliaError("BoundsError")
        return tuple(map(int, np.unravel_index(places[0] - 1, shape, order="F"))) if shape else ()
    assert len(places) == len(shape)
    found: list[Any] = []
    for place, size in zip(places, shape, strict=True):
        if isinstance(place, range):
            assert place.step == 1
            if len(place) and not (place.start >= 1 and place.stop <= size + 1):
                raise JuliaError("BoundsError")
            found.append(slice(place.start - 1, place.stop - 1))
        elif isinstance(place, int):
            if not 1 <= place <= size:
                raise JuliaError("BoundsError")
            found.append(place - 1)
        else:
            assert place == slice(None)
            found.append(place)
    return tuple(found)


def _sortperm(keys: np.ndarray) -> np.ndarray:
    """By ``isless``, to which -0.0 is less than 0.0, and nothing less than NaN."""
    ranks = [(1, 0.0, 0.0) if key != key else (0, key, math.copysign(1, key)) for key in keys.tolist()]
    return np.array(sorted(range(1, len(ranks) + 1), key=lambda i: ranks[i - 1]), dtype=int)


def _maximum(function: Callable[..., Any], values: Any) -> float:
    return float(np.max(function(values)))


BASE: dict[str, Any] = {
    **{name: _guarded(getattr(math, name)) for name in ("sin", "cos", "tan", "asin", "acos", "sqrt")},
    "atan": lambda *values: math.atan2(*values) if len(values) == 2 else math.atan(values[0]),
    "tanh": math.tanh,
    "exp": floats.or_nan(math.exp),
    "log": _guarded(_log),
    "abs": np.abs,
    "sign": lambda x: floats.sign(float(x)),
    "floor": np.floor,
    "min": np.minimum,
    "max": np.maximum,
    "trunc": lambda kind, x: int(x),
    "ifelse": np.where,
    "real": np.real,
    "imag": np.imag,
    "Float64": float,
    "Int": int,
    "Inf": math.inf,
    "NaN": math.nan,
    "pi": math.pi,
    "undef": None,
    "size": lambda a, *axis: np.shape(a)[axis[0] - 1] if axis else np.shape(a),
    "axes": lambda a, axis: range(1, np.shape(a)[axis - 1] + 1),
    "length": np.size,
    "all": _all,
    "isfinite": np.isfinite,
    "eltype": lambda a: float,
    "promote_type": lambda *types: float,
    "throw": _throw,
    "DimensionMismatch": JuliaError,
    "copy": np.array,
    "zero": np.zeros_like,
    "zeros": np.zeros,
    "fill": lambda value, n: np.full(n, value),
    "hcat": _hcat,
    "vcat": lambda *parts: np.concatenate(parts),
    "view": _view,
    "sortperm": _sortperm,
    "maximum": _maximum,
    "div": operator.floordiv,
    "argmax": lambda a: int(np.argmax(a)) + 1,
    "I": 1.0,  # times a number, then taken off the diagonal: see ``_minus``
    "eigvals": np.linalg.eigvals,
    "svd": _svd,
    "lu": _Factors,
    "issuccess": lambda factors: factors.regular,
}


def _minus(a: Any, b: Any) -> Any:
    if np.ndim(a) == 2 and np.ndim(b) == 0:
        return a - b * np.eye(len(a))
    return a - b


def _divided(a: Any, b: Any) -> Any:
    return floats.divide(float(a), float(b))


OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": _minus,
    "*": operator.mul,
    "/": _divided,
    "^": _power,
    "\\": lambda factors, B: np.linalg.solve(factors.A, B),
    "<": operator.lt,
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    ".+": np.add,
    ".-": np.subtract,
    ".*": np.multiply,
    "./": np.divide,
    ".<=": np.less_equal,
}
