"""Plain Python: the math module, floats and lists. What floats refuse (1/0, asin(2)) raises, as Python does."""

from __future__ import annotations

from ....program.program import Program
from ...interface import Interface, arguments, costs, heading, interface, precompute_arguments, results
from ...layout import WIDTH, render, wrap
from ...straight_line import Body, Load, main_body, precompute_body
from .printer import PythonPrinter
from .reserved import RESERVED

INDENT = " " * 4


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


def main_docstring(facts: Interface) -> list[str]:
    width = WIDTH - len(INDENT)
    lines = [*heading(facts), "", *costs(facts), "", *arguments(facts, width, with_outputs=False), "", *results(facts)]
    return docstring(lines)


def precompute_docstring(facts: Interface) -> list[str]:
    first = f"The constants that {facts.function} reads; call it once for each set of parameters."
    return docstring([first, "", *precompute_arguments(facts, WIDTH - len(INDENT))])


def docstring(lines: list[str]) -> list[str]:
    first, *rest = lines
    return [f'{INDENT}"""{first}', *((INDENT + line).rstrip() for line in rest), f'{INDENT}"""']


def assignment(name: str, text: str) -> list[str]:
    """``name = text``, in parentheses when it takes several lines."""
    line = f"{INDENT}{name} = {text}"
    return [line] if len(line) <= WIDTH else wrap(f"{INDENT}{name} = ({text})", INDENT * 2)


def code(body: Body) -> list[str]:
    lines = [f"{INDENT}{load.name} = {load.argument.name}{_subscript(load)}" for load in body.loads]
    for line in body.lines:
        lines += assignment(line.name, line.text)
    return lines


def _subscript(load: Load) -> str:
    """``[1][2]`` for an entry of a nested list."""
    return "".join(f"[{i}]" for i in indices(load.index, load.argument.array.shape))


def indices(flat: int, shape: tuple[int, ...]) -> list[int]:
    """The index along each axis of an entry counted by rows."""
    places = []
    for size in reversed(shape):
        flat, place = divmod(flat, size)
        places.append(place)
    return places[::-1]


def _nested(texts: tuple[str, ...], shape: tuple[int, ...], indent: str, head: str = "", tail: str = "") -> list[str]:
    """``head``, nested list displays with a line for each row, ``tail``."""
    if len(shape) <= 1:
        written = f"[{', '.join(texts)}]" if shape else texts[0]
        return wrap(f"{indent}{head}{written}{tail}", indent + INDENT)
    size = len(texts) // shape[0] if shape[0] else 0
    lines = [f"{indent}{head}["]
    for row in range(shape[0]):
        lines += _nested(texts[row * size : (row + 1) * size], shape[1:], indent + INDENT, tail=",")
    return [*lines, f"{indent}]{tail}"]


def returned(body: Body) -> list[str]:
    if len(body.results) == 1:
        output, texts = body.results[0]
        if output.array.shape:
            return _nested(texts, output.array.shape, INDENT, head="return ")
        return [*assignment(output.name, texts[0]), f"{INDENT}return {output.name}"]
    lines = [f"{INDENT}return {{"]
    for output, texts in body.results:
        lines += _nested(texts, output.array.shape, INDENT * 2, head=f"{output.array.name!a}: ", tail=",")
    return [*lines, f"{INDENT}}}"]
