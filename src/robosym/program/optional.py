"""Inputs a call may leave out: zero, or what their default is, and given either whole or by the names of their rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .batches import common, leading
from .program import Array, Program, ProgramError
from .routine import Routine, Slot


def default_inputs(
    program: Program | Routine, optional: Mapping[str, tuple[str, ...]], defaults: Mapping[str, Any]
) -> dict[str, Any]:
    """What stands for each input that a call may leave out, in the order of the inputs."""
    import numpy as np

    from ..reals import real_array

    names = [array.name for array in program.inputs]
    unknown = [name for name in defaults if name not in names]
    if unknown:
        raise ProgramError(f"no input {', '.join(map(repr, unknown))} to have a default (inputs: {', '.join(names)})")
    found: dict[str, Any] = {}
    for array in program.inputs:
        if array.name in defaults:
            value = real_array(f"the default of input '{array.name}'", defaults[array.name], ProgramError)
            if value.shape != array.shape:
                raise ProgramError(
                    f"the default of input '{array.name}' has shape {value.shape}, expected {array.shape}"
                )
            found[array.name] = np.array(value, order="C")
        elif array.name in optional:
            found[array.name] = np.zeros(array.shape)
    return found


def with_optional(
    program: Program | Routine,
    optional: Mapping[str, tuple[str, ...]],
    given: Mapping[str, Any],
    defaults: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The inputs of a call, completed. A mapping {"link6": [...]} becomes an array whose other rows are those of the
    default, which is zero unless ``defaults`` (from ``default_inputs``) has another."""
    full = dict(given)
    if defaults is None:
        defaults = default_inputs(program, optional, {})
    for array in program.inputs:
        if array.name not in defaults:
            continue
        rows = optional.get(array.name, ())
        value = full.get(array.name)
        if value is None:
            full[array.name] = defaults[array.name]
        elif isinstance(value, Mapping) and rows:
            full[array.name] = _by_rows(array, rows, value, defaults[array.name])
        elif len(rows) == 1:
            full[array.name] = _single_row(array, value)
    return full


def _by_rows(array: Array | Slot, rows: tuple[str, ...], value: Mapping[Any, Any], default: Any) -> Any:
    """Every row has its own shape, or that shape after the axes of a batch, which broadcast."""
    import numpy as np

    from ..reals import real_array

    given: dict[str, Any] = {}
    for key, numbers in value.items():
        name = str(key)
        if name not in rows:
            raise ProgramError(f"input '{array.name}' has no row '{name}' (rows: {', '.join(rows)})")
        if name in given:
            raise ProgramError(f"input '{array.name}': the row '{name}' is given twice")
        if numbers is not None:
            given[name] = real_array(f"input '{array.name}', row '{name}'", numbers, ProgramError)
    own = array.shape[1:]
    leads = {name: leading(f"input '{array.name}': the row '{name}'", row, own) for name, row in given.items()}
    front = common(leads, what=f"input '{array.name}': the batch sizes of its rows") if leads else ()
    whole = np.empty((*front, *array.shape))
    whole[...] = default
    for name, row in given.items():
        place: tuple[Any, ...] = (Ellipsis, rows.index(name), *(slice(None) for _ in own))
        whole[place] = row
    return whole


def _single_row(array: Array | Slot, value: Any) -> Any:
    """One row alone may be given as a plain vector."""
    from ..reals import real_array

    data = real_array(f"input '{array.name}'", value, ProgramError)
    return data[None] if data.shape == array.shape[1:] else data
