"""A routine in JavaScript: ``NAME_solve(T, ...)`` returns an array of solutions, each an array of numbers."""

from __future__ import annotations

from ....program.routine import COUNT, Each, Emit, Kernel, Newton, Routine, Run, When
from ...interface import CONSTANTS, PARAMETERS, precompute_purpose
from ...layout import WIDTH, wrap
from ...routines.facts import RoutineFacts, documentation, routine_facts
from ...routines.kernels import NAMES, kernels
from ...routines.stages import StagePrinter
from . import INDENT, comment, definition, file_text, key, program_functions, tags
from .printer import JavaScriptPrinter
from .reserved import RESERVED

LOCAL = ("i", "next", "entry", "kernel_hessenberg", "kernel_reflect", "kernel_sweep")

KEEP = """\
/** Appends a solution unless it is there already. */
function {name}(row, solutions, same) {{
  // a joint that turns is the same after a whole turn
{turns}
  const whole = 2 * Math.PI;
  const known = solutions.some((other) =>
    turns.every((turn, k) => {{
      const apart = Math.abs(row[k] - other[k]);
      return (turn ? Math.abs(apart - whole * Math.floor(apart / whole + 0.5)) : apart) <= {same};
    }}),
  );
  if (!known && solutions.length < {most}) {{
    solutions.push(Array.from(row));
  }}
}}"""


def generate(routine: Routine, *, name: str | None = None) -> dict[str, str]:
    facts = _facts(routine, name)
    return {f"{facts.stem}.mjs": _source(facts)}


def _facts(routine: Routine, name: str | None) -> RoutineFacts:
    return routine_facts(routine, [*RESERVED, *LOCAL, *NAMES], name)


def _source(facts: RoutineFacts) -> str:
    printer = JavaScriptPrinter()
    functions = [text for one in facts.programs.values() for text in program_functions(one, printer, public=False)]
    functions += [*kernels("javascript", facts), _keep(facts)]
    if facts.constants:
        functions.append(_precompute(facts))
    return file_text(documentation(facts, WIDTH, fills=False)[0], printer, [*functions, _solve(facts)])


def _keep(facts: RoutineFacts) -> str:
    routine = facts.routine
    turns = ", ".join("true" if turn else "false" for turn in routine.turns)
    lines = wrap(f"{INDENT}const turns = [{turns}];", INDENT * 2)
    if facts.units:
        units = ", ".join(map(JavaScriptPrinter().number, facts.units))
        lines += wrap(f"{INDENT}const units = [{units}];", INDENT * 2)
    same = "same * units[k]" if facts.units else "same"
    return KEEP.format(name=facts.keep, turns="\n".join(lines), same=same, most=routine.most)


def _precompute(facts: RoutineFacts) -> str:
    parts = [f"...{one.precompute_function}({PARAMETERS})," for one in facts.programs.values() if one.has_precompute]
    first = precompute_purpose(facts.solve)
    doc = comment([first, "", *tags([(PARAMETERS, (len(facts.routine.parameter_symbols),))], "number[]")])
    body = [f"{INDENT}return [", *(f"{INDENT * 2}{part}" for part in parts), f"{INDENT}];", "}"]
    return "\n".join([*doc, *definition(facts.precompute, [PARAMETERS], public=True), *body])


def _solve(facts: RoutineFacts) -> str:
    routine = facts.routine
    taken = facts.taken
    said = f"an array of solutions, each an array of {routine.width}"
    doc = comment([*documentation(facts, WIDTH - 4, False, returned=said), "", *tags(taken, "number[][]")])
    printed = _Stages(facts)
    stages = printed.all(routine.stages, 1)
    slots = [facts.slots[slot.name] for slot in routine.workspace] + ([facts.slots[COUNT]] if printed.counts else [])
    lines = [f"{INDENT}const solutions = [];"]
    lines += wrap(f"{INDENT}let {', '.join(slots)};", INDENT * 2) if slots else []
    head = definition(facts.solve, [name for name, _ in taken], public=True)
    return "\n".join([*doc, *head, *lines, *stages, f"{INDENT}return solutions;", "}"])


