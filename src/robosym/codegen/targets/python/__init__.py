"""Plain Python: the math module, floats and lists. What floats refuse (1/0, asin(2)) raises, as Python does."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ....program.program import Program
from ...interface import (
    BY_ROWS,
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
from ...layout import NO_BREAK, WIDTH, render, wrap
from ...nested import INDENT, nested, subscript
from ...printer import CodePrinter
from ...straight_line import Body, main_body, precompute_body
from .printer import PythonPrinter
from .reserved import RESERVED

LANGUAGE = Language("Python", "py")


def generate(program: Program, *, name: str | None = None) -> dict[str, str]:
    """The file with the functions."""
    facts = interface(program, RESERVED, name)
    printer = PythonPrinter()
    return {f"{facts.function}.py": file_text(heading(facts)[0], printer, functions(facts, printer))}


def file_text(summary: str, printer: PythonPrinter, functions: Sequence[str]) -> str:
    return render(
        __name__,
        "source.template",
        summary=summary,
        helpers="\n\n\n".join(printer.helper_definitions()),
        functions="\n\n\n".join(functions),
    )


def functions(facts: Interface, printer: PythonPrinter) -> list[str]:
    """The precompute function, if there is work for it, and the main function."""
    return written(facts, printer, _code)


def _code(taken: Sequence[Argument], body: Body) -> list[str]:
    lines = [
        f"{INDENT}{load.name} = {load.argument.name}{subscript(load.index, load.argument.array.shape)}"
        for load in body.loads
    ]
    for line in body.lines:
        lines += assignment(line.name, line.text)
    if len(body.results) == 1 and not body.results[0][0].array.shape:
        output, texts = body.results[0]
        return [*lines, *assignment(output.name, texts[0]), f"{INDENT}return {output.name}"]
    return [*lines, *returned(body, lambda output, texts, *around: nested(texts, output.array.shape, *around))]


# --- what all languages that are libraries of Python share -----------------------------------------------------------


def written(
    facts: Interface,
    printer: CodePrinter,
    code: Callable[[Sequence[Argument], Body], list[str]],
    storage: str = BY_ROWS,
) -> list[str]:
    """Both functions of a program, ``code`` being what writes the inside of one that takes these arguments."""
    found = []
    if facts.has_precompute:
        taken = [facts.parameters]
        head = f"def {facts.precompute_function}({facts.parameters.name}):"
        about = [precompute_purpose(facts.function), "", *precompute_arguments(facts, WIDTH - len(INDENT))]
        found.append([head, *docstring(about), *code(taken, precompute_body(facts, printer))])
    head, *more = wrap(f"def {facts.function}({', '.join(argument.name for argument in facts.read)}):", INDENT)
    listed = arguments(facts, WIDTH - len(INDENT), with_outputs=False, storage=storage)
    made = results_listed(facts, WIDTH - len(INDENT))
    about = [*heading(facts), "", *costs(facts), "", *listed, "", *made]
    found.append([head, *more, *docstring(about), *code(facts.read, main_body(facts, printer))])
    return ["\n".join(lines) for lines in found]


def docstring(lines: Sequence[str]) -> list[str]:
    first, *rest = lines
    if not rest:
        return [f'{INDENT}"""{first}"""']
    return [f'{INDENT}"""{first}', *((INDENT + line).rstrip() for line in rest), f'{INDENT}"""']


def assignment(name: str, text: str, indent: str = INDENT) -> list[str]:
    """``name = text``, in parentheses when it takes several lines."""
    line = f"{indent}{name} = {text}"
    if len(line) <= WIDTH:
        return [line]
    return wrap(f"{indent}{f'{name} = ('.replace(' ', NO_BREAK)}{text})", indent + INDENT)


def returned(body: Body, literal: Callable[[Argument, tuple[str, ...], str, str, str], list[str]]) -> list[str]:
    """The single output, or all in a dict; ``literal(output, texts, indent, head, tail)`` writes one."""
    if len(body.results) == 1:
        return literal(*body.results[0], INDENT, "return ", "")
    lines = [f"{INDENT}return {{"]
    for output, texts in body.results:
        lines += literal(output, texts, INDENT * 2, f"{output.array.name!a}: ", ",")
    return [*lines, f"{INDENT}}}"]
