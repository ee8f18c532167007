"""A routine in C99: ``void NAME(const double T[16], ..., double solutions[48], ...)``, only <math.h>, no allocation.

The workspace lies on the stack; programs, kernels and the rest are static functions. Outputs are worked on in place: one
that begins as an input (a state) may be the same array, others may not overlap inputs.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....program.routine import Collect, Copy, Each, Fill, Kernel, Newton, Record, Repeat, Routine, Run, Take, When
from ....program.uses import reads
from ...interface import CONSTANTS, PARAMETERS, Argument
from ...layout import WIDTH, render, wrap, wrap_arguments
from ...routines.facts import Keeper, RoutineFacts, documentation, heading, routine_facts
from ...routines.kernels import sized_kernels, sized_name
from ...routines.stages import StagePrinter
from . import comment, prototypes, source_text
from . import function_texts as program_texts
from .printer import CPrinter
from .reserved import RESERVED

LOCAL = ("row", "into", "apart", "whole", "within", "total", "largest", "place")


def generate(routine: Routine, *, name: str | None = None) -> dict[str, str]:
    """The header and the source file."""
    facts = facts_of(routine, name)
    header = render(
        __package__,
        "header.template",
        comment=comment(documentation(facts, WIDTH - 4, fills=True)),
        guard=facts.names.take(f"{facts.function.upper()}_H"),
        prototypes=_prototypes(facts),
    )
    short = comment([f"{heading(facts)} (see {facts.function}.h)"])
    return {
        f"{facts.function}.h": header,
        f"{facts.function}.c": _source(facts, short, f'#include "{facts.function}.h"', ""),
    }


def source(routine: Routine, *, name: str | None = None) -> str:
    """One source text that compiles alone."""
    facts = facts_of(routine, name)
    return _source(facts, comment(documentation(facts, WIDTH - 4, fills=True)), "", _prototypes(facts))


def facts_of(routine: Routine, name: str | None = None) -> RoutineFacts:
    return routine_facts(routine, [*RESERVED, *LOCAL], name)


def _source(facts: RoutineFacts, head: str, include: str, declared: str) -> str:
    printer = CPrinter()
    return source_text(printer, function_texts(facts, printer), head, include, declared)


def function_texts(facts: RoutineFacts, printer: CPrinter) -> list[str]:
    """Every function of the source: the programs, the kernels and the rest as static ones, then those for others."""
    functions = [text for one in facts.programs.values() for text in program_texts(one, printer, "static ")]
    functions += [*sized_kernels("c", facts), *(_keep(name, kind) for kind, name in facts.keepers.items())]
    if facts.has_precompute:
        functions.append(_precompute(facts))
    return [*functions, _main(facts)]


# --- prototypes ------------------------------------------------------------------------------------------------------


def _signature(function: str, read: Sequence[Argument], written: Sequence[Argument]) -> str:
    taken = [f"const double {one.name}[{max(one.size, 1)}]" for one in read]
    taken += [f"double {one.name}[{max(one.size, 1)}]" for one in written]
    return f"void {function}({', '.join(taken) or 'void'})"


def signature(facts: RoutineFacts) -> str:
    """The prototype of the function, without the semicolon, on one line."""
    return _signature(facts.function, facts.read, facts.outputs)


def _precompute_signature(facts: RoutineFacts) -> str:
    return _signature(facts.precompute_function, [facts.parameters], [facts.constants])


def _prototypes(facts: RoutineFacts) -> str:
    heads = [_precompute_signature(facts)] if facts.has_precompute else []
    return prototypes([*heads, signature(facts)])


# --- functions -------------------------------------------------------------------------------------------------------


def _block(head: str, lines: Sequence[str]) -> str:
    return "\n".join([*wrap_arguments(head, " " * 4), "{", *lines, "}"])


def _precompute(facts: RoutineFacts) -> str:
    lines = [
        f"    {one.precompute_function}({PARAMETERS}, {_part(facts.offsets[program])});"
        for program, one in facts.programs.items()
        if one.has_precompute
    ]
    return _block(_precompute_signature(facts), lines)


def _part(offset: int) -> str:
    """A program's part of the constants."""
    return f"{CONSTANTS} + {offset}" if offset else CONSTANTS


def _keep(name: str, kind: Keeper) -> str:
    """The function that appends a row."""
    n = kind.size
    lines = [
        f"    if (total >= {kind.most}) {{ return total; }}",
        f"    for (int k = 0; k < {n}; k++) {{ into[{n} * total + k] = row[k]; }}",
        "    return total + 1;",
    ]
    if not kind.within:
        about = "Appends a row if there is room."
    else:
        about = "Appends a row unless it is there already."
        lines = [*_search(kind), *lines]
    head = f"static int {name}(const double *row, double *into, int total)"
    return f"/* {about} */\n" + _block(head, lines)