class _Stages(StagePrinter):
    indent = INDENT

    def __init__(self, facts: RoutineFacts) -> None:
        super().__init__(facts)
        self.counts = False

    def number(self, value: float) -> str:
        return JavaScriptPrinter().number(value)

    def count(self) -> str:
        self.counts = True
        return f"{self.facts.slots[COUNT]} = solutions.length;"

    def kernel(self, stage: Kernel, depth: int) -> list[str]:
        taken = ", ".join(self.facts.slots[name] for name in stage.inputs)
        made = self.facts.slots[stage.outputs[0]]
        return [*self.counted(stage.inputs, depth), f"{INDENT * depth}{made} = kernel_{stage.name}({taken});"]

    def when(self, stage: When, depth: int) -> list[str]:
        pad = INDENT * depth
        head = f"{pad}if ({self.facts.slots[stage.condition]} !== 0) {{"
        return [*self.counted([stage.condition], depth), head, *self.all(stage.stages, depth + 1), f"{pad}}}"]

    def run(self, stage: Run, depth: int) -> list[str]:
        pad, start = INDENT * depth, self.facts.offsets[stage.program]
        facts, (taken, made) = self.facts.programs[stage.program], self.facts.places(stage)
        taken = taken + ([PARAMETERS] if facts.reads_parameters else [])
        if facts.has_precompute:
            taken.append(f"{CONSTANTS}.slice({start}, {start + facts.constants.size})")
        call = f"{facts.function}({', '.join(taken)})"
        before = self.counted([stage.place(array) for array in stage.program.inputs], depth)
        if len(made) == 1:
            return [*before, *wrap(f"{pad}{made[0]} = {call};", pad + INDENT)]
        fields = zip(stage.program.outputs, made, strict=True)
        target = f"{{ {', '.join(_field(array.name, place) for array, place in fields)} }}"
        return [*before, *wrap(f"{pad}({target} = {call});", pad + INDENT)]

    def emit(self, stage: Emit, depth: int) -> list[str]:
        pad, facts = INDENT * depth, self.facts
        values, where = facts.slots[stage.values], facts.slots[stage.where]
        left = f"solutions, {self.same(stage)}"
        if len(facts.shape(stage.values)) == 1:
            return [f"{pad}if ({where} !== 0) {{", f"{pad}{INDENT}{facts.keep}({values}, {left});", f"{pad}}}"]
        return [
            f"{pad}for (const [i, next] of {values}.entries()) {{",
            f"{pad}  if ({where}[i] !== 0) {{",
            f"{pad}    {facts.keep}(next, {left});",
            f"{pad}  }}",
            f"{pad}}}",
        ]

    def each(self, stage: Each, depth: int) -> list[str]:
        slots, pad = self.facts.slots, INDENT * depth
        rows = slots[stage.array]
        if stage.count is not None:
            rows += f".slice(0, Math.max({slots[stage.count]}, 0))"
        return [
            *self.counted([stage.count], depth),
            f"{pad}for (const next of {rows}) {{",
            f"{pad}  {slots[stage.row]} = next;",
            *self.all(stage.stages, depth + 1),
            f"{pad}}}",
        ]

    def newton(self, stage: Newton, depth: int) -> list[str]:
        facts, pad = self.facts, INDENT * depth
        x, dx = facts.slots[stage.unknown], facts.slots[stage.correction]
        axes = len(facts.shape(stage.unknown))
        entries, tolerance = dx + ".flat()" * (axes - 1), JavaScriptPrinter().number(stage.tolerance)
        finite, small = f"Number.isFinite({dx})", f"Math.abs({dx}) <= {tolerance}"
        if axes > 0:
            finite, small = (
                f"{entries}.every(Number.isFinite)",
                f"{entries}.every((entry) => Math.abs(entry) <= {tolerance})",
            )
        turn = facts.names.numbered("i")
        return [
            f"{pad}for (let {turn} = 0; {turn} < {stage.steps}; {turn}++) {{",
            *self.all(stage.stages, depth + 1),
            f"{pad}  if (!{finite}) {{",
            f"{pad}    break;",
            f"{pad}  }}",
            f"{pad}  {x} = {_less(x, dx, axes)};",
            f"{pad}  if ({small}) {{",
            f"{pad}    break;",
            f"{pad}  }}",
            f"{pad}}}",
        ]


def _field(name: str, place: str) -> str:
    """What takes an output out of an object into its place."""
    return name if name == place else f"{key(name)}: {place}"


def _less(x: str, dx: str, axes: int) -> str:
    """x - dx entry by entry."""
    if axes == 0:
        return f"{x} - {dx}"
    a, i = f"a{axes}", f"i{axes}"
    return f"{x}.map(({a}, {i}) => {_less(a, f'{dx}[{i}]', axes - 1)})"
