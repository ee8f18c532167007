"""A routine in Fortran: ``pure subroutine NAME(T, ..., solutions, ...)``, arrays of explicit shape, as those of a program.

The workspace lies on the stack, but for arrays so large that compilers would put them elsewhere, shared by all calls: these
are allocated.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ....program.program import Program
from ....program.routine import Collect, Copy, Each, Fill, Kernel, Newton, Record, Repeat, Routine, Run, Take, When
from ....program.uses import reads
from ...interface import CONSTANTS, LISTED, PARAMETERS, Argument
from ...layout import WIDTH
from ...routines.facts import Keeper, RoutineFacts, documentation, routine_facts
from ...routines.kernels import kernel_sizes, kernels
from ...routines.stages import StagePrinter
from . import dummies, module_text, not_read, procedure, program_procedures, shape_of
from .printer import FortranPrinter
from .reserved import RESERVED, FortranNames
from .statements import INDENT, declarations, statement

LONG = "integer(selected_int_kind(18))"  # of turns that a number of the workspace says
LARGE = 4096  # numbers that are not put on the stack
MOST_COUNTED = 2**31 - 2  # turns that an ordinary integer counts


def generate(routine: Routine, *, name: str | None = None) -> dict[str, str]:
    """The file with the module."""
    facts = facts_of(routine, name)
    return {f"{facts.function}.f90": _source(facts)}


def facts_of(routine: Routine, name: str | None = None) -> RoutineFacts:
    return routine_facts(routine, RESERVED, name, rules=FortranNames)


def _source(facts: RoutineFacts) -> str:
    printer = FortranPrinter()
    procedures = [text for one in facts.programs.values() for text in program_procedures(one, printer)]
    procedures += [*kernels("fortran", facts), *(_keep(name, kind) for kind, name in facts.keepers.items())]
    if facts.has_precompute:
        procedures.append(_precompute(facts))
    procedures.append(_main(facts, printer))
    public = [facts.function, *([facts.precompute_function] if facts.has_precompute else [])]
    lines = documentation(facts, WIDTH - 2, fills=True, first=1, storage=LISTED, may_overlap=False)
    return module_text(facts.names.take(f"{facts.function}_mod"), lines, public, printer, procedures)


# --- procedures ------------------------------------------------------------------------------------------------------


def _shaped(arguments: Sequence[Argument]) -> list[tuple[str, tuple[int, ...]]]:
    return [(one.name, one.array.shape) for one in arguments]


def _precompute(facts: RoutineFacts) -> str:
    code = []
    for program, one in facts.programs.items():
        if one.has_precompute:
            code += statement(f"call {one.precompute_function}({PARAMETERS}, {_part(facts, program)})", 2)
    declared = [*dummies("in", _shaped([facts.parameters])), *dummies("out", _shaped([facts.constants]))]
    return procedure(facts.precompute_function, [PARAMETERS, CONSTANTS], declared, code)


def _part(facts: RoutineFacts, program: Program) -> str:
    """A program's part of the constants."""
    start = facts.offsets[program]
    return f"{CONSTANTS}({start + 1}:{start + facts.programs[program].constants.size})"


def _keep(name: str, kind: Keeper) -> str:
    """The subroutine that appends a row. What has more than two indices is taken as a matrix: by columns, as it lies."""
    n, pad = kind.size, INDENT * 2
    declared = [
        *dummies("in", [("row", [n])]),
        *dummies("inout", [("into", [kind.most, n])]),
        f"{pad}integer, intent(inout) :: total",
    ]
    about = "Appends a row if there is room."
    code: list[str] = []
    if kind.within:
        about = "Appends a row unless it is there already."
        more, code = _search(kind.by_columns)
        declared += more
    code += [
        f"{pad}if (total >= {kind.most}) return",
        f"{pad}total = total + 1",
        f"{pad}into(total, :) = row",
    ]
    return f"{INDENT}! {about}\n{procedure(name, ['row', 'into', 'total'], declared, code)}"


def _search(kind: Keeper) -> tuple[list[str], list[str]]:
    """What is declared for, and the statements that return if the row is there already."""
    n, pad, number = kind.size, INDENT * 2, FortranPrinter().number
    declared, turned = [], []
    if any(kind.turns):
        listed = ", ".join(".true." if turn else ".false." for turn in kind.turns)
        declared.append(f"{pad}real(dp), parameter :: whole = 6.283185307179586_dp")
        declared += statement(f"logical, parameter :: turns({n}) = [{listed}]", 2)
        turned.append(f"{pad}{INDENT}where (turns) apart = abs(apart - whole*aint(apart/whole + 0.5_dp))")
    listed = ", ".join(map(number, kind.within))
    declared += statement(f"real(dp), parameter :: within({n}) = [{listed}]", 2)
    declared += [f"{pad}real(dp) :: apart({n})", f"{pad}integer :: i"]
    return declared, [
        f"{pad}do i = 1, total",
        f"{pad}{INDENT}apart = abs(row - into(i, :))",
        *turned,
        f"{pad}{INDENT}if (all(apart <= within)) return",
        f"{pad}end do",
    ]


