"""A routine in Fortran: ``pure subroutine NAME_solve(T, ..., solutions, total)``, a row for each solution."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ....program.program import Program
from ....program.routine import COUNT, Each, Emit, Kernel, Newton, Routine, Run, When
from ...interface import CONSTANTS, LISTED, PARAMETERS
from ...layout import WIDTH
from ...routines.facts import RoutineFacts, documentation, routine_facts
from ...routines.kernels import kernels
from ...routines.stages import StagePrinter
from . import dummies, module_text, not_read, procedure, program_procedures, shape_of
from .printer import FortranPrinter
from .reserved import RESERVED, FortranNames
from .statements import INDENT, declarations, statement

LOCAL = ("total", "row", "apart", "turns", "whole", "same", "units", "i")


def generate(routine: Routine, *, name: str | None = None) -> dict[str, str]:
    """The file with the module."""
    facts = _facts(routine, name)
    return {f"{facts.stem}.f90": _source(facts)}


def _facts(routine: Routine, name: str | None) -> RoutineFacts:
    return routine_facts(routine, [*RESERVED, *LOCAL], name, rules=FortranNames)


def _source(facts: RoutineFacts) -> str:
    printer = FortranPrinter()
    procedures = [text for one in facts.programs.values() for text in program_procedures(one, printer)]
    procedures += [*kernels("fortran", facts), _keep(facts)]
    if facts.constants:
        procedures.append(_precompute(facts))
    procedures.append(_solve(facts, printer))
    public = [facts.solve, *([facts.precompute] if facts.constants else [])]
    return module_text(facts.names.take(f"{facts.stem}_mod"), _documentation(facts), public, printer, procedures)


def _documentation(facts: RoutineFacts) -> list[str]:
    routine = facts.routine
    made = [
        f"  solutions [{routine.most}x{routine.width}], out: a row for each solution, zero after them",
        "  total, out: the number of solutions, 0 if there is none (an integer)",
    ]
    return documentation(facts, WIDTH - 2, fills=True, first=1, storage=LISTED, made=made)


# --- procedures ------------------------------------------------------------------------------------------------------


def _precompute(facts: RoutineFacts) -> str:
    code = []
    for program, one in facts.programs.items():
        if one.has_precompute:
            code += statement(f"call {one.precompute_function}({PARAMETERS}, {_part(facts, program)})", 2)
    declared = dummies("in", [(PARAMETERS, [len(facts.routine.parameter_symbols)])])
    declared += dummies("out", [(CONSTANTS, [facts.constants])])
    return procedure(facts.precompute, [PARAMETERS, CONSTANTS], declared, code)


def _part(facts: RoutineFacts, program: Program) -> str:
    """A program's part of the constants."""
    start = facts.offsets[program]
    return f"{CONSTANTS}({start + 1}:{start + facts.programs[program].constants.size})"


def _keep(facts: RoutineFacts) -> str:
    """Appends a row unless it is there already."""
    routine, number = facts.routine, FortranPrinter().number
    n, pad = routine.width, INDENT * 2
    declared = [
        *dummies("in", [("row", [n])]),
        *dummies("inout", [("solutions", [routine.most, n])]),
        f"{pad}integer, intent(inout) :: total",
        f"{pad}real(dp), intent(in) :: same",
    ]
    turned = []
    if any(routine.turns):
        listed = ", ".join(".true." if turn else ".false." for turn in routine.turns)
        declared.append(f"{pad}real(dp), parameter :: whole = 6.283185307179586_dp")
        declared += statement(f"logical, parameter :: turns({n}) = [{listed}]", 2)
        turned.append(f"{pad}{INDENT}where (turns) apart = abs(apart - whole*anint(apart/whole))")
    if facts.units:
        listed = ", ".join(map(number, facts.units))
        declared += statement(f"real(dp), parameter :: units({n}) = [{listed}]", 2)
    declared += [f"{pad}real(dp) :: apart({n})", f"{pad}integer :: i"]
    code = [
        f"{pad}do i = 1, total",
        f"{pad}{INDENT}apart = abs(row - solutions(i, :))",
        *turned,
        f"{pad}{INDENT}if (all(apart <= {'same*units' if facts.units else 'same'})) return",
        f"{pad}end do",
        f"{pad}if (total == {routine.most}) return",
        f"{pad}total = total + 1",
        f"{pad}solutions(total, :) = row",
    ]
    text = procedure(facts.keep, ["row", "solutions", "total", "same"], declared, code)
    return f"{INDENT}! Appends a solution unless it is there already.\n{text}"


