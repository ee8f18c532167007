"""A routine in Matlab and Octave: ``[solutions, total] = NAME(T, ...)``, arrays as those of a program, of one state only."""

from __future__ import annotations

import math

from ....program.routine import Collect, Copy, Each, Fill, Kernel, Newton, Record, Repeat, Routine, Run, Take, When
from ...interface import CONSTANTS, LISTED, PARAMETERS, Argument, precompute_purpose
from ...layout import WIDTH
from ...routines.facts import Keeper, RoutineFacts, documentation, routine_facts
from ...routines.kernels import kernels
from ...routines.stages import StagePrinter
from . import beside, file_text, main_function, precompute_function
from .printer import MatlabPrinter
from .reserved import RESERVED
from .statements import INDENT, function_text, statement


def generate(routine: Routine, *, name: str | None = None) -> dict[str, str]:
    """A file for each function: the main one and, if there is work to precompute, the one that does."""
    facts = facts_of(routine, name)
    printer = MatlabPrinter()
    files = {f"{facts.function}.m": file_text([_main(facts), *_called(facts, printer)], printer)}
    if facts.has_precompute:
        printer = MatlabPrinter()
        text = file_text([_precompute(facts), *_precomputing(facts, printer)], printer)
        files[f"{facts.precompute_function}.m"] = text
    return files


def source(routine: Routine, *, name: str | None = None) -> str:
    """One text with all functions, the main one first."""
    facts = facts_of(routine, name)
    printer = MatlabPrinter()
    functions = [_main(facts), *_called(facts, printer)]
    if facts.has_precompute:
        functions += [beside(facts.precompute_function, _precompute(facts)), *_precomputing(facts, printer)]
    return file_text(functions, printer)


def facts_of(routine: Routine, name: str | None = None) -> RoutineFacts:
    return routine_facts(routine, RESERVED, name)


# --- functions -------------------------------------------------------------------------------------------------------


def _called(facts: RoutineFacts, printer: MatlabPrinter) -> list[str]:
    """What the main function calls."""
    programs = [main_function(one, printer) for one in facts.programs.values()]
    return [*programs, *kernels("matlab", facts), *(_keep(name, kind) for kind, name in facts.keepers.items())]


def _precomputing(facts: RoutineFacts, printer: MatlabPrinter) -> list[str]:
    return [precompute_function(one, printer) for one in facts.programs.values() if one.has_precompute]


def _precompute(facts: RoutineFacts) -> str:
    parts = [f"{one.precompute_function}({PARAMETERS})" for one in facts.programs.values() if one.has_precompute]
    about = [precompute_purpose(facts.function), "", f"See also {facts.function}."]
    code = statement(f"{CONSTANTS} = [{'; '.join(parts)}];", 1)
    return function_text(facts.precompute_function, [CONSTANTS], [PARAMETERS], about, code)


def _keep(name: str, kind: Keeper) -> str:
    """The function that appends a row; ``:`` stands for all indices of it, of which the first runs fastest."""
    about = ["Appends a row if there is room."]
    code: list[str] = []
    room = f"total < {kind.most}"
    if kind.within:
        about = ["Appends a row unless it is there already."]
        code, known = _search(kind.by_columns)
        room += f" && ~{known}"
    code += [
        *statement(f"if {room}", 1),
        *statement("total = total + 1;", 2),
        *statement("into(total, :) = reshape(row, 1, []);", 2),
        *statement("end", 1),
    ]
    return function_text(name, ["into", "total"], ["into", "total", "row"], about, code)


def _search(kind: Keeper) -> tuple[list[str], str]:
    """Statements, and then what says whether the row is there already."""
    code = statement("apart = abs(into(1:total, :) - repmat(reshape(row, 1, []), total, 1));", 1)
    columns = [i for i, turn in enumerate(kind.turns, 1) if turn]
    if columns:
        code += statement(f"turns = [{', '.join(map(str, columns))}];", 1)
        whole = "2*pi*floor(apart(:, turns)/(2*pi) + 0.5)"
        code += statement(f"apart(:, turns) = abs(apart(:, turns) - {whole});", 1)
    code += statement(f"within = [{', '.join(map(repr, kind.within))}];", 1)
    return code, "any(all(apart <= repmat(within, total, 1), 2))"


