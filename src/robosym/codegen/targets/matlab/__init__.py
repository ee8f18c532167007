"""Matlab and GNU Octave: function files of the same text, matrices as matrices, batches of states side by side.

A vector is a column, a batch of vectors a matrix of columns, a batch of matrices is pages along the third dimension;
every argument may hold a batch or a single state. Integer powers are ``.^``, which multiplies for squares and cubes.
Where IEEE's pow gives 1 for nan (1^nan, nan^0), Matlab may give nan.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....program.program import Program
from ...interface import (
    LISTED,
    Argument,
    Interface,
    arguments,
    costs,
    heading,
    interface,
    precompute_arguments,
    precompute_purpose,
)
from ...language import Language
from ...layout import WIDTH, render, wrap
from ...nested import indices
from ...straight_line import Body, main_body, precompute_body
from ...words import one_line
from .printer import MatlabPrinter
from .reserved import RESERVED
from .statements import function_text, statement

LANGUAGE = Language("Matlab", "m", ("octave",))

BATCH = """\
Each argument may hold a batch of states: a column of a matrix for each where one state
is a vector, a page where it is a matrix. What is the same for all may be given once.
The outputs then hold a batch, too."""


def generate(program: Program, *, name: str | None = None) -> dict[str, str]:
    """A file for each function: the main one and, if there is work to precompute, the one that does."""
    facts = facts_of(program, name)
    functions = [(facts.function, main_function)]
    if facts.has_precompute:
        functions.append((facts.precompute_function, precompute_function))
    files = {}
    for called, write in functions:
        printer = MatlabPrinter()
        files[f"{called}.m"] = file_text([write(facts, printer)], printer)
    return files


def source(program: Program, *, name: str | None = None) -> str:
    """One text with all functions, the main one first: a file of its own, or the end of a script."""
    facts = facts_of(program, name)
    printer = MatlabPrinter()
    functions = [main_function(facts, printer)]
    if facts.has_precompute:
        functions.append(beside(facts.precompute_function, precompute_function(facts, printer)))
    return file_text(functions, printer)


def facts_of(program: Program, name: str | None = None) -> Interface:
    return interface(program, RESERVED, name)


def beside(function: str, text: str) -> str:
    """A function that stands in the file of another one, with a word on what that means."""
    said = f"% {function} needs a file of its own, {function}.m, to be called from other files."
    return "\n".join([*wrap(said, "% "), text])


def file_text(functions: Sequence[str], printer: MatlabPrinter) -> str:
    """The functions, then the helpers they need."""
    helpers = "\n\n".join(printer.helper_definitions())
    return render(__name__, "source.template", functions="\n\n".join(functions), helpers=helpers)


def main_function(facts: Interface, printer: MatlabPrinter) -> str:
    width = WIDTH - 4
    about = [one_line(facts.program.name), "", *heading(facts)[2:], "", *costs(facts), ""]
    about += arguments(facts, width, with_outputs=True, first=1, storage=LISTED)
    about += ["", *BATCH.splitlines()]
    if facts.has_precompute:
        about += ["", f"See also {facts.precompute_function}."]
    body = main_body(facts, printer)
    made, taken = [a.name for a in facts.outputs], [a.name for a in facts.read]
    return function_text(facts.function, made, taken, about, _code(facts.read, body))


def precompute_function(facts: Interface, printer: MatlabPrinter) -> str:
    about = [precompute_purpose(facts.function), ""]
    about += precompute_arguments(facts, WIDTH - 4, first=1)
    about += ["", f"See also {facts.function}."]
    code = _code([facts.parameters], precompute_body(facts, printer))
    return function_text(facts.precompute_function, [facts.constants.name], [facts.parameters.name], about, code)


# --- one function ----------------------------------------------------------------------------------------------------


def _code(read: Sequence[Argument], body: Body) -> list[str]:
    lines = _batch(read)
    for load in body.loads:
        lines += statement(f"{load.name} = {_loaded(load.argument, load.index)};", 1)
    for line in body.lines:
        lines += statement(f"{line.name} = {line.text};", 1)
    for output, texts in body.results:
        sizes = ", ".join(map(str, output.array.shape or (1,)))
        lines += statement(f"{output.name} = zeros({sizes}, batch);", 1)
        for i, text in enumerate(texts):
            lines += statement(f"{_entry(output, i)} = {text};", 1)
    return lines


def _batch(read: Sequence[Argument]) -> list[str]:
    """The number of states."""
    sizes = [f"size({a.name}, {max(len(a.array.shape), 1) + 1})" for a in read if a.size]
    if len(sizes) > 1:
        return statement(f"batch = max([{', '.join(sizes)}]);", 1)
    return statement(f"batch = {sizes[0] if sizes else 1};", 1)


def _entry(argument: Argument, index: int) -> str:
    """An entry, counted by rows, of all states: ``T(1, 4, :)``."""
    places = [i + 1 for i in indices(index, argument.array.shape)] or [1]
    return f"{argument.name}({', '.join(map(str, places))}, :)"


def _loaded(argument: Argument, index: int) -> str:
    """The entry as a row."""
    entry = _entry(argument, index)
    return f"reshape({entry}, 1, [])" if len(argument.array.shape) > 1 else entry
