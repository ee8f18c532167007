"""A routine in Rust: ``NAME(T: &[[f64; 4]; 4], ...)`` returns what a program's function does, an array or a struct of them.

Arrays are values here: the workspace lies on the stack, and what is stored is a copy. Programs and kernels are private
functions.
"""

from __future__ import annotations

import math

from ....program.program import Program
from ....program.routine import Collect, Copy, Each, Fill, Kernel, Newton, Record, Repeat, Routine, Run, Take, When
from ...curly import signature
from ...interface import CONSTANTS, PARAMETERS, precompute_purpose
from ...layout import wrap
from ...names import Names
from ...nested import INDENT
from ...routines.facts import Keeper, RoutineFacts, documentation, heading, routine_facts
from ...routines.kernels import NAMES, kernels
from ...routines.stages import StagePrinter
from . import WIDTH, array_type, declared, doc, file_text, outputs_name, program_items, struct
from .printer import RustPrinter, literal
from .reserved import RESERVED

LOCAL = ("made", "entry", "change", "kernel_hessenberg", "kernel_reflect", "kernel_sweep")
ALLOWED = "#[allow(non_snake_case, clippy::all)]\n#[allow(unused_assignments, unused_mut, unused_variables)]"

KEEP = """\
/// {about}
#[allow(clippy::all)]
fn {name}(row: &{row}, into: &mut {into}, total: usize) -> usize {{
{search}    if total == into.len() {{
        return total;
    }}
    into[total] = *row;
    total + 1
}}"""
SEARCH = """\
    for other in &into[..total] {{
        let mut known = true;
        for (k, (one, two)) in {row}.zip({other}).enumerate() {{
            let {mut}apart = f64::abs(*one - *two);
{turned}            known = known && apart <= within[k];
        }}
        if known {{
            return total;
        }}
    }}
"""
TURNED = "apart = f64::abs(apart - whole * f64::floor(apart / whole + 0.5));"


def generate(routine: Routine, *, name: str | None = None) -> dict[str, str]:
    facts = facts_of(routine, name)
    return {f"{facts.function}.rs": _source(facts)}


def facts_of(routine: Routine, name: str | None = None) -> RoutineFacts:
    return routine_facts(routine, [*RESERVED, *LOCAL, *NAMES], name)


def fields_of(facts: RoutineFacts) -> list[str]:
    """The fields of the struct of several outputs."""
    names = Names(RESERVED)
    return [names.take(one.array.name) for one in facts.outputs]


def _source(facts: RoutineFacts) -> str:
    printer = RustPrinter()
    outputs = facts.names.take(outputs_name(facts.function))
    items = []
    for one in facts.programs.values():
        items += program_items(one, printer, facts.names.take(outputs_name(one.function)), public=False)
    items += [*kernels("rust", facts), *(_keep(name, kind) for kind, name in facts.keepers.items())]
    if len(facts.outputs) != 1:
        fields = zip(fields_of(facts), (one.array for one in facts.outputs), strict=True)
        items.append(struct(facts.function, outputs, list(fields), "pub "))
    if facts.has_precompute:
        items.append(_precompute(facts))
    return file_text(heading(facts), printer, [*items, _main(facts, outputs)])


def _keep(name: str, kind: Keeper) -> str:
    """The function that appends a row."""
    search = ""
    if kind.within:
        within = ", ".join(map(literal, kind.within))
        tables = wrap(f"{INDENT}let within = [{within}];", INDENT * 2, WIDTH)
        turned = ""
        if any(kind.turns):
            tables.append(f"{INDENT}let whole = core::f64::consts::TAU; // an angle is the same after it")
            turned = f"{INDENT * 3}{TURNED}\n"
        if turned and not all(kind.turns):
            turns = ", ".join("true" if turn else "false" for turn in kind.turns)
            tables += wrap(f"{INDENT}let turns = [{turns}];", INDENT * 2, WIDTH)
            turned = f"{INDENT * 3}if turns[k] {{\n{INDENT * 4}{TURNED}\n{INDENT * 3}}}\n"
        row, other = (_entries(text, kind.row) for text in ("row", "other"))
        search = "\n".join([*tables, SEARCH.format(row=row, other=other, turned=turned, mut="mut " if turned else "")])
    return KEEP.format(
        about="Appends a row unless it is there already." if search else "Appends a row if there is room.",
        name=name,
        row=array_type(kind.row),
        into=array_type((kind.most, *kind.row)),
        search=search,
    )


