"""CasADi: Python functions of SX, MX or DM matrices, and ``NAME_build`` that makes the ``casadi.Function`` of them.

Vectors are columns, scalars are 1 by 1, and of an array of more dimensions all but the last count rows. ``min`` and ``max``
are CasADi's ``fmin`` and ``fmax``, for the sake of their derivatives: a number and nan give the number. ``select`` is
``if_else``: both branches are computed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ....program.program import Program
from ...interface import LISTED, Argument, Interface, heading, interface
from ...language import Language
from ...layout import render, wrap
from ...names import SingleUnderscores
from ...nested import INDENT, nested
from ...straight_line import Body
from ..python import assignment, returned, written
from .printer import CasadiPrinter
from .reserved import RESERVED

LANGUAGE = Language("CasADi", "py")

NOT_NAMES = ("null", "jac", "hess")  # CasADi refuses them as names of functions, inputs and outputs


def generate(program: Program, *, name: str | None = None) -> dict[str, str]:
    """The file with the functions."""
    facts = interface(program, RESERVED, name)
    functions = written(facts, CasadiPrinter(), _code, LISTED)
    build = facts.names.take(f"{facts.function}_build")
    text = render(
        __name__,
        "source.template",
        summary=heading(facts)[0],
        build=build,
        functions="\n\n\n".join([*functions, "\n".join(_build(facts, build))]),
    )
    return {f"{facts.function}.py": text}


def _matrix_shape(shape: tuple[int, ...]) -> tuple[int, int]:
    """Rows and columns: CasADi has matrices only."""
    return (math.prod(shape[:-1]), shape[-1]) if len(shape) > 1 else (math.prod(shape), 1)


def _code(taken: Sequence[Argument], body: Body) -> list[str]:
    lines = [f"{INDENT}{load.name} = {_entry(load.argument, load.index)}" for load in body.loads]
    for line in body.lines:
        lines += assignment(line.name, line.text)
    return [*lines, *returned(body, _matrix)]


def _entry(argument: Argument, index: int) -> str:
    shape = argument.array.shape
    if not shape:
        return argument.name
    if len(shape) == 1:
        return f"{argument.name}[{index}]"
    return f"{argument.name}[{index // shape[-1]}, {index % shape[-1]}]"


def _matrix(output: Argument, texts: tuple[str, ...], indent: str, head: str, tail: str) -> list[str]:
    """``head``, the entries as a CasADi matrix, ``tail``."""
    rows, columns = _matrix_shape(output.array.shape)
    if not texts:
        return [f"{indent}{head}ca.DM({rows}, {columns}){tail}"]
    if len(output.array.shape) <= 1:
        return nested(texts, (rows,), indent, f"{head}ca.vertcat", tail, brackets="()")
    return nested(texts, (rows, columns), indent, f"{head}ca.blockcat(", f"){tail}")


# --- the casadi.Function ---------------------------------------------------------------------------------------------


def _build(facts: Interface, build: str) -> list[str]:
    labels = SingleUnderscores(NOT_NAMES)  # CasADi takes no others
    function, *named = map(labels.take, [facts.function, *(a.name for a in (*facts.read, *facts.outputs))])
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


def _symbol(argument: Argument, label: str) -> str:
    rows, columns = _matrix_shape(argument.array.shape)
    size = f"{rows}, {columns}" if len(argument.array.shape) > 1 else str(rows)
    return f'{INDENT}{argument.name} = kind.sym("{label}", {size})'


def _display(texts: Sequence[str]) -> list[str]:
    return wrap(f"{INDENT * 2}[{', '.join(texts)}],", INDENT * 3)
