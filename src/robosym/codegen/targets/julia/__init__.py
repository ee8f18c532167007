"""Julia: ``NAME(inputs...)`` returns its outputs, ``NAME!(outputs..., inputs...)`` fills those it is given.

Any ``Real`` entries go in: Float64, BigFloat, the dual numbers of automatic differentiation. Matrices are Julia's own,
``A[row, column]``. A function reads all its inputs before it writes an output, so they may overlap. What Julia refuses
(sqrt(-1.0), log(-1.0), asin(2.0), sin(Inf), a negative number to a fractional power) raises a DomainError.
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
    output_listed,
    precompute_arguments,
    precompute_purpose,
)
from ...language import Language
from ...layout import WIDTH, render, wrap
from ...names import Names
from ...nested import INDENT, indices
from ...straight_line import Body, main_body, precompute_body
from ..python import assignment
from .printer import JuliaPrinter
from .reserved import KEYWORDS, RESERVED

LANGUAGE = Language("Julia", "jl")


def generate(program: Program, *, name: str | None = None) -> dict[str, str]:
    facts = interface(program, RESERVED, name)
    return {f"{facts.function}.jl": _source(facts)}


def _source(facts: Interface) -> str:
    return render(
        __name__,
        "source.template",
        comment=f"# {heading(facts)[0]}",
        imports="",
        functions="\n\n".join(functions(facts)),
    )


def functions(facts: Interface) -> list[str]:
    """The functions of a program: the precompute ones, if there is work for them, and the main ones."""
    printer = JuliaPrinter()
    found = []
    if facts.has_precompute:
        documented = [
            precompute_purpose(f"`{facts.function}`"),
            "",
            *markdown(precompute_arguments(facts, WIDTH - len(INDENT), first=1)),
        ]
        body = inbounds(_code(precompute_body(facts, printer)))
        found += pair(facts.precompute_function, [facts.parameters], [facts.constants], body, documented)
    body = inbounds(_code(main_body(facts, printer)))
    return [*found, *pair(facts.function, facts.read, facts.outputs, body, _documentation(facts))]


def pair(
    name: str,
    given: Sequence[Argument],
    made: Sequence[Argument],
    body: Sequence[str],
    documented: Sequence[str],
    remark: str = "",
) -> list[str]:
    """The function that makes its results, documented, and the one that fills them: its statements are the body."""
    filled = ", ".join(f"`{argument.name}`" for argument in made)
    short = wrap(f"Like `{name}`, into {filled or 'nothing'}, which it returns.{remark}", "")
    return [
        "\n".join([*docstring(_called(name, given), documented), *_making(name, given, made)]),
        "\n".join([*docstring(_called(f"{name}!", [*made, *given]), short), *_filling(f"{name}!", given, made, body)]),
    ]


# --- functions -------------------------------------------------------------------------------------------------------


def _called(name: str, taken: Sequence[Argument]) -> str:
    return f"{name}({', '.join(argument.name for argument in taken)})"


def declared(name: str, shape: tuple[int, ...], scalar: str = "Real") -> str:
    """An argument with its type; ``scalar`` is that of a number."""
    named = {0: scalar, 1: "AbstractVector{<:Real}", 2: "AbstractMatrix{<:Real}"}
    return f"{name}::{named.get(len(shape), f'AbstractArray{{<:Real,{len(shape)}}}')}"


def element_type(names: Sequence[str]) -> str:
    """The statement that finds the type of entries: that of the arguments, Float64 at the least."""
    return f"element = promote_type({', '.join(['Float64', *(f'eltype({name})' for name in names)])})"


def _making(name: str, given: Sequence[Argument], made: Sequence[Argument]) -> list[str]:
    taken = ", ".join(declared(a.name, a.array.shape) for a in given)
    lines = wrap(f"function {name}({taken})", INDENT * 2)
    lines += wrap(INDENT + element_type([argument.name for argument in given]), INDENT * 2)
    lines += [f"{INDENT}{argument.name} = {empty(argument.array.shape)}" for argument in made]
    call = wrap(f"{INDENT}return {_called(f'{name}!', [*made, *given])}", INDENT * 2)
    if any(not argument.array.shape for argument in made):  # a number rather than an array of no dimension
        call = wrap(f"{INDENT}{_called(f'{name}!', [*made, *given])}", INDENT * 2)
        call += wrap(f"{INDENT}return {_results(made, opened=True)}", INDENT * 2)
    return [*lines, *call, "end"]


def empty(shape: tuple[int, ...]) -> str:
    """A new array, not filled."""
    kind = {1: "Vector{element}", 2: "Matrix{element}"}.get(len(shape), f"Array{{element,{len(shape)}}}")
    return f"{kind}({', '.join(['undef', *map(str, shape)])})"


def _filling(name: str, given: Sequence[Argument], made: Sequence[Argument], body: Sequence[str]) -> list[str]:
    """Sizes are checked at the beginning, so that entries need not be."""
    taken = [declared(a.name, a.array.shape, "AbstractArray{<:Real,0}") for a in made]
    taken += [declared(a.name, a.array.shape) for a in given]
    lines = wrap(f"function {name}({', '.join(taken)})", INDENT * 2)
    arrays = [argument for argument in (*made, *given) if argument.array.shape]
    for argument in arrays:
        lines += _size_check(argument)
    if arrays:
        listed = ", ".join(argument.name for argument in arrays)
        lines += wrap(f"{INDENT}Base.require_one_based_indexing({listed})", INDENT * 2)
    return [*lines, *body, *wrap(f"{INDENT}return {_results(made)}", INDENT * 2), "end"]


def inbounds(code: Sequence[str]) -> list[str]:
    """Statements, indented twice, in which indices are not looked at."""
    return [f"{INDENT}@inbounds begin", *code, f"{INDENT}end"] if code else []


def _size_check(argument: Argument) -> list[str]:
    size = f"({argument.array.shape[0]},)" if len(argument.array.shape) == 1 else str(argument.array.shape)
    check = f"{INDENT}size({argument.name}) == {size} ||"
    error = f'throw(DimensionMismatch("{argument.name} is not of size {size}"))'
    return [f"{check} {error}"] if len(check) + len(error) < WIDTH else [check, INDENT * 2 + error]


def _code(body: Body) -> list[str]:
    pad = INDENT * 2
    lines = [f"{pad}{load.name} = {_entry(load.argument, load.index)}" for load in body.loads]
    for line in body.lines:
        lines += assignment(line.name, line.text, pad)
    for output, texts in body.results:
        for i, text in enumerate(texts):
            lines += assignment(_entry(output, i, filled=True), text, pad)
    return lines


def _entry(argument: Argument, index: int, filled: bool = False) -> str:
    if not argument.array.shape and not filled:
        return argument.name
    return f"{argument.name}[{', '.join(str(i + 1) for i in indices(index, argument.array.shape))}]"


def keys(made: Sequence[Argument]) -> list[str]:
    """The names of results in the tuple that holds them."""
    names = Names(KEYWORDS)
    return [names.take(argument.array.name) for argument in made]


def _results(made: Sequence[Argument], opened: bool = False) -> str:
    """The single result, or all of them by name; ``opened``: as numbers where they have no dimension."""
    values = [f"{a.name}[]" if opened and not a.array.shape else a.name for a in made]
    if len(values) == 1:
        return values[0]
    pairs = zip(keys(made), values, strict=True)
    return (
        "(;)" if not made else f"(; {', '.join(key if key == value else f'{key} = {value}' for key, value in pairs)})"
    )


# --- documentation ---------------------------------------------------------------------------------------------------


def docstring(call: str, lines: Sequence[str]) -> list[str]:
    return ['"""', *wrap(INDENT + call, INDENT * 2), "", *lines, '"""']


def markdown(lines: Sequence[str]) -> list[str]:
    """What is indented becomes blocks that Markdown leaves as they are."""
    found: list[str] = []
    for line in lines:
        if found and found[-1] and line and line.startswith("  ") != found[-1].startswith("  "):
            found.append("")
        found.append(f"  {line}" if line.startswith("  ") else line)
    return found


def _documentation(facts: Interface) -> list[str]:
    given = arguments(facts, WIDTH - len(INDENT), with_outputs=False, first=1, storage=LISTED)
    outputs = zip(keys(facts.outputs), facts.outputs, strict=True)
    returned = [
        line for key, output in outputs for line in output_listed(facts, output, key, WIDTH - len(INDENT), first=1)
    ]
    lines = [*heading(facts), "", *costs(facts), *(["", *given] if len(given) > 1 else []), ""]
    if len(returned) == 1 and len(facts.outputs) == 1:
        return markdown([*lines, f"Returns {returned[0].strip()}."])
    return markdown([*lines, "Returns:" if len(facts.outputs) == 1 else "Returns a named tuple:", *returned])