def _precompute(facts: RoutineFacts) -> str:
    size = facts.constants.size
    lines = [
        f"/// {precompute_purpose(f'[`{facts.function}`]')}",
        f"pub fn {facts.precompute_function}({declared(facts.parameters)}) -> [f64; {size}] {{",
        f"{INDENT}let mut {CONSTANTS} = [0.0; {size}];",
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


def _main(facts: RoutineFacts, outputs: str) -> str:
    single, fields = len(facts.outputs) == 1, fields_of(facts)
    first, _, *rest = documentation(facts, WIDTH - 4, fills=False, several=f"the fields of {outputs}", keys=fields)
    made = array_type(facts.outputs[0].array.shape) if single else outputs
    head = signature(f"pub fn {facts.function}", [*map(declared, facts.read)], f" -> {made} {{", WIDTH, INDENT)
    begun = {one.array.name: one for one in facts.inputs}
    lines = []
    for one in facts.outputs:
        given = begun.get(one.array.name)
        start = _filled(one.array.shape, "0.0_f64") if given is None else f"{'*' * bool(one.array.shape)}{given.name}"
        lines.append(f"{INDENT}let mut {one.name} = {start};")
    for slot in facts.routine.workspace:
        lines.append(f"{INDENT}let mut {facts.slots[slot.name]} = {_filled(slot.shape, '0.0_f64')};")
    stages = _Stages(facts).all(facts.routine.stages, 1)
    last = [f"{INDENT}{facts.outputs[0].name}"]
    if not single:
        pairs = [
            f"{INDENT * 2}{field}: {one.name}," if field != one.name else f"{INDENT * 2}{field},"
            for field, one in zip(fields, facts.outputs, strict=True)
        ]
        last = [f"{INDENT}{outputs} {{", *pairs, f"{INDENT}}}"]
    return "\n".join([*doc(first, rest), ALLOWED, *head, *lines, *stages, *last, "}"])


class _Stages(StagePrinter):
    def __init__(self, facts: RoutineFacts) -> None:
        super().__init__(facts)
        self.given = {one.array.name for one in facts.inputs} - {one.array.name for one, _ in facts.state}

    def number(self, value: float) -> str:
        return _number(value)

    def name(self, slot: str) -> str:
        return self.facts.slots[slot]

    def value(self, slot: str) -> str:
        """An array as a value: those given are references."""
        text = self.name(slot)
        return f"*{text}" if slot in self.given and self.facts.shape(slot) else text

    def borrowed(self, slot: str) -> str:
        """As functions take it: arrays by reference, scalars by value."""
        text = self.name(slot)
        return text if slot in self.given or not self.facts.shape(slot) else f"&{text}"

    def kernel(self, stage: Kernel, depth: int) -> list[str]:
        pad, made = self.indent * depth, self.name(stage.outputs[0])
        taken = [self.borrowed(name) for name in stage.inputs]
        after = ""
        if stage.name == "solve" and len(self.facts.shape(stage.inputs[1])) == 1:  # the kernel takes columns
            taken[1] = f"&{self.name(stage.inputs[1])}.map(|entry| [entry])"
            after = ".map(|[entry]| entry)"
        call = f"kernel_{stage.name}({', '.join(taken)}){after}"
        return wrap(f"{pad}{made} = {call};", pad + self.indent, WIDTH)

    def run(self, stage: Run, depth: int) -> list[str]:
        pad, facts = self.indent * depth, self.facts.programs[stage.program]
        taken = [self.borrowed(stage.place(array)) for array in stage.program.inputs]
        taken += [PARAMETERS] if facts.reads_parameters else []
        taken += [f"&{CONSTANTS}[{_part(self.facts, stage.program)}]"] if facts.has_precompute else []
        _, made = self.facts.places(stage)
        target = made[0] if len(made) == 1 else "let made"
        call = wrap(f"{pad}{target} = {facts.function}({', '.join(taken)});", pad + self.indent, WIDTH)
        fields = [output.name for output in facts.outputs] if len(made) != 1 else []
        return [*call, *(f"{pad}{place} = made.{field};" for place, field in zip(made, fields, strict=False))]

    def fill(self, stage: Fill, depth: int) -> list[str]:
        return [f"{self.indent * depth}{self.name(stage.array)} = {_filled(stage.shape, _number(stage.value))};"]

    def copy(self, stage: Copy, depth: int) -> list[str]:
        return [f"{self.indent * depth}{self.name(stage.target)} = {self.value(stage.source)};"]

    def collect(self, stage: Collect, depth: int) -> list[str]:
        facts, pad = self.facts, self.indent * depth
        values, where, into, count = map(self.name, (stage.values, stage.where, stage.into, stage.count))
        total, keep, most = facts.names.numbered("total"), facts.keeper(stage), facts.shape(stage.into)[0]
        start = f"if {count} >= 1.0 {{ ({count} as usize).min({most}) }} else {{ 0 }}"
        lines = wrap(f"{pad}let mut {total} = {start};", pad + self.indent, WIDTH)
        if facts.shape(stage.where) == ():
            row = values if stage.values in self.given and facts.shape(stage.values) else f"&{values}"
            call = f"{total} = {keep}({row}, &mut {into}, {total});"
            lines += [f"{pad}if {where} != 0.0 {{", *wrap(f"{pad}    {call}", pad + INDENT * 2, WIDTH), f"{pad}}}"]
        else:
            i = facts.names.numbered("i")
            call = f"{total} = {keep}(&{values}[{i}], &mut {into}, {total});"
            lines += [
                f"{pad}for {i} in 0..{facts.shape(stage.where)[0]} {{",
                f"{pad}    if {where}[{i}] != 0.0 {{",
                *wrap(f"{pad}        {call}", pad + INDENT * 3, WIDTH),
                f"{pad}    }}",
                f"{pad}}}",
            ]
        return [*lines, f"{pad}{count} = {total} as f64;"]

    def record(self, stage: Record, depth: int) -> list[str]:
        pad, place = self.indent * depth, self.facts.names.numbered("place")
        into, rows = self.name(stage.into), float(self.facts.shape(stage.into)[0])
        is_row = f"{place} >= 0.0 && {place} < {literal(rows)} && {place} == f64::floor({place})"
        return [
            f"{pad}let {place} = {self.name(stage.turn)} / {literal(float(stage.every))};",
            f"{pad}if {is_row} {{",
            f"{pad}    {into}[{place} as usize] = {self.value(stage.array)};",
            f"{pad}}}",
        ]

    def take(self, stage: Take, depth: int) -> list[str]:
        pad, i = self.indent * depth, self.facts.names.numbered("i")
        place = f"{self.name(stage.turn)} / {literal(float(stage.every))}"
        last = self.facts.shape(stage.array)[0] - 1
        return [
            f"{pad}let {i} = (({place}) as usize).min({last});",  # the cast saturates: nan and what is negative is 0
            f"{pad}{self.name(stage.row)} = {self.name(stage.array)}[{i}];",
        ]

    def each(self, stage: Each, depth: int) -> list[str]:
        pad, i = self.indent * depth, self.facts.names.numbered("i")
        lines = [f"{pad}for {i} in 0..{self.facts.shape(stage.array)[0]}_usize {{"]
        if stage.count is not None:
            lines += [f"{pad}    if !(({i} + 1) as f64 <= {self.name(stage.count)}) {{", *self.leave(depth)]
        lines.append(f"{pad}    {self.name(stage.row)} = {self.name(stage.array)}[{i}];")
        return [*lines, *self.all(stage.stages, depth + 1), f"{pad}}}"]

    def leave(self, depth: int) -> list[str]:
        """The end of a loop, inside a choice in it."""
        pad = self.indent * depth
        return [f"{pad}        break;", f"{pad}    }}"]

    def repeat(self, stage: Repeat, depth: int) -> list[str]:
        pad, i = self.indent * depth, self.facts.names.numbered("i")
        known = isinstance(stage.times, int)
        lines = [f"{pad}for {i} in 0..{stage.times}_u64 {{"]
        if not known:
            lines = [f"{pad}let mut {i} = 0.0_f64;", f"{pad}while {i} + 1.0 <= {self.name(str(stage.times))} {{"]
        if stage.turn is not None:
            lines.append(f"{pad}    {self.name(stage.turn)} = {i}{' as f64' if known else ''};")
        lines += self.all(stage.stages, depth + 1)
        if stage.until is not None:
            lines += [f"{pad}    if {self.name(stage.until)} != 0.0 {{", *self.leave(depth)]
        return [*lines, *([] if known else [f"{pad}    {i} += 1.0;"]), f"{pad}}}"]

    def when(self, stage: When, depth: int) -> list[str]:
        pad = self.indent * depth
        lines = [f"{pad}if {self.name(stage.condition)} != 0.0 {{", *self.all(stage.stages, depth + 1)]
        lines += [f"{pad}}} else {{", *self.all(stage.otherwise, depth + 1)] if stage.otherwise else []
        return [*lines, f"{pad}}}"]

    def newton(self, stage: Newton, depth: int) -> list[str]:
        pad, shape = self.indent * depth, self.facts.shape(stage.unknown)
        x, dx = self.name(stage.unknown), self.name(stage.correction)
        tolerance = _number(stage.tolerance)
        finite, small = f"{dx}.is_finite()", f"f64::abs({dx}) <= {tolerance}"
        less = [f"{pad}    {x} -= {dx};"]
        if shape:
            finite = f"{_entries(dx, shape)}.all(|entry| entry.is_finite())"
            small = f"{_entries(dx, shape)}.all(|entry| f64::abs(*entry) <= {tolerance})"
            pairs = f"{_entries(x, shape, '_mut')}.zip({_entries(dx, shape)})"
            head = f"{pad}    for (entry, change) in {pairs} {{"
            less = [head, f"{pad}        *entry -= *change;", f"{pad}    }}"]
        if math.prod(shape) == 0:  # the largest of no entries is zero
            small = f"{tolerance} >= 0.0"
        return [
            f"{pad}for _ in 0..{stage.steps} {{",
            *self.all(stage.stages, depth + 1),
            *(f"{pad}    if !{finite} {{", *self.leave(depth)),
            *less,
            *(f"{pad}    if {small} {{", *self.leave(depth)),
            f"{pad}}}",
        ]


def _number(value: float) -> str:
    if math.isfinite(value):
        return literal(float(value))
    return "f64::NAN" if value != value else "f64::INFINITY" if value > 0 else "f64::NEG_INFINITY"


def _filled(shape: tuple[int, ...], value: str) -> str:
    text = value
    for size in reversed(shape):
        text = f"[{text}; {size}]"
    return text


def _entries(name: str, shape: tuple[int, ...], mutable: str = "") -> str:
    """An iterator over the entries of an array, or of a reference to a number."""
    return f"{name}.iter{mutable}()" + ".flatten()" * (len(shape) - 1) if shape else f"core::iter::once({name})"
