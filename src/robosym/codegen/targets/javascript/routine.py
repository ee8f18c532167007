"""A routine in JavaScript: ``NAME(T, ...)`` returns what a program's function does, nested arrays or an object of them.

What is stored anywhere is stored as a copy, so that no two arrays share their rows and inputs stay as they are; ``Record``
and ``Collect`` can then change theirs in place.
"""

from __future__ import annotations

import math

from ....program.routine import Collect, Copy, Each, Fill, Kernel, Newton, Record, Repeat, Routine, Run, Take, When
from ...interface import CONSTANTS, PARAMETERS, precompute_purpose
from ...layout import WIDTH, wrap
from ...routines.facts import Keeper, RoutineFacts, documentation, heading, routine_facts
from ...routines.kernels import NAMES, kernels
from ...routines.stages import StagePrinter
from . import INDENT, comment, definition, file_text, key, program_functions, results_type, tags
from .printer import JavaScriptPrinter
from .reserved import RESERVED

LOCAL = ("row", "entry", "kernel_hessenberg", "kernel_reflect", "kernel_sweep")

KEEP = """\
/** Appends a row if there is room. */
function {name}(row, into, total) {{
  if (total >= {most}) {{
    return total;
  }}
  into[total] = {copied};
  return total + 1;
}}"""
KEEP_ONCE = """\
/** Appends a row unless it is there already. */
function {name}(row, into, total) {{
{tables}
  const entries = {entries};
  const isThere = into.slice(0, total).some((other) =>
    {others}.every((entry, k) => {{
      const apart = Math.abs(entries[k] - entry);
      return {apart} <= within[k];
    }}),
  );
  if (isThere || total >= {most}) {{
    return total;
  }}
  into[total] = {copied};
  return total + 1;
}}"""
TURNED = "Math.abs(apart - 2 * Math.PI * Math.floor(apart / (2 * Math.PI) + 0.5))"


def generate(routine: Routine, *, name: str | None = None) -> dict[str, str]:
    """One file, as of a program."""
    facts = facts_of(routine, name)
    return {f"{facts.function}.mjs": _source(facts)}


def facts_of(routine: Routine, name: str | None = None) -> RoutineFacts:
    return routine_facts(routine, [*RESERVED, *LOCAL, *NAMES], name)


def _source(facts: RoutineFacts) -> str:
    printer = JavaScriptPrinter()
    functions = [text for one in facts.programs.values() for text in program_functions(one, printer, public=False)]
    functions += [*kernels("javascript", facts), *(_keep(name, kind) for kind, name in facts.keepers.items())]
    if facts.has_precompute:
        functions.append(_precompute(facts))
    return file_text(heading(facts), printer, [*functions, _main(facts)])


def _keep(name: str, kind: Keeper) -> str:
    """The function that appends a row."""
    axes = len(kind.row)
    copied = _copied("row", axes)
    if not kind.within:
        return KEEP.format(name=name, most=kind.most, copied=copied)
    tables = wrap(f"{INDENT}const within = [{', '.join(map(_number, kind.within))}];", INDENT * 2)
    mixed = any(kind.turns) and not all(kind.turns)
    if mixed:
        turns = ", ".join("true" if turn else "false" for turn in kind.turns)
        tables += wrap(f"{INDENT}const turns = [{turns}]; // an angle is the same after a whole turn", INDENT * 2)
    apart = f"(turns[k] ? {TURNED} : apart)" if mixed else TURNED if any(kind.turns) else "apart"
    return KEEP_ONCE.format(
        name=name,
        most=kind.most,
        tables="\n".join(tables),
        entries=_flat("row", axes),
        others=_flat("other", axes),
        apart=apart,
        copied=copied,
    )


def _precompute(facts: RoutineFacts) -> str:
    parts = [f"...{one.precompute_function}({PARAMETERS})," for one in facts.programs.values() if one.has_precompute]
    doc = comment([precompute_purpose(facts.function), "", *tags([facts.parameters], "number[]")])
    body = [f"{INDENT}return [", *(f"{INDENT * 2}{part}" for part in parts), f"{INDENT}];", "}"]
    return "\n".join([*doc, *definition(facts.precompute_function, [PARAMETERS], public=True), *body])


def _main(facts: RoutineFacts) -> str:
    said = documentation(facts, WIDTH - 4, fills=False, several="an object")
    doc = comment([*said, "", *tags(facts.read, results_type(facts.outputs))])
    head = definition(facts.function, [one.name for one in facts.read], public=True)
    lines = []
    for one in facts.inputs:
        place, axes = facts.slots[one.array.name], len(one.array.shape)
        if place != one.name or axes:
            lines.append(f"{INDENT}{'' if place == one.name else 'let '}{place} = {_copied(one.name, axes)};")
    begun = {one.array.name for one in facts.inputs}
    made = [one.name for one in facts.outputs if one.array.name not in begun]
    made += [facts.slots[slot.name] for slot in facts.routine.workspace]
    lines += wrap(f"{INDENT}let {', '.join(made)};", INDENT * 2) if made else []
    return "\n".join([*doc, *head, *lines, *_Stages(facts).all(facts.routine.stages, 1), *_returned(facts), "}"])


