"""Rust, edition 2021 (1.68 or newer): only ``core`` and the functions of f64, nothing unsafe, nothing on the heap.

A scalar is an ``f64``, a vector ``[f64; n]``, a matrix the array of its rows ``[[f64; m]; n]``. Arrays are taken by
reference and returned by value; several outputs are the fields of a struct. The file has no inner attributes, so it may
be a module, a crate or an ``include!``. Without ``std`` a trait in scope supplies the functions (``source.template``).
"""

from __future__ import annotations

from collections.abc import Sequence

from ....program.program import Array, Program
from ...curly import signature
from ...interface import (
    Argument,
    Interface,
    arguments,
    costs,
    heading,
    interface,
    output_listed,
    precompute_arguments,
    precompute_purpose,
)
from ...language import Language
from ...layout import render, wrap
from ...nested import INDENT, nested, subscript
from ...straight_line import Body, main_body, precompute_body
from ...words import one_line, shape_text
from .printer import RustPrinter
from .reserved import RESERVED

LANGUAGE = Language("Rust", "rs")

WIDTH = 100  # of rustfmt
ALLOWED = "#[allow(non_snake_case, unused_variables, clippy::all)]"


def generate(program: Program, *, name: str | None = None) -> dict[str, str]:
    facts = interface(program, RESERVED, name)
    return {f"{facts.function}.rs": _source(facts)}


def _source(facts: Interface) -> str:
    printer = RustPrinter()
    outputs = facts.names.take(outputs_name(facts.function))
    return file_text(heading(facts)[0], printer, program_items(facts, printer, outputs, public=True))


def file_text(summary: str, printer: RustPrinter, items: Sequence[str]) -> str:
    return render(
        __name__,
        "source.template",
        summary=summary,
        helpers="\n\n".join(printer.helper_definitions()),
        functions="\n\n".join(items),
    )


def outputs_name(function: str) -> str:
    """``PlanarArmOutputs`` for ``planar_arm``."""
    return "".join(part[:1].upper() + part[1:] for part in function.split("_")) + "Outputs"


def program_items(facts: Interface, printer: RustPrinter, outputs: str, public: bool) -> list[str]:
    """The struct of the outputs, the precompute function and the function; ``outputs`` names the struct.

    A function that is not public takes its constants as a slice: they are a part of larger ones.
    """
    pub = "pub " if public else ""
    fields = [(output.name, output.array) for output in facts.outputs]
    items = [struct(facts.function, outputs, fields, pub)] if len(facts.outputs) != 1 else []
    if facts.has_precompute:
        body = precompute_body(facts, printer)
        taken, made = [declared(facts.parameters)], array_type(facts.constants.array.shape)
        head = [*_precompute_doc(facts), ALLOWED, *_head(pub, facts.precompute_function, taken, made)]
        items.append("\n".join([*head, *code(body), *_returned(body, ""), "}"]))
    body = main_body(facts, printer)
    made = array_type(facts.outputs[0].array.shape) if len(facts.outputs) == 1 else outputs
    taken = [declared(a) if public or a is not facts.constants else f"{a.name}: &[f64]" for a in facts.read]
    head = [*_doc(facts, outputs), ALLOWED, *_head(pub, facts.function, taken, made)]
    return [*items, "\n".join([*head, *code(body), *_returned(body, outputs), "}"])]


# --- types -----------------------------------------------------------------------------------------------------------


def array_type(shape: tuple[int, ...]) -> str:
    """``[[f64; 3]; 2]`` for two rows of three."""
    text = "f64"
    for size in reversed(shape):
        text = f"[{text}; {size}]"
    return text


def taken_type(shape: tuple[int, ...]) -> str:
    return f"&{array_type(shape)}" if shape else "f64"


def declared(argument: Argument) -> str:
    return f"{argument.name}: {taken_type(argument.array.shape)}"


def struct(function: str, name: str, fields: Sequence[tuple[str, Array]], pub: str) -> str:
    """The struct of what a function returns: the field of each array."""
    lines = [
        f"/// What [`{function}`] returns.",
        "#[derive(Clone, Copy, Debug, PartialEq)]",
        "#[allow(non_snake_case)]",
        f"{pub}struct {name} {{",
    ]
    for field, array in fields:
        lines.append(f"{INDENT}/// The output {one_line(array.name)}, {shape_text(array.shape)}.")
        lines.append(f"{INDENT}{pub}{field}: {array_type(array.shape)},")
    return "\n".join([*lines, "}"])


# --- functions -------------------------------------------------------------------------------------------------------


def _head(pub: str, function: str, taken: Sequence[str], made: str) -> list[str]:
    return signature(f"{pub}fn {function}", taken, f" -> {made} {{", WIDTH, INDENT)


def code(body: Body) -> list[str]:
    lines = [
        f"{INDENT}let {load.name} = {load.argument.name}{subscript(load.index, load.argument.array.shape)};"
        for load in body.loads
    ]
    for line in body.lines:
        lines += wrap(f"{INDENT}let {line.name} = {line.text};", INDENT * 2, WIDTH)
    return lines


def _returned(body: Body, outputs: str) -> list[str]:
    if len(body.results) == 1:
        output, texts = body.results[0]
        return nested(texts, output.array.shape, INDENT, width=WIDTH)
    lines = [f"{INDENT}{outputs} {{"]
    for output, texts in body.results:
        lines += nested(texts, output.array.shape, INDENT * 2, head=f"{output.name}: ", tail=",", width=WIDTH)
    return [*lines, f"{INDENT}}}"]


# --- documentation ---------------------------------------------------------------------------------------------------


def doc(first: str, verbatim: Sequence[str], last: str = "") -> list[str]:
    """A doc comment; what is verbatim is no Markdown."""
    lines = [first, "", "```text", *verbatim, "```", *(["", last] if last else [])]
    return [f"/// {line}".rstrip() for line in lines]


def _doc(facts: Interface, outputs: str) -> list[str]:
    first, *rest = heading(facts)
    verbatim = [*rest[1:], "", *costs(facts), "", *arguments(facts, WIDTH - 4, with_outputs=False)]
    if facts.program.documentation is not None:
        fields = [
            line for one in facts.outputs for line in output_listed(facts, one, one_line(one.array.name), WIDTH - 4)
        ]
        verbatim += ["", "Returns:", *fields]
    if len(facts.outputs) == 1:
        array = facts.outputs[0].array
        return doc(first, verbatim, f"Returns {one_line(array.name)}, {shape_text(array.shape)}.")
    return doc(first, verbatim, f"Returns the fields of [`{outputs}`].")


def _precompute_doc(facts: Interface) -> list[str]:
    first = precompute_purpose(f"[`{facts.function}`]")
    return doc(first, precompute_arguments(facts, WIDTH - 4))
