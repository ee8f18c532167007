"""JavaScript: an ES module without dependencies, for browsers and Node, typed by JSDoc.

A scalar is a number, a vector an array (or Float64Array) of numbers, a matrix the array of its rows: ``T[i][j]``.
Results are plain arrays; several outputs are an object by name. What wants the entries by rows gets them from
``T.flat()``: ``new THREE.Matrix4().set(...T.flat())``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ....program.program import Program
from ...curly import signature
from ...interface import (
    Argument,
    Interface,
    arguments,
    costs,
    heading,
    interface,
    precompute_arguments,
    precompute_purpose,
    results_listed,
)
from ...language import Language
from ...layout import WIDTH, paragraph, render, wrap
from ...nested import nested, subscript
from ...straight_line import Body, main_body, precompute_body
from ...words import one_line
from .printer import JavaScriptPrinter
from .reserved import RESERVED

LANGUAGE = Language("JavaScript", "mjs", ("js",))

INDENT = " " * 2


def generate(program: Program, *, name: str | None = None) -> dict[str, str]:
    """One file; its name ends in ``mjs``, which Node takes for a module whatever stands around it."""
    facts = interface(program, RESERVED, name)
    return {f"{facts.function}.mjs": _source(facts)}


def _source(facts: Interface) -> str:
    printer = JavaScriptPrinter()
    return file_text(heading(facts)[0], printer, program_functions(facts, printer, public=True))


def file_text(summary: str, printer: JavaScriptPrinter, functions: Sequence[str]) -> str:
    return render(
        __name__,
        "source.template",
        summary=summary,
        helpers="\n\n".join(printer.helper_definitions()),
        functions="\n\n".join(functions),
    )


def program_functions(facts: Interface, printer: JavaScriptPrinter, public: bool) -> list[str]:
    """The precompute function, if there is one, and the function."""
    found = []
    if facts.has_precompute:
        body = precompute_body(facts, printer)
        head = definition(facts.precompute_function, [facts.parameters.name], public)
        found.append([*_precompute_doc(facts), *head, *_code(body), *_returned(body), "}"])
    body = main_body(facts, printer)
    head = definition(facts.function, [argument.name for argument in facts.read], public)
    found.append([*_doc(facts), *head, *_code(body), *_returned(body), "}"])
    return ["\n".join(lines) for lines in found]


# --- functions -------------------------------------------------------------------------------------------------------


def definition(function: str, taken: Sequence[str], public: bool) -> list[str]:
    return signature(f"{'export ' if public else ''}function {function}", taken, " {", WIDTH, INDENT)


def _code(body: Body) -> list[str]:
    lines = [
        f"{INDENT}const {load.name} = {load.argument.name}{subscript(load.index, load.argument.array.shape)};"
        for load in body.loads
    ]
    for line in body.lines:
        lines += wrap(f"{INDENT}const {line.name} = {line.text};", INDENT * 2)
    return lines


def _returned(body: Body) -> list[str]:
    if len(body.results) == 1:
        output, texts = body.results[0]
        if output.array.shape:
            return _literal(texts, output.array.shape, INDENT, "return ", ";")
        # A line may not be broken after ``return``.
        return [*wrap(f"{INDENT}const {output.name} = {texts[0]};", INDENT * 2), f"{INDENT}return {output.name};"]
    lines = [f"{INDENT}return {{"]
    for output, texts in body.results:
        lines += _literal(texts, output.array.shape, INDENT * 2, f"{key(output.array.name)}: ", ",")
    return [*lines, f"{INDENT}}};"]


def _literal(texts: tuple[str, ...], shape: tuple[int, ...], indent: str, head: str, tail: str) -> list[str]:
    return nested(texts, shape, indent, head, tail, step=INDENT)


def _is_plain(name: str) -> bool:
    return re.fullmatch(r"[A-Za-z_$][A-Za-z0-9_$]*", name) is not None and name != "__proto__"


def key(name: str) -> str:
    """A key of an object literal. One that is no identifier is escaped, so that no line breaks inside it."""
    if _is_plain(name):
        return name
    return '["' + "".join(c if c.isascii() and c.isalnum() else f"\\u{{{ord(c):x}}}" for c in name) + '"]'


# --- documentation ---------------------------------------------------------------------------------------------------


def comment(lines: Sequence[str]) -> list[str]:
    return ["/**", *(f" * {line}".rstrip() for line in lines), " */"]


def taken_type(shape: tuple[int, ...]) -> str:
    if not shape:
        return "number"
    return "number[] | Float64Array" if len(shape) == 1 else f"({taken_type(shape[1:])})[]"


def made_type(shape: tuple[int, ...]) -> str:
    return "number" + "[]" * len(shape)


def tags(taken: Sequence[Argument], made: str) -> list[str]:
    """The types, for editors and checkers."""
    lines = [f"@param {{{taken_type(one.array.shape)}}} {one.name}" for one in taken]
    return [*lines, *paragraph(f"@returns {{{made}}}", WIDTH - 4, "", "  ")]


def _doc(facts: Interface) -> list[str]:
    lines = [*heading(facts), "", *costs(facts), "", *arguments(facts, WIDTH - 4, with_outputs=False), ""]
    lines += results_listed(facts, WIDTH - 4, "an object")
    return comment([*lines, "", *tags(facts.read, results_type(facts.outputs))])


def results_type(outputs: Sequence[Argument]) -> str:
    fields = ", ".join(f"{_field(o.array.name)}: {made_type(o.array.shape)}" for o in outputs)
    return made_type(outputs[0].array.shape) if len(outputs) == 1 else f"{{{fields}}}"


def _field(name: str) -> str:
    return name if _is_plain(name) else f'"{one_line(name)}"'


def _precompute_doc(facts: Interface) -> list[str]:
    first = precompute_purpose(facts.function)
    lines = [first, "", *precompute_arguments(facts, WIDTH - 4), ""]
    return comment([*lines, *tags([facts.parameters], "number[]")])
