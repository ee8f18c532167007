"""The module of a routine for the states of a vector register at once, as LLVM assembly.

It defines ``lanes(table, first, last, heap)``: the states from first on, as many at a time as there are lanes; at the end the
last state fills the lanes that are left, which compute it once more and write the same numbers to the same places. The
table holds the address of each argument and how far the next state is from it (in doubles, 0 for an argument that all states
share), the heap is what ``LanesModule`` asks for, at a line of the cache.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from ..codegen.interface import Argument
from ..codegen.routines.facts import RoutineFacts
from ..program.routine import Run, walk
from .assembly import Lanes, function
from .code import DECLARATIONS, Cells, Number
from .differing import differing
from .host import Host
from .lanes_calls import CONSTANTS, MADE, PARAMETERS, WORK, LaneCalls, kernel_room
from .lanes_places import Apart, LaneCode, Place, Same, Wide, copy, declarations
from .lanes_stages import LaneStages
from .loops import Looping
from .routine_ir import LARGE, ROOM

LANES = "lanes"
LINE = 8  # doubles of a line of the cache
_TAKEN = "ptr %table, i64 %first, i64 %last, ptr %heap"


@dataclass(frozen=True)
class LanesModule:
    """The assembly, and the doubles of the heap that it works in."""

    text: str
    heap: int


def lanes_module(facts: RoutineFacts, host: Host, batched: Collection[str], sets: bool, flags: str = "") -> LanesModule:
    """For calls in which these inputs have a batch axis, and so have the parameters if there are ``sets`` of them."""
    group = _Group(facts, host, batched, sets)
    calls = LaneCalls(group.code, facts, group.places, host, flags)
    text = group.text(calls)
    parts = [*calls.definitions(), *DECLARATIONS, *declarations(host.lanes), text, _groups(host.lanes)]
    return LanesModule("\n".join(parts) + "\n", group.heap)


def _groups(width: int) -> str:
    a = Looping(Lanes())
    with a.loop(a.whole("sub", "%last", "%first"), width) as i:
        a.line(f"call void @group(ptr %table, i64 {a.whole('add', '%first', i)}, i64 %last, ptr %heap)")
    return function(f"void @{LANES}({_TAKEN}) nounwind", a, "ret void")


class _Group:
    """The function of one group of states: the places of all arrays, inputs brought into them, the stages, outputs brought to
    where they go."""

    def __init__(self, facts: RoutineFacts, host: Host, batched: Collection[str], sets: bool) -> None:
        self.facts, self.routine, self.sets = facts, facts.routine, sets
        self.batched = frozenset(batched)
        self.differing = differing(self.routine, self.batched, sets)
        runs = [stage for stage in walk(self.routine.stages) if isinstance(stage, Run)]
        self.in_programs = {stage.place(a) for stage in runs for a in (*stage.program.inputs, *stage.program.outputs)}
        self.most_made = max((sum(len(array.entries) for array in stage.program.outputs) for stage in runs), default=0)
        self.code = LaneCode(Lanes(host.lanes, host.fused))
        self.places: dict[Any, Place] = {}
        self.heap = 0

    def text(self, calls: LaneCalls) -> str:
        c, facts = self.code, self.facts
        arguments = (*facts.read, *facts.outputs)
        given = {one.name: self.argument(i, self.has_axis(i, one)) for i, one in enumerate(arguments)}
        self.arrays(given)
        LaneStages(c, self.routine, self.places, self.differing, calls).all(self.routine.stages)
        for output in facts.outputs:
            if (place := self.places[output.array.name]) is not given[output.name]:
                copy(c, place, given[output.name], output.size)
        return function(f"internal void @group({_TAKEN}) noinline nounwind", c, "ret void")

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
        read |= {PARAMETERS: facts.parameters} if facts.reads_parameters else {}
        read |= {CONSTANTS: facts.constants} if facts.has_precompute else {}
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
        sizes[WORK] = max((kernel_room(facts, stage, c.width) for stage in facts.kernels), default=0)
        sizes[MADE] = self.most_made * c.width if self.differing else 0
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
        if key is WORK or (isinstance(key, str) and key not in self.differing):
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
