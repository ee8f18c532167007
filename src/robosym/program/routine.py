"""``Routine``: ordered stages beside ``Program``, for what straight-line code cannot say. It finds a list of solutions.

Stages work on named arrays, the workspace: a program runs on them, a kernel (``kernels.py``) works on them, loops go
over their rows, and ``Emit`` appends rows to the solutions. A name keeps one shape throughout, what a stage makes is
written over what had the name before, and ``count`` is always there: the number of solutions so far. A routine is data;
``call`` interprets it, and is what printers are compared with.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ..brief import brief
from ..expr import Expr
from .kernels import KERNELS, Shape
from .program import Array, Program, ProgramError
from .verify import violations as program_violations

COUNT = "count"


@dataclass(frozen=True)
class Slot:
    """An array of the workspace."""

    name: str
    shape: Shape

    @property
    def size(self) -> int:
        return math.prod(self.shape)


@dataclass(frozen=True)
class Run:
    """The program on the arrays of its inputs' names; its outputs go to theirs. ``names`` says which go elsewhere."""

    program: Program
    names: Mapping[str, str] = field(default_factory=dict)

    def place(self, array: Array) -> str:
        return self.names.get(array.name, array.name)


@dataclass(frozen=True)
class Kernel:
    """A named numeric kernel, on and into named arrays."""

    name: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


@dataclass(frozen=True)
class Emit:
    """Append the rows of ``values`` where ``where`` is not zero, but for those that are among the solutions already: whose
    columns differ by no more than ``same``, by default the routine's."""

    values: str = "Q"
    where: str = "valid"
    same: float | None = None


@dataclass(frozen=True)
class Each:
    """The stages for each row of an array, the first ``count`` (a scalar of the workspace) or all; ``row`` holds it."""

    array: str
    row: str
    stages: tuple[Stage, ...]
    count: str | None = None


@dataclass(frozen=True)
class When:
    """The stages if a scalar is not zero."""

    condition: str
    stages: tuple[Stage, ...]


@dataclass(frozen=True)
class Newton:
    """``unknown`` -= ``correction``, which the stages make of it: at most ``steps`` times, until no entry of the
    correction is larger than ``tolerance``. A correction that is not finite ends it and is not made."""

    stages: tuple[Stage, ...]
    steps: int
    unknown: str = "x"
    correction: str = "dx"
    tolerance: float = 0.0


Stage = Run | Kernel | Emit | Each | When | Newton


@dataclass(frozen=True, repr=False)
class Routine:
    """``turns`` says of each column of a solution whether it is an angle, the same after a whole turn; two solutions
    are one when no column differs by more than ``same``, in its unit of ``units`` (one, if there are none). More than
    ``most`` are not kept. ``columns`` are what the columns are called and ``notes`` lines of prose, both for people."""

    name: str
    inputs: tuple[Slot, ...]
    stages: tuple[Stage, ...]
    most: int
    turns: tuple[bool, ...]
    same: float = 1e-6
    columns: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    units: tuple[float, ...] = ()

    def __repr__(self) -> str:
        return brief(
            f"Routine {self.name!r:.60}: {', '.join(one.name for one in self.inputs)}, {len(self.stages)} stages"
        )

    def tolerance(self, stage: Emit) -> float:
        """What two solutions may differ by and be one, in units."""
        return float(self.same if stage.same is None else stage.same)

    def tolerances(self, stage: Emit) -> list[float]:
        """The same in each column."""
        return [self.tolerance(stage) * unit for unit in self.units or (1.0,) * self.width]

    @property
    def width(self) -> int:
        return len(self.turns)

    @cached_property
    def programs(self) -> tuple[Program, ...]:
        """Each once, in the order of use."""
        return tuple(dict.fromkeys(stage.program for stage in walk(self.stages) if isinstance(stage, Run)))

    @property
    def parameter_symbols(self) -> tuple[Expr, ...]:
        """Those of all programs, each once."""
        return tuple(dict.fromkeys(symbol for program in self.programs for symbol in program.parameter_symbols))

    @cached_property
    def workspace(self) -> tuple[Slot, ...]:
        """Every array the stages make, in the order of first use."""
        return tuple(Slot(name, shape) for name, shape in self.looked_over[0].items() if name != COUNT)

    @cached_property
    def looked_over(self) -> tuple[dict[str, Shape], list[str]]:
        """The shapes of what the stages make, and what is wrong."""
        return _checked(self)

    def call(self, *, parameters: Mapping[str, float] | None = None, **inputs: Any) -> tuple[Any, int]:
        """The solutions (most, width), zero beyond their number, and their number: by interpretation."""
        import numpy as np

        from ..reals import real_array

        unknown = [name for name in inputs if name not in {slot.name for slot in self.inputs}]
        if unknown:
            names = ", ".join(slot.name for slot in self.inputs)
            raise ProgramError(f"unknown input {', '.join(map(repr, unknown))} (inputs: {names})")
        run = _Interpreter(self, dict(parameters or {}))
        for slot in self.inputs:
            if slot.name not in inputs:
                raise ProgramError(f"input '{slot.name}' of shape {slot.shape} is not given")
            data = real_array(f"input '{slot.name}'", inputs[slot.name], ProgramError).copy()
            if data.shape != slot.shape:
                raise ProgramError(f"input '{slot.name}' has shape {data.shape}, expected {slot.shape}")
            run.arrays[slot.name] = data
        with np.errstate(all="ignore"):
            run.all(self.stages)
        solutions = np.zeros((self.most, self.width))
        solutions[: len(run.solutions)] = np.array(run.solutions).reshape(-1, self.width)
        return solutions, len(run.solutions)


