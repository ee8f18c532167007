"""Axes in front of an array's own: states in any arrangement, which broadcast between the arrays of a call as in NumPy."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..errors import RobosymError
from .program import ProgramError

Shape = tuple[int, ...]


def expected(shape: Shape) -> str:
    """What a message says that an array may look like; ``batch`` may be several axes."""
    return f"{shape} or (batch, {', '.join(map(str, shape))})" if shape else "a number or (batch,)"


def leading(what: str, array: Any, shape: Shape, error: type[RobosymError] = ProgramError) -> Shape:
    """The axes in front of its own shape: none for one state."""
    front = array.ndim - len(shape)
    if front < 0 or array.shape[front:] != shape:
        raise error(f"{what} has shape {array.shape}, expected {expected(shape)}")
    return tuple(array.shape[:front])


def common(
    leads: Mapping[str, Shape], error: type[RobosymError] = ProgramError, what: str = "the batch sizes"
) -> Shape:
    """The one arrangement of the states of all arrays, each with its leading axes by name."""
    import numpy as np

    try:
        return np.broadcast_shapes(*leads.values())
    except ValueError:
        batched = {name: lead for name, lead in leads.items() if lead}
        if all(len(lead) == 1 for lead in batched.values()):
            said = ", ".join(f"{name} {lead[0]}" for name, lead in batched.items())
            raise error(f"{what} differ: {said}") from None
        said = ", ".join(f"{name} {lead}" for name, lead in batched.items())
        raise error(f"{what} do not broadcast: {said}") from None


def in_a_row(array: Any, lead: Shape, whole: Shape) -> Any:
    """An array that has the leading axes ``lead`` with one axis in front of its own: that of all states of ``whole``."""
    import numpy as np

    own = array.shape[len(lead) :]
    ones = (1,) * (len(whole) - len(lead))
    return np.broadcast_to(array.reshape((*ones, *lead, *own)), (*whole, *own)).reshape((math.prod(whole), *own))


def state_by_state(
    call: Callable[[dict[str, Any]], dict[str, Any]],
    given: Mapping[str, Any],
    shapes: Mapping[str, Shape],
    outputs: Sequence[tuple[str, Shape]],
) -> dict[str, Any]:
    """What a function of one state gives at all states of a batch. ``shapes`` are those of its inputs."""
    import numpy as np

    from ..reals import real_array

    arrays = {name: real_array(f"input '{name}'", given[name], ProgramError) for name in shapes if name in given}
    leads = {name: leading(f"input '{name}'", array, shapes[name]) for name, array in arrays.items()}
    if not any(leads.values()):
        return call(dict(given))
    whole = common(leads)
    rows = {name: in_a_row(array, leads[name], whole) for name, array in arrays.items() if leads[name]}
    made = {name: np.empty((math.prod(whole), *shape)) for name, shape in outputs}
    for i in range(math.prod(whole)):
        for name, value in call({**given, **{name: row[i] for name, row in rows.items()}}).items():
            made[name][i] = value
    return {name: array.reshape(*whole, *array.shape[1:]) for name, array in made.items()}