def _returned(facts: RoutineFacts) -> list[str]:
    if len(facts.outputs) == 1:
        return [f"{INDENT}return {facts.outputs[0].name};"]
    items = [f"{INDENT * 2}{_field(one.array.name, one.name)}," for one in facts.outputs]
    return [f"{INDENT}return {{", *items, f"{INDENT}}};"]


class _Stages(StagePrinter):
    indent = INDENT

    def number(self, value: float) -> str:
        return _number(value)

    def name(self, slot: str) -> str:
        return self.facts.slots[slot]

    def axes(self, slot: str) -> int:
        return len(self.facts.shape(slot))

    def kernel(self, stage: Kernel, depth: int) -> list[str]:
        call = f"kernel_{stage.name}({', '.join(map(self.name, stage.inputs))})"
        made = _copied(call, self.axes(stage.outputs[0])) if stage.name == "sort" else call
        return wrap(f"{INDENT * depth}{self.name(stage.outputs[0])} = {made};", INDENT * (depth + 1))

    def run(self, stage: Run, depth: int) -> list[str]:
        pad, start = INDENT * depth, self.facts.offsets[stage.program]
        facts, (taken, made) = self.facts.programs[stage.program], self.facts.places(stage)
        taken = taken + ([PARAMETERS] if facts.reads_parameters else [])
        if facts.has_precompute:
            taken.append(f"{CONSTANTS}.slice({start}, {start + facts.constants.size})")
        call = f"{facts.function}({', '.join(taken)})"
        if len(made) == 1:
            return wrap(f"{pad}{made[0]} = {call};", pad + INDENT)
        fields = zip(stage.program.outputs, made, strict=True)
        target = f"{{ {', '.join(_field(array.name, place) for array, place in fields)} }}"
        return wrap(f"{pad}({target} = {call});", pad + INDENT)

    def fill(self, stage: Fill, depth: int) -> list[str]:
        return [f"{INDENT * depth}{self.name(stage.array)} = {_filled(stage.shape, _number(stage.value))};"]

    def copy(self, stage: Copy, depth: int) -> list[str]:
        copied = _copied(self.name(stage.source), self.axes(stage.source))
        return [f"{INDENT * depth}{self.name(stage.target)} = {copied};"]

    def collect(self, stage: Collect, depth: int) -> list[str]:
        facts, pad = self.facts, INDENT * depth
        values, where, into, count = map(self.name, (stage.values, stage.where, stage.into, stage.count))
        total, keep, most = facts.names.numbered("total"), facts.keeper(stage), facts.shape(stage.into)[0]
        lines = [f"{pad}let {total} = {count} >= 1 ? Math.floor(Math.min({count}, {most})) : 0;"]
        if facts.shape(stage.where) == ():
            call = f"{total} = {keep}({values}, {into}, {total});"
            lines += [f"{pad}if ({where} !== 0) {{", *wrap(f"{pad}  {call}", pad + INDENT * 2), f"{pad}}}"]
        else:
            i = facts.names.numbered("i")
            call = f"{total} = {keep}({values}[{i}], {into}, {total});"
            lines += [
                f"{pad}for (let {i} = 0; {i} < {facts.shape(stage.where)[0]}; {i}++) {{",
                f"{pad}  if ({where}[{i}] !== 0) {{",
                *wrap(f"{pad}    {call}", pad + INDENT * 3),
                f"{pad}  }}",
                f"{pad}}}",
            ]
        return [*lines, f"{pad}{count} = {total};"]

    def record(self, stage: Record, depth: int) -> list[str]:
        pad, place = INDENT * depth, self.facts.names.numbered("place")
        array, into, turn = map(self.name, (stage.array, stage.into, stage.turn))
        rows = self.facts.shape(stage.into)[0]
        return [
            f"{pad}const {place} = {turn} / {stage.every};",
            f"{pad}if ({place} >= 0 && {place} < {rows} && Number.isInteger({place})) {{",
            f"{pad}  {into}[{place}] = {_copied(array, self.axes(stage.array))};",
            f"{pad}}}",
        ]

    def take(self, stage: Take, depth: int) -> list[str]:
        pad, place, i = INDENT * depth, self.facts.names.numbered("place"), self.facts.names.numbered("i")
        array, turn, row = map(self.name, (stage.array, stage.turn, stage.row))
        last = self.facts.shape(stage.array)[0] - 1
        return [
            f"{pad}const {place} = {turn} / {stage.every};",
            f"{pad}const {i} = {place} >= 1 ? Math.floor(Math.min({place}, {last})) : 0;",
            f"{pad}{row} = {_copied(f'{array}[{i}]', self.axes(stage.row))};",
        ]

    def each(self, stage: Each, depth: int) -> list[str]:
        pad, i = INDENT * depth, self.facts.names.numbered("i")
        bound = f"{i} < {self.facts.shape(stage.array)[0]}"
        if stage.count is not None:
            bound += f" && {i} + 1 <= {self.name(stage.count)}"
        return [
            f"{pad}for (let {i} = 0; {bound}; {i}++) {{",
            f"{pad}  {self.name(stage.row)} = {_copied(f'{self.name(stage.array)}[{i}]', self.axes(stage.row))};",
            *self.all(stage.stages, depth + 1),
            f"{pad}}}",
        ]

    def repeat(self, stage: Repeat, depth: int) -> list[str]:
        pad, i = INDENT * depth, self.facts.names.numbered("i")
        times = stage.times if isinstance(stage.times, int) else self.name(stage.times)
        lines = [f"{pad}for (let {i} = 0; {i} + 1 <= {times}; {i}++) {{"]
        lines += [] if stage.turn is None else [f"{pad}  {self.name(stage.turn)} = {i};"]
        lines += self.all(stage.stages, depth + 1)
        if stage.until is not None:
            lines += [f"{pad}  if ({self.name(stage.until)} !== 0) {{", f"{pad}    break;", f"{pad}  }}"]
        return [*lines, f"{pad}}}"]

    def when(self, stage: When, depth: int) -> list[str]:
        pad = INDENT * depth
        lines = [f"{pad}if ({self.name(stage.condition)} !== 0) {{", *self.all(stage.stages, depth + 1)]
        lines += [f"{pad}}} else {{", *self.all(stage.otherwise, depth + 1)] if stage.otherwise else []
        return [*lines, f"{pad}}}"]

    def newton(self, stage: Newton, depth: int) -> list[str]:
        facts, pad, axes = self.facts, INDENT * depth, self.axes(stage.unknown)
        x, dx = self.name(stage.unknown), self.name(stage.correction)
        entries, tolerance = _flat(dx, axes), _number(stage.tolerance)
        finite, small = f"Number.isFinite({dx})", f"Math.abs({dx}) <= {tolerance}"
        if axes > 0:
            finite = f"{entries}.every(Number.isFinite)"
            small = f"{entries}.every((entry) => Math.abs(entry) <= {tolerance})"
        if facts.size(stage.unknown) == 0:  # the largest of no entries is zero
            small = f"{tolerance} >= 0"
        i = facts.names.numbered("i")
        return [
            f"{pad}for (let {i} = 0; {i} < {stage.steps}; {i}++) {{",
            *self.all(stage.stages, depth + 1),
            f"{pad}  if (!{finite}) {{",
            f"{pad}    break;",
            f"{pad}  }}",
            f"{pad}  {x} = {self.less(x, dx, axes)};",
            f"{pad}  if ({small}) {{",
            f"{pad}    break;",
            f"{pad}  }}",
            f"{pad}}}",
        ]

    def less(self, x: str, dx: str, axes: int) -> str:
        """x - dx entry by entry."""
        if axes == 0:
            return f"{x} - {dx}"
        a, i = self.facts.names.numbered("a"), self.facts.names.numbered("i")
        return f"{x}.map(({a}, {i}) => {self.less(a, f'{dx}[{i}]', axes - 1)})"


def _number(value: float) -> str:
    if math.isfinite(value):
        return JavaScriptPrinter().number(value)
    return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"


def _field(name: str, place: str) -> str:
    """What takes an output out of an object into its place, or puts it there."""
    return name if name == place else f"{key(name)}: {place}"


# --- nested arrays ---------------------------------------------------------------------------------------------------


def _flat(name: str, axes: int) -> str:
    if axes == 0:
        return f"[{name}]"
    return name if axes == 1 else f"{name}.flat({axes - 1})"


def _copied(name: str, axes: int) -> str:
    """Plain arrays, whatever came."""
    if axes == 0:
        return name
    return f"Array.from({name})" if axes == 1 else f"Array.from({name}, (row) => {_copied('row', axes - 1)})"


def _filled(shape: tuple[int, ...], value: str) -> str:
    if not shape:
        return value
    if len(shape) == 1:
        return f"new Array({shape[0]}).fill({value})"
    return f"Array.from({{ length: {shape[0]} }}, () => {_filled(shape[1:], value)})"
