"""The module of a routine for the states of a vector register at once, as LLVM assembly.

It defines ``lanes(table, first, last, heap)``: the states from first on, as many at a time as there are lanes; at the end the
last state fills the lanes that are left, which compute it once more and write the same numbers to the same places. The
table holds the address of each argument and how far the next state is from it (in doubles, 0 for an argument that all states
share), the heap so many doubles as ``heap_size`` says, at a line of the cache.

A program is a function of vectors; of the arrays that all lanes share it reads one number for all of them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from ..codegen.interface import Argument
from ..codegen.routines.facts import RoutineFacts
from ..expr import free_symbols
from ..program.program import Program, live_steps
from ..program.routine import Kernel, Run, walk
from . import ir
from .assembly import Lanes, function
from .batch_ir import spread
from .code import DECLARATIONS, Cells, Number
from .differing import differing
from .emitter import Emitter
from .host import Host
from .kernels_ir import kernel_definition, kernel_name, kernel_workspace
from .lanes_places import Apart, LaneCode, Mask, Place, Same, Wide, copy, declarations
from .lanes_solve import solve_definition, solve_name
from .lanes_stages import LaneStages
from .routine_ir import LARGE, ROOM, SHORT

LANES = "lanes"
LINE = 8  # doubles of a line of the cache

# Places beside those by name: of what kernels work on, of what programs make under a mask, of parameters and constants.
_WORK: Any = object()
_MADE: Any = object()
_PARAMETERS: Any = object()
_CONSTANTS: Any = object()


@dataclass(frozen=True)
class LanesModule:
    """The assembly, and the doubles of the heap that it works in."""

    text: str
    heap: int


def lanes_module(facts: RoutineFacts, host: Host, batched: Collection[str], sets: bool, flags: str = "") -> LanesModule:
    """For calls in which these inputs have a batch axis, and so have the parameters if there are ``sets`` of them."""
    return _Group(facts, host, batched, sets, flags).module()


class _Group:
    """Writes the function of one group of states, and of the programs as they are called in it."""

    def __init__(self, facts: RoutineFacts, host: Host, batched: Collection[str], sets: bool, flags: str) -> None:
        self.facts, self.routine, self.sets, self.flags = facts, facts.routine, sets, flags
        self.together = host.together
        self.lanes = Lanes(host.lanes, host.fused)
        self.batched = frozenset(batched)
        self.differing = differing(self.routine, self.batched, sets)
        runs = [stage for stage in walk(self.routine.stages) if isinstance(stage, Run)]
        self.in_programs = {stage.place(a) for stage in runs for a in (*stage.program.inputs, *stage.program.outputs)}
        self.most_made = max((sum(len(array.entries) for array in stage.program.outputs) for stage in runs), default=0)
        self.code = LaneCode(self.lanes)
        self.emitters: list[Emitter] = []
        self.functions: dict[tuple[Any, ...], tuple[str, str]] = {}  # of programs: how they are called, and their text
        self.solved: set[tuple[int, int]] = set()  # sizes of linear systems
        self.places: dict[Any, Place] = {}
        self.heap = 0

    def module(self) -> LanesModule:
        group = self.group()
        programs = [text for _, text in self.functions.values()]
        kernels = {self.kernel_key(stage): len(stage.outputs) for stage in self.facts.kernels}
        parts = [solve_definition(n, k, self.lanes) for n, k in sorted(self.solved)]
        parts += [kernel_definition(name, shapes, outputs) for (name, shapes), outputs in kernels.items()]
        ours = {line: None for lanes in (Lanes(1, self.lanes.fused), self.lanes) for line in self.ours(lanes)}
        found = [*ours, *DECLARATIONS, *declarations(self.lanes.width), *programs, *parts, group, self.loop()]
        return LanesModule("\n".join(found) + "\n", self.heap)

    def ours(self, lanes: Lanes) -> list[str]:
        return ir.ours([one for one in self.emitters if one.lanes == lanes], lanes)

    def loop(self) -> str:
        c = LaneCode(Lanes())
        with c.loop("%states", self.lanes.width) as i:
            c.line(f"call void @group(ptr %table, i64 {c.whole('add', '%first', i)}, i64 %last, ptr %heap)")
        body = function(f"void @{LANES}(ptr %table, i64 %first, i64 %last, ptr %heap) nounwind", c, "ret void")
        return body.replace("entry:\n", "entry:\n  %states = sub i64 %last, %first\n", 1)

    # --- arrays ------------------------------------------------------------------------------------------------------

    def group(self) -> str:
        """The places of all arrays, inputs brought into them, the stages, outputs brought to where they go."""
        c, facts = self.code, self.facts
        arguments = (*facts.read, *facts.outputs)
        given = {one.name: self.argument(i, self.has_axis(i, one)) for i, one in enumerate(arguments)}
        self.arrays(given)
        stages = LaneStages(c, self.routine, self.places, self.differing, self)
        stages.all(self.routine.stages)
        for output in facts.outputs:
            if (place := self.places[output.array.name]) is not given[output.name]:
                copy(c, place, given[output.name], output.size)
        return function(
            "internal void @group(ptr %table, i64 %first, i64 %last, ptr %heap) noinline nounwind", c, "ret void"
        )

    def has_axis(self, index: int, argument: Argument) -> bool:
        """Whether an argument has a batch axis: some inputs, the parameters if there are sets of them, and the outputs."""
        if index < len(self.facts.inputs):
            return argument.array.name in self.batched
        return index >= len(self.facts.read) or self.sets

    def argument(self, index: int, has_axis: bool) -> Place:
        """Where a caller has it."""
        c = self.code
        start = c.word("%table", 2 * index, "ptr")
        if not has_axis:
            return Same(c, Cells(c, start))
        distance, starts = c.word("%table", 2 * index + 1), []
        last = Number(c, "i64", "%last") - 1
        for lane in range(c.width):
            state = (Number(c, "i64", "%first") + lane).at_most(last)
            starts.append(c.at(start, c.whole("mul", state.text, distance)))
        return Apart(c, starts)

    def arrays(self, given: Mapping[str, Place]) -> None:
        """Inputs stay where they are if nothing is gained by bringing them together; state is brought into the outputs."""
        facts, c = self.facts, self.code
        outputs = {one.array.name: one for one in facts.outputs}
        read: dict[Any, Argument] = {one.array.name: one for one in facts.inputs}
        read |= {_PARAMETERS: facts.parameters} if facts.reads_parameters else {}
        read |= {_CONSTANTS: facts.constants} if facts.has_precompute else {}
        sizes = {slot.name: slot.size * self.copies(slot.name) for slot in self.routine.workspace}
        brought = []
        for key, one in read.items():
            if key not in outputs and (isinstance(given[one.name], Same) or self.stays_apart(key, one.size)):
                self.places[key] = given[one.name]
                continue
            brought.append((given[one.name], key, one.size))
            sizes[key] = one.size * c.width
        for name, one in outputs.items():
            sizes[name] = one.size * self.copies(name)
            if self.stays_apart(name, one.size):
                self.places[name] = given[one.name]
                del sizes[name]
        sizes[_WORK] = max((self.kernel_room(stage) for stage in facts.kernels), default=0)
        sizes[_MADE] = self.most_made * c.width if self.differing else 0
        for key, start in self.rooms(sizes).items():
            self.places[key] = self.place_of(key, start)
        for source, key, size in brought:
            copy(c, source, self.places[key], size)

    def copies(self, name: str) -> int:
        return self.code.width if name in self.differing else 1

    def stays_apart(self, name: str, size: int) -> bool:
        """Long tables of which rows are read and written."""
        return size > LARGE and name in self.differing and name not in self.in_programs

    def place_of(self, key: Any, start: str) -> Place:
        c = self.code
        if key is _WORK or (isinstance(key, str) and key not in self.differing):
            return Same(c, Cells(c, start))
        if isinstance(key, str) and self.stays_apart(key, size := self.facts.size(key)):
            return Apart(c, [c.at(start, lane * size) for lane in range(c.width)])
        return Wide(c, start)

    def rooms(self, sizes: Mapping[Any, int]) -> dict[Any, str]:
        """Where arrays of so many doubles lie: the smallest on the stack, as long as there is room, the others in the heap."""
        total, found = 0, {}
        for key, size in sorted(sizes.items(), key=lambda one: one[1]):
            length = -(-size // LINE) * LINE
            total += length
            if size <= LARGE * self.code.width and total <= ROOM:
                found[key] = self.code.room(f"[{max(length, LINE)} x double]")
            else:
                found[key] = self.code.at("%heap", self.heap)
                self.heap += length
        return found

    # --- programs ----------------------------------------------------------------------------------------------------

    def run(self, stage: Run, mask: Mask) -> None:
        """A call of a program. Under a mask what it makes is brought to its place in the lanes of the mask."""
        program, c = stage.program, self.code
        one = self.facts.programs[program]
        targets = [self.places[stage.place(array)] for array in program.outputs]
        is_same = bool(targets) and all(isinstance(target, Same) for target in targets)
        read = [(argument, self.places[stage.place(argument.array)]) for argument in one.inputs]
        if one.reads_parameters:
            read.append((one.parameters, self.places[_PARAMETERS]))
        if one.has_precompute:
            read.append((one.constants, self.places[_CONSTANTS].after(self.facts.offsets[program])))
        name = self.function(program, [(argument, isinstance(place, Same)) for argument, place in read], is_same)
        passed = [self.start(place) for _, place in read]
        if mask is None:
            c.line(_call(name, [*passed, *map(self.start, targets)]))
            return
        made, rest = [], self.places[_MADE]
        for array in program.outputs:
            made.append(rest)
            rest = rest.after(len(array.entries))
        c.line(_call(name, [*passed, *map(self.start, made)]))
        for array, source, target in zip(program.outputs, made, targets, strict=True):
            copy(c, source, target, len(array.entries), mask)

    def start(self, place: Place) -> str:
        assert not isinstance(place, Apart)
        return place.cells.pointer if isinstance(place, Same) else place.pointer

    def function(self, program: Program, read: Sequence[tuple[Argument, bool]], is_same: bool) -> str:
        """The name of a program's function for arguments of which some are the same in all lanes."""
        key = (program, tuple(same for _, same in read), is_same)
        if key not in self.functions:
            name = f"program{len(self.functions)}"
            self.functions[key] = (
                name,
                self.program_text(name, program, read, Lanes(1, self.lanes.fused) if is_same else self.lanes),
            )
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

    def kernel_key(self, stage: Kernel) -> tuple[str, tuple[tuple[int, ...], ...]]:
        return stage.name, tuple(self.facts.shape(name) for name in stage.inputs)

    def kernel_room(self, stage: Kernel) -> int:
        """What it works in, and its arrays in one piece; those of linear systems are by vectors."""
        total = kernel_workspace(*self.kernel_key(stage)) + sum(map(self.facts.size, (*stage.inputs, *stage.outputs)))
        return total * (self.code.width if stage.name == "solve" else 1)

    def solve(self, stage: Kernel, mask: Mask) -> None:
        """In all lanes at once, on arrays by vectors."""
        c, work, names = self.code, self.places[_WORK], (*stage.inputs, *stage.outputs)
        assert isinstance(work, Same)
        n, k = self.facts.shape(stage.inputs[0])[0], self.facts.size(stage.inputs[1]) // self.facts.shape(names[0])[0]
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
        self.solved.add((n, k))
        c.line(_call(solve_name(n, k), [*(place.pointer for place in passed), work.cells.pointer]))
        if passed[-1] is not self.places[names[-1]]:
            copy(c, passed[-1], self.places[names[-1]], self.facts.size(names[-1]), mask)

    def kernel(self, stage: Kernel, cells: Mapping[str, Cells]) -> None:
        """On the arrays of one lane, which are brought together for it."""
        c, work = self.code, self.places[_WORK]
        assert isinstance(work, Same)
        offset = kernel_workspace(*self.kernel_key(stage))
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
        c.line(_call(kernel_name(*self.kernel_key(stage)), [*pointers, work.cells.pointer]))
        for name in stage.outputs:
            if passed[name] is not cells[name]:
                c.copy(passed[name], cells[name], self.facts.size(name))


def _call(name: str, pointers: Sequence[str]) -> str:
    return f"call void @{name}({', '.join(f'ptr {pointer}' for pointer in pointers)})"
