"""Loops that run one program on every row of an array, as assembly: as many rows at once as a vector register has lanes.

Such a loop takes a row, runs the program on it and on arrays that stay as they are, and records what it makes as a row of another array.
No turn knows of another, so that each lane may do a row, in the same steps as one turn would: the results are the same to the last bit.
The last rows are done once more where they do not fill the lanes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TypeGuard

from ..codegen.routines.facts import RoutineFacts
from ..expr import free_symbols
from ..program.program import live_steps
from ..program.routine import Record, Repeat, Run, Stage, Take
from .assembly import Lanes, function
from .batch_ir import spread
from .code import Cells, Code
from .emitter import Emitter


def is_even(stage: Stage, facts: RoutineFacts, lanes: Lanes) -> TypeGuard[Repeat]:
    """Whether a stage is such a loop, over enough rows, of a program that adds, multiplies and divides only."""
    if not isinstance(stage, Repeat) or not isinstance(stage.times, int) or stage.until is not None:
        return False
    match stage.stages:
        case (Take() as take, Run() as run, Record() as record):
            pass
        case _:
            return False
    program = run.program
    one, used = facts.programs[program], program.operations
    if one.reads_parameters or one.has_precompute or used.trig or used.other or len(program.outputs) != 1:
        return False
    read, made = [run.place(array) for array in program.inputs], run.place(program.outputs[0])
    inside = {take.row, made, record.into, stage.turn}
    return (
        1 < lanes.width <= stage.times
        and (take.turn, take.every, record.turn, record.every) == (stage.turn, 1, stage.turn, 1)
        and made == record.array
        and len(inside) == 4
        and read.count(take.row) == 1
        and inside.intersection((*read, take.array)) == {take.row}
        and min(facts.shape(take.array)[0], facts.shape(record.into)[0]) >= stage.times
    )


def rows_function(name: str, facts: RoutineFacts, stage: Repeat, lanes: Lanes, flags: str) -> str:
    """``void name(inputs..., output)`` for a row in each lane; its rows begin where those arguments point to."""
    take, run = stage.stages[0], stage.stages[1]
    assert isinstance(take, Take)
    assert isinstance(run, Run)
    one = facts.programs[run.program]
    e = Emitter(lanes, 1, flags)
    results = [entry for argument in one.outputs for entry in argument.array.entries]
    steps = live_steps(one.program.steps, results)
    used = set(free_symbols(*results, *(step.expr for step in steps)))
    for i, argument in enumerate(one.read):
        rows = _Rows(e, f"%a{i}", argument.size)
        own = run.place(argument.array) == take.row
        for j, symbol in enumerate(argument.array.entries):
            if symbol in used:
                e.sources[symbol] = partial(rows.entry, j) if own else partial(spread, e, f"%a{i}", j)
    _Rows(e, f"%a{len(one.read)}", len(results)).store(e.body(steps, results))
    taken = ", ".join(f"ptr %a{i}" for i in range(len(one.read) + 1))
    return function(f"internal void @{name}({taken}) noinline nounwind", e, "ret void")


class _Rows:
    """An entry of a row in each lane, where the rows lie one after the other: as many entries as there are lanes at a time."""

    def __init__(self, e: Emitter, pointer: str, size: int) -> None:
        self.e, self.pointer, self.size = e, pointer, size
        self.found: dict[int, list[str]] = {}  # by the first entry

    def entry(self, index: int) -> str:
        width = self.e.lanes.width
        if self.size < width:
            return self._one(index)
        first = min(index // width * width, self.size - width)
        if first not in self.found:
            rows = [self.e.load_at(self.pointer, lane * self.size + first) for lane in range(width)]
            self.found[first] = _transposed(self.e, rows)
        return self.found[first][index - first]

    def _one(self, index: int) -> str:
        e, made = self.e, "undef"
        for lane in range(e.lanes.width):
            place = e.add(f"getelementptr double, ptr {self.pointer}, i64 {lane * self.size + index}")
            made = e.add(
                f"insertelement {e.lanes.real} {made}, double {e.add(f'load double, ptr {place}')}, i64 {lane}"
            )
        return made

    def store(self, values: Sequence[str]) -> None:
        """All entries of the rows."""
        e, width = self.e, self.e.lanes.width
        if self.size < width:
            for index, value in enumerate(values):
                for lane in range(width):
                    one = e.add(f"extractelement {e.lanes.real} {value}, i64 {lane}")
                    place = e.add(f"getelementptr double, ptr {self.pointer}, i64 {lane * self.size + index}")
                    e.line(f"store double {one}, ptr {place}")
            return
        for start in range(0, self.size, width):
            first = min(start, self.size - width)
            for lane, row in enumerate(_transposed(e, values[first : first + width])):
                e.store_at(row, self.pointer, lane * self.size + first)


def _transposed(e: Emitter, rows: Sequence[str]) -> list[str]:
    """The columns of a square of vectors: halves change places across, then quarters, and so on."""
    found, width = list(rows), e.lanes.width
    step = width // 2
    while step:
        for i in range(width):
            if not i & step:
                a, b = found[i], found[i + step]
                lower = [k if not k & step else width + k - step for k in range(width)]
                upper = [k + step if not k & step else width + k for k in range(width)]
                found[i], found[i + step] = _shuffled(e, a, b, lower), _shuffled(e, a, b, upper)
        step //= 2
    return found


def _shuffled(e: Emitter, a: str, b: str, order: Sequence[int]) -> str:
    chosen = ", ".join(f"i32 {k}" for k in order)
    return e.add(f"shufflevector {e.lanes.real} {a}, {e.lanes.real} {b}, <{len(order)} x i32> <{chosen}>")


def run_rows(c: Code, facts: RoutineFacts, stage: Repeat, name: str, places: Mapping[str, Cells], width: int) -> None:
    """The loop, and what it leaves behind: the last turn, its row, and what was made of it."""
    take, run, record = stage.stages
    assert isinstance(take, Take)
    assert isinstance(run, Run)
    assert isinstance(record, Record)
    assert isinstance(stage.times, int)
    m, n = facts.size(take.row), facts.size(record.array)
    last = stage.times - 1
    with c.span(0, -(-stage.times // width)) as block:
        start = (block * width).at_most(stage.times - width)
        passed = [
            places[take.array].after(start * m).pointer if place == take.row else places[place].pointer
            for place in (run.place(argument.array) for argument in facts.programs[run.program].read)
        ]
        passed.append(places[record.into].after(start * n).pointer)
        c.line(f"call void @{name}({', '.join(f'ptr {one}' for one in passed)})")
    assert stage.turn is not None
    places[stage.turn][0] = c.fixed(float(last))
    c.copy(places[take.array].after(last * m), places[take.row], m)
    c.copy(places[record.into].after(last * n), places[record.array], n)
