"""A model in a notebook: what it takes and gives, and its steps as maths, folded where they are many."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from ..expr import Expr, latex
from ..expr.latex import latex_name
from ..markup import aligned, folded, formula, heading, inline, latex_text, table
from ..program import Array, Program

if TYPE_CHECKING:
    from .model import Model

FEW = 20  # lines of maths that are shown at once
WIDEST, HIGHEST, LONGEST_ENTRY = 8, 16, 60  # columns, rows and letters of an entry of what is written as a matrix
MOST = 400  # lines of maths; what has more is to be read with ``explain``


def html_of(model: Model) -> str:
    code = model.code
    notes = [note for note in code.notes if note != code.name]
    parts = [heading(f"{model.name} of {model.robot.name}", str(model.operations), *notes)]
    optional = {*model.optional, *model.defaults}
    rows = [["input", one.name, one.shape, "may be left out" if one.name in optional else ""] for one in code.inputs]
    rows += [["output", one.name, one.shape, ""] for one in code.outputs]
    parts.append(table(["", "name", "shape", ""], rows))
    if code.parameter_symbols:
        names = [symbol.name for symbol in code.parameter_symbols]
        values = [[name, f"{model.values[name]:.9g}" if name in model.values else "no value"] for name in names]
        parts.append(folded(f"{len(names)} parameters", table(["parameter", "value"], values), False))
    if isinstance(code, Program):
        count = sum(1 for _ in _lines(code))
        parts.append(folded(f"{count} formulas", formula(_maths(code)), count <= FEW))
    else:
        from .explain import stage_lines

        stages = [[line] for line in stage_lines(code.stages, 0)]
        parts.append(folded(f"{len(stages)} stages", table(["stage"], stages), len(stages) <= FEW))
    return f"<div>{''.join(parts)}</div>"


def latex_of(model: Model) -> str | None:
    """The steps and outputs; of a routine nothing, as its stages are no maths."""
    return inline(rf"\displaystyle {_maths(model.code)}") if isinstance(model.code, Program) else None


def _maths(program: Program) -> str:
    lines = list(islice(_lines(program), MOST + 1))
    if len(lines) > MOST:
        lines[MOST:] = [rf"&\;\vdots \quad {latex_text('and more: see explain()')}"]
    return aligned(lines)


def _lines(program: Program) -> Iterator[str]:
    for step in (*program.precompute, *program.steps):
        yield _line(latex_name(step.name), step.expr)
    for array in program.outputs:
        matrix = _matrix(array)
        if matrix:
            yield rf"{_name(array)} &= {matrix}"
            continue
        for i, entry in enumerate(array.entries):
            yield _line(_entry(array, i), entry)


def _matrix(array: Array) -> str:
    """A matrix of short entries, as one writes it; else nothing, and its entries are written one by one."""
    if len(array.shape) != 2 or not array.entries or array.shape[1] > WIDEST or array.shape[0] > HIGHEST:
        return ""
    entries = [latex(entry) for entry in array.entries]
    if max(map(len, entries)) > LONGEST_ENTRY:
        return ""
    width = array.shape[1]
    rows = (" & ".join(entries[i : i + width]) for i in range(0, len(entries), width))
    return r"\begin{bmatrix}" + r" \\ ".join(rows) + r"\end{bmatrix}"


def _entry(array: Array, i: int) -> str:
    """The name of an output with a place in the array, counted from 1."""
    places: list[int] = []
    for length in reversed(array.shape):
        i, place = divmod(i, length)
        places.insert(0, place + 1)
    return rf"{{{_name(array)}}}_{{{','.join(map(str, places))}}}" if places else _name(array)


def _name(array: Array) -> str:
    return latex_name(array.name) if array.name.isidentifier() and array.name.isascii() else latex_text(array.name)


def _line(name: str, entry: Expr) -> str:
    """One formula; what would have to be written in several is left out."""
    found = latex(entry)
    return rf"{name} &= " + (found if "\n" not in found else rf"\ldots\ {latex_text('long: see explain()')}")
