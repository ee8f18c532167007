"""The self-check of a C package: the library against numbers of the interpreter, a line for each model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from ..codegen.interface import Interface
from ..codegen.layout import render, wrap
from ..codegen.routines.facts import RoutineFacts
from ..codegen.targets.c import facts_of
from ..codegen.targets.c.printer import CPrinter, printer_for
from ..codegen.targets.c.routine import facts_of as routine_facts
from ..program.program import Program
from ..program.routine import Routine
from .parts import Order, Part
from .samples import Arrays, Floats, Reference

DOUBLES, SINGLES, ROUTINES = 1e-9, 1e-3, 1e-7


def tolerance(order: Order) -> float:
    """Relative to the largest entry of an output, or to one."""
    return SINGLES if order.precision == "float" else DOUBLES


def text(order: Order, parts: Sequence[Part]) -> str:
    reals = dict.fromkeys(real_of(order, part.printed) for part in parts)
    return render(
        __package__,
        "check.template",
        stem=order.stem,
        apart="\n\n".join(apart(real) for real in reals),
        checks="\n\n".join(_check(order, part) for part in parts),
        calls="\n".join(f"    wrong += check_{part.function}();" for part in parts),
        total=str(len(parts)),
    )


def real_of(order: Order, printed: Program | Routine) -> str:
    """The type of a model's numbers: routines are in doubles always."""
    return "double" if isinstance(printed, Routine) else order.precision


def apart(real: str) -> str:
    """The function that compares arrays of a type."""
    return render(__package__, "apart.template", real=real, function=f"apart_{real}").rstrip("\n")


def _check(order: Order, part: Part) -> str:
    assert part.reference is not None
    return "\n".join(
        [f"static int check_{part.function}(void)", "{", *_lines(order, part, part.printed, part.reference), "}"]
    )


def facts_of_part(part: Part) -> Interface | RoutineFacts:
    """The names and the order of the arguments of its C functions."""
    printed, function = part.printed, part.function
    return facts_of(printed, function) if isinstance(printed, Program) else routine_facts(printed, function)


def _lines(order: Order, part: Part, printed: Program | Routine, reference: Reference) -> list[str]:
    """Tables of the inputs and of what is expected, and the loop over them."""
    facts, real = facts_of_part(part), real_of(order, printed)
    printer, count = printer_for(real), len(reference.states)
    allowed = tolerance(order) if isinstance(printed, Program) else ROUTINES
    lines, taken, made = [], [], []
    for argument in facts.inputs:
        lines += table(f"in_{argument.name}", real, column(reference.states, argument.array.name), printer)
        taken.append(f"in_{argument.name}[s]")
    outputs = [argument for argument in facts.outputs if argument.size]
    for argument in outputs:
        lines += table(f"of_{argument.name}", "double", column(reference.expected, argument.array.name), CPrinter())
    head, shared = _parameters(part, reference, printer)
    lines += head if facts.reads_parameters or facts.has_precompute else []
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
        f"        error = larger(error, apart_{real}(out_{one.name}, of_{one.name}[s], {one.size}));" for one in outputs
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
        f'    return report("{part.name}", error, {allowed!r});',
    ]


def column(states: Iterable[Arrays], name: str) -> list[Floats]:
    """An array at every state."""
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


def table(name: str, real: str, rows: Sequence[Floats], printer: CPrinter) -> list[str]:
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
