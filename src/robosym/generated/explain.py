"""A model as readable text: what goes in, every step as a line of maths, what comes out; of a routine what happens when."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ..expr import Expr, latex, text
from ..expr.latex import latex_name
from ..program import Array, Program
from ..program.routine import Collect, Copy, Each, Fill, Kernel, Newton, Record, Repeat, Routine, Run, Stage, Take, When

if TYPE_CHECKING:
    from .model import Model


def explain(model: Model, as_latex: bool = False) -> str:
    if isinstance(model.code, Routine):
        lines = _routine_lines(model, model.code, as_latex)
    else:
        lines = _latex_lines(model.code) if as_latex else _text_lines(model, model.code)
    return "\n".join(lines) + "\n"


def _text_lines(model: Model, program: Program) -> Iterator[str]:
    yield f"{model.name} of {model.robot.name}: {model.operations}"
    yield from (f"  {note}" for note in program.notes)
    for array in program.inputs:
        yield f"  given {array.name} = ({', '.join(s.name for s in array.entries)})"
    if program.parameter_symbols:
        yield f"  parameters {', '.join(s.name for s in program.parameter_symbols)}"
    yield from _steps(program)


def _steps(program: Program) -> Iterator[str]:
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


def _latex_lines(program: Program) -> Iterator[str]:
    yield from (f"% {' '.join(note.split())}" for note in program.notes)
    yield r"\begin{align*}"
    for one in (*program.precompute, *program.steps):
        yield rf"  {latex_name(one.name)} &= {latex(one.expr)} \\"
    for array in program.outputs:
        for index, entry in _indexed(array):
            subscript = index.strip("[]").replace(", ", "")
            yield rf"  {latex_name(f'{array.name}_{subscript}' if subscript else array.name)} &= {latex(entry)} \\"
    yield r"\end{align*}"


def _indexed(array: Array) -> Iterator[tuple[str, Expr]]:
    """Entries with their textbook index, counted from 1."""
    columns = array.shape[-1] if array.shape else 1
    for i, entry in enumerate(array.entries):
        if not array.shape:
            yield "", entry
        elif len(array.shape) == 2:
            yield f"[{i // columns + 1}, {i % columns + 1}]", entry
        else:
            yield f"[{i + 1}]", entry


# --- routines --------------------------------------------------------------------------------------------------------


def _routine_lines(model: Model, routine: Routine, as_latex: bool) -> Iterator[str]:
    start = "% " if as_latex else ""
    yield f"{start}{model.name} of {model.robot.name}: every call {model.operations}"
    yield from (f"{start}  {' '.join(note.split())}" for note in routine.notes[1:])
    for what, slots in (("given", routine.inputs), ("made", routine.outputs)):
        for slot in slots:
            shape = f" {slot.shape}" if slot.shape else ""
            yield f"{start}  {what} {slot.name}{shape}{f': {slot.about}' if slot.about else ''}"
    yield f"{start}"
    yield f"{start}stages:"
    yield from (start + line for line in stage_lines(routine.stages, 1))
    for program in routine.programs:
        yield f"{start}" if as_latex else ""
        yield f"{start}program {program.name}: {program.operations}"
        yield from _latex_lines(program) if as_latex else _steps(program)


def stage_lines(stages: Sequence[Stage], depth: int) -> Iterator[str]:
    """The stages in words, those inside others further in."""
    pad = "  " * depth
    for stage in stages:
        match stage:
            case Run():
                taken, made = (
                    ", ".join(map(stage.place, arrays)) for arrays in (stage.program.inputs, stage.program.outputs)
                )
                yield f"{pad}{made} = {stage.program.name}({taken})"
            case Kernel():
                yield f"{pad}{', '.join(stage.outputs)} = {stage.name}({', '.join(stage.inputs)})"
            case Fill():
                yield f"{pad}{stage.array} = {float(stage.value):.17g} {f'of shape {stage.shape}' if stage.shape else ''}".rstrip()
            case Copy():
                yield f"{pad}{stage.target} = {stage.source}"
            case Collect():
                new = ", if it is not there," if stage.within else ""
                yield f"{pad}append {stage.values}{new} where {stage.where}: {stage.into}, {stage.count}"
            case Record():
                yield f"{pad}record {stage.array} in {stage.into} every {stage.every} of {stage.turn}"
            case Take():
                place = stage.turn if stage.every == 1 else f"{stage.turn} / {stage.every}"
                yield f"{pad}{stage.row} = row {place} of {stage.array}"
            case Each():
                yield f"{pad}for each {stage.row} of {stage.array}{f', the first {stage.count}' if stage.count else ''}:"
            case Repeat():
                named = f" ({stage.turn})" if stage.turn else ""
                yield f"{pad}{stage.times} times{named}{f', until {stage.until}' if stage.until else ''}:"
            case When():
                yield f"{pad}if {stage.condition}:"
            case Newton():
                yield f"{pad}{stage.unknown} -= {stage.correction}, at most {stage.steps} times, with"
        if isinstance(stage, Each | Repeat | When | Newton):
            yield from stage_lines(stage.stages, depth + 1)
        if isinstance(stage, When) and stage.otherwise:
            yield f"{pad}else:"
            yield from stage_lines(stage.otherwise, depth + 1)