def newton(program: Program, steps: int, unknown: str = "x", tolerance: float = 0.0) -> Newton:
    """Newton's iteration with the correction that is the program's single output."""
    if len(program.outputs) != 1:
        raise ProgramError(
            f"program '{program.name}' has {len(program.outputs)} outputs, expected the correction alone"
        )
    return Newton((Run(program),), steps, unknown, program.outputs[0].name, tolerance)


def walk(stages: Sequence[Stage]) -> Iterator[Stage]:
    """Every stage, in the order written, those inside others too."""
    for stage in stages:
        yield stage
        if isinstance(stage, Each | When | Newton):
            yield from walk(stage.stages)


# --- verifier --------------------------------------------------------------------------------------------------------


def routine_violations(routine: Routine) -> list[str]:
    """What is wrong with a routine; nothing, if it is sound."""
    return routine.looked_over[1]


def verified_routine(routine: Routine) -> Routine:
    """The routine itself, or a ProgramError listing what is wrong with it."""
    found = routine_violations(routine)
    if found:
        raise ProgramError(f"routine '{routine.name}' is not sound:\n  " + "\n  ".join(found[:20]))
    return routine


def _checked(routine: Routine) -> tuple[dict[str, Shape], list[str]]:
    """The shapes of what the stages make, and what is wrong."""
    check = _Check(routine)
    check.all(routine.stages)
    for program in routine.programs:
        check.found += [f"program '{program.name}': {problem}" for problem in program_violations(program)]
    return check.made, check.found


class _Check:
    """Names defined before use, shapes that agree."""

    def __init__(self, routine: Routine) -> None:
        self.routine = routine
        self.known: dict[str, Shape] = {}
        self.made: dict[str, Shape] = {}
        self.found: list[str] = []
        self.written: list[str] = []  # one after the other
        self.inputs = {slot.name: slot.shape for slot in routine.inputs}
        if len(self.inputs) < len(routine.inputs) or COUNT in self.inputs:
            self.found.append(f"the names of inputs must differ from each other and from '{COUNT}'")
        self.known.update(self.inputs)
        self.known[COUNT] = ()
        for what, number in (("most", routine.most), ("width", routine.width)):
            if number < 1:
                self.found.append(f"{what} is {number}, expected at least 1")
        units = routine.units
        if units and (len(units) != routine.width or not all(0 < unit < math.inf for unit in units)):
            self.found.append(f"the units are {units}, expected none or {routine.width} positive numbers")

    def all(self, stages: Sequence[Stage]) -> None:
        for stage in stages:
            self.one(stage)

    def inside(self, stages: Sequence[Stage]) -> None:
        """Stages that may not happen: what they make is not known after them."""
        before = dict(self.known)
        self.all(stages)
        self.known = before

    def use(self, name: str, shape: Shape | None, by: str) -> Shape | None:
        if name not in self.known:
            self.found.append(f"{by} uses '{name}' before it is defined")
            return None
        if shape is not None and self.known[name] != shape:
            self.found.append(f"{by} expects '{name}' of shape {shape}, it is of shape {self.known[name]}")
        return self.known[name]

    def define(self, name: str, shape: Shape, by: str) -> None:
        self.written.append(name)
        if name == COUNT or name in self.inputs:
            self.found.append(f"{by} writes over '{name}', which is given")
        elif self.made.setdefault(name, shape) != shape:
            self.found.append(f"{by} makes '{name}' of shape {shape}, it is of shape {self.made[name]}")
        self.known.setdefault(name, shape)

    def one(self, stage: Stage) -> None:
        match stage:
            case Run():
                self.run(stage)
            case Kernel():
                self.kernel(stage)
            case Emit():
                if not math.isfinite(self.routine.tolerance(stage)):
                    self.found.append(f"Emit: same is {self.routine.tolerance(stage)}, expected a finite number")
                shape = self.use(stage.values, None, "Emit")
                if shape is not None and (len(shape) not in (1, 2) or shape[-1] != self.routine.width):
                    problem = f"Emit: '{stage.values}' of shape {shape}, expected rows of {self.routine.width}"
                    self.found.append(problem)
                self.use(stage.where, None if shape is None else shape[:-1], "Emit")
            case Each():
                shape = self.use(stage.array, None, "Each")
                if stage.count is not None:
                    self.use(stage.count, (), "Each")
                if not shape:
                    self.found += [f"Each: '{stage.array}' is a scalar and has no rows"] if shape == () else []
                    return
                before, start = dict(self.known), len(self.written)
                self.define(stage.row, shape[1:], "Each")
                self.inside(stage.stages)
                self.known = before
                changed = {*self.written[start:], *(COUNT for one in walk(stage.stages) if isinstance(one, Emit))}
                for name in sorted({stage.array, stage.count or stage.array} & changed):
                    self.found.append(f"Each: its stages change '{name}', which says what it goes over")
            case When():
                self.use(stage.condition, (), "When")
                self.inside(stage.stages)
            case Newton():
                self.newton(stage)

    def run(self, stage: Run) -> None:
        by = f"program '{stage.program.name}'"
        arrays = {array.name for array in (*stage.program.inputs, *stage.program.outputs)}
        self.found += [f"{by} has no array '{name}'" for name in stage.names if name not in arrays]
        for array in stage.program.inputs:
            self.use(stage.place(array), array.shape, by)
        for array in stage.program.outputs:
            self.define(stage.place(array), array.shape, by)

    def kernel(self, stage: Kernel) -> None:
        by = f"kernel '{stage.name}'"
        spec = KERNELS.get(stage.name)
        taken = [self.use(name, None, by) for name in stage.inputs]
        if spec is None:
            self.found.append(f"no {by} (known: {', '.join(KERNELS)})")
            return
        shapes = [shape for shape in taken if shape is not None]
        made = spec.shapes(shapes) if len(shapes) == len(taken) else None
        if made is None or len(made) != len(stage.outputs):
            self.found.append(f"{by} takes {spec.expected}, got {', '.join(map(str, taken))}")
            return
        for name, shape in zip(stage.outputs, made, strict=True):
            self.define(name, shape, by)

    def newton(self, stage: Newton) -> None:
        shape = self.use(stage.unknown, None, "Newton")
        if shape is not None:
            self.define(stage.unknown, shape, "Newton")
        before = dict(self.known)
        self.all(stage.stages)
        self.use(stage.correction, shape, "Newton")
        self.known = before
        if stage.unknown == stage.correction:
            self.found.append(f"Newton: '{stage.unknown}' is the unknown and its correction, expected two arrays")
        if stage.steps < 1:
            self.found.append(f"Newton: got {stage.steps} steps, expected at least 1")


