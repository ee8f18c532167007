"""A routine in plain Python: ``NAME_solve(T, ...)`` returns a list of solutions. Only the math module, floats, lists."""

from __future__ import annotations

from collections.abc import Sequence

from ....program.routine import COUNT, Each, Emit, Kernel, Newton, Routine, Run, Stage, When
from ...interface import CONSTANTS, PARAMETERS, precompute_purpose
from ...layout import WIDTH, wrap
from ...nested import INDENT
from ...routines.facts import RoutineFacts, documentation, routine_facts
from ...routines.kernels import NAMES, kernels
from ...routines.stages import StagePrinter
from . import docstring, file_text, functions
from .printer import PythonPrinter
from .reserved import RESERVED

LOCAL = (
    "row",
    "made",
    "len",
    "range",
    "max",
    "all",
    "zip",
    "list",
    "int",
    "one",
    "other",
    "apart",
    "turns",
    "solutions",
)

KEEP = '''\
def {name}(row, solutions, same):
    """Appends a solution unless it is there already."""
{turns}
    for other in solutions:
        apart = [abs(one - two) for one, two in zip(row, other)]
        apart = [abs(x - math.tau * math.floor(x / math.tau + 0.5)) if turn else x for x, turn in zip(apart, turns)]
        if all({compared}):
            return
    if len(solutions) < {most}:
        solutions.append(list(row))'''

COMPARED = ("x <= same for x in apart", "x <= same * unit for x, unit in zip(apart, units)")  # without and with units


def generate(routine: Routine, *, name: str | None = None) -> dict[str, str]:
    """The file with the functions."""
    facts = routine_facts(routine, [*RESERVED, *LOCAL, *NAMES], name)
    printer = PythonPrinter()
    texts = [text for one in facts.programs.values() for text in functions(one, printer)]
    texts += [*kernels("python", facts), kept(facts, KEEP, "[{}]", *COMPARED)]
    if facts.constants:
        texts.append(precompute(facts, "[{}]", "*"))
    texts.append(_solve(facts))
    return {f"{facts.stem}.py": file_text(documentation(facts, WIDTH, fills=False)[0], printer, texts)}


def kept(facts: RoutineFacts, template: str, array: str, plain: str, scaled: str) -> str:
    """The function that appends a solution; ``array`` is how a list is written, ``plain`` and ``scaled`` how
    differences are compared without and with units."""
    routine = facts.routine
    listed = array.format(", ".join(str(bool(turn)) for turn in routine.turns))
    turns = ["    # a joint that turns is the same after a whole turn", *wrap(f"    turns = {listed}", INDENT * 2)]
    if facts.units:
        turns += wrap(f"    units = {array.format(', '.join(map(repr, facts.units)))}", INDENT * 2)
    same = scaled if facts.units else plain
    return template.format(name=facts.keep, turns="\n".join(turns), compared=same, most=routine.most)


def precompute(facts: RoutineFacts, joined: str, star: str = "") -> str:
    """The function that makes the constants of all programs; ``joined`` puts them into one array."""
    parts = [f"{star}{one.precompute_function}({PARAMETERS})" for one in facts.programs.values() if one.has_precompute]
    return "\n".join(
        [
            f"def {facts.precompute}({PARAMETERS}):",
            *docstring([precompute_purpose(facts.solve)]),
            *wrap(f"{INDENT}return {joined.format(', '.join(parts))}", INDENT * 2),
        ]
    )


def _solve(facts: RoutineFacts) -> str:
    head = wrap(f"def {facts.solve}({', '.join(name for name, _ in facts.taken)}):", INDENT)
    doc = docstring(documentation(facts, WIDTH - len(INDENT), fills=False))
    body = [f"{INDENT}solutions = []", *Stages(facts).all(facts.routine.stages, 1), f"{INDENT}return solutions"]
    return "\n".join([*head, *doc, *body])


