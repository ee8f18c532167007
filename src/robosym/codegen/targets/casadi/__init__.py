"""CasADi: Python functions of SX, MX or DM matrices, and ``NAME_build`` that makes the ``casadi.Function`` of them.

Vectors are columns, scalars are 1 by 1, and of an array of more dimensions all but the last count rows. ``min`` and ``max``
are CasADi's ``fmin`` and ``fmax``, for the sake of their derivatives: a number and nan give the number. ``select`` is
``if_else``: both branches are computed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from ....program.program import Program
from ...interface import LISTED, Argument, Interface, heading, interface
from ...layout import render, wrap
from ...names import Names
from ...nested import INDENT, nested
from ...straight_line import Body, main_body, precompute_body
from ..python import assignment, definition, main_docstring, precompute_docstring
from .printer import CasadiPrinter
from .reserved import RESERVED

NOT_NAMES = ("null", "jac", "hess")  # CasADi refuses them as names of functions, inputs and outputs


def generate(program: Program, *, name: str | None = None) -> dict[str, str]:
    facts = interface(program, RESERVED, name)
    return {f"{facts.function}.py": _source(facts)}


def source(program: Program, *, name: str | None = None) -> str:
    return _source(interface(program, RESERVED, name))


def _source(facts: Interface) -> str:
    printer = CasadiPrinter()
    functions = []
    if facts.has_precompute:
        body = precompute_body(facts, printer)
        head = f"def {facts.precompute_function}({facts.parameters.name}):"
        functions.append([head, *precompute_docstring(facts), *_code(body), *_return(body)])
    body = main_body(facts, printer)
    functions.append([*definition(facts), *main_docstring(facts, LISTED), *_code(body), *_return(body)])
    build = facts.names.take(f"{facts.function}_build")
    functions.append(_build(facts, build))
    return render(
        __name__,
        "source.template",
        summary=heading(facts)[0],
        build=build,
        functions="\n\n\n".join("\n".join(lines) for lines in functions),
    )


def _matrix_shape(shape: tuple[int, ...]) -> tuple[int, int]:
    """Rows and columns: CasADi has matrices only."""
    return (math.prod(shape[:-1]), shape[-1]) if len(shape) > 1 else (math.prod(shape), 1)


def _code(body: Body) -> list[str]:
    lines = [f"{INDENT}{load.name} = {_entry(load.argument, load.index)}" for load in body.loads]
    for line in body.lines:
        lines += assignment(line.name, line.text)
    return lines


def _entry(argument: Argument, index: int) -> str:
    shape = argument.array.shape
    if not shape:
        return argument.name
    if len(shape) == 1:
        return f"{argument.name}[{index}]"
    return f"{argument.name}[{index // shape[-1]}, {index % shape[-1]}]"


def _return(body: Body) -> list[str]:
    if len(body.results) == 1:
        output, texts = body.results[0]
        return _matrix(output, texts, INDENT, "return ", "")
    lines = [f"{INDENT}return {{"]
    for output, texts in body.results:
        lines += _matrix(output, texts, INDENT * 2, f"{output.array.name!a}: ", ",")
    return [*lines, f"{INDENT}}}"]


def _matrix(output: Argument, texts: tuple[str, ...], indent: str, head: str, tail: str) -> list[str]:
    """``head``, the entries as a CasADi matrix, ``tail``."""
    rows, columns = _matrix_shape(output.array.shape)
    if not texts:
        return [f"{indent}{head}ca.DM({rows}, {columns}){tail}"]
    if len(output.array.shape) <= 1:
        return wrap(f"{indent}{head}ca.vertcat({', '.join(texts)}){tail}", indent + INDENT)
    return nested(texts, (rows, columns), indent, f"{head}ca.blockcat(", f"){tail}")


# --- the casadi.Function ---------------------------------------------------------------------------------------------


def _build(facts: Interface, build: str) -> list[str]:
    labels = Names(NOT_NAMES)
    function, *named = [_label(labels, a) for a in (facts.function, *[a.name for a in (*facts.read, *facts.outputs)])]
    inputs, outputs = named[: len(facts.read)], named[len(facts.read) :]
    symbols = [_symbol(argument, label) for argument, label in zip(facts.read, inputs, strict=True)]
    call = f"{facts.function}({', '.join(argument.name for argument in facts.read)})"
    made = [f"kind(made[{output.array.name!a}])" for output in facts.outputs]
    if len(made) == 1:
        made = ["kind(made)"]
    return [
        f"def {build}(kind=ca.SX):",
        f'{INDENT}"""The casadi.Function, of SX or MX symbols."""',
        *symbols,
        *wrap(f"{INDENT}made = {call}", INDENT * 2),
        f"{INDENT}return ca.Function(",
        f'{INDENT * 2}"{function}",',
        *_display([argument.name for argument in facts.read]),
        *_display(made),
        *_display([f'"{label}"' for label in inputs]),
        *_display([f'"{label}"' for label in outputs]),
        f"{INDENT})",
    ]


def _label(labels: Names, wanted: str) -> str:
    """A name for CasADi, which takes no two underscores in a row."""
    return labels.take(re.sub("__+", "_", wanted))


def _symbol(argument: Argument, label: str) -> str:
    rows, columns = _matrix_shape(argument.array.shape)
    size = f"{rows}, {columns}" if len(argument.array.shape) > 1 else str(rows)
    return f'{INDENT}{argument.name} = kind.sym("{label}", {size})'


def _display(texts: Sequence[str]) -> list[str]:
    return wrap(f"{INDENT * 2}[{', '.join(texts)}],", INDENT * 3)
