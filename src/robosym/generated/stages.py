"""A model as stages of a larger routine: controllers and simulations are put together from models."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..expr import number
from ..program import Program
from ..program.of_arrays import program_of
from ..program.optional import default_inputs
from ..program.routine import Fill, Run, Stage, relabelled
from .model import Model


def stages_of(model: Model, label: str, names: Mapping[str, str] | None = None) -> tuple[Stage, ...]:
    """What a call of the model does. ``names`` are the arrays of the larger routine that its inputs and outputs are; every
    other array of it gets ``label`` before its name. Inputs that may be left out and are not in ``names`` are what they are by
    default."""
    places = dict(names or {})
    code = model.code

    def place(name: str) -> str:
        return places.get(name, f"{label}_{name}")

    defaults = default_inputs(code, model.optional, model.defaults)
    before = [_constant(place(name), value) for name, value in defaults.items() if name not in places]
    if isinstance(code, Program):
        arrays = (*code.inputs, *code.outputs)
        own: tuple[Stage, ...] = (
            Run(code, {array.name: place(array.name) for array in arrays if place(array.name) != array.name}),
        )
    else:
        own = relabelled(code.stages, place)
    return (*before, *own)


def _constant(name: str, value: Any) -> Stage:
    """An array of given numbers."""
    if not np.any(value):
        return Fill(name, value.shape)
    entries = np.array([number(float(x)) for x in value.ravel()], dtype=object).reshape(value.shape)
    return Run(program_of(f"default of {name}", {}, lambda: {name: entries}))
