"""The programs and kernels of a routine as they are called at the states of a vector register at once.

A program is a function of vectors; of the arrays that all lanes share it reads one number for all of them, and where all it
reads is shared it is a function of single numbers. Linear systems are solved in all lanes at once, other kernels lane by lane.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from ..codegen.interface import Argument
from ..codegen.routines.facts import RoutineFacts
from ..expr import free_symbols
from ..program.program import Program, live_steps
from ..program.routine import Kernel, Run
from . import ir
from .assembly import Lanes, function
from .batch_ir import spread
from .code import Cells
from .emitter import Emitter
from .host import Host
from .kernels_ir import kernel_definition, kernel_name, kernel_workspace
from .lanes_places import Apart, LaneCode, Mask, Place, Same, Wide, copy
from .lanes_solve import solve_definition, solve_name
from .routine_ir import SHORT

# Places beside those of arrays by name: of what kernels work on, of what programs make under a mask, of parameters and constants.
WORK: Any = object()
MADE: Any = object()
PARAMETERS: Any = object()
CONSTANTS: Any = object()


class LaneCalls:
    """Writes calls into the code of a group of states, on arrays whose places are known by then, and the functions called."""

    def __init__(
        self, code: LaneCode, facts: RoutineFacts, places: Mapping[Any, Place], host: Host, flags: str
    ) -> None:
        self.code, self.facts, self.places, self.flags = code, facts, places, flags
        self.together, self.lanes, self.single = host.together, code.lanes, Lanes(1, code.lanes.fused)
        self.emitters: list[Emitter] = []
        self.functions: dict[Any, tuple[str, str]] = {}  # of programs and kernels: name and text

    def definitions(self) -> list[str]:
        """The functions that are called, after those that they call in turn."""
        ours: dict[str, None] = {}
        for lanes in (self.single, self.lanes):
            emitters = [one for one in self.emitters if one.lanes == lanes]
            ours |= dict.fromkeys(ir.ours(emitters, lanes))
        return [*ours, *(text for _, text in self.functions.values())]

    # --- programs ----------------------------------------------------------------------------------------------------

    def run(self, stage: Run, mask: Mask) -> None:
        """A call of a program. Under a mask what it makes is brought to its place in the lanes of the mask."""
        program, c = stage.program, self.code
        one = self.facts.programs[program]
        targets = [self.places[stage.place(array)] for array in program.outputs]
        is_same = bool(targets) and all(isinstance(target, Same) for target in targets)
        read = [(argument, self.places[stage.place(argument.array)]) for argument in one.inputs]
        if one.reads_parameters:
            read.append((one.parameters, self.places[PARAMETERS]))
        if one.has_precompute:
            read.append((one.constants, self.places[CONSTANTS].after(self.facts.offsets[program])))
        name = self.function(program, [(argument, isinstance(place, Same)) for argument, place in read], is_same)
        passed = [_start(place) for _, place in read]
        if mask is None:
            c.line(_call(name, [*passed, *map(_start, targets)]))
            return
        made, rest = [], self.places[MADE]
        for array in program.outputs:
            made.append(rest)
            rest = rest.after(len(array.entries))
        c.line(_call(name, [*passed, *map(_start, made)]))
        for array, source, target in zip(program.outputs, made, targets, strict=True):
            copy(c, source, target, len(array.entries), mask)

    def function(self, program: Program, read: Sequence[tuple[Argument, bool]], is_same: bool) -> str:
        """The name of a program's function for arguments of which some are the same in all lanes."""
        key = (program, tuple(same for _, same in read), is_same)
        if key not in self.functions:
            name = f"program{len(self.functions)}"
            text = self.program_text(name, program, read, self.single if is_same else self.lanes)
            self.functions[key] = name, text
        return self.functions[key][0]

    def program_text(self, name: str, program: Program, read: Sequence[tuple[Argument, bool]], lanes: Lanes) -> str:
        """Load what is used, compute, store."""
        one = self.facts.programs[program]
        e = Emitter(lanes, self.together, self.flags)
        results = [entry for argument in one.outputs for entry in argument.array.entries]
        steps = live_steps(one.program.steps, results)
        used = set(free_symbols(*results, *(step.expr for step in steps)))
        for i, (argument, same) in enumerate(read):
            for j, symbol in enumerate(argument.array.entries):
                if symbol in used and same and lanes.width > 1:
                    e.sources[symbol] = partial(spread, e, f"%a{i}", j)
                elif symbol in used:
                    e.sources[symbol] = partial(e.load_at, f"%a{i}", j * lanes.width)
        values = iter(e.body(steps, results))
        for i, argument in enumerate(one.outputs, len(read)):
            for j in range(argument.size):
                e.store_at(next(values), f"%a{i}", j * lanes.width)
        self.emitters.append(e)
        inlining = "alwaysinline" if len(e.lines) <= SHORT else "noinline"
        taken = ", ".join(f"ptr %a{i}" for i in range(len(read) + len(one.outputs)))
        return function(f"internal void @{name}({taken}) {inlining} nounwind", e, "ret void")

    # --- kernels -----------------------------------------------------------------------------------------------------

    def solve(self, stage: Kernel, mask: Mask) -> None:
        """In all lanes at once, on arrays by vectors."""
        c, work, names = self.code, self.places[WORK], (*stage.inputs, *stage.outputs)
        assert isinstance(work, Same)
        n, k = self.facts.shape(names[0])[0], math.prod(self.facts.shape(names[1])[1:])
        rest = Wide(c, work.cells.pointer).after(n * n)
        passed = []
        for name in names:
            place = self.places[name]
            if not isinstance(place, Wide) or (name in stage.outputs and mask is not None):
                place, rest = rest, rest.after(self.facts.size(name))
            passed.append(place)
        for name, place in zip(stage.inputs, passed, strict=False):
            if place is not self.places[name]:
                copy(c, self.places[name], place, self.facts.size(name))
        name = solve_name(n, k)
        self.functions.setdefault(name, (name, solve_definition(n, k, self.lanes)))
        c.line(_call(name, [*(place.pointer for place in passed), work.cells.pointer]))
        if passed[-1] is not self.places[names[-1]]:
            copy(c, passed[-1], self.places[names[-1]], self.facts.size(names[-1]), mask)

    def kernel(self, stage: Kernel, cells: Mapping[str, Cells]) -> None:
        """On the arrays of one lane, which are brought together for it."""
        c, work = self.code, self.places[WORK]
        assert isinstance(work, Same)
        key = kernel_key(self.facts, stage)
        offset = kernel_workspace(*key)
        passed: dict[str, Cells] = {}
        for name in dict.fromkeys((*stage.inputs, *stage.outputs)):
            passed[name] = cells[name]
            if cells[name].step != 1:
                passed[name] = work.cells.after(offset)
                offset += self.facts.size(name)
        for name in stage.inputs:
            if passed[name] is not cells[name]:
                c.copy(cells[name], passed[name], self.facts.size(name))
        pointers = [passed[name].pointer for name in (*stage.inputs, *stage.outputs)]
        name = kernel_name(*key)
        self.functions.setdefault(name, (name, kernel_definition(*key, len(stage.outputs))))
        c.line(_call(name, [*pointers, work.cells.pointer]))
        for name in stage.outputs:
            if passed[name] is not cells[name]:
                c.copy(passed[name], cells[name], self.facts.size(name))


def kernel_key(facts: RoutineFacts, stage: Kernel) -> tuple[str, tuple[tuple[int, ...], ...]]:
    return stage.name, tuple(facts.shape(name) for name in stage.inputs)


def kernel_room(facts: RoutineFacts, stage: Kernel, width: int) -> int:
    """The doubles that a kernel works in, with its arrays in one piece; those of linear systems are by vectors."""
    total = kernel_workspace(*kernel_key(facts, stage)) + sum(map(facts.size, (*stage.inputs, *stage.outputs)))
    return total * (width if stage.name == "solve" else 1)


def _start(place: Place) -> str:
    """Of an array that a program works on."""
    assert not isinstance(place, Apart)
    return place.cells.pointer if isinstance(place, Same) else place.pointer


def _call(name: str, pointers: Sequence[str]) -> str:
    return f"call void @{name}({', '.join(f'ptr {pointer}' for pointer in pointers)})"
