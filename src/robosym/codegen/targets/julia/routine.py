"""A routine in Julia: ``NAME(T, ...)`` returns its outputs, ``NAME!(solutions, ..., T, ...)`` fills those it is given.

The workspace is allocated in every call; scalars in it are arrays without dimension. LinearAlgebra does the work of the kernels.
"""

from __future__ import annotations

import math

from ....program.routine import Collect, Copy, Each, Fill, Kernel, Newton, Record, Repeat, Routine, Run, Take, When
from ...interface import CONSTANTS, LISTED, PARAMETERS, precompute_purpose
from ...layout import WIDTH, render, wrap
from ...nested import INDENT
from ...routines.facts import Keeper, RoutineFacts, documentation, heading, routine_facts
from ...routines.kernels import NAMES, kernels
from ...routines.stages import StagePrinter
from . import element_type, empty, functions, keys, markdown, pair
from .reserved import RESERVED

NEEDS = {"eigenvalues": ("eigvals",), "eigenvector": ("I", "svd"), "solve": ("issuccess", "lu")}  # of LinearAlgebra

KEEP = '''\
"""
    {name}!(into, total, row)

Append a row {unless}, and return how many there are then.
"""
function {name}!(into, total, row)
    total < {most} || return total
{search}    for k in 1:{size}
        into[total + 1 + {most} * (k - 1)] = row[k]
    end
    return total + 1
end'''

SEARCH = """\
{tables}    for i in 1:total
        near = true
        for k in 1:{size}
            apart = abs(row[k] - into[i + {most} * (k - 1)])
{turned}            near = near && apart <= {within}
        end
        near && return total
    end
"""

TURNED = """\
            if turns[k]
                apart = abs(apart - 2 * pi * floor(apart / (2 * pi) + 0.5))
            end
"""


def generate(routine: Routine, *, name: str | None = None) -> dict[str, str]:
    facts = facts_of(routine, name)
    return {f"{facts.function}.jl": _source(facts)}


def facts_of(routine: Routine, name: str | None = None) -> RoutineFacts:
    return routine_facts(routine, [*RESERVED, *NAMES], name)


def _source(facts: RoutineFacts) -> str:
    texts = [text for one in facts.programs.values() for text in functions(one)]
    texts += [*kernels("julia", facts), *(_keep(name, kind) for kind, name in facts.keepers.items())]
    if facts.has_precompute:
        texts += _precompute(facts)
    texts += _main(facts)
    needed = sorted({name for stage in facts.kernels for name in NEEDS.get(stage.name, ())})
    return render(
        __package__,
        "source.template",
        comment=f"# {heading(facts)}",
        imports=f"using LinearAlgebra: {', '.join(needed)}" if needed else "",
        functions="\n\n".join(texts),
    )


# --- functions -------------------------------------------------------------------------------------------------------


def _keep(name: str, kind: Keeper) -> str:
    """The function that appends a row; entries are counted as they lie, by columns."""
    if not kind.within:
        return KEEP.format(name=name, unless="if there is room", most=kind.most, size=kind.size, search="")
    kind, tables, turned = kind.by_columns, [], ""
    within = repr(kind.within[0])
    if len(set(kind.within)) > 1:
        within = "within[k]"
        tables += wrap(f"{INDENT}within = [{', '.join(map(repr, kind.within))}]", INDENT * 2)
    if any(kind.turns):
        listed = ", ".join("true" if turn else "false" for turn in kind.turns)
        tables += wrap(f"{INDENT}turns = [{listed}]", INDENT * 2)
        turned = TURNED
    search = SEARCH.format(
        tables="".join(f"{line}\n" for line in tables), size=kind.size, most=kind.most, turned=turned, within=within
    )
    return KEEP.format(name=name, unless="unless it is there already", most=kind.most, size=kind.size, search=search)


def _precompute(facts: RoutineFacts) -> list[str]:
    body = [
        f"{INDENT}{one.precompute_function}!({_part(facts.offsets[program], one.constants.size)}, {PARAMETERS})"
        for program, one in facts.programs.items()
        if one.has_precompute
    ]
    documented = [precompute_purpose(f"`{facts.function}`")]
    return pair(facts.precompute_function, [facts.parameters], [facts.constants], body, documented)


