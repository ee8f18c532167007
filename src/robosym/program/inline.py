"""A routine as one program: stages one after the other, loops of a known length written out."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..expr import Expr, number, substitute
from .choice import optimised, uncollected
from .graph import Graph, raise_program
from .program import Array, Program, ProgramError
from .routine import Copy, Fill, Record, Repeat, Routine, Run, Stage, Take


@uncollected()
def straight_line(routine: Routine, inputs: tuple[Array, ...]) -> Program:
    """The program that does what the stages of a routine do; ``inputs`` are its inputs as symbols. What branches or iterates until
    something is true is refused."""
    made = _Written(routine.name, inputs)
    made.all(routine.stages)
    outputs = tuple(Array(slot.name, slot.shape, made.known[slot.name]) for slot in routine.outputs)
    return optimised(Graph(routine.name, inputs, outputs, {})).replace(
        notes=routine.notes[1:], documentation=routine.documentation
    )


class _Written:
    """The arrays of the workspace as expressions."""

    def __init__(self, name: str, inputs: tuple[Array, ...]) -> None:
        self.name = name
        self.known: dict[str, tuple[Expr, ...]] = {array.name: array.entries for array in inputs}
        self.shapes: dict[str, tuple[int, ...]] = {array.name: array.shape for array in inputs}
        self.turns: dict[str, int] = {}

    def all(self, stages: Sequence[Stage]) -> None:
        for stage in stages:
            self.one(stage)

    def one(self, stage: Stage) -> None:
        match stage:
            case Run():
                self.run(stage)
            case Copy():
                self.put(stage.target, self.shapes[stage.source], self.known[stage.source])
            case Fill():
                self.put(stage.array, stage.shape, (number(stage.value),) * math.prod(stage.shape))
            case Repeat(times=int(times), until=None):
                for turn in range(times):
                    self.turns |= {} if stage.turn is None else {stage.turn: turn}
                    self.all(stage.stages)
            case Take(every=1) if stage.turn in self.turns:
                shape, at = self.shapes[stage.array][1:], self.turns[stage.turn]
                size = math.prod(shape)
                self.put(stage.row, shape, self.known[stage.array][at * size : (at + 1) * size])
            case Record(every=1) if stage.turn in self.turns:
                row, whole, at = (
                    self.known[stage.array],
                    self.known[stage.into],
                    self.turns[stage.turn] * self.size(stage),
                )
                self.put(stage.into, self.shapes[stage.into], (*whole[:at], *row, *whole[at + len(row) :]))
            case _:
                raise ProgramError(f"routine '{self.name}' has loops and branches: it is no straight line")

    def run(self, stage: Run) -> None:
        graph = raise_program(stage.program)
        values: dict[Expr, Expr] = {}
        for array in stage.program.inputs:
            values.update(zip(array.entries, self.known[stage.place(array)], strict=True))
        made = iter(substitute(graph.roots, values))
        new = [(stage.place(array), array.shape, tuple(next(made) for _ in array.entries)) for array in graph.outputs]
        for name, shape, entries in new:
            self.put(name, shape, entries)

    def size(self, stage: Record) -> int:
        return math.prod(self.shapes[stage.array])

    def put(self, name: str, shape: tuple[int, ...], entries: tuple[Expr, ...]) -> None:
        self.known[name], self.shapes[name] = entries, shape
