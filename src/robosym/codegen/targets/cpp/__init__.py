"""C++17: one header with function templates, nothing but the standard library.

Arguments are of any type: pointers, ``std::array``, ``std::vector``, vectors and matrices of Eigen. Of a vector ``a(i)``
is used where the type has it, else ``a[i]``; of a matrix ``a(i, j)``, else ``a[i][j]``, else ``a[columns*i + j]``: by
rows. A scalar is a plain variable. The arithmetic is done in the type of the first output's entries: float, double,
or one of a library for automatic differentiation, whose functions are found beside the type; the other arguments are
converted to it. The option ``namespace`` says where the functions stand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ....program.program import Program
from ...interface import Argument, Interface, filling_documentation, interface
from ...language import Language
from ...layout import WIDTH, render, wrap, wrap_arguments
from ...names import Names, SingleUnderscores
from ...straight_line import Body, main_body, precompute_body
from ..c import comment
from .arrays import adapters, argument_entry
from .printer import CppPrinter
from .reserved import RESERVED

LANGUAGE = Language("C++", "hpp", ("c++",))

NAMESPACE = "robosym"


def generate(program: Program, *, name: str | None = None, namespace: str = NAMESPACE) -> dict[str, str]:
    """The header."""
    facts = facts_of(program, name, namespace)
    return {f"{facts.function}.hpp": _header(facts, namespace_named(namespace))}


def facts_of(program: Program, name: str | None = None, namespace: str = NAMESPACE) -> Interface:
    return interface(program, RESERVED | {namespace_named(namespace)}, name, rules=SingleUnderscores)


def namespace_named(wanted: str) -> str:
    return SingleUnderscores(RESERVED).take(wanted)


def type_names(names: Names, arguments: Sequence[str]) -> dict[str, str]:
    """A name for the type of each argument: QType for q."""
    return {name: names.take(f"{name[0].upper()}{name[1:]}Type") for name in arguments}


def template_head(function: str, taken: Sequence[str], types: Sequence[str], returned: str = "void") -> list[str]:
    """The lines before the body; ``taken`` are the parameters as written, each kept on one line."""
    head = f"template <{', '.join(f'typename {one}' for one in types)}>" if types else "inline"
    lines = (head, f"{returned} {function}({', '.join(taken)})")
    return [line for text in lines for line in wrap_arguments(text, " " * 4)]


def _header(facts: Interface, namespace: str) -> str:
    every = [*facts.read, *facts.outputs, *([facts.parameters, facts.constants] if facts.has_precompute else [])]
    writer = _Writer(
        printer=CppPrinter(),
        types=type_names(facts.names, list(dict.fromkeys(argument.name for argument in every))),
        detail=facts.names.take(f"{facts.function}_detail"),
    )
    functions = []
    if facts.has_precompute:
        body = precompute_body(facts, writer.printer)
        functions.append(writer.function(facts.precompute_function, [facts.parameters], [facts.constants], body))
    body = main_body(facts, writer.printer)
    functions.append(writer.function(facts.function, facts.read, facts.outputs, body))
    helpers = [*adapters([argument.array.shape for argument in every]), *writer.printer.helper_definitions()]
    return render(
        __name__,
        "source.template",
        includes="",
        comment=comment(_documentation(facts, namespace)),
        guard=facts.names.take(f"{namespace}_{facts.function}_HPP".upper()),
        namespace=namespace,
        detail=writer.detail,
        helpers="\n\n".join(helpers),
        functions="\n\n".join(functions),
    )


@dataclass(frozen=True)
class _Writer:
    """Writes functions; what they share stands in the namespace ``detail``."""

    printer: CppPrinter
    types: dict[str, str]  # of each argument, the name of its type
    detail: str

    def function(self, name: str, read: Sequence[Argument], written: Sequence[Argument], body: Body) -> str:
        touched = body.arguments_read | {output.name for output, texts in body.results if texts}
        taken = [self._parameter(one, "const {} &", touched) for one in read]
        taken += [self._parameter(one, "{} &&", touched) for one in written]
        code = [f"    namespace detail = {self.detail};"] if touched else []
        code += [f"    using std::{function};" for function in sorted(self.printer.used_standard)]
        self.printer.used_standard.clear()
        code += _scalar_type(body)
        code += [f"    const Scalar {load.name}({argument_entry(load.argument, load.index)});" for load in body.loads]
        for line in body.lines:
            code += wrap(f"    const Scalar {line.name} = {line.text};", " " * 8)
        for output, texts in body.results:
            for i, text in enumerate(texts):
                code += wrap(f"    {argument_entry(output, i)} = {text};", " " * 8)
        head = template_head(name, taken, [self.types[one.name] for one in (*read, *written)])
        return "\n".join([*head, "{", *code, "}"])

    def _parameter(self, argument: Argument, kind: str, touched: set[str]) -> str:
        unused = "" if argument.name in touched else "[[maybe_unused]] "
        return f"{unused}{kind.format(self.types[argument.name])}{argument.name}"


def _scalar_type(body: Body) -> list[str]:
    """The type of the arithmetic: that of the first output that has an entry."""
    for output, texts in body.results:
        if texts:
            return [f"    using Scalar = std::decay_t<decltype({argument_entry(output, 0)})>;"]
    return []


def _documentation(facts: Interface, namespace: str) -> list[str]:
    lines = filling_documentation(facts, WIDTH - 4)
    return [*lines, "", *ANY_TYPE, f"The functions stand in the namespace {namespace}."]


ANY_TYPE = [
    "Arguments are of any type with a(i) or a[i], matrices with a(i, j), a[i][j] or, by rows, a[columns*i + j].",
    "The arithmetic is done in the type of the first output's entries: float, double, or one that differentiates.",
]
