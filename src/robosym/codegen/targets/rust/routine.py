"""A routine in Rust: ``NAME_solve(T, ..., solutions: &mut [[f64; n]; most]) -> usize`` fills rows and counts them.

``&solutions[..count]`` are the solutions. The workspace lies on the stack; programs and kernels are private functions.
"""

from __future__ import annotations

from collections.abc import Mapping

from ....program.program import Program
from ....program.routine import COUNT, Each, Emit, Kernel, Newton, Routine, Run, Slot, When
from ...curly import signature
from ...interface import CONSTANTS, PARAMETERS, precompute_purpose
from ...layout import wrap
from ...nested import INDENT
from ...routines.facts import RoutineFacts, documentation, routine_facts
from ...routines.kernels import NAMES, kernels
from ...routines.stages import StagePrinter
from . import WIDTH, array_type, doc, file_text, outputs_name, program_items, taken_type
from .printer import RustPrinter, literal
from .reserved import RESERVED

LOCAL = ("row", "next", "made", "total", "entry", "change")
KERNEL_PARTS = ("kernel_hessenberg", "kernel_reflect", "kernel_sweep")
ALLOWED = "#[allow(non_snake_case, clippy::all)]\n#[allow(unused_assignments, unused_mut, unused_variables)]"

KEEP = """\
/// Appends a solution unless it is there already; returns how many there are.
#[allow(non_snake_case, clippy::all)]
fn {name}(row: &{row}, solutions: &mut {solutions}, total: usize, same: f64) -> usize {{
    // a joint that turns is the same after a whole turn
{turns}
    let whole = core::f64::consts::TAU;
    for other in &solutions[..total] {{
        let mut known = true;
        for k in 0..{width} {{
            let mut apart = f64::abs(row[k] - other[k]);
            if turns[k] {{
                apart = f64::abs(apart - whole * f64::floor(apart / whole + 0.5));
            }}
            known = known && apart <= {same};
        }}
        if known {{
            return total;
        }}
    }}
    if total == {most} {{
        return total;
    }}
    solutions[total] = *row;
    total + 1
}}"""


def generate(routine: Routine, *, name: str | None = None) -> dict[str, str]:
    facts = _facts(routine, name)
    return {f"{facts.stem}.rs": _source(facts)}


def _facts(routine: Routine, name: str | None) -> RoutineFacts:
    return routine_facts(routine, [*RESERVED, *LOCAL, *KERNEL_PARTS, *NAMES], name)


def _source(facts: RoutineFacts) -> str:
    printer = RustPrinter()
    items = []
    for one in facts.programs.values():
        items += program_items(one, printer, facts.names.take(outputs_name(one)), public=False)
    items += [*kernels("rust", facts), _keep(facts)]
    if facts.constants:
        items.append(_precompute(facts))
    return file_text(documentation(facts, WIDTH, fills=True)[0], printer, [*items, _solve(facts)])


def _keep(facts: RoutineFacts) -> str:
    routine = facts.routine
    turns = ", ".join("true" if turn else "false" for turn in routine.turns)
    lines = wrap(f"{INDENT}let turns = [{turns}];", INDENT * 2, WIDTH)
    if facts.units:
        lines += wrap(f"{INDENT}let units = [{', '.join(map(literal, facts.units))}];", INDENT * 2, WIDTH)
    return KEEP.format(
        name=facts.keep,
        row=array_type((routine.width,)),
        solutions=array_type((routine.most, routine.width)),
        turns="\n".join(lines),
        width=routine.width,
        same="same * units[k]" if facts.units else "same",
        most=routine.most,
    )


def _precompute(facts: RoutineFacts) -> str:
    lines = [
        f"/// {precompute_purpose(f'[`{facts.solve}`]')}",
        f"pub fn {facts.precompute}({_parameters(facts)}) -> [f64; {facts.constants}] {{",
        f"{INDENT}let mut {CONSTANTS} = [0.0; {facts.constants}];",
    ]
    for program, one in facts.programs.items():
        if one.has_precompute:
            part = f"{CONSTANTS}[{_part(facts, program)}]"
            made = f"&{one.precompute_function}({PARAMETERS})"
            lines += wrap(f"{INDENT}{part}.copy_from_slice({made});", INDENT * 2, WIDTH)
    return "\n".join([*lines, f"{INDENT}{CONSTANTS}", "}"])


def _part(facts: RoutineFacts, program: Program) -> str:
    """Where a program's part of the constants lies."""
    start = facts.offsets[program]
    return f"{start}..{start + facts.programs[program].constants.size}"


def _parameters(facts: RoutineFacts) -> str:
    return f"{PARAMETERS}: &[f64; {len(facts.routine.parameter_symbols)}]"


def _solve(facts: RoutineFacts) -> str:
    routine = facts.routine
    taken = [f"{name}: {taken_type(shape)}" for name, shape in facts.taken]
    taken.append(f"solutions: &mut {array_type((routine.most, routine.width))}")
    first, *rest = documentation(facts, WIDTH - 4, fills=True)
    head = signature(f"pub fn {facts.solve}", taken, " -> usize {", WIDTH, INDENT)
    printed = _Stages(facts)
    stages = printed.all(routine.stages, 1)
    slots = (*routine.workspace, *([Slot(COUNT, ())] if printed.counts else []))
    lines = [f"{INDENT}let mut {facts.slots[slot.name]} = {_zero(slot.shape)};" for slot in slots]
    lines.append(f"{INDENT}let mut total: usize = 0;")
    return "\n".join([*doc(first, rest[1:]), ALLOWED, *head, *lines, *stages, f"{INDENT}total", "}"])