class Stages(StagePrinter):
    def count(self) -> str:
        return f"{self.facts.slots[COUNT]} = float(len(solutions))"

    def body(self, stages: Sequence[Stage], depth: int) -> list[str]:
        return self.all(stages, depth) or [f"{INDENT * depth}pass"]

    def kernel(self, stage: Kernel, depth: int) -> list[str]:
        taken = ", ".join(self.facts.slots[name] for name in stage.inputs)
        made = ", ".join(self.facts.slots[name] for name in stage.outputs)
        return [*self.counted(stage.inputs, depth), f"{INDENT * depth}{made} = kernel_{stage.name}({taken})"]

    def when(self, stage: When, depth: int) -> list[str]:
        head = f"{INDENT * depth}if {self.facts.slots[stage.condition]} != 0.0:"
        return [*self.counted([stage.condition], depth), head, *self.body(stage.stages, depth + 1)]

    def run(self, stage: Run, depth: int) -> list[str]:
        pad = INDENT * depth
        facts, (taken, made) = self.facts.programs[stage.program], self.facts.places(stage)
        start = self.facts.offsets[stage.program]
        taken = taken + ([PARAMETERS] if facts.reads_parameters else [])
        if facts.has_precompute:
            taken.append(f"{CONSTANTS}[{start}:{start + facts.constants.size}]")
        call = f"{facts.function}({', '.join(taken)})"
        before = self.counted([stage.place(array) for array in stage.program.inputs], depth)
        if len(made) == 1:
            return [*before, f"{pad}{made[0]} = {call}"]
        names = [array.name for array in stage.program.outputs]
        lines = [f"{pad}{place} = made[{name!a}]" for place, name in zip(made, names, strict=True)]
        return [*before, f"{pad}made = {call}", *lines]

    def emit(self, stage: Emit, depth: int) -> list[str]:
        pad = INDENT * depth
        facts, values, where = self.facts, self.facts.slots[stage.values], self.facts.slots[stage.where]
        left = f"solutions, {self.same(stage)}"
        if len(facts.shape(stage.values)) == 1:
            return [f"{pad}if {where} != 0.0:", f"{pad}{INDENT}{facts.keep}({values}, {left})"]
        return [
            f"{pad}for row, one in zip({values}, {where}):",
            f"{pad}{INDENT}if one != 0.0:",
            f"{pad}{INDENT * 2}{facts.keep}(row, {left})",
        ]

    def each(self, stage: Each, depth: int) -> list[str]:
        slots, pad = self.facts.slots, INDENT * depth
        rows = slots[stage.array]
        if stage.count is not None:
            rows += f"[:max(int({slots[stage.count]}), 0)]"
        body = self.body(stage.stages, depth + 1)
        return [*self.counted([stage.count], depth), f"{pad}for {slots[stage.row]} in list({rows}):", *body]

    def newton(self, stage: Newton, depth: int) -> list[str]:
        slots, pad = self.facts.slots, INDENT * depth
        x, dx = slots[stage.unknown], slots[stage.correction]
        count = len(self.facts.shape(stage.unknown))
        flat, less = _flat(dx, count), _less(x, dx, count)
        return [
            f"{pad}for {self.facts.names.numbered('i')} in range({stage.steps}):",
            *self.all(stage.stages, depth + 1),
            f"{pad}{INDENT}if not all(math.isfinite(one) for one in {flat}):",
            f"{pad}{INDENT * 2}break",
            f"{pad}{INDENT}{x} = {less}",
            f"{pad}{INDENT}if all(abs(one) <= {float(stage.tolerance)!r} for one in {flat}):",
            f"{pad}{INDENT * 2}break",
        ]


def _flat(name: str, dimensions: int) -> str:
    """All entries of a nested list."""
    if dimensions == 0:
        return f"[{name}]"
    if dimensions == 1:
        return name
    return f"[one for row in {_flat(name, dimensions - 1)} for one in row]"


def _less(x: str, dx: str, dimensions: int) -> str:
    """x - dx entry by entry."""
    if dimensions == 0:
        return f"{x} - {dx}"
    a, b = f"a{dimensions}", f"b{dimensions}"
    return f"[{_less(a, b, dimensions - 1)} for {a}, {b} in zip({x}, {dx})]"
