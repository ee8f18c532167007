"""A routine in C++17: ``int NAME_solve(T, ..., solutions)``, arrays of any type as in the programs.

Inside, the functions are those of C, which are C++ too: no allocation, the workspace on the stack, and doubles
throughout, because what counts as a solution is decided at their resolution. The templates around them copy.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from ....program.routine import Routine
from ...interface import CONSTANTS, PARAMETERS
from ...layout import WIDTH, render, wrap, wrap_arguments
from ...names import SingleUnderscores
from ...routines.facts import RoutineFacts, documentation, routine_facts
from ..c import comment
from ..c.printer import CPrinter
from ..c.routine import LOCAL, function_texts
from . import NAMESPACE, template_head, type_names
from .arrays import adapters, entry
from .printer import STANDARD
from .reserved import RESERVED

Shaped = tuple[str, tuple[int, ...]]  # an argument: its name and its shape


def generate(routine: Routine, *, name: str | None = None) -> dict[str, str]:
    """The header."""
    facts = facts_of(routine, name)
    return {f"{facts.stem}.hpp": _header(facts)}


def facts_of(routine: Routine, name: str | None = None) -> RoutineFacts:
    reserved = [*RESERVED, *LOCAL, NAMESPACE, "i", "k", "Entry"]
    return routine_facts(routine, reserved, name, rules=SingleUnderscores)


def _header(facts: RoutineFacts) -> str:
    printer = CPrinter()
    functions = function_texts(facts, printer)
    inside = [*printer.helper_definitions(), *functions]
    called = set(re.findall(r"\b(\w+)\(", "\n".join(inside)))
    used = [f"using std::{name};" for name in sorted({"fabs", *STANDARD} & called)]
    detail = facts.names.take(f"{facts.stem}_detail")
    shapes = [shape for _, shape in (*facts.taken, _solutions(facts))]
    lines = [*documentation(facts, WIDTH - 4, fills=True), "", *ANY_TYPE]
    return render(
        __package__,
        "source.template",
        comment=comment(lines),
        guard=facts.names.take(f"{NAMESPACE}_{facts.stem}_HPP".upper()),
        namespace=NAMESPACE,
        detail=detail,
        helpers="\n\n".join(["\n".join(used), *map(_inline, inside), *adapters([*shapes, (1,)])]),
        functions="\n\n".join(_templates(facts, detail)),
    )


ANY_TYPE = [
    "Arguments are of any type with a(i) or a[i], matrices with a(i, j), a[i][j] or, by rows, a[columns*i + j].",
    f"The arithmetic is done in double. The functions stand in the namespace {NAMESPACE}.",
]


def _inline(function: str) -> str:
    """A function of C as one that may stand in a header, in as many files as wanted."""
    text = re.sub(r"^static (?=\w)", "", function, flags=re.MULTILINE)
    text = re.sub(r"\(double\)(\w+);", r"static_cast<double>(\1);", text).replace("(double)(", "static_cast<double>(")
    text = re.sub(r"^(?=(?:int|void|double) \w+\()", "inline ", text, count=1, flags=re.MULTILINE)
    return "\n".join(piece for line in text.split("\n") for piece in _refit(line))


def _refit(line: str) -> list[str]:
    """A line that may have become too long."""
    return wrap_arguments(line, " " * 4) if line.startswith("inline ") else wrap(line, " " * 12)


def _solutions(facts: RoutineFacts) -> Shaped:
    return "solutions", (facts.routine.most, facts.routine.width)


def _templates(facts: RoutineFacts, detail: str) -> list[str]:
    routine = facts.routine
    taken, solutions = facts.taken, _solutions(facts)
    everything = [name for name, _ in (*taken, solutions, (PARAMETERS, ()), (CONSTANTS, ()))]
    types = type_names(facts.names, list(dict.fromkeys(everything)))
    copies = {name: facts.names.take(f"{name}_copy") for name in types}
    found = []
    if facts.constants:
        given, made = (PARAMETERS, (len(routine.parameter_symbols),)), (CONSTANTS, (facts.constants,))
        code = [
            *_copied_in([given], copies),
            f"    double {copies[CONSTANTS]}[{facts.constants}];",
            f"    detail::{facts.precompute}({copies[PARAMETERS]}, {copies[CONSTANTS]});",
            *_copied_out(made, copies, str(facts.constants)),
        ]
        found.append(_template(facts.precompute, "void", [given], made, types, detail, code))
    passed = ", ".join(copies[name] for name, _ in (*taken, solutions))
    code = [
        *_copied_in(taken, copies),
        f"    double {copies['solutions']}[{routine.most * routine.width}];",
        *wrap(f"    const int total = detail::{facts.solve}({passed});", " " * 8),
        *_copied_out(solutions, copies, "static_cast<std::size_t>(total)"),
        "    return total;",
    ]
    return [*found, _template(facts.solve, "int", taken, solutions, types, detail, code)]


def _template(
    function: str,
    returned: str,
    taken: Sequence[Shaped],
    filled: Shaped,
    types: dict[str, str],
    detail: str,
    code: Sequence[str],
) -> str:
    names = [*(name for name, _ in taken), filled[0]]
    parameters = [f"const {types[name]} &{name}" for name in names[:-1]] + [f"{types[filled[0]]} &&{filled[0]}"]
    head = template_head(function, parameters, [types[name] for name in names], returned)
    return "\n".join([*head, "{", f"    namespace detail = {detail};", *code, "}"])


def _copied_in(taken: Sequence[Shaped], copies: dict[str, str]) -> list[str]:
    """Arrays of doubles with the entries of the arguments."""
    lines = []
    for name, shape in taken:
        lines.append(f"    double {copies[name]}[{max(math.prod(shape), 1)}];")
        place, one = _running(name, shape)
        rows = str(shape[0]) if shape else "1"
        lines += _loops(shape, rows, f"{copies[name]}[{place}] = static_cast<double>({one});")
    return lines


def _copied_out(filled: Shaped, copies: dict[str, str], rows: str) -> list[str]:
    """The rows of a copy into the argument, as what it holds."""
    name, shape = filled
    place, one = _running(name, shape)
    return [
        f"    using Entry = std::decay_t<decltype({entry(name, shape, 0)})>;",
        *_loops(shape, rows, f"{one} = static_cast<Entry>({copies[name]}[{place}]);"),
    ]


def _running(name: str, shape: tuple[int, ...]) -> tuple[str, str]:
    """The place of a running entry in a copy, and that entry of the argument."""
    if not shape:
        return "0", name
    if len(shape) == 2:
        return f"{shape[1]} * i + k", f"detail::entry<{shape[1]}>({name}, i, k)"
    return "i", f"detail::entry({name}, i)"


def _loops(shape: tuple[int, ...], rows: str, statement: str) -> list[str]:
    if not shape:
        return [f"    {statement}"]
    head = f"    for (std::size_t i = 0; i < {rows}; i++) {{"
    if len(shape) != 2:
        return [f"{head} {statement} }}"]
    inner = f"        for (std::size_t k = 0; k < {shape[1]}; k++) {{"
    return [head, inner, f"            {statement}", "        }", "    }"]