def _zero(shape: tuple[int, ...]) -> str:
    text = "0.0_f64"
    for size in reversed(shape):
        text = f"[{text}; {size}]"
    return text


class _Stages(StagePrinter):
    def __init__(self, facts: RoutineFacts) -> None:
        super().__init__(facts)
        self.counts = False
        self.given: Mapping[str, Slot] = {slot.name: slot for slot in facts.routine.inputs}

    def value(self, name: str) -> str:
        """An array of the workspace as a value: those given are references."""
        text = self.facts.slots[name]
        return f"*{text}" if name in self.given and self.given[name].shape else text

    def borrowed(self, name: str) -> str:
        """As the functions take it: arrays by reference, scalars by value."""
        text = self.facts.slots[name]
        return text if name in self.given or not self.facts.shape(name) else f"&{text}"

    def number(self, value: float) -> str:
        return literal(value)

    def count(self) -> str:
        self.counts = True
        return f"{self.facts.slots[COUNT]} = total as f64;"

    def kernel(self, stage: Kernel, depth: int) -> list[str]:
        pad, made = self.indent * depth, self.facts.slots[stage.outputs[0]]
        taken = [self.borrowed(name) for name in stage.inputs]
        after = ""
        if stage.name == "solve" and len(self.facts.shape(stage.inputs[1])) == 1:  # the kernel takes columns
            taken[1] = f"&{self.facts.slots[stage.inputs[1]]}.map(|entry| [entry])"
            after = ".map(|[entry]| entry)"
        call = f"kernel_{stage.name}({', '.join(taken)}){after}"
        return [*self.counted(stage.inputs, depth), *wrap(f"{pad}{made} = {call};", pad + self.indent, WIDTH)]

    def when(self, stage: When, depth: int) -> list[str]:
        pad = self.indent * depth
        head = f"{pad}if {self.facts.slots[stage.condition]} != 0.0 {{"
        return [*self.counted([stage.condition], depth), head, *self.all(stage.stages, depth + 1), f"{pad}}}"]

    def run(self, stage: Run, depth: int) -> list[str]:
        pad, facts = self.indent * depth, self.facts.programs[stage.program]
        inputs = [stage.place(array) for array in stage.program.inputs]
        taken = [self.borrowed(name) for name in inputs]
        taken += [PARAMETERS] if facts.reads_parameters else []
        taken += [f"&{CONSTANTS}[{_part(self.facts, stage.program)}]"] if facts.has_precompute else []
        _, made = self.facts.places(stage)
        target = made[0] if len(made) == 1 else "let made"
        call = wrap(f"{pad}{target} = {facts.function}({', '.join(taken)});", pad + self.indent, WIDTH)
        fields = [output.name for output in facts.outputs] if len(made) != 1 else []
        kept = [f"{pad}{place} = made.{field};" for place, field in zip(made, fields, strict=False)]
        return [*self.counted(inputs, depth), *call, *kept]

    def emit(self, stage: Emit, depth: int) -> list[str]:
        facts, pad = self.facts, self.indent * depth
        values, where = facts.slots[stage.values], facts.slots[stage.where]
        left = f"solutions, total, {self.same(stage)}"
        if len(facts.shape(stage.values)) == 1:
            kept = f"total = {facts.keep}({self.borrowed(stage.values)}, {left});"
            return [f"{pad}if {where} != 0.0 {{", f"{pad}{self.indent}{kept}", f"{pad}}}"]
        return [
            f"{pad}for (row, entry) in {values}.iter().zip({where}.iter()) {{",
            f"{pad}    if *entry != 0.0 {{",
            f"{pad}        total = {facts.keep}(row, {left});",
            f"{pad}    }}",
            f"{pad}}}",
        ]

    def each(self, stage: Each, depth: int) -> list[str]:
        slots, pad = self.facts.slots, self.indent * depth
        rows = self.value(stage.array)
        if stage.count is not None:
            itself = f"({rows})" if stage.array in self.given else rows
            rows = f"{itself}.into_iter().take({slots[stage.count]} as usize)"
        return [
            *self.counted([stage.count], depth),
            f"{pad}for next in {rows} {{",
            f"{pad}    {slots[stage.row]} = next;",
            *self.all(stage.stages, depth + 1),
            f"{pad}}}",
        ]

    def newton(self, stage: Newton, depth: int) -> list[str]:
        pad, shape = self.indent * depth, self.facts.shape(stage.unknown)
        x, dx = self.facts.slots[stage.unknown], self.facts.slots[stage.correction]
        tolerance = literal(float(stage.tolerance))
        finite, small = f"{dx}.is_finite()", f"f64::abs({dx}) <= {tolerance}"
        less = [f"{pad}    {x} -= {dx};"]
        if shape:
            finite = f"{_entries(dx, shape)}.all(|entry| entry.is_finite())"
            small = f"{_entries(dx, shape)}.all(|entry| f64::abs(*entry) <= {tolerance})"
            pairs = f"{_entries(x, shape, '_mut')}.zip({_entries(dx, shape)})"
            head = f"{pad}    for (entry, change) in {pairs} {{"
            less = [head, f"{pad}        *entry -= *change;", f"{pad}    }}"]
        leave = [f"{pad}        break;", f"{pad}    }}"]
        return [
            f"{pad}for _ in 0..{stage.steps} {{",
            *self.all(stage.stages, depth + 1),
            *(f"{pad}    if !{finite} {{", *leave),
            *less,
            *(f"{pad}    if {small} {{", *leave),
            f"{pad}}}",
        ]


def _entries(name: str, shape: tuple[int, ...], mutable: str = "") -> str:
    """An iterator over the entries of an array."""
    return f"{name}.iter{mutable}()" + ".flatten()" * (len(shape) - 1)