def _search(kind: Keeper) -> list[str]:
    """The statements that return if the row is there already."""
    n, listed = kind.size, ", ".join(map(repr, kind.within))
    table = wrap(f"    static const double within[{n}] = {{{listed}}};", " " * 8)
    one = len(set(kind.within)) == 1
    near = repr(kind.within[0]) if one else "within[k]"
    turned = "apart = fabs(apart - whole * floor(apart / whole + 0.5));"
    if not all(kind.turns):
        columns = " || ".join(f"k == {k}" for k, turn in enumerate(kind.turns) if turn)
        turned = f"if ({columns}) {{ {turned} }}"
    lines = [
        "    const double whole = 6.283185307179586;" if any(kind.turns) else "",
        *([] if one else table),
        "    for (int i = 0; i < total; i++) {",
        "        int k = 0;",
        f"        for (; k < {n}; k++) {{",
        f"            double apart = fabs(row[k] - into[{n} * i + k]);",
        f"            {turned}" if any(kind.turns) else "",
        f"            if (!(apart <= {near})) {{ break; }}",
        "        }",
        f"        if (k == {n}) {{ return total; }}",
        "    }",
    ]
    return [piece for line in lines if line for piece in wrap(line, " " * 16)]


def _main(facts: RoutineFacts) -> str:
    routine = facts.routine
    lines = [f"    double {facts.slots[slot.name]}[{max(slot.size, 1)}];" for slot in routine.workspace]
    used = reads(routine.stages)
    idle = [one.name for one in facts.inputs if one.array.name not in used and one not in dict(facts.state)]
    written_only = [slot.name for slot in routine.workspace if slot.name not in used]
    lines += [f"    (void){name};" for name in idle]
    lines += [f"    (void){facts.slots[name]};" for name in written_only]
    touched = {slot.name for slot in routine.state} | set(routine.looked_over[0])
    lines += [f"    (void){one.name};" for one in facts.outputs if one.array.name not in touched]
    for given, made in facts.state:
        k = facts.names.numbered("k")
        lines.append(f"    for (int {k} = 0; {k} < {given.size}; {k}++) {{ {made.name}[{k}] = {given.name}[{k}]; }}")
    return _block(signature(facts), [*lines, *_Stages(facts).all(routine.stages, 1)])


