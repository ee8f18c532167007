"""Inputs a call may leave out: zero unless given, and given either whole or by the names of their rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .program import Array, Program, ProgramError


def with_optional(
    program: Program, optional: Mapping[str, tuple[str, ...]], given: Mapping[str, Any]
) -> dict[str, Any]:
    """The inputs of a call, completed. A mapping {"link6": [...]} becomes an array whose other rows are zero."""
    full = dict(given)
    for array in program.inputs:
        rows = optional.get(array.name)
        if rows is None:
            continue
        value = full.get(array.name)
        if value is None:
            import numpy as np

            full[array.name] = np.zeros(array.shape)
        elif isinstance(value, Mapping):
            full[array.name] = _by_rows(array, rows, value)
        elif len(rows) == 1:
            full[array.name] = _single_row(array, value)
    return full


def _by_rows(array: Array, rows: tuple[str, ...], value: Mapping[Any, Any]) -> Any:
    import numpy as np

    filled: list[Any] = [None] * len(rows)
    for name, row in value.items():
        if str(name) not in rows:
            raise ProgramError(f"input '{array.name}' has no row '{name}' (rows: {', '.join(rows)})")
        filled[rows.index(str(name))] = row
    try:
        parts = [np.zeros(array.shape[1:]) if row is None else np.asarray(row, dtype=float) for row in filled]
        return np.stack(np.broadcast_arrays(*parts), axis=-2)
    except (TypeError, ValueError) as error:
        raise ProgramError(f"input '{array.name}': every row takes {array.shape[1]} numbers ({error})") from error


def _single_row(array: Array, value: Any) -> Any:
    """One row alone may be given as a plain vector."""
    import numpy as np

    try:
        data = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        return value  # the caller's own checks say what is wrong
    return data[np.newaxis] if data.shape == array.shape[1:] else data
