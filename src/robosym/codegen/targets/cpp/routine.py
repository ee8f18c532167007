"""A routine in C++17: ``void NAME(T, ..., solutions, ...)``, arrays of any type as in the programs.

Inside, the functions are those of C, which are C++ too: no allocation, the workspace on the stack, and doubles throughout,
because what loops and branches decide is decided at their resolution. The templates around them copy, so that outputs may
overlap inputs; only copies too large for the stack are allocated.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from ....program.routine import Routine
from ...interface import Argument
from ...layout import WIDTH, render, wrap, wrap_arguments
from ...names import SingleUnderscores
from ...routines.facts import RoutineFacts, documentation, routine_facts
from ..c import comment
from ..c.printer import CPrinter
from ..c.routine import LOCAL, function_texts
from . import NAMESPACE, namespace_named, template_head, type_names
from .arrays import adapters
from .printer import STANDARD
from .reserved import RESERVED

LARGE = 4096  # numbers that are not put on the stack

PUT = """\
/* A number as what an entry holds. */
template <typename Entry>
void put(Entry &&entry, double value)
{
    entry = static_cast<std::decay_t<Entry>>(value);
}"""


def generate(routine: Routine, *, name: str | None = None, namespace: str = NAMESPACE) -> dict[str, str]:
    """The header."""
    facts = facts_of(routine, name, namespace)
    return {f"{facts.function}.hpp": _header(facts, namespace_named(namespace))}


def facts_of(routine: Routine, name: str | None = None, namespace: str = NAMESPACE) -> RoutineFacts:
    reserved = [*RESERVED, *LOCAL, namespace_named(namespace), "put", "i", "k"]
    return routine_facts(routine, reserved, name, rules=SingleUnderscores)


def _header(facts: RoutineFacts, namespace: str) -> str:
    printer = CPrinter()
    functions = function_texts(facts, printer)
    inside = [*printer.helper_definitions(), *functions]
    called = set(re.findall(r"\b(\w+)\(", "\n".join(inside)))
    used = [f"using std::{name};" for name in sorted({"fabs", *STANDARD} & called)]
    shared = [facts.parameters, facts.constants] if facts.has_precompute else []
    every = list({argument.name: argument for argument in (*facts.read, *facts.outputs, *shared)}.values())
    writer = _Writer(
        detail=facts.names.take(f"{facts.function}_detail"),
        types=type_names(facts.names, [one.name for one in every]),
        copies={one.name: facts.names.take(f"{one.name}_copy") for one in every},
    )
    templates = [writer.function(facts.function, facts.read, facts.outputs)]
    if facts.has_precompute:
        templates.insert(0, writer.function(facts.precompute_function, [facts.parameters], [facts.constants]))
    helpers = ["\n".join(used), *map(_inline, inside), *adapters([one.array.shape for one in every]), PUT]
    return render(
        __package__,
        "source.template",
        includes="#include <vector>" if any(one.size > LARGE for one in every) else "",
        comment=comment([*documentation(facts, WIDTH - 4, fills=True, may_overlap=False), "", *_any_type(namespace)]),
        guard=facts.names.take(f"{namespace}_{facts.function}_HPP".upper()),
        namespace=namespace,
        detail=writer.detail,
        helpers="\n\n".join(filter(None, helpers)),
        functions="\n\n".join(templates),
    )


def _any_type(namespace: str) -> list[str]:
    return [
        "Arguments are of any type with a(i) or a[i], matrices with a(i, j), a[i][j] or, by rows, a[columns*i + j].",
        "The arithmetic is done in double. Outputs may overlap inputs.",
        f"The functions stand in the namespace {namespace}.",
    ]


def _inline(function: str) -> str:
    """A function of C as one that may stand in a header, in as many files as wanted."""
    text = re.sub(r"^static (?=\w)", "", function, flags=re.MULTILINE)
    text = re.sub(r"\((int|double)\)(\w+(?:\[\w+\])?)", r"static_cast<\1>(\2)", text)
    text = text.replace("(double)(", "static_cast<double>(")
    text = re.sub(r"^(?=(?:int|void|double) \w+\()", "inline ", text, count=1, flags=re.MULTILINE)
    return "\n".join(piece for line in text.split("\n") for piece in _refit(line))


def _refit(line: str) -> list[str]:
    """A line that may have become too long."""
    return wrap_arguments(line, " " * 4) if line.startswith("inline ") else wrap(line, " " * 12)


# --- templates -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Writer:
    """Writes the templates: each copies what it is given, calls the function of its name inside, and copies the results."""

    detail: str  # the namespace of the functions inside
    types: dict[str, str]  # of each argument, the name of its type
    copies: dict[str, str]  # and of its copy

    def function(self, name: str, read: Sequence[Argument], written: Sequence[Argument]) -> str:
        taken = [self._parameter(one, "const {} &") for one in read]
        taken += [self._parameter(one, "{} &&") for one in written]
        everything = [*read, *written]
        passed = ", ".join(self.copies[one.name] + (".data()" if one.size > LARGE else "") for one in everything)
        code = [
            f"    namespace detail = {self.detail};",
            *(self._copy(one) for one in everything),
            *(line for one in read for line in self._copied(one, inwards=True)),
            *wrap(f"    detail::{name}({passed});", " " * 8),
            *(line for one in written for line in self._copied(one, inwards=False)),
        ]
        head = template_head(name, taken, [self.types[one.name] for one in everything])
        return "\n".join([*head, "{", *code, "}"])

    def _parameter(self, argument: Argument, kind: str) -> str:
        unused = "" if argument.size else "[[maybe_unused]] "
        return f"{unused}{kind.format(self.types[argument.name])}{argument.name}"

    def _copy(self, argument: Argument) -> str:
        name = self.copies[argument.name]
        if argument.size > LARGE:
            return f"    std::vector<double> {name}({argument.size});"
        return f"    double {name}[{max(argument.size, 1)}] = {{}};"

    def _copied(self, argument: Argument, inwards: bool) -> list[str]:
        """The entries of an argument into its copy, or back, as what the argument holds."""
        if not argument.size:
            return []
        copy, shape = self.copies[argument.name], argument.array.shape
        place, one = _running(argument)
        if inwards:
            return _loops(shape, f"{copy}[{place}] = static_cast<double>({one});")
        return _loops(shape, f"detail::put({one}, {copy}[{place}]);")


def _running(argument: Argument) -> tuple[str, str]:
    """The place of a running entry in a copy, and that entry of the argument."""
    name, shape = argument.name, argument.array.shape
    if not shape:
        return "0", name
    if len(shape) == 2:
        return f"{shape[1]} * i + k", f"detail::entry<{shape[1]}>({name}, i, k)"
    return "i", f"detail::entry({name}, i)"


def _loops(shape: tuple[int, ...], statement: str) -> list[str]:
    """Over all entries: along both indices of a matrix, else along one."""
    if not shape:
        return wrap(f"    {statement}", " " * 8)
    if len(shape) == 2:
        heads = [
            f"for (std::size_t {name} = 0; {name} < {size}; {name}++) {{"
            for name, size in zip("ik", shape, strict=True)
        ]
    else:
        heads = [f"for (std::size_t i = 0; i < {math.prod(shape)}; i++) {{"]
    lines = [f"{' ' * 4 * depth}{head}" for depth, head in enumerate(heads, 1)]
    inner = " " * 4 * (len(heads) + 1)
    lines += wrap(inner + statement, inner + " " * 4)
    return [*lines, *(f"{' ' * 4 * depth}}}" for depth in range(len(heads), 0, -1))]
