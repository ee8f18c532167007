"""NumPy: every input may have leading batch axes, which broadcast; outputs carry them in front of their own shape."""

from __future__ import annotations

from ....program.program import Program
from ...interface import Argument, Interface, heading, interface
from ...layout import render, wrap
from ...nested import INDENT, indices
from ...straight_line import Body, main_body, precompute_body
from ..python import assignment, definition, main_docstring, precompute_docstring
from .printer import RESERVED, NumpyPrinter


def generate(program: Program, *, name: str | None = None) -> dict[str, str]:
    facts = interface(program, RESERVED, name)
    return {f"{facts.function}.py": _source(facts)}


def source(program: Program, *, name: str | None = None) -> str:
    return _source(interface(program, RESERVED, name))


def _source(facts: Interface) -> str:
    return render(
        __name__,
        "source.template",
        summary=heading(facts)[0],
        functions="\n\n\n".join(functions(facts, NumpyPrinter())),
    )


def functions(facts: Interface, printer: NumpyPrinter) -> list[str]:
    """The precompute function, if there is one, and the main function."""
    found = []
    if facts.has_precompute:
        body = precompute_body(facts, printer)
        head = f"def {facts.precompute_function}({facts.parameters.name}):"
        code = _code((facts.parameters,), body)
        found.append([head, *precompute_docstring(facts), *code, f"{INDENT}return {facts.constants.name}"])
    body = main_body(facts, printer)
    found.append([*definition(facts), *main_docstring(facts), *_code(facts.read, body), *_return(facts)])
    return ["\n".join(lines) for lines in found]


def _code(taken: tuple[Argument, ...], body: Body) -> list[str]:
    lines = [f"{INDENT}{argument.name} = np.asarray({argument.name}, dtype=float)" for argument in taken]
    lines += wrap(f"{INDENT}batch = np.broadcast_shapes({', '.join(map(_batch_axes, taken))})", INDENT * 2)
    lines += [f"{INDENT}{load.name} = {_entry(load.argument, load.index)}" for load in body.loads]
    for line in body.lines:
        lines += assignment(line.name, line.text)
    for output, texts in body.results:
        shape = "".join(f", {size}" for size in output.array.shape)
        lines.append(f"{INDENT}{output.name} = np.empty((*batch{shape or ','}))")
        for i, text in enumerate(texts):
            lines += assignment(_entry(output, i), text)
    return lines


def _batch_axes(argument: Argument) -> str:
    own = len(argument.array.shape)
    return f"{argument.name}.shape[:-{own}]" if own else f"{argument.name}.shape"


def _entry(argument: Argument, index: int) -> str:
    own = "".join(f", {i}" for i in indices(index, argument.array.shape))
    return f"{argument.name}[...{own}]"


def _return(facts: Interface) -> list[str]:
    if len(facts.outputs) == 1:
        return [f"{INDENT}return {facts.outputs[0].name}"]
    pairs = ", ".join(f"{output.array.name!a}: {output.name}" for output in facts.outputs)
    return wrap(f"{INDENT}return {{{pairs}}}", INDENT * 2)
