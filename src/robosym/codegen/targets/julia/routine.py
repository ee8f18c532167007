"""A routine in Julia: ``NAME_solve(T, ...)`` returns a vector of solutions. LinearAlgebra does the work of the kernels."""

from __future__ import annotations

from ....program.routine import COUNT, Each, Emit, Kernel, Newton, Routine, Run, When
from ...interface import CONSTANTS, LISTED, PARAMETERS, precompute_purpose
from ...layout import WIDTH, render, wrap
from ...nested import INDENT
from ...routines.facts import RoutineFacts, documentation, routine_facts
from ...routines.kernels import NAMES, kernels
from ...routines.stages import StagePrinter
from . import declared, docstring, element_type, functions, keys, markdown
from .reserved import RESERVED

NEEDS = {"eigenvalues": ("eigvals",), "eigenvector": ("I", "svd"), "solve": ("issuccess", "lu")}  # of LinearAlgebra

KEEP = '''\
"""
    {name}!(solutions, row, same)

Append a solution unless it is there already.
"""
function {name}!(solutions, row, same)
    # a joint that turns is the same after a whole turn
{turns}
    whole = 2 * pi
    for other in solutions
        apart = abs.(row .- other)
        apart = ifelse.(turns, abs.(apart .- whole .* floor.(apart ./ whole .+ 0.5)), apart)
        all(apart .<= {same}) && return solutions
    end
    length(solutions) < {most} && push!(solutions, copy(row))
    return solutions
end'''


def generate(routine: Routine, *, name: str | None = None) -> dict[str, str]:
    facts = _facts(routine, name)
    return {f"{facts.stem}.jl": _source(facts)}


def _facts(routine: Routine, name: str | None) -> RoutineFacts:
    return routine_facts(routine, [*RESERVED, *NAMES], name)


def _source(facts: RoutineFacts) -> str:
    texts = [text for one in facts.programs.values() for text in functions(one)]
    texts += [*kernels("julia", facts), _keep(facts)]
    if facts.constants:
        texts.append(_precompute(facts))
    texts.append(_solve(facts))
    needed = sorted({name for stage in facts.kernels for name in NEEDS[stage.name]})
    return render(
        __package__,
        "source.template",
        comment=f"# {_documentation(facts)[0]}",
        imports=f"using LinearAlgebra: {', '.join(needed)}" if needed else "",
        functions="\n\n".join(texts),
    )


def _documentation(facts: RoutineFacts) -> list[str]:
    returned = f"a vector of solutions, each a vector of {facts.routine.width}"
    width = WIDTH - len(INDENT)
    return markdown(documentation(facts, width, fills=False, returned=returned, first=1, storage=LISTED))


def _keep(facts: RoutineFacts) -> str:
    routine = facts.routine
    turns = ", ".join("true" if turn else "false" for turn in routine.turns)
    lines = wrap(f"{INDENT}turns = [{turns}]", INDENT * 2)
    if facts.units:
        lines += wrap(f"{INDENT}units = [{', '.join(map(repr, facts.units))}]", INDENT * 2)
    same = "same .* units" if facts.units else "same"
    return KEEP.format(name=facts.keep, turns="\n".join(lines), same=same, most=routine.most)


def _precompute(facts: RoutineFacts) -> str:
    parts = [f"{one.precompute_function}({PARAMETERS})" for one in facts.programs.values() if one.has_precompute]
    doc = precompute_purpose(f"`{facts.solve}`")
    return "\n".join(
        [
            *docstring(f"{facts.precompute}({PARAMETERS})", [doc]),
            f"function {facts.precompute}({declared(PARAMETERS, (len(facts.routine.parameter_symbols),))})",
            *wrap(f"{INDENT}return vcat({', '.join(parts)})", INDENT * 2),
            "end",
        ]
    )


def _solve(facts: RoutineFacts) -> str:
    taken = dict(facts.taken)
    arguments = ", ".join(declared(name, shape) for name, shape in taken.items())
    return "\n".join(
        [
            *docstring(f"{facts.solve}({', '.join(taken)})", _documentation(facts)),
            *wrap(f"function {facts.solve}({arguments})", INDENT * 2),
            *wrap(INDENT + element_type(list(taken)), INDENT * 2),
            f"{INDENT}solutions = Vector{{element}}[]",
            *_Stages(facts).all(facts.routine.stages, 1),
            f"{INDENT}return solutions",
            "end",
        ]
    )