def _main(facts: RoutineFacts) -> str:
    options = {"fills": True, "first": 1, "storage": LISTED, "may_overlap": False}
    head, *rest = documentation(facts, WIDTH - 4, **options)  # type: ignore[arg-type]
    about = [head.removeprefix(f"{facts.function}: "), *rest, "", "Arguments are of one state: no batches here."]
    if facts.has_precompute:
        about += ["", f"See also {facts.precompute_function}."]
    code = [line for one in facts.read if one.size for line in _size_check(facts.function, one)]
    code += [line for given, made in facts.state for line in statement(f"{made.name} = {given.name};", 1)]
    code += _Stages(facts).all(facts.routine.stages, 1)
    made, taken = [one.name for one in facts.outputs], [one.name for one in facts.read]
    return function_text(facts.function, made, taken, about, code)


def _size_check(function: str, argument: Argument) -> list[str]:
    """A batch, which a program would take, is refused, as is a row where a column is expected."""
    sizes = list(_sizes(argument.array.shape))
    while len(sizes) > 2 and sizes[-1] == 1:  # Matlab does not count these
        sizes.pop()
    said = "x".join(map(str, sizes))
    return [
        *statement(f"if ~isequal(size({argument.name}), [{', '.join(map(str, sizes))}])", 1),
        *statement(f"error('{function}: {argument.name} is not of size {said}, that of one state');", 2),
        *statement("end", 1),
    ]


# --- stages ----------------------------------------------------------------------------------------------------------


