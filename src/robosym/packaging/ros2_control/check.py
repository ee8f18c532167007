"""``test/check.cpp``: every function of the header against numbers of the interpreter, and the order of joints."""

from __future__ import annotations

from collections.abc import Sequence

from ...codegen.layout import render, wrap
from ...codegen.targets.c.printer import CPrinter
from ...program.program import Program
from ..c_check import DOUBLES, ROUTINES, apart, column, table
from ..calls import Call
from ..parts import Order
from .header import field_names, namespace, output_fields


def check(order: Order, calls: Sequence[Call]) -> str:
    fields = field_names(order, calls)
    return render(
        __package__,
        "check.template",
        stem=order.stem,
        namespace=namespace(order),
        apart=apart("double"),
        checks="\n\n".join(_check(call, fields) for call in calls),
        calls="\n".join(f"    wrong += check_{call.name}();" for call in calls),
        total=str(len(calls)),
    )


def _check(call: Call, fields: dict[str, str]) -> str:
    reference, printer = call.part.reference, CPrinter()
    assert reference is not None
    asked = [one for one in call.asked if one.size]
    lines = [f"static int check_{call.name}()", "{"]
    kept = {one.said_by for one in call.inputs if one.said_by is not None}  # what is not given, as in the reference
    passed = []
    for k, one in enumerate(asked):
        if call.inputs.index(one) in kept:
            passed.append("{}")
            continue
        lines += table(f"in_{k}", "double", column(reference.states, one.name), printer)
        passed.append(f"in_{k}[s]" if one.shape else f"in_{k}[s][0]")
    for k, one in enumerate(call.outputs):
        if one.size:
            lines += table(f"of_{k}", "double", column(reference.expected, one.name), printer)
    lines.append("    Parameters parameters{};")
    for name in call.part.missing:
        lines.append(f"    parameters.{fields[name]} = {printer.number(reference.parameters[name])};  // made up")
    lines += ["    const Model model(parameters);", "    double error = 0.0;"]
    lines.append(f"    for (int s = 0; s < {len(reference.states)}; s++) {{")
    lines += wrap(f"        const auto found = model.{call.name}({', '.join(passed)});", " " * 12)
    for k, (one, name) in enumerate(zip(call.outputs, output_fields(call), strict=True)):
        place = "found" if len(call.outputs) == 1 else f"found.{name}"
        if one.size:
            pointer = f"{place}.data()" if one.shape else f"&{place}"
            lines.append(f"        error = larger(error, apart_double({pointer}, of_{k}[s], {one.size}));")
    allowed = DOUBLES if isinstance(call.part.printed, Program) else ROUTINES
    return "\n".join([*lines, "    }", f'    return report("{call.part.name}", error, {allowed!r});', "}"])
