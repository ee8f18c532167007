"""Plain Python: the math module, floats and lists. What floats refuse (1/0, asin(2)) raises, as Python does."""

from __future__ import annotations

from ....program.program import Program
from ...interface import BY_ROWS, Interface, arguments, costs, heading, interface, precompute_arguments, results
from ...layout import WIDTH, render, wrap
from ...nested import INDENT as INDENT
from ...nested import indices as indices
from ...nested import nested as nested
from ...nested import subscript
from ...straight_line import Body, main_body, precompute_body
from .printer import PythonPrinter
from .reserved import RESERVED


def generate(program: Program, *, name: str | None = None) -> dict[str, str]:
    facts = interface(program, RESERVED, name)
    return {f"{facts.function}.py": _source(facts)}


def source(program: Program, *, name: str | None = None) -> str:
    return _source(interface(program, RESERVED, name))


def _source(facts: Interface) -> str:
    printer = PythonPrinter()
    functions = []
    if facts.has_precompute:
        body = precompute_body(facts, printer)
        head = f"def {facts.precompute_function}({facts.parameters.name}):"
        functions.append([head, *precompute_docstring(facts), *code(body), *returned(body)])
    body = main_body(facts, printer)
    functions.append([*definition(facts), *main_docstring(facts), *code(body), *returned(body)])
    return render(
        __name__,
        "source.template",
        summary=heading(facts)[0],
        helpers="\n\n\n".join(printer.helper_definitions()),
        functions="\n\n\n".join("\n".join(lines) for lines in functions),
    )


def definition(facts: Interface) -> list[str]:
    return wrap(f"def {facts.function}({', '.join(argument.name for argument in facts.read)}):", INDENT)


def main_docstring(facts: Interface, storage: str = BY_ROWS) -> list[str]:
    taken = arguments(facts, WIDTH - len(INDENT), with_outputs=False, storage=storage)
    return docstring([*heading(facts), "", *costs(facts), "", *taken, "", *results(facts)])


def precompute_docstring(facts: Interface) -> list[str]:
    first = f"The constants that {facts.function} reads; call it once for each set of parameters."
    return docstring([first, "", *precompute_arguments(facts, WIDTH - len(INDENT))])


def docstring(lines: list[str]) -> list[str]:
    first, *rest = lines
    return [f'{INDENT}"""{first}', *((INDENT + line).rstrip() for line in rest), f'{INDENT}"""']


def assignment(name: str, text: str, indent: str = INDENT) -> list[str]:
    """``name = text``, in parentheses when it takes several lines."""
    line = f"{indent}{name} = {text}"
    return [line] if len(line) <= WIDTH else wrap(f"{indent}{name} = ({text})", indent + INDENT)


def code(body: Body) -> list[str]:
    lines = [
        f"{INDENT}{load.name} = {load.argument.name}{subscript(load.index, load.argument.array.shape)}"
        for load in body.loads
    ]
    for line in body.lines:
        lines += assignment(line.name, line.text)
    return lines


def returned(body: Body) -> list[str]:
    if len(body.results) == 1:
        output, texts = body.results[0]
        if output.array.shape:
            return nested(texts, output.array.shape, INDENT, head="return ")
        return [*assignment(output.name, texts[0]), f"{INDENT}return {output.name}"]
    lines = [f"{INDENT}return {{"]
    for output, texts in body.results:
        lines += nested(texts, output.array.shape, INDENT * 2, head=f"{output.array.name!a}: ", tail=",")
    return [*lines, f"{INDENT}}}"]