def _main(facts: RoutineFacts, printer: FortranPrinter) -> str:
    routine, stages = facts.routine, _Stages(facts, printer)
    body = stages.all(routine.stages, 2)
    used, states = reads(routine.stages), dict(facts.state)
    unread = [one.name for one in facts.inputs if one.array.name not in used and one not in states]
    local = [shape_of(facts.slots[slot.name], slot.shape) for slot in routine.workspace if slot.size <= LARGE]
    large = [slot for slot in routine.workspace if slot.size > LARGE]
    free = [shape_of(facts.slots[slot.name], [":"] * len(slot.shape)) for slot in large]
    declared = [
        *dummies("in", _shaped(facts.read)),
        *dummies("out", _shaped(facts.outputs)),
        *declarations("real(dp)", [*local, *stages.reals], 2),
        *declarations("real(dp), allocatable", free, 2),
        *declarations("integer", stages.integers, 2),
        *declarations(LONG, stages.turns, 2),
    ]
    code = not_read(unread, facts.names)
    for slot in large:
        code += statement(f"allocate ({shape_of(facts.slots[slot.name], slot.shape)})", 2)
    for given, made in states.items():
        code += statement(f"{made.name} = {given.name}", 2)
    return procedure(facts.function, [one.name for one in (*facts.read, *facts.outputs)], declared, [*code, *body])


# --- stages ----------------------------------------------------------------------------------------------------------


