"""The self-check of a C package: the library against numbers of the interpreter, a line for each model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from ..codegen.layout import render, wrap
from ..codegen.targets.c import facts_of
from ..codegen.targets.c.printer import CPrinter, printer_for
from ..codegen.targets.c.routine import facts_of as routine_facts
from ..program.program import Program
from ..program.routine import Routine
from .parts import Order, Part
from .samples import Arrays, Floats, Reference

DOUBLES, SINGLES, SOLUTIONS = 1e-9, 1e-3, 1e-7


def tolerance(order: Order) -> float:
    """Relative to the largest entry of an output, or to one."""
    return SINGLES if order.precision == "float" else DOUBLES


def text(order: Order, parts: Sequence[Part]) -> str:
    solving = any(isinstance(part.printed, Routine) for part in parts)
    checks = [_check(order, part) for part in parts]
    return render(
        __package__,
        "check.template",
        stem=order.stem,
        real=order.precision,
        tolerance=repr(tolerance(order)),
        compare_solutions=render(__package__, "solutions.template", tolerance=repr(SOLUTIONS)).rstrip("\n")
        if solving
        else "",
        checks="\n\n".join(checks),
        calls="\n".join(f"    wrong += check_{part.function}();" for part in parts),
        total=str(len(parts)),
    )


def _check(order: Order, part: Part) -> str:
    assert part.reference is not None
    if isinstance(part.printed, Program):
        lines = _program_check(order, part, part.printed, part.reference)
    else:
        lines = _routine_check(part, part.printed, part.reference)
    return "\n".join([f"static int check_{part.function}(void)", "{", *lines, "}"])


# --- programs --------------------------------------------------------------------------------------------------------


def _program_check(order: Order, part: Part, program: Program, reference: Reference) -> list[str]:
    facts, printer = facts_of(program, part.function), printer_for(order.precision)
    real, count = printer.real, len(reference.states)
    lines, taken, made = [], [], []
    for argument in facts.inputs:
        lines += _table(f"in_{argument.name}", real, _column(reference.states, argument.array.name), printer)
        taken.append(f"in_{argument.name}[s]")
    outputs = [argument for argument in facts.outputs if argument.size]
    for argument in outputs:
        lines += _table(f"of_{argument.name}", "double", _column(reference.expected, argument.array.name), CPrinter())
    head, shared = _parameters(part, reference, printer)
    reads = facts.reads_parameters or facts.has_precompute
    lines += head if reads else []
    taken += [shared] if facts.reads_parameters else []
    call = []
    if facts.has_precompute:
        lines.append(f"    {real} constants[{facts.constants.size}];")
        call.append(f"    {facts.precompute_function}({shared}, constants);")
        taken.append("constants")
    for argument in facts.outputs:
        made.append(f"        {real} out_{argument.name}[{max(argument.size, 1)}];")
        taken.append(f"out_{argument.name}")
    compared = [
        f"        error = larger(error, apart(out_{one.name}, of_{one.name}[s], {one.size}));" for one in outputs
    ]
    return [
        *lines,
        "    double error = 0.0;",
        *call,
        f"    for (int s = 0; s < {count}; s++) {{",
        *made,
        *wrap(f"        {facts.function}({', '.join(taken)});", " " * 12),
        *compared,
        "    }",
        f'    return report("{part.name}", error, {tolerance(order)!r});',
    ]


def _column(states: Iterable[Arrays], name: str) -> list[Floats]:
    return [np.ravel(state[name]) for state in states]


def _parameters(part: Part, reference: Reference, printer: CPrinter) -> tuple[list[str], str]:
    """What defines the parameters, if the library does not, and what they are called."""
    symbols = part.printed.parameter_symbols
    if symbols and not part.missing:
        return [], f"{part.function}_parameters"
    numbers = ", ".join(printer.number(reference.parameters[symbol.name]) for symbol in symbols)
    made_up = "    /* Made up for those that have no value. */"
    return [
        made_up,
        *wrap(f"    static const {printer.real} parameters[] = {{{numbers or 0}}};", " " * 8),
    ], "parameters"


def _table(name: str, real: str, rows: Sequence[Floats], printer: CPrinter) -> list[str]:
    """A row for each state."""
    size = max(1, len(rows[0]))
    lines = [f"    static const {real} {name}[{len(rows)}][{size}] = {{"]
    for row in rows:
        lines += wrap(f"        {{{', '.join(_number(x, printer) for x in row.tolist() or [0.0])}}},", " " * 12)
    return [*lines, "    };"]


def _number(value: float, printer: CPrinter) -> str:
    if np.isfinite(value):
        return printer.number(value)
    return "NAN" if np.isnan(value) else "HUGE_VAL" if value > 0 else "-HUGE_VAL"


# --- solutions -------------------------------------------------------------------------------------------------------


def _routine_check(part: Part, routine: Routine, reference: Reference) -> list[str]:
    facts, printer = routine_facts(routine, part.function), CPrinter()
    count, width = len(reference.states), routine.width
    lines, taken = [], []
    for slot in routine.inputs:
        lines += _table(f"in_{slot.name}", "double", _column(reference.states, slot.name), printer)
        taken.append(f"in_{slot.name}[s]")
    found = [state["solutions"] for state in reference.expected]
    most = max(1, *(len(rows) for rows in found))
    filled = [np.vstack([rows, np.zeros((most - len(rows), width))]).ravel() for rows in found]
    lines += _table("of_solutions", "double", filled, printer)
    lines.append(f"    static const int counts[{count}] = {{{', '.join(str(len(rows)) for rows in found)}}};")
    lines.append(f"    static const int turns[{width}] = {{{', '.join(str(int(turn)) for turn in routine.turns)}}};")
    head, shared = _parameters(part, reference, printer)
    call = []
    lines += head if facts.reads_parameters or facts.constants else []
    taken += [shared] if facts.reads_parameters else []
    if facts.constants:
        lines.append(f"    double constants[{facts.constants}];")
        call.append(f"    {facts.precompute}({shared}, constants);")
        taken.append("constants")
    return [
        *lines,
        "    double error = 0.0;",
        *call,
        f"    for (int s = 0; s < {count}; s++) {{",
        f"        double found[{routine.most * width}];",
        *wrap(f"        const int total = {facts.solve}({', '.join([*taken, 'found'])});", " " * 12),
        f"        error = larger(error, missed(found, total, of_solutions[s], counts[s], {width}, turns));",
        "    }",
        f'    return report("{part.name}", error, {SOLUTIONS!r});',
    ]
