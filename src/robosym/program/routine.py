"""``Routine``: ordered stages beside ``Program``, for what straight-line code cannot say. It finds a list of solutions.

Stages work on named arrays, the workspace: a program runs on them, a kernel (``kernels.py``) works on them, loops go
over their rows, and ``Emit`` appends rows to the solutions. A name keeps one shape throughout, what a stage makes is
written over what had the name before, and ``count`` is always there: the number of solutions so far. A routine is data:
``routine_check`` verifies it, ``interpreter`` runs it, and is what printers are compared with.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ..brief import brief
from ..expr import Expr
from .kernels import Shape
from .program import Array, Program, ProgramError

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
        from .routine_check import checked

        return checked(self)

    def call(self, *, parameters: Mapping[str, float] | None = None, **inputs: Any) -> tuple[Any, int]:
        """The solutions (most, width), zero beyond their number, and their number: by interpretation."""
        import numpy as np

        from ..reals import real_array
        from .interpreter import Interpreter

        unknown = [name for name in inputs if name not in {slot.name for slot in self.inputs}]
        if unknown:
            names = ", ".join(slot.name for slot in self.inputs)
            raise ProgramError(f"unknown input {', '.join(map(repr, unknown))} (inputs: {names})")
        run = Interpreter(self, dict(parameters or {}))
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


def routine_violations(routine: Routine) -> list[str]:
    """What is wrong with a routine; nothing, if it is sound."""
    return routine.looked_over[1]


def verified_routine(routine: Routine) -> Routine:
    """The routine itself, or a ProgramError listing what is wrong with it."""
    found = routine_violations(routine)
    if found:
        raise ProgramError(f"routine '{routine.name}' is not sound:\n  " + "\n  ".join(found[:20]))
    return routine