# --- interpreter -----------------------------------------------------------------------------------------------------


class _Interpreter:
    """Runs the stages on NumPy arrays."""

    def __init__(self, routine: Routine, parameters: Mapping[str, float]) -> None:
        self.routine, self.parameters = routine, parameters
        self.arrays: dict[str, Any] = {}
        self.solutions: list[Any] = []

    def all(self, stages: Sequence[Stage]) -> None:
        for stage in stages:
            self.one(stage)

    def get(self, name: str) -> Any:
        import numpy as np

        return np.array(float(len(self.solutions))) if name == COUNT else self.arrays[name]

    def one(self, stage: Stage) -> None:
        match stage:
            case Run():
                taken = {array.name: self.get(stage.place(array)) for array in stage.program.inputs}
                made = stage.program.call(**taken, parameters=self.parameters)
                for array in stage.program.outputs:
                    self.arrays[stage.place(array)] = made[array.name]
            case Kernel():
                results = KERNELS[stage.name].reference(*map(self.get, stage.inputs))
                self.arrays.update(zip(stage.outputs, results, strict=True))
            case Emit():
                self.emit(stage)
            case Each():
                rows = self.get(stage.array)
                most = len(rows) if stage.count is None else int(self.get(stage.count))
                for row in rows[: max(most, 0)]:
                    self.arrays[stage.row] = row.copy()
                    self.all(stage.stages)
            case When():
                if float(self.get(stage.condition)) != 0.0:
                    self.all(stage.stages)
            case Newton():
                self.newton(stage)

    def emit(self, stage: Emit) -> None:
        import numpy as np

        routine = self.routine
        rows = np.reshape(self.get(stage.values), (-1, routine.width))
        wanted = np.reshape(self.get(stage.where), -1)
        for row in rows[wanted != 0.0]:
            apart = np.abs(np.array(self.solutions).reshape(-1, routine.width) - row)
            whole = 2 * math.pi
            apart = np.where(routine.turns, np.abs(apart - whole * np.floor(apart / whole + 0.5)), apart)
            same = (apart <= routine.tolerances(stage)).all(axis=1).any()
            if len(self.solutions) < routine.most and not same:
                self.solutions.append(row.copy())

    def newton(self, stage: Newton) -> None:
        import numpy as np

        for _ in range(stage.steps):
            self.all(stage.stages)
            correction = self.get(stage.correction)
            if not np.isfinite(correction).all():
                return
            self.arrays[stage.unknown] = self.arrays[stage.unknown] - correction
            if np.abs(correction).max(initial=0.0) <= stage.tolerance:
                return
