"""A model as readable text: what goes in, every step as a line of maths, what comes out; of a routine what happens when."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ..codegen.layout import NO_BREAK
from ..codegen.words import parameter_entries, shape_text
from ..expr import Expr
from ..expr.text import readable
from ..program import Array, Program
from ..program.documentation import Documentation
from ..program.routine import Collect, Copy, Each, Fill, Kernel, Newton, Record, Repeat, Routine, Run, Stage, Take, When

if TYPE_CHECKING:
    from .model import Model

WIDTH = 110  # columns of what is said of a model


def explain(model: Model, as_latex: bool = False) -> str:
    if as_latex:
        return _article(model)
    code = model.documented
    lines = _routine_lines(model, code) if isinstance(code, Routine) else _text_lines(model, code)
    return "\n".join(lines) + "\n"


def _article(model: Model) -> str:
    """What ``generate --to latex`` writes; of a routine its stages and every program of it."""
    from ..codegen.targets import latex

    code = model.documented
    if isinstance(code, Program):
        return latex.article([code])
    stages = [f"{model.name} of {model.robot.name}", *stage_lines(code.stages, 0)]
    return latex.article(code.programs, code, stages)


def _text_lines(model: Model, program: Program) -> Iterator[str]:
    yield f"{model.name} of {model.robot.name}: {model.operations}"
    said = program.documentation
    yield from _introduced(said)
    yield from (f"  {one_line(note)}" for note in program.notes)
    for array in program.inputs:
        symbols = [symbol.name for symbol in array.entries]
        yield from _known("given", said, array.name, array.shape, symbols) or [
            f"  given {array.name} = ({', '.join(symbols)})"
        ]
    for array in program.outputs:
        yield from _known("gives", said, array.name, array.shape)
    if program.parameter_symbols:
        names = [symbol.name for symbol in program.parameter_symbols]
        listed = ", ".join(parameter_entries(said, names)).replace(NO_BREAK, " ")
        yield from wrap(f"  parameters {listed}", "      ", WIDTH)
    yield from _steps(program)


def _introduced(said: Documentation | None) -> Iterator[str]:
    """What the model computes and how it was made."""
    if said is not None:
        for sentence in (said.about, *said.made):
            yield from wrap(f"  {one_line(sentence)}", "    ", WIDTH)


def _known(
    word: str, said: Documentation | None, name: str, shape: tuple[int, ...], symbols: Sequence[str] = ()
) -> list[str]:
    """What an array is, if that is known; entries counted from 1."""
    if said is None or name not in said.arrays:
        return []
    labels = said.labels(name) if len(shape) == 1 else []
    size = f" [{shape_text(shape)}]" if shape else ""
    head = f"  {word} {name} = ({', '.join(symbols)})" if symbols else f"  {word} {name}{size}"
    if len(labels) == len(symbols) and all(map(_same, labels, symbols)):
        labels = []
    entries = ", ".join(f"[{i}] {label}" for i, label in enumerate(labels, 1))
    return wrap(one_line(": ".join(filter(None, (head.strip(), said.words(name), entries)))), "      ", WIDTH, "  ")


def _same(label: str, symbol: str) -> bool:
    return label.replace("_", " ") == symbol.replace("_", " ")


def one_line(text: str) -> str:
    """Names come from files: nothing of them moves the cursor."""
    return "".join(c if c.isprintable() else " " for c in " ".join(text.split()))


def wrap(text: str, indent: str, width: int, first: str = "") -> list[str]:
    lead = first or text[: len(text) - len(text.lstrip())]
    return textwrap.wrap(text.strip(), width, initial_indent=lead, subsequent_indent=indent, break_long_words=False)


def _steps(program: Program) -> Iterator[str]:
    if program.precompute:
        yield "\nonce, from the parameters alone:"
        yield from (f"  {one.name} = {readable(one.expr)}" for one in program.precompute)
    if program.steps:
        yield "\nsteps:"
        yield from (f"  {one.name} = {readable(one.expr)}" for one in program.steps)
    yield "\nresult:"
    for array in program.outputs:
        for index, entry in _indexed(array):
            yield f"  {array.name}{index} = {readable(entry)}"


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


def _routine_lines(model: Model, routine: Routine) -> Iterator[str]:
    yield f"{model.name} of {model.robot.name}: every call {model.operations}"
    said = routine.documentation
    yield from _introduced(said)
    yield from (f"  {one_line(note)}" for note in routine.notes[1:])
    for what, slots in (("given", routine.inputs), ("made", routine.outputs)):
        for slot in slots:
            shape = f" {slot.shape}" if slot.shape else ""
            yield from _known(what, said, slot.name, slot.shape) or [
                f"  {what} {slot.name}{shape}{f': {slot.about}' if slot.about else ''}"
            ]
    yield ""
    yield "stages:"
    yield from stage_lines(routine.stages, 1)
    for program in routine.programs:
        yield ""
        yield f"program {program.name}: {program.operations}"
        yield from _steps(program)


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
