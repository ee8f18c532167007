"""A routine in C99: ``int NAME_solve(const double T[16], ..., double solutions[m*n])``, only <math.h>, no allocation.

The workspace lies on the stack; programs, kernels and the rest are static functions.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....program.routine import COUNT, Each, Emit, Kernel, Newton, Routine, Run, Slot, When, walk
from ....program.uses import reads
from ...interface import CONSTANTS, PARAMETERS
from ...layout import WIDTH, render, wrap, wrap_arguments
from ...routines.facts import RoutineFacts, documentation, routine_facts
from ...routines.kernels import sized_kernels, sized_name
from ...routines.stages import StagePrinter
from . import comment, prototypes, source_text
from . import function_texts as program_texts
from .printer import CPrinter
from .reserved import RESERVED

LOCAL = ("row", "found", "apart", "whole", "total", "largest")


def generate(routine: Routine, *, name: str | None = None) -> dict[str, str]:
    """The header and the source file."""
    facts = facts_of(routine, name)
    header = render(
        __package__,
        "header.template",
        comment=comment(documentation(facts, WIDTH - 4, fills=True)),
        guard=facts.names.take(f"{facts.stem.upper()}_H"),
        prototypes=_prototypes(facts),
    )
    short = comment([f"{facts.solve} (see {facts.stem}.h)"])
    return {
        f"{facts.stem}.h": header,
        f"{facts.stem}.c": _source(facts, short, f'#include "{facts.stem}.h"', ""),
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
    functions += [*sized_kernels("c", facts), _keep(facts)]
    if facts.constants:
        functions.append(_precompute(facts))
    return [*functions, _solve(facts)]


# --- prototypes ------------------------------------------------------------------------------------------------------


def _shared(facts: RoutineFacts) -> list[str]:
    taken = [f"const double {PARAMETERS}[{len(facts.routine.parameter_symbols)}]"] if facts.reads_parameters else []
    return taken + ([f"const double {CONSTANTS}[{facts.constants}]"] if facts.constants else [])


def _solve_signature(facts: RoutineFacts) -> str:
    taken = [f"const double {facts.slots[slot.name]}[{slot.size}]" for slot in facts.routine.inputs]
    taken += [*_shared(facts), f"double solutions[{facts.routine.most * facts.routine.width}]"]
    return f"int {facts.solve}({', '.join(taken)})"


def _precompute_signature(facts: RoutineFacts) -> str:
    parameters = f"const double {PARAMETERS}[{len(facts.routine.parameter_symbols)}]"
    return f"void {facts.precompute}({parameters}, double {CONSTANTS}[{facts.constants}])"


def _prototypes(facts: RoutineFacts) -> str:
    heads = [_precompute_signature(facts)] if facts.constants else []
    return prototypes([*heads, _solve_signature(facts)])


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


def _keep(facts: RoutineFacts) -> str:
    """Appends a row unless it is there already."""
    routine = facts.routine
    n = routine.width
    turned = "apart -= whole * floor(apart / whole + 0.5);"
    if not all(routine.turns):
        turned = f"if ({_columns(routine.turns)}) {{ {turned} }}"
    units = wrap(f"    static const double units[{n}] = {{{', '.join(map(repr, facts.units))}}};", " " * 8)
    lines = [
        "    const double whole = 6.283185307179586;" if any(routine.turns) else "",
        *(units if facts.units else []),
        "    int i, k;",
        "    for (i = 0; i < total; i++) {",
        f"        for (k = 0; k < {n}; k++) {{",
        f"            double apart = fabs(row[k] - solutions[{n} * i + k]);",
        f"            {turned}" if any(routine.turns) else "",
        f"            if (!(fabs(apart) <= {'same * units[k]' if facts.units else 'same'})) {{ break; }}",
        "        }",
        f"        if (k == {n}) {{ return total; }}",
        "    }",
        f"    if (total == {routine.most}) {{ return total; }}",
        f"    for (k = 0; k < {n}; k++) {{ solutions[{n} * total + k] = row[k]; }}",
        "    return total + 1;",
    ]
    head = f"static int {facts.keep}(const double *row, double *solutions, int total, double same)"
    return "/* Appends a solution unless it is there already. */\n" + _block(head, [line for line in lines if line])


def _columns(turns: Sequence[bool]) -> str:
    return " || ".join(f"k == {k}" for k, turn in enumerate(turns) if turn)


def _solve(facts: RoutineFacts) -> str:
    lines = [f"    double {facts.slots[slot.name]}[{max(slot.size, 1)}];" for slot in facts.routine.workspace]
    printed = _Stages(facts)
    body = printed.all(facts.routine.stages, 1)
    lines += [f"    double {facts.slots[COUNT]}[1];"] if printed.counts else []
    lines += ["    int total = 0;", *body, "    return total;"]
    idle = [slot.name for slot in facts.routine.inputs if slot.name not in printed.used]
    rows = dict.fromkeys(stage.row for stage in walk(facts.routine.stages) if isinstance(stage, Each))
    idle += [row for row in rows if row not in reads(facts.routine.stages)]
    given = [f"    (void){facts.slots[name]};" for name in idle]
    return _block(_solve_signature(facts), [*lines[: -len(body) - 1], *given, *lines[-len(body) - 1 :]])


class _Stages(StagePrinter):
    def __init__(self, facts: RoutineFacts) -> None:
        super().__init__(facts)
        self.counts = False
        self.used: set[str] = set()

    def name(self, slot: str) -> str:
        self.used.add(slot)
        return self.facts.slots[slot]

    def count(self) -> str:
        self.counts = True
        return f"{self.facts.slots[COUNT]}[0] = (double)total;"

    def kernel(self, stage: Kernel, depth: int) -> list[str]:
        taken = ", ".join(map(self.name, (*stage.inputs, *stage.outputs)))
        call = f"{self.indent * depth}{sized_name(self.facts, stage)}({taken});"
        return [*self.counted(stage.inputs, depth), call]

    def when(self, stage: When, depth: int) -> list[str]:
        pad = self.indent * depth
        head = f"{pad}if ({self.name(stage.condition)}[0] != 0.0) {{"
        return [*self.counted([stage.condition], depth), head, *self.all(stage.stages, depth + 1), f"{pad}}}"]

    def run(self, stage: Run, depth: int) -> list[str]:
        pad, facts = self.indent * depth, self.facts.programs[stage.program]
        inputs = [stage.place(array) for array in stage.program.inputs]
        taken = [self.name(name) for name in inputs]
        taken += [PARAMETERS] if facts.reads_parameters else []
        taken += [_part(self.facts.offsets[stage.program])] if facts.has_precompute else []
        taken += [self.name(stage.place(array)) for array in stage.program.outputs]
        call = wrap(f"{pad}{facts.function}({', '.join(taken)});", pad + " " * 4)
        return [*self.counted(inputs, depth), *call]

    def emit(self, stage: Emit, depth: int) -> list[str]:
        facts, pad = self.facts, self.indent * depth
        shape, n = facts.shape(stage.values), facts.routine.width
        values, where = self.name(stage.values), self.name(stage.where)
        left = f"solutions, total, {self.same(stage)}"
        if len(shape) == 1:
            return wrap(f"{pad}if ({where}[0] != 0.0) {{ total = {facts.keep}({values}, {left}); }}", pad + " " * 8)
        i = facts.names.numbered("i")
        return [
            f"{pad}for (int {i} = 0; {i} < {shape[0]}; {i}++) {{",
            *wrap(
                f"{pad}    if ({where}[{i}] != 0.0) {{ total = {facts.keep}({values} + {n} * {i}, {left}); }}",
                pad + " " * 12,
            ),
            f"{pad}}}",
        ]

    def each(self, stage: Each, depth: int) -> list[str]:
        facts, pad = self.facts, self.indent * depth
        shape = facts.shape(stage.array)
        size = Slot(stage.row, shape[1:]).size
        i, k = facts.names.numbered("i"), facts.names.numbered("k")
        array, row = self.name(stage.array), self.name(stage.row)
        bound = f"{i} < {shape[0]}"
        if stage.count is not None:
            bound += f" && {i} + 1 <= {self.name(stage.count)}[0]"
        return [
            *self.counted([stage.count], depth),
            f"{pad}for (int {i} = 0; {bound}; {i}++) {{",
            f"{pad}    for (int {k} = 0; {k} < {size}; {k}++) {{ {row}[{k}] = {array}[{size} * {i} + {k}]; }}",
            *self.all(stage.stages, depth + 1),
            f"{pad}}}",
        ]

    def newton(self, stage: Newton, depth: int) -> list[str]:
        facts, pad = self.facts, self.indent * depth
        size = Slot(stage.unknown, facts.shape(stage.unknown)).size
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
            f"{pad}    if (largest <= {float(stage.tolerance)!r}) {{ break; }}",
            f"{pad}}}",
        ]
