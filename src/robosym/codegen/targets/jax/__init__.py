"""JAX: pure functions of arrays for one state, without branches, so that jit, vmap and grad apply.

``select`` is ``jnp.where``: both branches are computed, and its gradient is nan where that of the branch not taken is
not finite. The gradients of ``sign`` and ``floor`` are zero, those of ``min`` and ``max`` are shared where the arguments
are equal. Numbers have JAX's default precision: double only if ``jax_enable_x64`` is set.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....program.program import Program
from ...interface import Argument, heading, interface
from ...language import Language
from ...layout import render
from ...nested import INDENT, indices, nested
from ...straight_line import Body, Load
from ..python import assignment, returned, written
from .printer import JaxPrinter
from .reserved import RESERVED

LANGUAGE = Language("JAX", "py")


def generate(program: Program, *, name: str | None = None) -> dict[str, str]:
    """The file with the functions."""
    facts = interface(program, RESERVED, name)
    functions = "\n\n\n".join(written(facts, JaxPrinter(), _code))
    return {f"{facts.function}.py": render(__name__, "source.template", summary=heading(facts)[0], functions=functions)}


def _code(taken: Sequence[Argument], body: Body) -> list[str]:
    read = dict.fromkeys(load.argument.name for load in body.loads)
    lines = [f"{INDENT}{name} = jnp.asarray({name}, dtype=float)" for name in read]
    lines += [f"{INDENT}{load.name} = {_entry(load)}" for load in body.loads]
    for line in body.lines:
        lines += assignment(line.name, line.text)
    return [*lines, *returned(body, _array)]


def _entry(load: Load) -> str:
    places = indices(load.index, load.argument.array.shape)
    return f"{load.argument.name}[{', '.join(map(str, places))}]" if places else load.argument.name


def _array(output: Argument, texts: tuple[str, ...], indent: str, head: str, tail: str) -> list[str]:
    """``head``, the entries as a JAX array, ``tail``."""
    if not texts:
        return [f"{indent}{head}jnp.zeros({output.array.shape}){tail}"]
    return nested(texts, output.array.shape, indent, f"{head}jnp.array(", f", dtype=float){tail}")
