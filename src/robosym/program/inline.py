"""A routine without loops and branches as one program."""

from __future__ import annotations

from ..expr import Expr, number, substitute
from .choice import optimised, uncollected
from .graph import Graph, raise_program
from .program import Array, Program, ProgramError
from .routine import Copy, Fill, Routine, Run


@uncollected()
def straight_line(routine: Routine, inputs: tuple[Array, ...]) -> Program:
    """The program that does what the stages of a routine do one after the other; ``inputs`` are its inputs as symbols."""
    known: dict[str, tuple[Expr, ...]] = {array.name: array.entries for array in inputs}
    shapes = {array.name: array.shape for array in inputs}
    for stage in routine.stages:
        match stage:
            case Run():
                graph = raise_program(stage.program)
                values: dict[Expr, Expr] = {}
                for array in stage.program.inputs:
                    values.update(zip(array.entries, known[stage.place(array)], strict=True))
                made = iter(substitute(graph.roots, values))
                new = {stage.place(a): (a.shape, tuple(next(made) for _ in a.entries)) for a in graph.outputs}
                known |= {name: entries for name, (_, entries) in new.items()}
                shapes |= {name: shape for name, (shape, _) in new.items()}
            case Copy():
                known[stage.target], shapes[stage.target] = known[stage.source], shapes[stage.source]
            case Fill():
                size = 1
                for length in stage.shape:
                    size *= length
                known[stage.array], shapes[stage.array] = (number(stage.value),) * size, stage.shape
            case _:
                raise ProgramError(f"routine '{routine.name}' has loops and branches: it is no straight line")
    outputs = tuple(Array(slot.name, slot.shape, known[slot.name]) for slot in routine.outputs)
    return optimised(Graph(routine.name, inputs, outputs, {})).replace(notes=routine.notes[1:])
