"""A model as readable text: what goes in, every step as a line of maths, what comes out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..expr import Expr, latex, text
from ..expr.latex import latex_name
from ..program import Array

if TYPE_CHECKING:
    from .model import Model


def explain(model: Model, as_latex: bool = False) -> str:
    return "\n".join(_latex_lines(model) if as_latex else _text_lines(model)) + "\n"


def _text_lines(model: Model) -> Iterator[str]:
    program = model.program
    yield f"{model.name} of {model.robot.name}: {model.operations}"
    for array in program.inputs:
        yield f"  given {array.name} = ({', '.join(s.name for s in array.entries)})"
    if program.parameter_symbols:
        yield f"  parameters {', '.join(s.name for s in program.parameter_symbols)}"
    if program.precompute:
        yield "\nonce, from the parameters alone:"
        yield from (f"  {one.name} = {text(one.expr)}" for one in program.precompute)
    if program.steps:
        yield "\nsteps:"
        yield from (f"  {one.name} = {text(one.expr)}" for one in program.steps)
    yield "\nresult:"
    for array in program.outputs:
        for index, entry in _indexed(array):
            yield f"  {array.name}{index} = {text(entry)}"


def _latex_lines(model: Model) -> Iterator[str]:
    program = model.program
    yield r"\begin{align*}"
    for one in (*program.precompute, *program.steps):
        yield rf"  {latex_name(one.name)} &= {latex(one.expr)} \\"
    for array in program.outputs:
        for index, entry in _indexed(array):
            subscript = index.strip("[]").replace(", ", "")
            yield rf"  {array.name}_{{{subscript}}} &= {latex(entry)} \\"
    yield r"\end{align*}"


def _indexed(array: Array) -> Iterator[tuple[str, Expr]]:
    """Entries with their textbook index, counted from 1."""
    columns = array.shape[-1] if array.shape else 1
    for i, entry in enumerate(array.entries):
        if len(array.shape) == 2:
            yield f"[{i // columns + 1}, {i % columns + 1}]", entry
        else:
            yield f"[{i + 1}]", entry