class _Stages(StagePrinter):
    def name(self, slot: str) -> str:
        return self.facts.slots[slot]

    def number(self, value: float) -> str:
        return CPrinter().number(value)

    def kernel(self, stage: Kernel, depth: int) -> list[str]:
        taken = ", ".join(map(self.name, (*stage.inputs, *stage.outputs)))
        return [f"{self.indent * depth}{sized_name(self.facts, stage)}({taken});"]

    def run(self, stage: Run, depth: int) -> list[str]:
        pad, facts = self.indent * depth, self.facts.programs[stage.program]
        taken, made = self.facts.places(stage)
        taken = taken + ([PARAMETERS] if facts.reads_parameters else [])
        taken += [_part(self.facts.offsets[stage.program])] if facts.has_precompute else []
        return wrap(f"{pad}{facts.function}({', '.join([*taken, *made])});", pad + " " * 4)

    def fill(self, stage: Fill, depth: int) -> list[str]:
        pad, array, size = self.indent * depth, self.name(stage.array), self.facts.size(stage.array)
        value = self.number(stage.value)
        if size == 1:
            return [f"{pad}{array}[0] = {value};"]
        k = self.facts.names.numbered("k")
        return [f"{pad}for (int {k} = 0; {k} < {size}; {k}++) {{ {array}[{k}] = {value}; }}"]

    def copy(self, stage: Copy, depth: int) -> list[str]:
        pad, size = self.indent * depth, self.facts.size(stage.source)
        source, target = self.name(stage.source), self.name(stage.target)
        if size == 1:
            return [f"{pad}{target}[0] = {source}[0];"]
        k = self.facts.names.numbered("k")
        return [f"{pad}for (int {k} = 0; {k} < {size}; {k}++) {{ {target}[{k}] = {source}[{k}]; }}"]

    def collect(self, stage: Collect, depth: int) -> list[str]:
        facts, pad = self.facts, self.indent * depth
        most = facts.shape(stage.into)[0]
        values, where, into, count = map(self.name, (stage.values, stage.where, stage.into, stage.count))
        keep, total = facts.keeper(stage), facts.names.numbered("total")
        clamped = f"{count}[0] >= 1.0 ? ({count}[0] < {most} ? (int){count}[0] : {most}) : 0"
        lines = [f"{pad}int {total} = {clamped};"]
        if facts.shape(stage.where) == ():
            lines += [f"{pad}if ({where}[0] != 0.0) {{ {total} = {keep}({values}, {into}, {total}); }}"]
        else:
            i, n = facts.names.numbered("i"), facts.size(stage.into) // max(most, 1)
            call = f"{total} = {keep}({values} + {n} * {i}, {into}, {total});"
            lines += [
                f"{pad}for (int {i} = 0; {i} < {facts.shape(stage.where)[0]}; {i}++) {{",
                *wrap(f"{pad}    if ({where}[{i}] != 0.0) {{ {call} }}", pad + " " * 12),
                f"{pad}}}",
            ]
        return [piece for line in [*lines, f"{pad}{count}[0] = {total};"] for piece in wrap(line, pad + " " * 8)]

    def record(self, stage: Record, depth: int) -> list[str]:
        facts, pad = self.facts, self.indent * depth
        rows, size = facts.shape(stage.into)[0], facts.size(stage.array)
        k, place = facts.names.numbered("k"), facts.names.numbered("place")
        array, into, turn = map(self.name, (stage.array, stage.into, stage.turn))
        row = f"{into}[{size} * (int){place} + {k}] = {array}[{k}];"
        return [
            f"{pad}const double {place} = {turn}[0] / {float(stage.every)!r};",
            f"{pad}if ({place} >= 0.0 && {place} < {float(rows)!r} && {place} == floor({place})) {{",
            f"{pad}    for (int {k} = 0; {k} < {size}; {k}++) {{ {row} }}",
            f"{pad}}}",
        ]

    def take(self, stage: Take, depth: int) -> list[str]:
        facts, pad = self.facts, self.indent * depth
        last, size = facts.shape(stage.array)[0] - 1, facts.size(stage.row)
        i, k, place = (facts.names.numbered(stem) for stem in ("i", "k", "place"))
        array, turn, row = map(self.name, (stage.array, stage.turn, stage.row))
        return [
            f"{pad}const double {place} = {turn}[0] / {float(stage.every)!r};",
            f"{pad}const int {i} = {place} >= 1.0 ? ({place} < {last} ? (int){place} : {last}) : 0;",
            f"{pad}for (int {k} = 0; {k} < {size}; {k}++) {{ {row}[{k}] = {array}[{size} * {i} + {k}]; }}",
        ]

    def each(self, stage: Each, depth: int) -> list[str]:
        facts, pad = self.facts, self.indent * depth
        size = facts.size(stage.row)
        i, k = facts.names.numbered("i"), facts.names.numbered("k")
        array, row = self.name(stage.array), self.name(stage.row)
        bound = f"{i} < {facts.shape(stage.array)[0]}"
        if stage.count is not None:
            bound += f" && {i} + 1 <= {self.name(stage.count)}[0]"
        return [
            f"{pad}for (int {i} = 0; {bound}; {i}++) {{",
            f"{pad}    for (int {k} = 0; {k} < {size}; {k}++) {{ {row}[{k}] = {array}[{size} * {i} + {k}]; }}",
            *self.all(stage.stages, depth + 1),
            f"{pad}}}",
        ]

    def repeat(self, stage: Repeat, depth: int) -> list[str]:
        facts, pad = self.facts, self.indent * depth
        i = facts.names.numbered("i")
        again = f"{i} < {stage.times}"
        if isinstance(stage.times, str):
            again = f"(double)({i} + 1) <= {self.name(stage.times)}[0]"
        lines = [f"{pad}for (long long {i} = 0; {again}; {i}++) {{"]
        lines += [f"{pad}    {self.name(stage.turn)}[0] = (double){i};"] if stage.turn is not None else []
        lines += self.all(stage.stages, depth + 1)
        lines += [f"{pad}    if ({self.name(stage.until)}[0] != 0.0) {{ break; }}"] if stage.until is not None else []
        return [*lines, f"{pad}}}"]

    def when(self, stage: When, depth: int) -> list[str]:
        pad = self.indent * depth
        lines = [f"{pad}if ({self.name(stage.condition)}[0] != 0.0) {{", *self.all(stage.stages, depth + 1)]
        if stage.otherwise:
            lines += [f"{pad}}} else {{", *self.all(stage.otherwise, depth + 1)]
        return [*lines, f"{pad}}}"]

    def newton(self, stage: Newton, depth: int) -> list[str]:
        facts, pad = self.facts, self.indent * depth
        size = facts.size(stage.unknown)
        i, k = facts.names.numbered("i"), facts.names.numbered("k")
        x, dx = self.name(stage.unknown), self.name(stage.correction)
        return [
            f"{pad}for (int {i} = 0; {i} < {stage.steps}; {i}++) {{",
            f"{pad}    double largest = 0.0;",
            *self.all(stage.stages, depth + 1),
            f"{pad}    for (int {k} = 0; {k} < {size}; {k}++) {{",
            f"{pad}        const double apart = fabs({dx}[{k}]);",
            f"{pad}        if (!(apart <= largest)) {{ largest = apart; }}",
            f"{pad}        if (!(largest < HUGE_VAL)) {{ break; }}",
            f"{pad}    }}",
            f"{pad}    if (!(largest < HUGE_VAL)) {{ break; }}",
            f"{pad}    for (int {k} = 0; {k} < {size}; {k}++) {{ {x}[{k}] -= {dx}[{k}]; }}",
            f"{pad}    if (largest <= {self.number(stage.tolerance)}) {{ break; }}",
            f"{pad}}}",
        ]
