"""NumPy: every input may have leading batch axes, which broadcast; outputs carry them in front of their own shape."""

from __future__ import annotations

from collections.abc import Sequence

from ....program.program import Program
from ...interface import Argument, Interface, heading, interface
from ...language import Language
from ...layout import render, wrap
from ...nested import INDENT, indices
from ...straight_line import Body
from ..python import assignment, returned, written
from .printer import NumpyPrinter
from .reserved import RESERVED

LANGUAGE = Language("NumPy", "py")


def generate(program: Program, *, name: str | None = None) -> dict[str, str]:
    """The file with the functions."""
    facts = interface(program, RESERVED, name)
    return {f"{facts.function}.py": file_text(heading(facts)[0], functions(facts, NumpyPrinter()))}


def file_text(summary: str, functions: Sequence[str]) -> str:
    return render(__name__, "source.template", summary=summary, functions="\n\n\n".join(functions))


def functions(facts: Interface, printer: NumpyPrinter) -> list[str]:
    """The precompute function, if there is work for it, and the main function."""
    return written(facts, printer, _code)


def _code(taken: Sequence[Argument], body: Body) -> list[str]:
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
    return [*lines, *returned(body, lambda output, _, indent, head, tail: [f"{indent}{head}{output.name}{tail}"])]


def _batch_axes(argument: Argument) -> str:
    own = len(argument.array.shape)
    return f"{argument.name}.shape[:-{own}]" if own else f"{argument.name}.shape"


def _entry(argument: Argument, index: int) -> str:
    own = "".join(f", {i}" for i in indices(index, argument.array.shape))
    return f"{argument.name}[...{own}]"
