"""Mathematica (Wolfram Language): a function of lists for each program, to be read with ``Get``.

Arguments may be numbers or expressions. Beyond the domain of a real function Mathematica goes on with complex numbers,
1/0 is ``ComplexInfinity``, ``ArcTan[0, 0]`` is ``Indeterminate``, and its comparisons of machine numbers ignore a
difference in the last few bits.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from ....program.program import Program
from ...computer_algebra import INDENT, documentation, list_of_lists
from ...interface import Argument, Interface, interface, results
from ...language import Language
from ...layout import WIDTH, render, wrap
from ...nested import indices
from ...straight_line import Body, Load, main_body, precompute_body
from ...words import one_line
from .names import WolframNames
from .printer import MathematicaPrinter

LANGUAGE = Language("Mathematica", "wl", ("wolfram",))

SEVERAL = "an Association"


def generate(program: Program, *, name: str | None = None) -> dict[str, str]:
    facts = _facts(program, name)
    return {f"{facts.function}.wl": _source(facts)}


def _facts(program: Program, name: str | None) -> Interface:
    return interface(program, (), name, rules=WolframNames)


def _source(facts: Interface) -> str:
    printer = MathematicaPrinter()
    functions = []
    if facts.has_precompute:
        body = precompute_body(facts, printer)
        functions.append(_definition(facts.precompute_function, [facts.parameters], body))
    body = main_body(facts, printer)
    functions.append(_definition(facts.function, facts.read, body))
    return render(
        __name__,
        "source.template",
        comment=_comment(facts),
        usage="\n".join(_usage(facts)),
        functions="\n\n".join(functions),
    )


def _definition(function: str, taken: Sequence[Argument], body: Body) -> str:
    patterns = ", ".join(f"{a.name}_List" if a.array.shape else f"{a.name}_" for a in taken)
    local = ", ".join([*(load.name for load in body.loads), *(line.name for line in body.lines)])
    lines = [f"{INDENT}{load.name} = {_entry(load)};" for load in body.loads]
    for line in body.lines:
        lines += wrap(f"{INDENT}{line.name} = {line.text};", INDENT * 2)
    head = wrap(f"{function}[{patterns}] := Module[", INDENT)
    return "\n".join([*head, *wrap(f"{INDENT}{{{local}}},", INDENT * 2), *lines, *_result(body), "]"])


def _entry(load: Load) -> str:
    places = ", ".join(str(i + 1) for i in indices(load.index, load.argument.array.shape))
    return f"{load.argument.name}[[{places}]]" if places else load.argument.name


def _result(body: Body) -> list[str]:
    if len(body.results) == 1:
        output, texts = body.results[0]
        return list_of_lists(texts, output.array.shape, "{}", INDENT)
    lines = [f"{INDENT}<|"]
    for i, (output, texts) in enumerate(body.results, 1):
        comma = "," if i < len(body.results) else ""
        key = f"{_string(output.array.name)} -> "
        lines += list_of_lists(texts, output.array.shape, "{}", INDENT * 2, head=key, tail=comma)
    return [*lines, f"{INDENT}|>"]


def _string(text: str) -> str:
    """A string literal in ASCII."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if " " <= c <= "~" else _code(ord(c)) for c in escaped) + '"'


def _code(point: int) -> str:
    return rf"\:{point:04x}" if point < 1 << 16 else rf"\|{point:06x}"


# --- documentation ---------------------------------------------------------------------------------------------------


def _comment(facts: Interface) -> str:
    lines = documentation(facts, WIDTH - 3, SEVERAL)
    return "\n".join(["(*", *(f"   {line}".rstrip() for line in lines), "*)"])


def _results(facts: Interface) -> str:
    return results(facts, several=SEVERAL)


def _usage(facts: Interface) -> list[str]:
    """What ?name shows."""
    said = []
    if facts.has_precompute:
        call = f"{facts.precompute_function}[{facts.parameters.name}]"
        purpose = f"gives the constants that {facts.function} reads; call it once for each set of parameters."
        said.append((facts.precompute_function, f"{call} {purpose}"))
    call = f"{facts.function}[{', '.join(argument.name for argument in facts.read)}]"
    said.append((facts.function, f"{call} evaluates {one_line(facts.program.name)}. {_results(facts)}"))
    return [line for name, text in said for line in _message(name, text)]


def _message(name: str, text: str) -> list[str]:
    """The text in strings that fit on a line, joined."""
    lines = textwrap.wrap(text, WIDTH - 9 - len(INDENT), break_long_words=False)
    if len(lines) == 1 and len(name) + len(text) <= WIDTH - 14:
        return [f'{name}::usage = "{text}";']
    joined = [*(f'{INDENT}"{line} " <>' for line in lines[:-1]), f'{INDENT}"{lines[-1]}";']
    return [f"{name}::usage =", *joined]