class _Stages(StagePrinter):
    indent = INDENT

    def name(self, slot: str) -> str:
        return self.facts.slots[slot]

    def number(self, value: float) -> str:
        wanted = float(value)
        return (
            repr(wanted) if math.isfinite(wanted) else "NaN" if math.isnan(wanted) else "Inf" if wanted > 0 else "-Inf"
        )

    def end(self, depth: int) -> list[str]:
        return statement("end", depth)

    def leave(self, condition: str, depth: int) -> list[str]:
        """Out of the loop, if the condition holds."""
        return [*statement(f"if {condition}", depth), *statement("break", depth + 1), *self.end(depth)]

    def kernel(self, stage: Kernel, depth: int) -> list[str]:
        taken = ", ".join(map(self.name, stage.inputs))
        return statement(f"{self.name(stage.outputs[0])} = kernel_{stage.name}({taken});", depth)

    def run(self, stage: Run, depth: int) -> list[str]:
        facts, (taken, made) = self.facts.programs[stage.program], self.facts.places(stage)
        start = self.facts.offsets[stage.program]
        taken = taken + ([PARAMETERS] if facts.reads_parameters else [])
        if facts.has_precompute:
            taken.append(f"{CONSTANTS}({start + 1}:{start + facts.constants.size})")
        results = made[0] if len(made) == 1 else f"[{', '.join(made)}]"
        return statement(f"{results} = {facts.function}({', '.join(taken)});", depth)

    def fill(self, stage: Fill, depth: int) -> list[str]:
        value, sizes = self.number(stage.value), ", ".join(map(str, _sizes(stage.shape)))
        if stage.shape:
            value = f"repmat({value}, {sizes})" if value != "0.0" else f"zeros({sizes})"
        return statement(f"{self.name(stage.array)} = {value};", depth)

    def copy(self, stage: Copy, depth: int) -> list[str]:
        return statement(f"{self.name(stage.target)} = {self.name(stage.source)};", depth)

    def collect(self, stage: Collect, depth: int) -> list[str]:
        facts, most = self.facts, self.facts.shape(stage.into)[0]
        values, where, count = map(self.name, (stage.values, stage.where, stage.count))
        lines = statement(f"{count} = floor(min(max({count}, 0), {most}));", depth)  # max(NaN, 0) is 0
        if facts.shape(stage.where) == ():
            return [*lines, *self.kept(stage, where, values, depth)]
        i = facts.names.numbered("i")
        lines += statement(f"for {i} = 1:{facts.shape(stage.where)[0]}", depth)
        lines += self.kept(stage, f"{where}({i})", f"{values}({i}, :)", depth + 1)
        return [*lines, *self.end(depth)]

    def kept(self, stage: Collect, where: str, row: str, depth: int) -> list[str]:
        into, count = self.name(stage.into), self.name(stage.count)
        keep = statement(f"[{into}, {count}] = {self.facts.keeper(stage)}({into}, {count}, {row});", depth + 1)
        return [*statement(f"if {where} ~= 0", depth), *keep, *self.end(depth)]

    def record(self, stage: Record, depth: int) -> list[str]:
        place, rows = self.facts.names.numbered("place"), self.facts.shape(stage.into)[0]
        array, into, turn = map(self.name, (stage.array, stage.into, stage.turn))
        return [
            *statement(f"{place} = {turn}/{stage.every};", depth),
            *statement(f"if {place} >= 0 && {place} < {rows} && {place} == floor({place})", depth),
            *statement(f"{into}({place} + 1, :) = reshape({array}, 1, []);", depth + 1),
            *self.end(depth),
        ]

    def take(self, stage: Take, depth: int) -> list[str]:
        shape, i = self.facts.shape(stage.array), self.facts.names.numbered("i")
        place = f"floor(min(max({self.name(stage.turn)}/{stage.every}, 0), {shape[0] - 1})) + 1"  # max(NaN, 0) is 0
        return [
            *statement(f"{i} = {place};", depth),
            *statement(f"{self.name(stage.row)} = {_row(self.name(stage.array), i, shape)};", depth),
        ]

    def each(self, stage: Each, depth: int) -> list[str]:
        shape, i = self.facts.shape(stage.array), self.facts.names.numbered("i")
        lines = statement(f"for {i} = 1:{shape[0]}", depth)
        if stage.count is not None:
            lines += self.leave(f"~({i} <= {self.name(stage.count)})", depth + 1)
        lines += statement(f"{self.name(stage.row)} = {_row(self.name(stage.array), i, shape)};", depth + 1)
        return [*lines, *self.all(stage.stages, depth + 1), *self.end(depth)]

    def repeat(self, stage: Repeat, depth: int) -> list[str]:
        i = self.facts.names.numbered("i")
        lines = [] if stage.turn is None else statement(f"{self.name(stage.turn)} = {i} - 1;", depth + 1)
        lines += self.all(stage.stages, depth + 1)
        lines += [] if stage.until is None else self.leave(f"{self.name(stage.until)} ~= 0", depth + 1)
        if isinstance(stage.times, int):
            return [*statement(f"for {i} = 1:{stage.times}", depth), *lines, *self.end(depth)]
        return [  # not a range, which has no infinite end
            *statement(f"{i} = 1;", depth),
            *statement(f"while {i} <= {self.name(stage.times)}", depth),
            *lines,
            *statement(f"{i} = {i} + 1;", depth + 1),
            *self.end(depth),
        ]

    def when(self, stage: When, depth: int) -> list[str]:
        lines = statement(f"if {self.name(stage.condition)} ~= 0", depth)
        lines += self.all(stage.stages, depth + 1)
        if stage.otherwise:
            lines += [*statement("else", depth), *self.all(stage.otherwise, depth + 1)]
        return [*lines, *self.end(depth)]

    def newton(self, stage: Newton, depth: int) -> list[str]:
        x, dx, tolerance = self.name(stage.unknown), self.name(stage.correction), self.number(stage.tolerance)
        small = self.leave(f"all(abs({dx}(:)) <= {tolerance})", depth + 1) if stage.tolerance >= 0 else []
        return [
            *statement(f"for {self.facts.names.numbered('i')} = 1:{stage.steps}", depth),
            *self.all(stage.stages, depth + 1),
            *self.leave(f"~all(isfinite({dx}(:)))", depth + 1),
            *statement(f"{x} = {x} - {dx};", depth + 1),
            *small,
            *self.end(depth),
        ]


def _sizes(shape: tuple[int, ...]) -> tuple[int, ...]:
    """As they are said to Matlab: a vector is a column."""
    return shape if len(shape) > 1 else (*shape, 1) if shape else (1, 1)


def _row(array: str, i: str, shape: tuple[int, ...]) -> str:
    """A row as an array of its own: a number, a column, or more."""
    if len(shape) == 1:
        return f"{array}({i})"
    if len(shape) == 2:
        return f"{array}({i}, :).'"
    return f"reshape({array}({i}, :), {', '.join(map(str, shape[1:]))})"
