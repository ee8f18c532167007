"""JAX: pure functions of arrays for one state, without branches, so that jit, vmap and grad apply.

``select`` is ``jnp.where``: both branches are computed, and its gradient is nan where that of the branch not taken is
not finite. The gradients of ``sign`` and ``floor`` are zero, those of ``min`` and ``max`` are shared where the arguments
are equal. Numbers have JAX's default precision: double only if ``jax_enable_x64`` is set.
"""

from __future__ import annotations

from ....program.program import Program
from ...interface import Argument, Interface, heading, interface
from ...layout import render
from ...nested import INDENT, indices, nested
from ...straight_line import Body, Load, main_body, precompute_body
from ..python import assignment, definition, main_docstring, precompute_docstring
from .printer import JaxPrinter
from .reserved import RESERVED


def generate(program: Program, *, name: str | None = None) -> dict[str, str]:
    facts = interface(program, RESERVED, name)
    return {f"{facts.function}.py": _source(facts)}


def source(program: Program, *, name: str | None = None) -> str:
    return _source(interface(program, RESERVED, name))


def _source(facts: Interface) -> str:
    printer = JaxPrinter()
    functions = []
    if facts.has_precompute:
        body = precompute_body(facts, printer)
        head = f"def {facts.precompute_function}({facts.parameters.name}):"
        functions.append([head, *precompute_docstring(facts), *_code(body), *_return(body)])
    body = main_body(facts, printer)
    functions.append([*definition(facts), *main_docstring(facts), *_code(body), *_return(body)])
    return render(
        __name__,
        "source.template",
        summary=heading(facts)[0],
        functions="\n\n\n".join("\n".join(lines) for lines in functions),
    )


def _code(body: Body) -> list[str]:
    read = dict.fromkeys(load.argument.name for load in body.loads)
    lines = [f"{INDENT}{name} = jnp.asarray({name}, dtype=float)" for name in read]
    lines += [f"{INDENT}{load.name} = {_entry(load)}" for load in body.loads]
    for line in body.lines:
        lines += assignment(line.name, line.text)
    return lines


def _entry(load: Load) -> str:
    places = indices(load.index, load.argument.array.shape)
    return f"{load.argument.name}[{', '.join(map(str, places))}]" if places else load.argument.name


def _return(body: Body) -> list[str]:
    if len(body.results) == 1:
        output, texts = body.results[0]
        return _array(output, texts, INDENT, "return ", "")
    lines = [f"{INDENT}return {{"]
    for output, texts in body.results:
        lines += _array(output, texts, INDENT * 2, f"{output.array.name!a}: ", ",")
    return [*lines, f"{INDENT}}}"]


def _array(output: Argument, texts: tuple[str, ...], indent: str, head: str, tail: str) -> list[str]:
    """``head``, the entries as a JAX array, ``tail``."""
    if not texts:
        return [f"{indent}{head}jnp.zeros({output.array.shape}){tail}"]
    return nested(texts, output.array.shape, indent, f"{head}jnp.array(", f", dtype=float){tail}")
