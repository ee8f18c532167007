"""The stages of a routine as assembly, at the states of a vector register at once.

What is the same in all lanes is done once, by the code of one state (``stages_ir``). Where lanes go different ways a mask says
which of them work: a branch is taken if one takes it, a loop goes on while one is in it, and nothing is written in the
others. Most kernels, collecting, and rows whose place differs from lane to lane are done lane by lane, by the code of one state.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Protocol

from ..program.routine import Copy, Each, Fill, Kernel, Newton, Record, Repeat, Routine, Run, Slot, Stage, Take, When
from ..program.uses import uses
from .code import Cells, Number
from .lanes_places import Alive, LaneCode, Mask, Place, Same, copy, fill
from .stages_ir import Stages, row_to_record, row_to_take

ENDLESS = 2**62  # turns of a loop that a mask ends


class Calls(Protocol):
    """Writes the calls of programs and kernels."""

    def run(self, stage: Run, mask: Mask) -> None: ...

    def solve(self, stage: Kernel, mask: Mask) -> None: ...

    def kernel(self, stage: Kernel, cells: Mapping[str, Cells]) -> None:
        """On the arrays of one lane."""


class LaneStages:
    """``differing`` are the arrays that are not ``Same``."""

    def __init__(
        self, code: LaneCode, routine: Routine, places: Mapping[str, Place], differing: frozenset[str], calls: Calls
    ) -> None:
        self.code, self.routine, self.places, self.differing, self.calls = code, routine, places, differing, calls
        self.mask: Mask = None
        self.counters: dict[str, Number] = {}  # of the loops around: their turns, in all lanes that are in them

    def all(self, stages: Sequence[Stage]) -> None:
        for stage in stages:
            if self.mask is None and self.differing.isdisjoint(name for name, _ in uses([stage])):
                self.alone(stage, self.code.fixed(0))
            else:
                self.one(stage)

    def one(self, stage: Stage) -> None:
        match stage:
            case Run():
                self.calls.run(stage, self.mask)
            case Kernel(name="solve"):
                self.calls.solve(stage, self.mask)
            case Fill():
                target = self.places[stage.array]
                assert not isinstance(target, Same)
                fill(self.code, target, Slot("", stage.shape).size, float(stage.value), self.mask)
            case Copy():
                self.copy(self.places[stage.source], self.places[stage.target], self.size(stage.source))
            case Record() if (turn := self.number(stage.turn)) is not None:
                self.record(stage, turn)
            case Take() if (turn := self.number(stage.turn)) is not None:
                self.take(stage, turn)
            case Each():
                self.each(stage)
            case Repeat():
                self.repeat(stage)
            case When():
                self.when(stage)
            case Newton():
                self.newton(stage)
            case _:
                self.lane_by_lane(stage)

    def size(self, name: str) -> int:
        return math.prod(self.routine.shape(name))

    def copy(self, source: Place, target: Place, size: int) -> None:
        copy(self.code, source, target, size, self.mask)

    def number(self, name: str) -> Number | None:
        """A scalar that is one for all lanes that work."""
        place = self.places[name]
        if name in self.counters:
            return self.counters[name].real()
        return place.cells[0] if isinstance(place, Same) else None

    def truth(self, name: str) -> str:
        """nan is true."""
        return self.code.compare("une", self.places[name].entry(0), self.code.number(0))

    # --- as one state ------------------------------------------------------------------------------------------------

    def alone(self, stage: Stage, lane: Number) -> None:
        """On the arrays of one lane, or on those of all."""
        cells = {name: self.places[name].of_lane(lane) for name in dict.fromkeys(name for name, _ in uses([stage]))}
        run, kernel = (lambda one: self.calls.run(one, None)), (lambda one: self.calls.kernel(one, cells))
        Stages(self.code, self.routine, cells, run, kernel).one(stage)

    def lane_by_lane(self, stage: Stage) -> None:
        with self.code.span(0, self.code.width) as lane:
            if self.mask is not None:
                self.code.skip_if(~self.code.true_in(self.mask, lane))
            self.alone(stage, lane)

    # --- rows --------------------------------------------------------------------------------------------------------

    def record(self, stage: Record, turn: Number) -> None:
        rows, size = self.routine.shape(stage.into)[0], self.size(stage.array)
        inside, row = row_to_record(turn, stage.every, rows)
        with self.code.when(inside.text):
            self.copy(self.places[stage.array], self.places[stage.into].after(row() * size), size)

    def take(self, stage: Take, turn: Number) -> None:
        rows, size = self.routine.shape(stage.array)[0], self.size(stage.row)
        row = row_to_take(turn, stage.every, rows)
        self.copy(self.places[stage.array].after(row * size), self.places[stage.row], size)

    # --- masks -------------------------------------------------------------------------------------------------------

    @contextmanager
    def only(self, mask: Mask) -> Iterator[None]:
        """What is written meanwhile is written in these lanes."""
        before, self.mask = self.mask, mask
        yield
        self.mask = before

    @contextmanager
    def counting(self, name: str | None, turn: Number) -> Iterator[None]:
        """The turn of a loop, which nothing in it changes."""
        if name is None:
            yield
            return
        place = self.places[name]
        if isinstance(place, Same):
            place.cells[0] = turn.real()
        else:
            place.put(0, self.code.spread(turn.real()), self.mask)
        before = self.counters.get(name)
        self.counters[name] = turn
        yield
        del self.counters[name]
        if before is not None:
            self.counters[name] = before

    def when(self, stage: When) -> None:
        c = self.code
        condition = self.number(stage.condition)
        if condition is not None:  # all lanes go the same way
            otherwise = partial(self.all, stage.otherwise) if stage.otherwise else None
            c.either(condition.differs(0.0), partial(self.all, stage.stages), otherwise)
            return
        truth = self.truth(stage.condition)
        ways = ((truth, stage.stages), (c.untrue(truth), stage.otherwise))
        masks = [(c.both_true(self.mask, way), stages) for way, stages in ways if stages]
        for mask, stages in masks:
            with c.when(c.some(mask).text), self.only(mask):
                self.all(stages)

    # --- loops -------------------------------------------------------------------------------------------------------

    def each(self, stage: Each) -> None:
        rows, *row = self.routine.shape(stage.array)
        size = math.prod(row)
        with self.turns(rows, stage.count) as (i, _):
            self.copy(self.places[stage.array].after(i * size), self.places[stage.row], size)
            self.all(stage.stages)

    def repeat(self, stage: Repeat) -> None:
        most, count = (stage.times, None) if isinstance(stage.times, int) else (ENDLESS, stage.times)
        with self.turns(most, count, stage.until in self.differing) as (i, alive):
            with self.counting(stage.turn, i):
                self.all(stage.stages)
            if alive is not None and stage.until is not None:
                alive.set(self.code.both_true(self.mask, self.code.untrue(self.truth(stage.until))))
            elif stage.until is not None:
                ends = self.number(stage.until)
                assert ends is not None
                self.code.leave_if(ends.differs(0.0))

    @contextmanager
    def turns(self, most: int, count: str | None, ends: bool = False) -> Iterator[tuple[Number, Alive | None]]:
        """The turns of a loop, of which there are ``count`` but at most so many: in one go where that is the same in all
        lanes, else with a mask. ``ends``: a lane may leave it earlier, by the mask that goes with the turn."""
        c = self.code
        number = None if count is None else self.number(count)
        if number is not None:
            stop: Number | int = number.whole().at_most(most)
        else:
            stop = most
        varies = count is not None and number is None
        if not varies and not ends:
            with c.span(0, stop) as i:
                yield i, None
            return
        alive = Alive(c, self.mask)
        counts = c.whole_numbers(self.places[count].entry(0)) if varies and count is not None else ""
        with c.span(0, stop) as i:
            mask = alive.get()
            if varies:
                mask = c.both_true(mask, c.add(f"icmp slt {c.wholes} {c.spread(i)}, {counts}"))
            c.leave_if(~c.some(mask))
            with self.only(mask):
                yield i, alive

    def newton(self, stage: Newton) -> None:
        c, size = self.code, self.size(stage.unknown)
        x, dx = self.places[stage.unknown], self.places[stage.correction]
        assert not isinstance(x, Same)
        alive = Alive(c, self.mask)
        with c.span(0, stage.steps):
            with self.only(alive.get()):
                self.all(stage.stages)
            finite = self.everywhere(dx, size, "olt", math.inf)
            mask = alive.narrow(finite)
            with c.span(0, size) as i:
                x.put(i, c.minus(x.entry(i), dx.entry(i)), mask)
            if stage.tolerance >= 0.0:
                reached = self.everywhere(dx, size, "ole", stage.tolerance)
                alive.narrow(c.untrue(reached))
            c.leave_if(~c.some(alive.get()))

    def everywhere(self, array: Place, size: int, how: str, limit: float) -> str:
        """In which lanes the magnitude of every entry is so."""
        c = self.code
        holds = Alive(c, None)
        with c.span(0, size) as i:
            magnitude = c.own("fabs", array.entry(i))
            holds.narrow(c.compare(how, magnitude, c.number(limit)))
        return holds.get()
