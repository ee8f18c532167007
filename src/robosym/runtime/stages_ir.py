"""The stages of a routine as assembly, on arrays whose places are known: the loops, the branches and what is done beside programs
and kernels. What they mean is what ``program/interpreter.py`` does."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from ..program.routine import (
    Collect,
    Copy,
    Each,
    Fill,
    Kernel,
    Newton,
    Record,
    Repeat,
    Routine,
    Run,
    Slot,
    Stage,
    Take,
    When,
)
from .code import Cells, Code, Number


class Stages:
    """``run`` and ``kernel`` write the calls of programs and kernels; ``rows`` a loop in a shorter way, if it knows one."""

    def __init__(
        self,
        code: Code,
        routine: Routine,
        places: Mapping[str, Cells],
        run: Callable[[Run], None],
        kernel: Callable[[Kernel], None],
        rows: Callable[[Repeat], bool] = lambda stage: False,
    ) -> None:
        self.code, self.routine, self.places, self.run, self.kernel, self.rows = (
            code,
            routine,
            places,
            run,
            kernel,
            rows,
        )

    def all(self, stages: Sequence[Stage]) -> None:
        for stage in stages:
            self.one(stage)

    def one(self, stage: Stage) -> None:
        match stage:
            case Run():
                self.run(stage)
            case Kernel():
                self.kernel(stage)
            case Fill():
                self.code.fill(self.places[stage.array], Slot("", stage.shape).size, float(stage.value))
            case Copy():
                self.code.copy(self.places[stage.source], self.places[stage.target], self.size(stage.source))
            case Collect():
                self.collect(stage)
            case Record():
                self.record(stage)
            case Take():
                self.take(stage)
            case Each():
                self.each(stage)
            case Repeat():
                self.repeat(stage)
            case When():
                otherwise = partial(self.all, stage.otherwise) if stage.otherwise else None
                self.code.either(self.truth(stage.condition), partial(self.all, stage.stages), otherwise)
            case Newton():
                self.newton(stage)

    def size(self, name: str) -> int:
        return math.prod(self.routine.shape(name))

    def truth(self, name: str) -> Number:
        """nan is true."""
        return self.places[name][0].differs(0.0)

    # --- loops -------------------------------------------------------------------------------------------------------

    def each(self, stage: Each) -> None:
        rows, *row = self.routine.shape(stage.array)
        size = math.prod(row)
        stop = rows if stage.count is None else self.places[stage.count][0].whole().at_most(rows)
        with self.code.span(0, stop) as i:
            self.code.copy(self.places[stage.array].after(i * size), self.places[stage.row], size)
            self.all(stage.stages)

    def repeat(self, stage: Repeat) -> None:
        if self.rows(stage):
            return
        stop = stage.times if isinstance(stage.times, int) else self.places[stage.times][0].whole()
        with self.code.span(0, stop) as i:
            if stage.turn is not None:
                self.places[stage.turn][0] = i.real()
            self.all(stage.stages)
            if stage.until is not None:
                self.code.leave_if(self.truth(stage.until))

    def newton(self, stage: Newton) -> None:
        c, size = self.code, self.size(stage.unknown)
        x, dx = self.places[stage.unknown], self.places[stage.correction]
        with c.span(0, stage.steps):
            self.all(stage.stages)
            c.leave_if(~self._all(dx, size, lambda entry: abs(entry) < math.inf))
            with c.span(0, size) as i:
                x[i] = x[i] - dx[i]
            if stage.tolerance >= 0.0:
                c.leave_if(self._all(dx, size, lambda entry: abs(entry) <= stage.tolerance))

    def _all(self, array: Cells, size: int, holds: Callable[[Number], Number]) -> Number:
        """Whether it holds for every entry."""
        found = self.code.variable(1)
        with self.code.span(0, size) as i:
            found.set(holds(array[i]).choose(found.get(), 0))
        return found.get().differs(0)

    # --- rows --------------------------------------------------------------------------------------------------------

    def collect(self, stage: Collect) -> None:
        c = self.code
        most, *row = self.routine.shape(stage.into)
        size = math.prod(row)
        values, where, into = (self.places[name] for name in (stage.values, stage.where, stage.into))
        total = c.variable(self.places[stage.count][0].whole().at_least(0).at_most(most))
        with c.span(0, self.size(stage.where)) as k:
            c.skip_if(where[k].equals(0.0) | (total.get() >= most))
            row_of = values.after(k * size)
            if stage.within:
                c.skip_if(self._is_there(stage, row_of, into, total.get(), size))
            c.copy(row_of, into.after(total.get() * size), size)
            total.set(total.get() + 1)
        self.places[stage.count][0] = total.get().real()

    def _is_there(self, stage: Collect, row: Cells, into: Cells, total: Number, size: int) -> Number:
        """Whether one of the first rows is the same as the row."""
        c, there = self.code, self.code.variable(0)
        with c.span(0, total) as i:
            same = c.variable(1)
            kept = into.after(i * size)
            for k, within in enumerate(stage.within):
                apart = abs(kept[k] - row[k])
                if stage.turns and stage.turns[k]:
                    turn = 2 * math.pi
                    apart = abs(apart - (apart / turn + 0.5).floor() * turn)
                same.set((apart <= within).choose(same.get(), 0))
            there.set(same.get())
            c.leave_if(there.get().differs(0))
        return there.get().differs(0)

    def record(self, stage: Record) -> None:
        rows, size = self.routine.shape(stage.into)[0], self.size(stage.array)
        inside, row = row_to_record(self.places[stage.turn][0], stage.every, rows)
        with self.code.when(inside.text):
            self.code.copy(self.places[stage.array], self.places[stage.into].after(row() * size), size)

    def take(self, stage: Take) -> None:
        rows, size = self.routine.shape(stage.array)[0], self.size(stage.row)
        row = row_to_take(self.places[stage.turn][0], stage.every, rows)
        self.code.copy(self.places[stage.array].after(row * size), self.places[stage.row], size)


def row_to_record(turn: Number, every: int, rows: int) -> tuple[Number, Callable[[], Number]]:
    """Whether there is a row for a turn, and what writes which."""
    place = turn if every == 1 else turn / float(every)
    return (place >= 0.0) & (place < float(rows)) & place.equals(place.floor()), place.whole


def row_to_take(turn: Number, every: int, rows: int) -> Number:
    place = turn if every == 1 else turn / float(every)
    return place.whole().at_least(0).at_most(rows - 1)