def _part(start: int, size: int) -> str:
    """A program's part of the constants."""
    return f"view({CONSTANTS}, {start + 1}:{start + size})"


def _main(facts: RoutineFacts) -> list[str]:
    lines = documentation(
        facts,
        WIDTH - len(INDENT),
        fills=False,
        several="a named tuple",
        keys=keys(facts.outputs),
        first=1,
        storage=LISTED,
    )
    body: list[str] = []
    if facts.routine.workspace:
        body += wrap(INDENT + element_type([one.name for one in facts.read]), INDENT * 2)
    body += [f"{INDENT}{facts.slots[slot.name]} = {empty(slot.shape)}" for slot in facts.routine.workspace]
    stages = _Stages(facts)
    body += [f"{INDENT}{made.name} .= {given.name}" for given, made in facts.state]
    body += stages.all(facts.routine.stages, 1)
    same = ", ".join(f"`{made.name}` on `{given.name}`" for given, made in facts.state if given.array.shape)
    remark = f" No output may lie on an input{f', but {same}' if same else ''}."
    return pair(facts.function, facts.read, facts.outputs, body, markdown(lines), remark)


# --- stages ----------------------------------------------------------------------------------------------------------


class _Stages(StagePrinter):
    """Arrays are worked on in place. ``x[]`` is the number in an array without dimension, and a number itself."""

    def name(self, slot: str) -> str:
        return self.facts.slots[slot]

    def read(self, slot: str) -> str:
        """What a function is given: an array, or a number."""
        return self.name(slot) if self.facts.shape(slot) else f"{self.name(slot)}[]"

    def row(self, array: str, place: str) -> str:
        """A row as an array, without dimension if it is a number."""
        return f"view({self.name(array)}, {place}{', :' * (len(self.facts.shape(array)) - 1)})"

    def number(self, value: float) -> str:
        wanted = float(value)
        return (
            repr(wanted) if math.isfinite(wanted) else "NaN" if math.isnan(wanted) else "Inf" if wanted > 0 else "-Inf"
        )

    def kernel(self, stage: Kernel, depth: int) -> list[str]:
        taken, pad = ", ".join(map(self.read, stage.inputs)), INDENT * depth
        return wrap(f"{pad}{self.name(stage.outputs[0])} .= kernel_{stage.name}({taken})", pad + INDENT)

    def run(self, stage: Run, depth: int) -> list[str]:
        pad, facts = INDENT * depth, self.facts.programs[stage.program]
        taken = [self.name(stage.place(array)) for array in stage.program.outputs]
        taken += [self.read(stage.place(array)) for array in stage.program.inputs]
        taken += [PARAMETERS] if facts.reads_parameters else []
        taken += [_part(self.facts.offsets[stage.program], facts.constants.size)] if facts.has_precompute else []
        return wrap(f"{pad}{facts.function}!({', '.join(taken)})", pad + INDENT)

    def fill(self, stage: Fill, depth: int) -> list[str]:
        return [f"{INDENT * depth}{self.name(stage.array)} .= {self.number(stage.value)}"]

    def copy(self, stage: Copy, depth: int) -> list[str]:
        return [f"{INDENT * depth}{self.name(stage.target)} .= {self.name(stage.source)}"]

    def collect(self, stage: Collect, depth: int) -> list[str]:
        facts, pad, most = self.facts, INDENT * depth, self.facts.shape(stage.into)[0]
        where, into, count = map(self.name, (stage.where, stage.into, stage.count))
        total, keep = facts.names.numbered("total"), f"{facts.keeper(stage)}!"
        lines = [f"{pad}{total} = {count}[] >= 1 ? trunc(Int, min({count}[], {most})) : 0"]
        if facts.shape(stage.where) == ():
            lines += [
                f"{pad}if {where}[] != 0",
                f"{pad}{INDENT}{total} = {keep}({into}, {total}, {self.name(stage.values)})",
                f"{pad}end",
            ]
        else:
            i = facts.names.numbered("i")
            lines += [
                f"{pad}for {i} in 1:{facts.shape(stage.where)[0]}",
                f"{pad}{INDENT}if {where}[{i}] != 0",
                f"{pad}{INDENT * 2}{total} = {keep}({into}, {total}, {self.row(stage.values, i)})",
                f"{pad}{INDENT}end",
                f"{pad}end",
            ]
        return [*lines, f"{pad}{count}[] = {total}"]

    def record(self, stage: Record, depth: int) -> list[str]:
        pad, place, rows = INDENT * depth, self.facts.names.numbered("place"), self.facts.shape(stage.into)[0]
        row = self.row(stage.into, f"trunc(Int, {place}) + 1")
        return [
            f"{pad}{place} = {self.name(stage.turn)}[] / {stage.every}",
            f"{pad}if {place} >= 0 && {place} < {rows} && {place} == floor({place})",
            f"{pad}{INDENT}{row} .= {self.name(stage.array)}",
            f"{pad}end",
        ]

    def take(self, stage: Take, depth: int) -> list[str]:
        pad, place, i = INDENT * depth, self.facts.names.numbered("place"), self.facts.names.numbered("i")
        last = self.facts.shape(stage.array)[0] - 1
        return [
            f"{pad}{place} = {self.name(stage.turn)}[] / {stage.every}",
            f"{pad}{i} = {place} >= 1 ? trunc(Int, min({place}, {last})) + 1 : 1",
            f"{pad}{self.name(stage.row)} .= {self.row(stage.array, i)}",
        ]

    def each(self, stage: Each, depth: int) -> list[str]:
        pad, i = INDENT * depth, self.facts.names.numbered("i")
        lines = [f"{pad}for {i} in 1:{self.facts.shape(stage.array)[0]}"]
        lines += [f"{pad}{INDENT}{i} <= {self.name(stage.count)}[] || break"] if stage.count is not None else []
        lines += [f"{pad}{INDENT}{self.name(stage.row)} .= {self.row(stage.array, i)}"]
        return [*lines, *self.all(stage.stages, depth + 1), f"{pad}end"]

    def repeat(self, stage: Repeat, depth: int) -> list[str]:
        pad, i = INDENT * depth, self.facts.names.numbered("i")
        lines = [f"{pad}{INDENT}{self.name(stage.turn)}[] = {i} - 1"] if stage.turn is not None else []
        lines += self.all(stage.stages, depth + 1)
        lines += [f"{pad}{INDENT}{self.name(stage.until)}[] != 0 && break"] if stage.until is not None else []
        if isinstance(stage.times, int):
            return [f"{pad}for {i} in 1:{stage.times}", *lines, f"{pad}end"]
        head = [f"{pad}{i} = 1", f"{pad}while {i} <= {self.name(stage.times)}[]"]  # whose end may be infinite
        return [*head, *lines, f"{pad}{INDENT}{i} += 1", f"{pad}end"]

    def when(self, stage: When, depth: int) -> list[str]:
        pad = INDENT * depth
        lines = [f"{pad}if {self.name(stage.condition)}[] != 0", *self.all(stage.stages, depth + 1)]
        if stage.otherwise:
            lines += [f"{pad}else", *self.all(stage.otherwise, depth + 1)]
        return [*lines, f"{pad}end"]

    def newton(self, stage: Newton, depth: int) -> list[str]:
        pad, x, dx = INDENT * depth, self.name(stage.unknown), self.name(stage.correction)
        lines = [
            f"{pad}for {self.facts.names.numbered('i')} in 1:{stage.steps}",
            *self.all(stage.stages, depth + 1),
            f"{pad}{INDENT}all(isfinite, {dx}) || break",
            f"{pad}{INDENT}{x} .-= {dx}",
        ]
        if stage.tolerance >= 0:
            largest = f"maximum(abs, {dx})" if self.facts.size(stage.unknown) else "0.0"
            lines.append(f"{pad}{INDENT}{largest} <= {self.number(stage.tolerance)} && break")
        return [*lines, f"{pad}end"]