def _solve(facts: RoutineFacts, printer: FortranPrinter) -> str:
    routine, pad = facts.routine, INDENT * 2
    stages = _Stages(facts, printer)
    body = stages.all(routine.stages, 2)
    read = facts.taken
    unread = [facts.slots[slot.name] for slot in routine.inputs if slot.name not in stages.used]
    local = [shape_of(facts.slots[slot.name], slot.shape) for slot in routine.workspace]
    declared = [
        *dummies("in", read),
        *dummies("out", [("solutions", [routine.most, routine.width])]),
        f"{pad}integer, intent(out) :: total",
        *declarations("real(dp)", local + ([facts.slots[COUNT]] if COUNT in stages.used else []), 2),
        *declarations("integer", stages.indices, 2),
    ]
    code = [*not_read(unread, facts.names), f"{pad}solutions = 0.0_dp", f"{pad}total = 0", *body]
    return procedure(facts.solve, [*(name for name, _ in read), "solutions", "total"], declared, code)


class _Stages(StagePrinter):
    indent = INDENT

    def __init__(self, facts: RoutineFacts, printer: FortranPrinter) -> None:
        super().__init__(facts)
        self.printer = printer
        self.indices: list[str] = []  # of the loops
        self.used: set[str] = set()

    def name(self, slot: str) -> str:
        self.used.add(slot)
        return self.facts.slots[slot]

    def number(self, value: float) -> str:
        return self.printer.number(value)

    def index(self) -> str:
        self.indices.append(self.facts.names.numbered("i"))
        return self.indices[-1]

    def count(self) -> str:
        return f"{self.name(COUNT)} = real(total, dp)"

    def given(self, slots: Sequence[str], made: Collection[str]) -> list[str]:
        """Arguments that are read; of one that is also written, a copy, as Fortran demands."""
        return [f"({self.name(slot)})" if slot in made else self.name(slot) for slot in slots]

    def kernel(self, stage: Kernel, depth: int) -> list[str]:
        shapes = [self.facts.shape(slot) for slot in stage.inputs]
        sizes = [str(shapes[0][0])]
        if stage.name == "solve":
            sizes.append(str(shapes[1][1] if len(shapes[1]) == 2 else 1))
        taken = [*sizes, *self.given(stage.inputs, stage.outputs), *map(self.name, stage.outputs)]
        call = statement(f"call kernel_{stage.name}({', '.join(taken)})", depth)
        return [*self.counted(stage.inputs, depth), *call]

    def when(self, stage: When, depth: int) -> list[str]:
        head = statement(f"if ({self.printer.is_nonzero(self.name(stage.condition))}) then", depth)
        inside = self.all(stage.stages, depth + 1)
        return [*self.counted([stage.condition], depth), *head, *inside, *statement("end if", depth)]

    def run(self, stage: Run, depth: int) -> list[str]:
        facts = self.facts.programs[stage.program]
        inputs = [stage.place(array) for array in stage.program.inputs]
        outputs = [stage.place(array) for array in stage.program.outputs]
        taken = self.given(inputs, outputs)
        taken += [PARAMETERS] if facts.reads_parameters else []
        taken += [_part(self.facts, stage.program)] if facts.has_precompute else []
        taken += map(self.name, outputs)
        return [*self.counted(inputs, depth), *statement(f"call {facts.function}({', '.join(taken)})", depth)]

    def emit(self, stage: Emit, depth: int) -> list[str]:
        shape = self.facts.shape(stage.values)
        values, where = self.name(stage.values), self.name(stage.where)
        if len(shape) == 1:
            return self.kept(stage, where, values, depth)
        i = self.index()
        inside = self.kept(stage, f"{where}({i})", f"{values}({i}, :)", depth + 1)
        return [*statement(f"do {i} = 1, {shape[0]}", depth), *inside, *statement("end do", depth)]

    def kept(self, stage: Emit, where: str, row: str, depth: int) -> list[str]:
        keep = f"{self.facts.keep}({row}, solutions, total, {self.same(stage)})"
        return statement(f"if ({self.printer.is_nonzero(where)}) call {keep}", depth)

    def each(self, stage: Each, depth: int) -> list[str]:
        shape, i = self.facts.shape(stage.array), self.index()
        rest = ", :" * (len(shape) - 1)
        lines = [*self.counted([stage.count], depth), *statement(f"do {i} = 1, {shape[0]}", depth)]
        if stage.count is not None:
            lines += statement(f"if (.not. {i} <= {self.name(stage.count)}) exit", depth + 1)
        lines += statement(f"{self.name(stage.row)} = {self.name(stage.array)}({i}{rest})", depth + 1)
        return [*lines, *self.all(stage.stages, depth + 1), *statement("end do", depth)]

    def newton(self, stage: Newton, depth: int) -> list[str]:
        x, dx = self.name(stage.unknown), self.name(stage.correction)
        whole = "all({})" if self.facts.shape(stage.unknown) else "{}"
        finite = whole.format(f"abs({dx}) <= huge({dx})")
        small = whole.format(f"abs({dx}) <= {self.printer.number(stage.tolerance)}")
        return [
            *statement(f"do {self.index()} = 1, {stage.steps}", depth),
            *self.all(stage.stages, depth + 1),
            *statement(f"if (.not. {finite}) exit", depth + 1),
            *statement(f"{x} = {x} - {dx}", depth + 1),
            *statement(f"if ({small}) exit", depth + 1),
            *statement("end do", depth),
        ]
