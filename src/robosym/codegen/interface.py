"""The facts about a generated function that every language shares: its name, its arguments and their order, its doc.

Arguments stand in this order: the inputs as the program lists them, ``parameters`` and ``constants`` when the function
reads them, then the outputs. ``constants`` is what the precompute function makes of ``parameters``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .. import __version__
from ..expr import Expr, free_symbols
from ..program.program import Array, Program, Step, live_steps
from .layout import paragraph
from .names import Names, shortened
from .words import PARAMETERS as PARAMETERS
from .words import (
    indexed,
    introduced,
    listed,
    one_line,
    parameter_entries,
    parameters_about,
    prose,
    said_lines,
    shape_text,
)

CONSTANTS = "constants"
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


def _listed(
    facts: Interface, argument: Argument, remark: str, width: int, first: int, symbols: bool = True
) -> list[str]:
    """An argument with its entries, and their symbols or not: ``first`` is where the language counts indices from."""
    head, said = f"{argument.name} [{shape_text(argument.array.shape)}]{remark}", facts.program.documentation
    names = [symbol.name for symbol in argument.array.entries] if symbols else []
    if argument is facts.constants:
        return said_lines([head, indexed(names, first)], said, width)
    if argument is facts.parameters:
        about = parameters_about(said) if symbols else ""
        return said_lines([head, about, indexed(parameter_entries(said, names), first)], said, width)
    return listed(head, said, argument.array.name, argument.array.shape, width, first, names)


def heading(facts: Interface) -> list[str]:
    about = one_line(facts.program.name)
    title = f"{facts.function}: {about}" if about else facts.function
    notes = [paragraph(prose(note), NOTES_WIDTH, "", "  ") for note in facts.program.notes]
    said = list(introduced(facts.program.documentation))
    lines = [title, "", *said, f"Generated by Robosym {__version__}."]
    return [*lines, *(line for note in notes for line in note)]


def costs(facts: Interface) -> list[str]:
    lines = [f"Operations: {facts.program.operations}"]
    if facts.has_precompute:
        lines.append(f"Precompute: {facts.program.precompute_operations}, once per set of parameters")
    return lines


def arguments(facts: Interface, width: int, with_outputs: bool, first: int = 0, storage: str = BY_ROWS) -> list[str]:
    """What the main function takes, in order, with the symbol behind every index (counted from ``first``)."""
    lines = [f"Arguments in order, {storage}:"]
    for argument in facts.inputs:
        lines += _listed(facts, argument, ", in", width, first)
    if facts.reads_parameters:
        lines += _listed(facts, facts.parameters, ", in", width, first)
    if facts.has_precompute:
        lines += _listed(facts, facts.constants, f", in, from {facts.precompute_function}", width, first)
    if with_outputs:
        for argument in facts.outputs:
            lines += _listed(facts, argument, ", out", width, first, symbols=False)
    return lines


def filling_documentation(facts: Interface, width: int, first: int = 0, storage: str = BY_ROWS) -> list[str]:
    """All that is said on top of functions that fill their outputs, the precompute function's arguments too."""
    lines = [*heading(facts), "", *costs(facts), "", *arguments(facts, width, True, first, storage)]
    if not facts.has_precompute:
        return lines
    known = facts.reads_parameters
    return [
        *lines,
        "",
        f"{facts.precompute_function}: call it once for each set of parameters.",
        "Arguments in order:",
        *_listed(facts, facts.parameters, ", in, as above" if known else ", in", width, first, symbols=not known),
        *_listed(facts, facts.constants, ", out", width, first, symbols=False),
    ]


def precompute_purpose(reader: str) -> str:
    return f"Constants of {reader}; call it once for each set of parameters."


def precompute_arguments(facts: Interface, width: int, first: int = 0) -> list[str]:
    """What a precompute function takes and returns, with the symbol behind every index (counted from ``first``)."""
    taken, made = (_listed(facts, one, "", width, first) for one in (facts.parameters, facts.constants))
    return ["Takes:", *taken, "Returns:", *made]


def results(facts: Interface, several: str = "a dict") -> str:
    """What a function that returns its outputs returns; ``several`` is the language's mapping by name."""
    arrays = [f"{one_line(o.array.name)} [{shape_text(o.array.shape)}]" for o in facts.outputs]
    if len(arrays) == 1:
        return f"Returns {arrays[0]}."
    return f"Returns {several}: {', '.join(arrays)}."


def results_listed(facts: Interface, width: int, several: str = "a dict", first: int = 0) -> list[str]:
    """The same with what each of them is, where that is known."""
    said = facts.program.documentation
    if said is None or not all(one.array.name in said.arrays for one in facts.outputs):
        return paragraph(results(facts, several), width, "", "  ")
    lines = ["Returns:" if len(facts.outputs) == 1 else f"Returns {several}:"]
    for one in facts.outputs:
        lines += output_listed(facts, one, one_line(one.array.name), width, first)
    return lines


def output_listed(facts: Interface, output: Argument, name: str, width: int, first: int = 0) -> list[str]:
    """An output under the name that the language has for it."""
    head, array = f"{name} [{shape_text(output.array.shape)}]", output.array
    return listed(head, facts.program.documentation, array.name, array.shape, width, first)
