"""The facts about a generated function that every language shares: its name, its arguments and their order, its doc.

Arguments stand in this order: the inputs as the program lists them, ``parameters`` and ``constants`` when the function
reads them, then the outputs. ``constants`` is what the precompute function makes of ``parameters``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .. import __version__
from ..expr import Expr, free_symbols
from ..program.program import Array, Program, Step, live_steps
from .layout import NO_BREAK, paragraph
from .names import Names, shortened

PARAMETERS, CONSTANTS = "parameters", "constants"
BY_ROWS = "arrays by rows"  # how the documentation says arrays are stored; ``LISTED``: the language has matrices
LISTED = "entries of matrices listed by rows"
NOTES_WIDTH = 90  # columns of the notes: they fit the comments of every language


@dataclass(frozen=True)
class Argument:
    """One array argument: the program's array and the identifier it has in the code."""

    array: Array
    name: str

    @property
    def size(self) -> int:
        return len(self.array.entries)


@dataclass(frozen=True)
class Interface:
    """Everything a printer needs to know but the body: arguments, identifiers of the symbols, documentation."""

    program: Program
    function: str
    precompute_function: str
    inputs: tuple[Argument, ...]
    parameters: Argument
    constants: Argument  # the precomputed values that the main function reads
    outputs: tuple[Argument, ...]
    reads_parameters: bool  # whether the main function does, beside the precompute function
    symbols: dict[Expr, str]  # the identifier of every symbol
    names: Names  # for temporaries

    @property
    def has_precompute(self) -> bool:
        return self.constants.size > 0

    @property
    def read(self) -> tuple[Argument, ...]:
        """The arguments the main function reads, in order."""
        shared = [self.parameters] if self.reads_parameters else []
        return (*self.inputs, *shared, *([self.constants] if self.has_precompute else []))


def interface(
    program: Program, reserved: Iterable[str], name: str | None = None, *, rules: type[Names] = Names
) -> Interface:
    """The facts for one language, given the words that language (or our template) keeps for itself."""
    names = rules(reserved)
    function = names.take(shortened(name or program.name))
    precompute_function = names.take(f"{function}_precompute")
    used = symbols_used(program.steps, [entry for array in program.outputs for entry in array.entries])
    exported = tuple(step.symbol for step in program.precompute if step.symbol in used)
    inputs = tuple(Argument(array, names.take(array.name)) for array in program.inputs)
    parameters = Argument(
        Array(PARAMETERS, (len(program.parameter_symbols),), program.parameter_symbols), names.take(PARAMETERS)
    )
    constants = Argument(Array(CONSTANTS, (len(exported),), exported), names.take(CONSTANTS))
    outputs = tuple(Argument(array, names.take(array.name)) for array in program.outputs)
    ordered = [symbol for array in program.inputs for symbol in array.entries]
    ordered += program.parameter_symbols
    ordered += [step.symbol for step in (*program.precompute, *program.steps)]
    return Interface(
        program=program,
        function=function,
        precompute_function=precompute_function,
        inputs=inputs,
        parameters=parameters,
        constants=constants,
        outputs=outputs,
        reads_parameters=any(symbol in used for symbol in program.parameter_symbols),
        symbols={symbol: names.take(symbol.name) for symbol in dict.fromkeys(ordered)},
        names=names,
    )


def symbols_used(steps: Sequence[Step], results: Sequence[Expr]) -> set[Expr]:
    """The symbols that computing the results reads."""
    return set(free_symbols(*results, *[step.expr for step in live_steps(steps, results)]))


# --- documentation ---------------------------------------------------------------------------------------------------


def one_line(text: str) -> str:
    """Text that cannot end a comment or a string of any language."""
    return re.sub(r"[^A-Za-z0-9 _.,:;()\[\]+=-]+", "_", text)


def shape_text(shape: tuple[int, ...]) -> str:
    return "x".join(map(str, shape)) if shape else "scalar"


def indexed(names: Iterable[str], first: int) -> str:
    """``[0] q1, [1] q2``: the name behind every index, counted from ``first``."""
    return ", ".join(f"[{i}]{NO_BREAK}{name}" for i, name in enumerate(names, first))


def _entries(argument: Argument, first: int) -> str:
    names = [symbol.name for symbol in argument.array.entries]
    return indexed(names, first) if len(argument.array.shape) == 1 else ", ".join(names)


def _listed(argument: Argument, remark: str, width: int, first: int | None = 0) -> list[str]:
    """An argument with its entries, or without them: ``first`` is where the language counts indices from."""
    head = f"{argument.name} [{shape_text(argument.array.shape)}]{remark}"
    listed = first is not None and argument.size
    return paragraph(f"{head}: {_entries(argument, first or 0)}" if listed else head, width)


def heading(facts: Interface) -> list[str]:
    about = one_line(facts.program.name)
    title = f"{facts.function}: {about}" if about else facts.function
    notes = [paragraph(one_line(note), NOTES_WIDTH, "", "  ") for note in facts.program.notes]
    return [title, "", f"Generated by Robosym {__version__}.", *(line for note in notes for line in note)]


def costs(facts: Interface) -> list[str]:
    lines = [f"Operations: {facts.program.operations}"]
    if facts.has_precompute:
        lines.append(f"Precompute: {facts.program.precompute_operations}, once per set of parameters")
    return lines


def arguments(facts: Interface, width: int, with_outputs: bool, first: int = 0, storage: str = BY_ROWS) -> list[str]:
    """What the main function takes, in order, with the symbol behind every index (counted from ``first``)."""
    lines = [f"Arguments in order, {storage}:"]
    for argument in facts.inputs:
        lines += _listed(argument, ", in", width, first)
    if facts.reads_parameters:
        lines += _listed(facts.parameters, ", in", width, first)
    if facts.has_precompute:
        lines += _listed(facts.constants, f", in, from {facts.precompute_function}", width, first)
    if with_outputs:
        for argument in facts.outputs:
            lines += _listed(argument, ", out", width, None)
    return lines


def filling_documentation(facts: Interface, width: int, first: int = 0, storage: str = BY_ROWS) -> list[str]:
    """All that is said on top of functions that fill their outputs, the precompute function's arguments too."""
    lines = [*heading(facts), "", *costs(facts), "", *arguments(facts, width, True, first, storage)]
    if not facts.has_precompute:
        return lines
    known = (", in, as above", None) if facts.reads_parameters else (", in", first)
    return [
        *lines,
        "",
        f"{facts.precompute_function}: call it once for each set of parameters.",
        "Arguments in order:",
        *_listed(facts.parameters, known[0], width, known[1]),
        *_listed(facts.constants, ", out", width, None),
    ]


def precompute_purpose(reader: str) -> str:
    return f"Constants of {reader}; call it once for each set of parameters."


def precompute_arguments(facts: Interface, width: int, first: int = 0) -> list[str]:
    """What a precompute function takes and returns, with the symbol behind every index (counted from ``first``)."""
    taken, made = (_listed(one, "", width, first) for one in (facts.parameters, facts.constants))
    return ["Takes:", *taken, "Returns:", *made]


def results(facts: Interface, several: str = "a dict") -> str:
    """What a function that returns its outputs returns; ``several`` is the language's mapping by name."""
    arrays = [f"{one_line(o.array.name)} [{shape_text(o.array.shape)}]" for o in facts.outputs]
    if len(arrays) == 1:
        return f"Returns {arrays[0]}."
    return f"Returns {several}: {', '.join(arrays)}."
