"""Maple: a procedure for each program, whose arguments are lists, Vectors, Matrices or Arrays.

Arguments may be numbers or expressions. A procedure computes with 17 digits, or more where ``Digits`` says so. Beyond
the domain of a real function Maple goes on with complex numbers, and 1/0 is an error.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from ....program.program import Program
from ...computer_algebra import INDENT, documentation, list_of_lists
from ...interface import Argument, Interface, interface, precompute_purpose
from ...language import Language
from ...layout import WIDTH, render, wrap
from ...nested import indices
from ...straight_line import Body, Load, main_body, precompute_body
from .printer import MaplePrinter
from .reserved import RESERVED

LANGUAGE = Language("Maple", "mpl")

PRECISION = "Digits := max(Digits, 17);"  # restored when the procedure returns


def generate(program: Program, *, name: str | None = None) -> dict[str, str]:
    facts = interface(program, RESERVED, name)
    return {f"{facts.function}.mpl": _source(facts)}


def _source(facts: Interface) -> str:
    printer = MaplePrinter()
    procedures = []
    if facts.has_precompute:
        body = precompute_body(facts, printer)
        purpose = f"# {precompute_purpose(facts.function)}"
        text = _procedure(facts.precompute_function, [facts.parameters], body)
        procedures.append("\n".join([*wrap(purpose, "# "), text]))
    body = main_body(facts, printer)
    procedures.append(_procedure(facts.function, facts.read, body))
    return render(__name__, "source.template", comment=_comment(facts), procedures="\n\n".join(procedures))


def _procedure(name: str, taken: Sequence[Argument], body: Body) -> str:
    parameters = ", ".join(f"{a.name}::{{list, rtable}}" if a.array.shape else a.name for a in taken)
    local = ", ".join([*(load.name for load in body.loads), *(line.name for line in body.lines)])
    lines = wrap(f"{name} := proc({parameters})", INDENT * 2)
    lines += wrap(f"{INDENT}local {local};", INDENT * 2) if local else []
    lines.append(f"{INDENT}{PRECISION}")
    lines += [f"{INDENT}{load.name} := {_entry(load)};" for load in body.loads]
    for line in body.lines:
        lines += wrap(f"{INDENT}{line.name} := {line.text};", INDENT * 2)
    return "\n".join([*lines, *_return(body), "end proc:"])


def _entry(load: Load) -> str:
    places = ", ".join(str(i + 1) for i in indices(load.index, load.argument.array.shape))
    return f"{load.argument.name}[{places}]" if places else load.argument.name


def _return(body: Body) -> list[str]:
    if len(body.results) == 1:
        output, texts = body.results[0]
        return _array(texts, output.array.shape, INDENT, "return ", ";")
    lines = [f"{INDENT}return table(["]
    for i, (output, texts) in enumerate(body.results, 1):
        comma = "," if i < len(body.results) else ""
        lines += _array(texts, output.array.shape, INDENT * 2, f"{_string(output.array.name)} = ", comma)
    return [*lines, f"{INDENT}]);"]


def _array(texts: tuple[str, ...], shape: tuple[int, ...], indent: str, head: str, tail: str) -> list[str]:
    """A scalar as it is, then Vector, Matrix, Array; without entries by its sizes."""
    kind = ("", "Vector", "Matrix")[len(shape)] if len(shape) <= 2 else "Array"
    if shape and not texts:
        sizes = ", ".join(f"1 .. {size}" if kind == "Array" else str(size) for size in shape)
        return [f"{indent}{head}{kind}({sizes}){tail}"]
    opened, closed = (f"{kind}(", ")") if kind else ("", "")
    return list_of_lists(texts, shape, "[]", indent, f"{head}{opened}", f"{closed}{tail}")


def _string(text: str) -> str:
    """A string literal in ASCII; what is not printable becomes ``_``."""
    return json.dumps("".join(c if " " <= c <= "~" else "_" for c in text))


def _comment(facts: Interface) -> str:
    return "\n".join(f"# {line}".rstrip() for line in documentation(facts, WIDTH - 2, "a table"))