class _Stages(StagePrinter):
    """Loops read rows into the slot's own variable: the variable of a ``for`` is not seen outside of it."""

    def count(self) -> str:
        return f"{self.facts.slots[COUNT]} = Float64(length(solutions))"

    def kernel(self, stage: Kernel, depth: int) -> list[str]:
        taken = ", ".join(self.facts.slots[name] for name in stage.inputs)
        made = ", ".join(self.facts.slots[name] for name in stage.outputs)
        return [*self.counted(stage.inputs, depth), f"{INDENT * depth}{made} = kernel_{stage.name}({taken})"]

    def when(self, stage: When, depth: int) -> list[str]:
        pad = INDENT * depth
        head = f"{pad}if {self.facts.slots[stage.condition]} != 0"
        return [*self.counted([stage.condition], depth), head, *self.all(stage.stages, depth + 1), f"{pad}end"]

    def run(self, stage: Run, depth: int) -> list[str]:
        pad = INDENT * depth
        facts, (taken, made) = self.facts.programs[stage.program], self.facts.places(stage)
        taken = taken + ([PARAMETERS] if facts.reads_parameters else [])
        if facts.has_precompute:
            start = self.facts.offsets[stage.program]
            taken.append(f"view({CONSTANTS}, {start + 1}:{start + facts.constants.size})")
        call = f"{facts.function}({', '.join(taken)})"
        before = self.counted([stage.place(array) for array in stage.program.inputs], depth)
        if len(made) == 1:
            return [*before, *wrap(f"{pad}{made[0]} = {call}", pad + INDENT)]
        lines = [f"{pad}{place} = made.{key}" for place, key in zip(made, keys(facts.outputs), strict=True)]
        return [*before, *wrap(f"{pad}made = {call}", pad + INDENT), *lines]

    def emit(self, stage: Emit, depth: int) -> list[str]:
        pad = INDENT * depth
        facts, values, where = self.facts, self.facts.slots[stage.values], self.facts.slots[stage.where]
        if len(facts.shape(stage.values)) == 1:
            return [f"{pad}{where} != 0 && {facts.keep}!(solutions, {values}, {self.same(stage)})"]
        i = facts.names.numbered("i")
        return [
            f"{pad}for {i} in axes({values}, 1)",
            f"{pad}{INDENT}{where}[{i}] != 0 && {facts.keep}!(solutions, {values}[{i}, :], {self.same(stage)})",
            f"{pad}end",
        ]

    def each(self, stage: Each, depth: int) -> list[str]:
        slots, pad = self.facts.slots, INDENT * depth
        shape, i = self.facts.shape(stage.array), self.facts.names.numbered("i")
        rows = str(shape[0])
        if stage.count is not None:
            rows = f"min({rows}, trunc(Int, {slots[stage.count]}))"
        place = ", ".join([i, *[":"] * (len(shape) - 1)])
        return [
            *self.counted([stage.count], depth),
            f"{pad}for {i} in 1:{rows}",
            f"{pad}{INDENT}{slots[stage.row]} = {slots[stage.array]}[{place}]",
            *self.all(stage.stages, depth + 1),
            f"{pad}end",
        ]

    def newton(self, stage: Newton, depth: int) -> list[str]:
        slots, pad = self.facts.slots, INDENT * depth
        x, dx = slots[stage.unknown], slots[stage.correction]
        tolerance = float(stage.tolerance)
        end, less, small = f"all(isfinite, {dx})", f"{x} .- {dx}", f"all(abs.({dx}) .<= {tolerance!r})"
        if not self.facts.shape(stage.unknown):
            end, less, small = f"isfinite({dx})", f"{x} - {dx}", f"abs({dx}) <= {tolerance!r}"
        return [
            f"{pad}for {self.facts.names.numbered('i')} in 1:{stage.steps}",
            *self.all(stage.stages, depth + 1),
            f"{pad}{INDENT}{end} || break",
            f"{pad}{INDENT}{x} = {less}",
            f"{pad}{INDENT}{small} && break",
            f"{pad}end",
        ]