class _Stages(StagePrinter):
    indent = INDENT

    def __init__(self, facts: RoutineFacts, printer: FortranPrinter) -> None:
        super().__init__(facts)
        self.printer = printer
        self.integers: list[str] = []  # what is to be declared, of each type
        self.reals: list[str] = []
        self.turns: list[str] = []

    def name(self, slot: str) -> str:
        return self.facts.slots[slot]

    def number(self, value: float) -> str:
        return self.printer.number(value)

    def new(self, stem: str, declared: list[str]) -> str:
        declared.append(self.facts.names.numbered(stem))
        return declared[-1]

    def row(self, array: str, place: str) -> str:
        return f"{self.name(array)}({place}{', :' * (len(self.facts.shape(array)) - 1)})"

    def loop(self, i: str, times: int, depth: int) -> list[str]:
        """The head of a loop. Compilers warn of ``do`` without a turn."""
        if times:
            return statement(f"do {i} = 1, {times}", depth)
        return [*statement(f"{i} = 1", depth), *statement(f"do while ({i} < 1)", depth)]

    def given(self, slots: Sequence[str], made: Collection[str]) -> list[str]:
        """Arguments that are read; of one that is also written, a copy, as Fortran demands."""
        return [f"({self.name(slot)})" if slot in made else self.name(slot) for slot in slots]

    def kernel(self, stage: Kernel, depth: int) -> list[str]:
        sizes = map(str, kernel_sizes(self.facts, stage).values())
        taken = [*sizes, *map(self.name, (*stage.inputs, *stage.outputs))]
        return statement(f"call kernel_{stage.name}({', '.join(taken)})", depth)

    def run(self, stage: Run, depth: int) -> list[str]:
        facts = self.facts.programs[stage.program]
        inputs = [stage.place(array) for array in stage.program.inputs]
        outputs = [stage.place(array) for array in stage.program.outputs]
        taken = self.given(inputs, outputs)
        taken += [PARAMETERS] if facts.reads_parameters else []
        taken += [_part(self.facts, stage.program)] if facts.has_precompute else []
        return statement(f"call {facts.function}({', '.join([*taken, *map(self.name, outputs)])})", depth)

    def fill(self, stage: Fill, depth: int) -> list[str]:
        return statement(f"{self.name(stage.array)} = {self.number(stage.value)}", depth)

    def copy(self, stage: Copy, depth: int) -> list[str]:
        return statement(f"{self.name(stage.target)} = {self.name(stage.source)}", depth)

    def collect(self, stage: Collect, depth: int) -> list[str]:
        facts, most = self.facts, self.facts.shape(stage.into)[0]
        values, where, into, count = map(self.name, (stage.values, stage.where, stage.into, stage.count))
        total = self.new("total", self.integers)
        lines = [
            *statement(f"{total} = 0", depth),
            *statement(f"if ({count} >= 1.0_dp) {total} = int(min({count}, {self.number(most)}))", depth),
        ]
        if facts.shape(stage.where) == ():
            lines += self.kept(stage, where, values, into, total, depth)
        else:
            i = self.new("i", self.integers)
            lines += self.loop(i, facts.shape(stage.where)[0], depth)
            lines += self.kept(stage, f"{where}({i})", self.row(stage.values, i), into, total, depth + 1)
            lines += statement("end do", depth)
        return [*lines, *statement(f"{count} = real({total}, dp)", depth)]

    def kept(self, stage: Collect, where: str, row: str, into: str, total: str, depth: int) -> list[str]:
        if len(self.facts.shape(stage.into)) == 1:
            row = f"[{row}]"  # a number is no array
        keep = f"{self.facts.keeper(stage)}({row}, {into}, {total})"
        return statement(f"if ({self.printer.is_nonzero(where)}) call {keep}", depth)

    def record(self, stage: Record, depth: int) -> list[str]:
        place, rows = self.new("place", self.reals), self.facts.shape(stage.into)[0]
        whole = f"{place} >= 0.0_dp .and. {place} < {self.number(rows)} .and. {self.printer.is_whole(place)}"
        row = self.row(stage.into, f"int({place}) + 1")
        return [
            *statement(f"{place} = {self.name(stage.turn)}/{self.number(stage.every)}", depth),
            *statement(f"if ({whole}) then", depth),
            *statement(f"{row} = {self.name(stage.array)}", depth + 1),
            *statement("end if", depth),
        ]

    def take(self, stage: Take, depth: int) -> list[str]:
        place, i = self.new("place", self.reals), self.new("i", self.integers)
        last = self.number(self.facts.shape(stage.array)[0] - 1)
        return [
            *statement(f"{place} = {self.name(stage.turn)}/{self.number(stage.every)}", depth),
            *statement(f"{i} = 1", depth),
            *statement(f"if ({place} >= 1.0_dp) {i} = int(min({place}, {last})) + 1", depth),
            *statement(f"{self.name(stage.row)} = {self.row(stage.array, i)}", depth),
        ]

    def each(self, stage: Each, depth: int) -> list[str]:
        i = self.new("i", self.integers)
        lines = self.loop(i, self.facts.shape(stage.array)[0], depth)
        if stage.count is not None:
            lines += statement(f"if (.not. {i} <= {self.name(stage.count)}) exit", depth + 1)
        lines += statement(f"{self.name(stage.row)} = {self.row(stage.array, i)}", depth + 1)
        return [*lines, *self.all(stage.stages, depth + 1), *statement("end do", depth)]

    def repeat(self, stage: Repeat, depth: int) -> list[str]:
        counted = isinstance(stage.times, int) and stage.times <= MOST_COUNTED
        i = self.new("i", self.integers if counted else self.turns)
        turn = [] if stage.turn is None else statement(f"{self.name(stage.turn)} = real({i} - 1, dp)", depth + 1)
        body = [*turn, *self.all(stage.stages, depth + 1)]
        if stage.until is not None:
            body += statement(f"if ({self.printer.is_nonzero(self.name(stage.until))}) exit", depth + 1)
        if isinstance(stage.times, int) and counted:
            return [*self.loop(i, stage.times, depth), *body, *statement("end do", depth)]
        times = self.name(stage.times) if isinstance(stage.times, str) else self.number(stage.times)
        return [
            *statement(f"{i} = 1", depth),
            *statement(f"do while (real({i}, dp) <= {times})", depth),
            *body,
            *statement(f"{i} = {i} + 1", depth + 1),
            *statement("end do", depth),
        ]

    def when(self, stage: When, depth: int) -> list[str]:
        lines = statement(f"if ({self.printer.is_nonzero(self.name(stage.condition))}) then", depth)
        lines += self.all(stage.stages, depth + 1)
        if stage.otherwise:
            lines += [*statement("else", depth), *self.all(stage.otherwise, depth + 1)]
        return [*lines, *statement("end if", depth)]

    def newton(self, stage: Newton, depth: int) -> list[str]:
        x, dx = self.name(stage.unknown), self.name(stage.correction)
        whole = "all({})" if self.facts.shape(stage.unknown) else "{}"
        finite = whole.format(f"abs({dx}) <= huge({dx})")
        small = whole.format(f"abs({dx}) <= {self.number(stage.tolerance)}")
        return [
            *statement(f"do {self.new('i', self.integers)} = 1, {stage.steps}", depth),
            *self.all(stage.stages, depth + 1),
            *statement(f"if (.not. {finite}) exit", depth + 1),
            *statement(f"{x} = {x} - {dx}", depth + 1),
            *(statement(f"if ({small}) exit", depth + 1) if stage.tolerance >= 0 else []),
            *statement("end do", depth),
        ]
