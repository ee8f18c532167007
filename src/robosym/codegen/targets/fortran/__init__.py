"""Fortran 2008: a module with pure subroutines, ``real(dp)`` arrays of explicit shape, matrices as matrices.

The arithmetic is IEEE's as far as the compiler keeps to it: Fortran lets it choose between expressions that are equal
in mathematics (``-ffast-math`` and the like go further). Outputs must not overlap inputs, by the rules of the language.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....program.program import Program
from ...interface import LISTED, Argument, Interface, filling_documentation, interface
from ...language import Language
from ...layout import WIDTH, render
from ...names import Names
from ...nested import indices
from ...straight_line import Body, Line, main_body, precompute_body
from .printer import FortranPrinter
from .reserved import IEEE, RESERVED, FortranNames
from .statements import INDENT, comment_lines, declarations, short_lines, statement

LANGUAGE = Language("Fortran", "f90")


def generate(program: Program, *, name: str | None = None) -> dict[str, str]:
    """The file with the module."""
    facts = facts_of(program, name)
    return {f"{facts.function}.f90": _source(facts)}


def facts_of(program: Program, name: str | None = None) -> Interface:
    return interface(program, RESERVED, name, rules=FortranNames)


def _source(facts: Interface) -> str:
    printer = FortranPrinter()
    procedures = program_procedures(facts, printer)
    public = [facts.function, *([facts.precompute_function] if facts.has_precompute else [])]
    return module_text(facts.names.take(f"{facts.function}_mod"), _documentation(facts), public, printer, procedures)


def module_text(
    module: str, documentation: Sequence[str], public: Sequence[str], printer: FortranPrinter, procedures: Sequence[str]
) -> str:
    return render(
        __name__,
        "source.template",
        comment="\n".join(f"! {line}".rstrip() for text in documentation for line in comment_lines(text)),
        module=module,
        uses="\n".join(_uses("\n".join(procedures))),
        public="\n".join(declarations("public", public, 1)),
        helpers="\n\n".join(printer.helper_definitions()),
        procedures="\n\n".join(procedures),
    )


def _uses(procedures: str) -> list[str]:
    """The modules that the procedures need."""
    lines = [f"{INDENT}use, intrinsic :: iso_fortran_env, only: dp => real64"]
    special = [name for name in IEEE if f"{name})" in procedures]
    if special:
        lines += statement(f"use, intrinsic :: ieee_arithmetic, only: ieee_value, {', '.join(special)}", 1)
    return lines


def program_procedures(facts: Interface, printer: FortranPrinter) -> list[str]:
    """The subroutine, after the one that precomputes, if there is work to."""
    found = []
    if facts.has_precompute:
        body = precompute_body(facts, printer)
        found.append(_procedure(facts.precompute_function, [facts.parameters], [facts.constants], body, facts.names))
    body = main_body(facts, printer)
    return [*found, _procedure(facts.function, facts.read, facts.outputs, body, facts.names)]


def procedure(name: str, taken: Sequence[str], declared: Sequence[str], code: Sequence[str]) -> str:
    """A pure subroutine of a module."""
    head = statement(f"pure subroutine {name}({', '.join(taken)})", 1)
    gap = [""] if declared and code else []
    return "\n".join([*head, *declared, *gap, *code, f"{INDENT}end subroutine {name}"])


def shape_of(name: str, shape: Sequence[int | str]) -> str:
    """The name with its shape, as it is declared: ``T(4, 4)``."""
    return f"{name}({', '.join(map(str, shape))})" if shape else name


def dummies(intent: str, named: Sequence[tuple[str, Sequence[int]]]) -> list[str]:
    return declarations(f"real(dp), intent({intent})", [shape_of(name, shape) for name, shape in named], 2)


# --- one procedure ---------------------------------------------------------------------------------------------------


def _procedure(name: str, read: Sequence[Argument], written: Sequence[Argument], body: Body, names: Names) -> str:
    results = [Line(_entry(output, i), text) for output, texts in body.results for i, text in enumerate(texts)]
    computed = short_lines([*body.lines, *results], names)
    places = {line.name for line in results}
    local = [load.name for load in body.loads] + [line.name for line in computed if line.name not in places]
    code = not_read([argument.name for argument in read if argument.name not in body.arguments_read], names)
    loaded = [Line(load.name, _entry(load.argument, load.index)) for load in body.loads]
    empty = [Line(output.name, "0.0_dp") for output, texts in body.results if not texts]
    for line in (*loaded, *computed, *empty):
        code += statement(f"{line.name} = {line.text}", 2)
    declared = dummies("in", [(a.name, a.array.shape) for a in read])
    declared += dummies("out", [(a.name, a.array.shape) for a in written])
    declared += declarations("real(dp)", local, 2)
    return procedure(name, [a.name for a in (*read, *written)], declared, code)


def not_read(arguments: Sequence[str], names: Names) -> list[str]:
    """What tells the compiler that these arguments are not needed, and not forgotten."""
    if not arguments:
        return []
    pairs = ", ".join(f"{names.numbered('unused')} => {argument}" for argument in arguments)
    return [*statement(f"associate ({pairs})", 2), *statement("end associate", 2)]


def _entry(argument: Argument, index: int) -> str:
    """An entry, counted by rows: ``T(1, 4)``."""
    return shape_of(argument.name, [i + 1 for i in indices(index, argument.array.shape)])


def _documentation(facts: Interface) -> list[str]:
    return filling_documentation(facts, WIDTH - 2, first=1, storage=LISTED)
