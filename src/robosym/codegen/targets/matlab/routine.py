"""A routine in Matlab and Octave: ``solutions = NAME_solve(T, ...)``, a row for each solution; no batches here."""

from __future__ import annotations

from ....program.routine import COUNT, Each, Emit, Kernel, Newton, Routine, Run, When
from ...interface import CONSTANTS, LISTED, PARAMETERS, precompute_purpose
from ...layout import WIDTH
from ...routines.facts import RoutineFacts, documentation, routine_facts
from ...routines.kernels import kernels
from ...routines.stages import StagePrinter
from . import beside, file_text, main_function, precompute_function
from .printer import MatlabPrinter
from .reserved import RESERVED
from .statements import INDENT, function_text, statement


def generate(routine: Routine, *, name: str | None = None) -> dict[str, str]:
    """A file for each function: the one that solves and, if there is work to precompute, the one that does."""
    facts = _facts(routine, name)
    printer = MatlabPrinter()
    files = {f"{facts.solve}.m": file_text([_solve(facts), *_called(facts, printer)], printer)}
    if facts.constants:
        printer = MatlabPrinter()
        text = file_text([_precompute(facts), *_precomputing(facts, printer)], printer)
        files[f"{facts.precompute}.m"] = text
    return files


def source(routine: Routine, *, name: str | None = None) -> str:
    """One text with all functions, the one that solves first."""
    facts = _facts(routine, name)
    printer = MatlabPrinter()
    functions = [_solve(facts), *_called(facts, printer)]
    if facts.constants:
        functions += [beside(facts.precompute, _precompute(facts)), *_precomputing(facts, printer)]
    return file_text(functions, printer)


def _facts(routine: Routine, name: str | None) -> RoutineFacts:
    return routine_facts(routine, RESERVED, name)


# --- functions -------------------------------------------------------------------------------------------------------


def _called(facts: RoutineFacts, printer: MatlabPrinter) -> list[str]:
    """What the main function calls."""
    programs = [main_function(one, printer) for one in facts.programs.values()]
    return [*programs, *kernels("matlab", facts), _keep(facts)]


def _precomputing(facts: RoutineFacts, printer: MatlabPrinter) -> list[str]:
    return [precompute_function(one, printer) for one in facts.programs.values() if one.has_precompute]


def _precompute(facts: RoutineFacts) -> str:
    parts = [f"{one.precompute_function}({PARAMETERS})" for one in facts.programs.values() if one.has_precompute]
    about = [precompute_purpose(facts.solve)]
    code = statement(f"{CONSTANTS} = [{'; '.join(parts)}];", 1)
    return function_text(facts.precompute, [CONSTANTS], [PARAMETERS], about, code)


def _keep(facts: RoutineFacts) -> str:
    routine = facts.routine
    code = [f"{INDENT}apart = abs(solutions - repmat(row, size(solutions, 1), 1));"]
    columns = [i for i, turn in enumerate(routine.turns, 1) if turn]
    if columns:
        code += statement(f"turns = [{', '.join(map(str, columns))}];", 1)
        code.append(f"{INDENT}apart(:, turns) = abs(apart(:, turns) - 2*pi*round(apart(:, turns)/(2*pi)));")
    same = "same"
    if facts.units:
        code += statement(f"units = [{', '.join(map(repr, facts.units))}];", 1)
        same = "same*repmat(units, size(solutions, 1), 1)"
    code += [
        *statement(f"if size(solutions, 1) < {routine.most} && ~any(all(apart <= {same}, 2))", 1),
        f"{INDENT * 2}solutions = [solutions; row];",
        f"{INDENT}end",
    ]
    about = ["Appends a solution unless it is there already."]
    return function_text(facts.keep, ["solutions"], ["solutions", "row", "same"], about, code)


def _solve(facts: RoutineFacts) -> str:
    routine = facts.routine
    taken = [name for name, _ in facts.taken]
    returned = f"a matrix with a row of {routine.width} for each solution"
    head, *rest = documentation(facts, WIDTH - 4, fills=False, returned=returned, first=1, storage=LISTED)
    about = [head.removeprefix(f"{facts.solve}: "), *rest]
    code = [f"{INDENT}solutions = zeros(0, {routine.width});", *_Stages(facts).all(routine.stages, 1)]
    return function_text(facts.solve, ["solutions"], taken, about, code)


