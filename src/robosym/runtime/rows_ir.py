"""Loops that run one program on every row of an array, as assembly: as many rows at once as a vector register has lanes.

Such a loop takes a row, runs the program on it and on arrays that stay as they are, and records what it makes as a row of another array.
No turn knows of another, so that each lane may do a row, in the same steps as one turn would: the results are the same to the last bit.
The last rows are done once more where they do not fill the lanes.

An array that only such loops and straight-line programs work on lies by columns: then the lanes' numbers are neighbours.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeGuard

from ..codegen.interface import Argument
from ..codegen.routines.facts import RoutineFacts, columns_first
from ..expr import free_symbols
from ..program.program import live_steps
from ..program.routine import Each, Fill, Newton, Record, Repeat, Run, Stage, Take, When, walk
from ..program.uses import uses
from .assembly import Lanes, function
from .batch_ir import spread
from .code import Cells, Code, Number
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


def lying_by_columns(facts: RoutineFacts, loops: Sequence[Repeat]) -> frozenset[str]:
    """The arrays of the workspace that lie by columns: all else that touches them takes their entries one by one, wherever they are."""
    stages = list(walk(facts.routine.stages))
    often = Counter(stage.program for stage in stages if isinstance(stage, Run))
    known = {id(stage) for loop in loops for stage in (loop, *loop.stages)}
    found, others = set[str](), set[str]()
    for loop in loops:
        take, run, record = _parts(loop)
        found |= {take.array, record.into}
        others |= {run.place(array) for array in run.program.inputs}
    for stage in stages:
        one_by_one = isinstance(stage, Fill) or (isinstance(stage, Run) and often[stage.program] == 1)
        if not one_by_one and id(stage) not in known:
            others |= {name for name, _ in uses([_without_inner(stage)])}
    own = {slot.name for slot in facts.routine.workspace if len(slot.shape) == 2}
    return frozenset(found & own - others)


def _without_inner(stage: Stage) -> Stage:
    """What the stages inside do is looked at on its own."""
    if isinstance(stage, When):
        return replace(stage, stages=(), otherwise=())
    return replace(stage, stages=()) if isinstance(stage, (Each, Repeat, Newton)) else stage


def as_they_lie(run: Run, arguments: Sequence[Argument], across: Collection[str]) -> list[Argument]:
    """The arguments of a program with their entries in the order in which they lie."""
    found = []
    for argument in arguments:
        array = argument.array
        if run.place(array) in across:
            entries = tuple(array.entries[k] for k in columns_first(array.shape))
            argument = replace(argument, array=replace(array, entries=entries))
        found.append(argument)
    return found


def _parts(loop: Repeat) -> tuple[Take, Run, Record]:
    match loop.stages:
        case (Take() as take, Run() as run, Record() as record):
            return take, run, record
    raise AssertionError("not a loop over rows")


def rows_function(
    name: str, facts: RoutineFacts, stage: Repeat, lanes: Lanes, flags: str, across: Collection[str]
) -> str:
    """``void name(inputs..., output)`` for a row in each lane; its rows begin where those arguments point to."""
    take, run, record = _parts(stage)
    one = facts.programs[run.program]
    e = Emitter(lanes, 1, flags)
    results = [entry for argument in one.outputs for entry in argument.array.entries]
    steps = live_steps(one.program.steps, results)
    used = set(free_symbols(*results, *(step.expr for step in steps)))
    for i, argument in enumerate(one.read):
        rows = _rows(e, f"%a{i}", argument.size, facts, take.array, across)
        own = run.place(argument.array) == take.row
        for j, symbol in enumerate(argument.array.entries):
            if symbol in used:
                e.sources[symbol] = partial(rows.entry, j) if own else partial(spread, e, f"%a{i}", j)
    _rows(e, f"%a{len(one.read)}", len(results), facts, record.into, across).store(e.body(steps, results))
    taken = ", ".join(f"ptr %a{i}" for i in range(len(one.read) + 1))
    return function(f"internal void @{name}({taken}) noinline nounwind", e, "ret void")


class _Columns:
    """An entry of a row in each lane, where the columns lie one after the other."""

    def __init__(self, e: Emitter, pointer: str, count: int) -> None:
        self.e, self.pointer, self.count = e, pointer, count

    def entry(self, index: int) -> str:
        return self.e.load_at(self.pointer, index * self.count)

    def store(self, values: Sequence[str]) -> None:
        for index, value in enumerate(values):
            self.e.store_at(value, self.pointer, index * self.count)


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


def _rows(
    e: Emitter, pointer: str, size: int, facts: RoutineFacts, array: str, across: Collection[str]
) -> _Rows | _Columns:
    return _Columns(e, pointer, facts.shape(array)[0]) if array in across else _Rows(e, pointer, size)


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


def run_rows(
    c: Code,
    facts: RoutineFacts,
    stage: Repeat,
    name: str,
    places: Mapping[str, Cells],
    width: int,
    across: Collection[str],
) -> None:
    """The loop, and what it leaves behind: the last turn, its row, and what was made of it."""
    take, run, record = _parts(stage)
    assert isinstance(stage.times, int)

    def row(array: str, size: int, index: Number | int) -> Cells:
        """Entries of a row, as far apart as they lie."""
        if array not in across:
            return places[array].after(index * size)
        return Cells(c, places[array].after(index).pointer, step=facts.shape(array)[0])

    m, n = facts.size(take.row), facts.size(record.array)
    with c.span(0, -(-stage.times // width)) as block:
        start = (block * width).at_most(stage.times - width)
        passed = [
            row(take.array, m, start).pointer if place == take.row else places[place].pointer
            for place in (run.place(argument.array) for argument in facts.programs[run.program].read)
        ]
        passed.append(row(record.into, n, start).pointer)
        c.line(f"call void @{name}({', '.join(f'ptr {one}' for one in passed)})")
    assert stage.turn is not None
    last = stage.times - 1
    places[stage.turn][0] = c.fixed(float(last))
    for source, target, size in ((take.array, take.row, m), (record.into, record.array, n)):
        left = row(source, size, last)
        if left.step == 1:
            c.copy(left, places[target], size)
        else:
            with c.span(0, size) as k:
                places[target][k] = left[k]
