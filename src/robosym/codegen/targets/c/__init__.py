"""C99: a header and a source, only <math.h>, no globals, ``const double *`` in, ``double *`` out.

The option ``precision="float"`` writes it all in single precision: types, literals and functions (``sinf``). A function
reads all its inputs before it writes an output, so outputs may overlap inputs.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....program.program import Program
from ...interface import Argument, Interface, filling_documentation, heading, interface
from ...language import Language
from ...layout import WIDTH, render, wrap, wrap_arguments
from ...straight_line import Body, main_body, precompute_body
from .printer import CPrinter, printer_for
from .reserved import RESERVED

LANGUAGE = Language("C", "c")


def generate(program: Program, *, name: str | None = None, precision: str = "double") -> dict[str, str]:
    """The header and the source file."""
    printer = printer_for(precision)
    facts = facts_of(program, name)
    header = render(
        __name__,
        "header.template",
        comment=comment(_documentation(facts, printer.real)),
        guard=facts.names.take(f"{facts.function.upper()}_H"),
        prototypes=_prototypes(facts, printer.real),
    )
    short = comment([heading(facts)[0] + f" (see {facts.function}.h)"])
    return {
        f"{facts.function}.h": header,
        f"{facts.function}.c": _source(facts, printer, short, f'#include "{facts.function}.h"', ""),
    }


def source(program: Program, *, name: str | None = None, precision: str = "double") -> str:
    """One source text that compiles alone."""
    printer = printer_for(precision)
    facts = facts_of(program, name)
    head = comment(_documentation(facts, printer.real))
    return _source(facts, printer, head, "", _prototypes(facts, printer.real))


def facts_of(program: Program, name: str | None = None) -> Interface:
    return interface(program, RESERVED, name)


def signature(facts: Interface, real: str = "double") -> str:
    """The prototype of the main function, without the semicolon, on one line."""
    return _signature(facts.function, facts.read, facts.outputs, real)


def precompute_signature(facts: Interface, real: str = "double") -> str:
    return _signature(facts.precompute_function, [facts.parameters], [facts.constants], real)


def _signature(function: str, read: Sequence[Argument], written: Sequence[Argument], real: str) -> str:
    taken = [f"const {real} *{a.name}" for a in read] + [f"{real} *{a.name}" for a in written]
    return f"void {function}({', '.join(taken) or 'void'})"


def _source(facts: Interface, printer: CPrinter, head: str, include: str, declared: str) -> str:
    return source_text(printer, function_texts(facts, printer), head, include, declared)


def source_text(printer: CPrinter, functions: Sequence[str], head: str, include: str, declared: str) -> str:
    """The source file; either it includes its header or the functions are declared in it."""
    return render(
        __name__,
        "source.template",
        comment=head,
        include=include,
        prototypes=declared,
        helpers="\n\n".join(printer.helper_definitions()),
        functions="\n\n".join(functions),
    )


def function_texts(facts: Interface, printer: CPrinter, linkage: str = "") -> list[str]:
    """The precompute function, if there is work for it, and the main function; ``linkage`` stands before each."""
    real, found = printer.real, []
    if facts.has_precompute:
        body = precompute_body(facts, printer)
        head = linkage + precompute_signature(facts, real)
        found.append(_function_text(head, [facts.parameters, facts.constants], body, real))
    body = main_body(facts, printer)
    head = linkage + signature(facts, real)
    return [*found, _function_text(head, [*facts.read, *facts.outputs], body, real)]


def _function_text(head: str, taken: Sequence[Argument], body: Body, real: str) -> str:
    touched = body.arguments_read | {output.name for output, texts in body.results if texts}
    code = [f"    (void){argument.name};" for argument in taken if argument.name not in touched]
    code += [f"    const {real} {load.name} = {load.argument.name}[{load.index}];" for load in body.loads]
    for line in body.lines:
        code += wrap(f"    const {real} {line.name} = {line.text};", " " * 8)
    for output, texts in body.results:
        for i, text in enumerate(texts):
            code += wrap(f"    {output.name}[{i}] = {text};", " " * 8)
    return "\n".join([*wrap_arguments(head, " " * 4), "{", *code, "}"])


def _prototypes(facts: Interface, real: str) -> str:
    heads = [precompute_signature(facts, real)] if facts.has_precompute else []
    return prototypes([*heads, signature(facts, real)])


def prototypes(heads: Sequence[str]) -> str:
    return "\n\n".join("\n".join(wrap_arguments(f"{head};", " " * 4)) for head in heads)


def _documentation(facts: Interface, real: str) -> list[str]:
    lines = filling_documentation(facts, WIDTH - 4)
    return lines if real == "double" else [*lines, "", f"All numbers are of type {real}."]


def comment(lines: Sequence[str]) -> str:
    if len(lines) == 1:
        return f"/* {lines[0]} */"
    return "\n".join(["/*", *(f" * {line}".rstrip() for line in lines), " */"])
