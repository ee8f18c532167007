"""Loops that run one program on every row of an array, as assembly: as many rows at once as a vector register has lanes.

Such a loop takes a row, runs the program on it and on arrays that stay as they are, and records what it makes as a row of another array.
No turn knows of another, so that each lane may do a row, in the same steps as one turn would: the results are the same to the last bit.
The last rows are done once more where they do not fill the lanes.
"""

from __future__ import annotations

from collections.abc import Mapping
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


def is_even(facts: RoutineFacts, stage: Stage, lanes: Lanes) -> TypeGuard[Repeat]:
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
        row = run.place(argument.array) == take.row
        for j, symbol in enumerate(argument.array.entries):
            if symbol in used:
                e.sources[symbol] = (
                    partial(_of_rows, e, f"%a{i}", j, argument.size) if row else partial(spread, e, f"%a{i}", j)
                )
    for j, value in enumerate(e.body(steps, results)):
        _to_rows(e, value, f"%a{len(one.read)}", j, len(results))
    taken = ", ".join(f"ptr %a{i}" for i in range(len(one.read) + 1))
    return function(f"internal void @{name}({taken}) noinline nounwind", e, "ret void")


def _of_rows(e: Emitter, pointer: str, index: int, size: int) -> str:
    """The same entry of a row in each lane."""
    made = "undef"
    for lane in range(e.lanes.width):
        one = e.add(f"load double, ptr {e.add(f'getelementptr double, ptr {pointer}, i64 {lane * size + index}')}")
        made = e.add(f"insertelement {e.lanes.real} {made}, double {one}, i64 {lane}")
    return made


def _to_rows(e: Emitter, value: str, pointer: str, index: int, size: int) -> None:
    for lane in range(e.lanes.width):
        one = e.add(f"extractelement {e.lanes.real} {value}, i64 {lane}")
        e.line(f"store double {one}, ptr {e.add(f'getelementptr double, ptr {pointer}, i64 {lane * size + index}')}")


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