class _Stages(StagePrinter):
    indent = INDENT

    def count(self) -> str:
        return f"{self.facts.slots[COUNT]} = size(solutions, 1);"

    def end(self, depth: int) -> list[str]:
        return statement("end", depth)

    def kernel(self, stage: Kernel, depth: int) -> list[str]:
        taken = ", ".join(self.facts.slots[name] for name in stage.inputs)
        call = f"{self.facts.slots[stage.outputs[0]]} = kernel_{stage.name}({taken});"
        return [*self.counted(stage.inputs, depth), *statement(call, depth)]

    def when(self, stage: When, depth: int) -> list[str]:
        head = statement(f"if {self.facts.slots[stage.condition]} ~= 0", depth)
        inside = self.all(stage.stages, depth + 1)
        return [*self.counted([stage.condition], depth), *head, *inside, *self.end(depth)]

    def run(self, stage: Run, depth: int) -> list[str]:
        facts, (taken, made) = self.facts.programs[stage.program], self.facts.places(stage)
        start = self.facts.offsets[stage.program]
        taken = taken + ([PARAMETERS] if facts.reads_parameters else [])
        if facts.has_precompute:
            taken.append(f"{CONSTANTS}({start + 1}:{start + facts.constants.size})")
        results = made[0] if len(made) == 1 else f"[{', '.join(made)}]"
        before = self.counted([stage.place(array) for array in stage.program.inputs], depth)
        return [*before, *statement(f"{results} = {facts.function}({', '.join(taken)});", depth)]

    def emit(self, stage: Emit, depth: int) -> list[str]:
        shape = self.facts.shape(stage.values)
        values, where = self.facts.slots[stage.values], self.facts.slots[stage.where]
        if len(shape) == 1:
            return self.kept(stage, where, f"{values}.'", depth)
        i = self.facts.names.numbered("i")
        inside = self.kept(stage, f"{where}({i})", f"{values}({i}, :)", depth + 1)
        return [*statement(f"for {i} = 1:{shape[0]}", depth), *inside, *self.end(depth)]

    def kept(self, stage: Emit, where: str, row: str, depth: int) -> list[str]:
        keep = statement(f"solutions = {self.facts.keep}(solutions, {row}, {self.same(stage)});", depth + 1)
        return [*statement(f"if {where} ~= 0", depth), *keep, *self.end(depth)]

    def each(self, stage: Each, depth: int) -> list[str]:
        slots, shape = self.facts.slots, self.facts.shape(stage.array)
        i = self.facts.names.numbered("i")
        lines = [*self.counted([stage.count], depth), *statement(f"for {i} = 1:{shape[0]}", depth)]
        if stage.count is not None:
            lines += statement(f"if ~({i} <= {slots[stage.count]})", depth + 1)
            lines += [*statement("break", depth + 2), *self.end(depth + 1)]
        lines += statement(f"{slots[stage.row]} = {_row(slots[stage.array], i, shape)};", depth + 1)
        return [*lines, *self.all(stage.stages, depth + 1), *self.end(depth)]

    def newton(self, stage: Newton, depth: int) -> list[str]:
        x, dx = self.facts.slots[stage.unknown], self.facts.slots[stage.correction]
        leave = [*statement("break", depth + 2), *self.end(depth + 1)]
        return [
            *statement(f"for {self.facts.names.numbered('i')} = 1:{stage.steps}", depth),
            *self.all(stage.stages, depth + 1),
            *statement(f"if ~all(isfinite({dx}(:)))", depth + 1),
            *leave,
            *statement(f"{x} = {x} - {dx};", depth + 1),
            *statement(f"if all(abs({dx}(:)) <= {float(stage.tolerance)!r})", depth + 1),
            *leave,
            *self.end(depth),
        ]


def _row(array: str, i: str, shape: tuple[int, ...]) -> str:
    """A row as an array of its own: a number, a column, or more."""
    if len(shape) == 1:
        return f"{array}({i})"
    if len(shape) == 2:
        return f"{array}({i}, :).'"
    sizes = ", ".join(map(str, shape[1:]))
    return f"reshape({array}({i}{', :' * (len(shape) - 1)}), {sizes})"
