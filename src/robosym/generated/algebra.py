"""A model in SymPy: its outputs written out, or its steps in order as ``sympy.cse`` gives them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..expr.sympy_bridge import Translation
from ..program import Array, Program, ProgramError
from ..program.outputs import Outputs

if TYPE_CHECKING:
    from .model import Model


def in_sympy(model: Model, steps: bool, numeric: bool) -> Any:
    """``Model.to_sympy``. A step that is kept is a symbol; one that is not is its expression wherever it is used."""
    code = model.with_values() if numeric else model.code
    if not isinstance(code, Program):
        raise ProgramError(
            f"{model.name} of {model.robot.name} has loops and branches, and SymPy has expressions only: "
            "expected a model that is one straight line (explain() shows the stages of this one)"
        )
    translation = Translation()
    pairs = []
    for step in (*code.precompute, *code.steps):
        if steps:
            pairs.append((translation.value(step.symbol), translation.value(step.expr)))
        else:
            translation.define(step.symbol, step.expr)
    outputs = Outputs((array.name, _shaped(translation, array)) for array in code.outputs)
    found = next(iter(outputs.values())) if len(outputs) == 1 else outputs
    return (pairs, found) if steps else found


def _shaped(translation: Translation, array: Array) -> Any:
    """A matrix of the output's shape, a vector as a column; a single number as it is, more than two axes as an array."""
    entries = [translation.value(entry) for entry in array.entries]
    sympy = translation.sympy
    if not array.shape:
        return entries[0]
    if len(array.shape) <= 2:
        rows, columns = (*array.shape, 1)[:2]
        return sympy.Matrix(rows, columns, entries)
    return sympy.Array(entries, array.shape)
