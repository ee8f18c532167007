"""A routine in plain Python: ``NAME(T, ...)`` returns what a program's function does. Only the math module, floats, lists.

What is stored anywhere is stored as a copy, so that no two arrays share a list and inputs stay as they are; ``Record`` and
``Collect`` can then change theirs in place.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ....program.routine import (
    Collect,
    Copy,
    Each,
    Fill,
    Kernel,
    Newton,
    Record,
    Repeat,
    Routine,
    Run,
    Stage,
    Take,
    When,
)
from ...interface import CONSTANTS, PARAMETERS, precompute_purpose
from ...layout import WIDTH, wrap
from ...nested import INDENT
from ...routines.facts import Keeper, RoutineFacts, documentation, heading, routine_facts
from ...routines.kernels import NAMES, kernels
from ...routines.stages import StagePrinter
from . import docstring, file_text, functions
from .printer import PythonPrinter
from .reserved import RESERVED

# What is written around the stages, and the functions that it and the kernels call.
_WORDS = """
row made into total other apart within turns entries one two near turn whole
all enumerate int isinstance len list map max min range reversed sorted sum tuple zip
"""
LOCAL = tuple(_WORDS.split())


def generate(routine: Routine, *, name: str | None = None) -> dict[str, str]:
    """The file with the functions."""
    facts = routine_facts(routine, [*RESERVED, *LOCAL, *NAMES], name)
    printer = PythonPrinter()
    texts = [text for one in facts.programs.values() for text in functions(one, printer)]
    texts += [*kernels("python", facts), *(_keep(name, kind) for kind, name in facts.keepers.items())]
    if facts.has_precompute:
        texts.append(precompute(facts, "[{}]", "*"))
    texts.append(_main(facts))
    return {f"{facts.function}.py": file_text(heading(facts), printer, texts)}


def _main(facts: RoutineFacts) -> str:
    return "\n".join(
        [
            *wrap(f"def {facts.function}({', '.join(one.name for one in facts.read)}):", INDENT),
            *docstring(documentation(facts, WIDTH - len(INDENT), fills=False)),
            *_taken(facts),
            *Stages(facts).all(facts.routine.stages, 1),
            *returned(facts),
        ]
    )


def _taken(facts: RoutineFacts) -> list[str]:
    """Inputs as lists of floats, whatever they came in."""
    lines = []
    for one in facts.inputs:
        place = facts.slots[one.array.name]
        lines += wrap(f"{INDENT}{place} = {_floats(one.name, len(one.array.shape))}", INDENT * 2)
    return lines


def _keep(name: str, kind: Keeper) -> str:
    """The function that appends a row."""
    search = []
    if kind.within:
        entries, others = (_flat(text, len(kind.row)) for text in ("row", "other"))
        search = [
            *wrap(f"within = [{', '.join(map(repr, kind.within))}]", INDENT * 2, WIDTH - len(INDENT)),
            f"entries = {entries}",
            "for other in into[:total]:",
            f"    apart = [abs(one - two) for one, two in zip(entries, {others})]",
            *(f"{INDENT}{line}" for line in _turned(kind)),
            "    if all(one <= near for one, near in zip(apart, within)):",
            "        return total",
        ]
    about = "Appends a row unless it is there already." if kind.within else "Appends a row if there is room."
    lines = [
        *search,
        f"if total >= {kind.most}:",
        "    return total",
        f"into[total] = {_copied('row', len(kind.row))}",
        "return total + 1",
    ]
    return "\n".join([f"def {name}(row, into, total):", *docstring([about]), *(INDENT + line for line in lines)])


def _turned(kind: Keeper) -> list[str]:
    """Angles are the same after whole turns; what is not finite has no whole part in Python."""
    if not any(kind.turns):
        return []
    return [
        *wrap(f"turns = [{', '.join(map(str, kind.turns))}]", INDENT, WIDTH - 2 * len(INDENT)),
        "turns = [turn and math.isfinite(one) for one, turn in zip(apart, turns)]",
        "whole = [math.tau * math.floor(one / math.tau + 0.5) if turn else 0.0 for one, turn in zip(apart, turns)]",
        "apart = [abs(one - two) for one, two in zip(apart, whole)]",
    ]


# --- what NumPy writes the same way ----------------------------------------------------------------------------------


def precompute(facts: RoutineFacts, joined: str, star: str = "") -> str:
    """The function that makes the constants of all programs; ``joined`` puts them into one array."""
    parts = [f"{star}{one.precompute_function}({PARAMETERS})" for one in facts.programs.values() if one.has_precompute]
    return "\n".join(
        [
            f"def {facts.precompute_function}({PARAMETERS}):",
            *docstring([precompute_purpose(facts.function)]),
            *wrap(f"{INDENT}return {joined.format(', '.join(parts))}", INDENT * 2),
        ]
    )


def returned(facts: RoutineFacts) -> list[str]:
    if len(facts.outputs) == 1:
        return [f"{INDENT}return {facts.outputs[0].name}"]
    items = [f"{INDENT * 2}{one.array.name!a}: {one.name}," for one in facts.outputs]
    return [f"{INDENT}return {{", *items, f"{INDENT}}}"]


class Stages(StagePrinter):
    # How arrays are written: NumPy has its own ways.

    def number(self, value: float) -> str:
        if math.isfinite(value):
            return repr(float(value))
        return "math.nan" if value != value else "math.inf" if value > 0 else "-math.inf"

    def scalar(self, text: str) -> str:
        return text

    def copied(self, text: str, axes: int) -> str:
        return _copied(text, axes)

    def stored(self, text: str, axes: int) -> str:
        """What becomes an entry of another array."""
        return self.copied(text, axes)

    def filled(self, shape: tuple[int, ...], value: str) -> str:
        return f"[{value}] * {shape[0]}" if len(shape) == 1 else _filled(shape, value)

    def name(self, slot: str) -> str:
        return self.facts.slots[slot]

    def axes(self, slot: str) -> int:
        return len(self.facts.shape(slot))

    # The stages.

    def body(self, stages: Sequence[Stage], depth: int) -> list[str]:
        return self.all(stages, depth) or [f"{INDENT * depth}pass"]

    def kernel(self, stage: Kernel, depth: int) -> list[str]:
        call = f"kernel_{stage.name}({', '.join(map(self.name, stage.inputs))})"
        made = self.copied(call, self.axes(stage.outputs[0])) if stage.name == "sort" else call
        return wrap(f"{INDENT * depth}{self.name(stage.outputs[0])} = {made}", INDENT * (depth + 1))

    def run(self, stage: Run, depth: int) -> list[str]:
        pad = INDENT * depth
        facts, (taken, made) = self.facts.programs[stage.program], self.facts.places(stage)
        start = self.facts.offsets[stage.program]
        taken = taken + ([PARAMETERS] if facts.reads_parameters else [])
        if facts.has_precompute:
            taken.append(f"{CONSTANTS}[{start}:{start + facts.constants.size}]")
        target = made[0] if len(made) == 1 else "made"
        call = wrap(f"{pad}{target} = {facts.function}({', '.join(taken)})", pad + INDENT)
        if len(made) == 1:
            return call
        names = [array.name for array in stage.program.outputs]
        return [*call, *(f"{pad}{place} = made[{name!a}]" for place, name in zip(made, names, strict=True))]

    def fill(self, stage: Fill, depth: int) -> list[str]:
        value = self.number(stage.value)
        made = self.filled(stage.shape, value) if stage.shape else self.scalar(value)
        return [f"{INDENT * depth}{self.name(stage.array)} = {made}"]

    def copy(self, stage: Copy, depth: int) -> list[str]:
        source, target = self.name(stage.source), self.name(stage.target)
        return [f"{INDENT * depth}{target} = {self.copied(source, self.axes(stage.source))}"]

    def collect(self, stage: Collect, depth: int) -> list[str]:
        facts, pad = self.facts, INDENT * depth
        values, where, into, count = map(self.name, (stage.values, stage.where, stage.into, stage.count))
        total, keep, most = facts.names.numbered("total"), facts.keeper(stage), facts.shape(stage.into)[0]
        lines = [f"{pad}{total} = int(min({count}, {most})) if {count} >= 1.0 else 0"]
        if facts.shape(stage.where) == ():
            call = f"{total} = {keep}({values}, {into}, {total})"
            lines += [f"{pad}if {where} != 0.0:", *wrap(f"{pad}{INDENT}{call}", pad + INDENT * 2)]
        else:
            i = facts.names.numbered("i")
            call = f"{total} = {keep}({values}[{i}], {into}, {total})"
            lines += [
                f"{pad}for {i} in range({facts.shape(stage.where)[0]}):",
                f"{pad}{INDENT}if {where}[{i}] != 0.0:",
                *wrap(f"{pad}{INDENT * 2}{call}", pad + INDENT * 3),
            ]
        return [*lines, f"{pad}{count} = {self.scalar(f'float({total})')}"]

    def record(self, stage: Record, depth: int) -> list[str]:
        pad, place = INDENT * depth, self.facts.names.numbered("place")
        array, into, turn = map(self.name, (stage.array, stage.into, stage.turn))
        rows = self.facts.shape(stage.into)[0]
        return [
            f"{pad}{place} = {turn} / {float(stage.every)!r}",
            f"{pad}if 0.0 <= {place} < {float(rows)!r} and {place} % 1.0 == 0.0:",
            f"{pad}{INDENT}{into}[int({place})] = {self.stored(array, self.axes(stage.array))}",
        ]

    def take(self, stage: Take, depth: int) -> list[str]:
        pad, place, i = INDENT * depth, self.facts.names.numbered("place"), self.facts.names.numbered("i")
        array, turn, row = map(self.name, (stage.array, stage.turn, stage.row))
        last = self.facts.shape(stage.array)[0] - 1
        return [
            f"{pad}{place} = {turn} / {float(stage.every)!r}",
            f"{pad}{i} = int(min({place}, {last})) if {place} >= 1.0 else 0",
            f"{pad}{row} = {self.copied(f'{array}[{i}]', self.axes(stage.row))}",
        ]

    def each(self, stage: Each, depth: int) -> list[str]:
        pad, i = INDENT * depth, self.facts.names.numbered("i")
        lines = [f"{pad}for {i} in range({self.facts.shape(stage.array)[0]}):"]
        if stage.count is not None:
            lines += [f"{pad}{INDENT}if not {i} + 1 <= {self.name(stage.count)}:", f"{pad}{INDENT * 2}break"]
        row = self.copied(f"{self.name(stage.array)}[{i}]", self.axes(stage.row))
        return [*lines, f"{pad}{INDENT}{self.name(stage.row)} = {row}", *self.all(stage.stages, depth + 1)]

    def repeat(self, stage: Repeat, depth: int) -> list[str]:
        pad, i = INDENT * depth, self.facts.names.numbered("i")
        lines = [] if stage.turn is None else [f"{pad}{INDENT}{self.name(stage.turn)} = {self.scalar(f'float({i})')}"]
        lines += self.all(stage.stages, depth + 1)
        if stage.until is not None:
            lines += [f"{pad}{INDENT}if {self.name(stage.until)} != 0.0:", f"{pad}{INDENT * 2}break"]
        if isinstance(stage.times, int):
            return [f"{pad}for {i} in range({stage.times}):", *(lines or [f"{pad}{INDENT}pass"])]
        head = [f"{pad}{i} = 0", f"{pad}while {i} + 1 <= {self.name(stage.times)}:"]
        return [*head, *lines, f"{pad}{INDENT}{i} += 1"]

    def when(self, stage: When, depth: int) -> list[str]:
        pad = INDENT * depth
        lines = [f"{pad}if {self.name(stage.condition)} != 0.0:", *self.body(stage.stages, depth + 1)]
        return [*lines, f"{pad}else:", *self.all(stage.otherwise, depth + 1)] if stage.otherwise else lines

    def newton(self, stage: Newton, depth: int) -> list[str]:
        pad, axes = INDENT * depth, self.axes(stage.unknown)
        x, dx = self.name(stage.unknown), self.name(stage.correction)
        finite, largest, less = self.corrected(x, dx, axes)
        return [
            f"{pad}for {self.facts.names.numbered('i')} in range({stage.steps}):",
            *self.all(stage.stages, depth + 1),
            f"{pad}{INDENT}if not {finite}:",
            f"{pad}{INDENT * 2}break",
            f"{pad}{INDENT}{x} = {less}",
            f"{pad}{INDENT}if {largest} <= {self.number(stage.tolerance)}:",
            f"{pad}{INDENT * 2}break",
        ]

    def corrected(self, x: str, dx: str, axes: int) -> tuple[str, str, str]:
        """Whether a correction is finite, its largest entry, and what it makes of the unknown."""
        if axes == 0:
            return f"math.isfinite({dx})", f"abs({dx})", f"{x} - {dx}"
        flat = _flat(dx, axes)
        return f"all(map(math.isfinite, {flat}))", f"max(map(abs, {flat}), default=0.0)", _less(x, dx, axes)


# --- nested lists ----------------------------------------------------------------------------------------------------


def _flat(name: str, axes: int) -> str:
    """All entries."""
    if axes == 0:
        return f"[{name}]"
    return name if axes == 1 else f"[one for row in {_flat(name, axes - 1)} for one in row]"


def _less(x: str, dx: str, axes: int) -> str:
    """x - dx entry by entry."""
    if axes == 0:
        return f"{x} - {dx}"
    one, two = (("one", "two"), ("row", "other"))[axes % 2 == 0]
    return f"[{_less(one, two, axes - 1)} for {one}, {two} in zip({x}, {dx})]"


def _copied(name: str, axes: int) -> str:
    if axes == 0:
        return name
    return f"list({name})" if axes == 1 else f"[{_copied('row', axes - 1)} for row in {name}]"


def _floats(name: str, axes: int) -> str:
    """A copy in lists and floats."""
    inside = "one" if axes == 1 else "row"
    return f"float({name})" if axes == 0 else f"[{_floats(inside, axes - 1)} for {inside} in {name}]"


def _filled(shape: tuple[int, ...], value: str) -> str:
    if len(shape) == 1:
        return f"[{value}] * {shape[0]}"
    return f"[{_filled(shape[1:], value)} for one in range({shape[0]})]"
