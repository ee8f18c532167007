"""``Routine``: ordered stages beside ``Program``, for what straight-line code cannot say.

Stages work on named arrays of doubles, the workspace: the inputs, the outputs, and what is made on the way. A name keeps one
shape throughout, and what a stage makes is written over what had the name before. A scalar is an array of shape (); one that
is not zero is true. Names that are inputs *and* outputs are the routine's state: it begins as it is given and goes out as
the stages have left it. Other inputs are only read. A routine is data: ``routine_check`` verifies it, ``interpreter`` runs
it, and is what printers and the compiled routines are compared with.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from ..brief import brief
from ..expr import Expr, Operations, parameter_order
from .documentation import Documentation
from .kernels import Shape
from .program import Array, Program, ProgramError


@dataclass(frozen=True)
class Slot:
    """An array of the workspace; ``about`` says to people what is in it."""

    name: str
    shape: Shape
    about: str = ""

    @property
    def size(self) -> int:
        return math.prod(self.shape)


@dataclass(frozen=True)
class Run:
    """The program on the arrays of its inputs' names; its outputs go to theirs. ``names`` says which go elsewhere; an
    output may go where an input is: all are read before any is written."""

    program: Program
    names: Mapping[str, str] = field(default_factory=dict)

    def place(self, array: Array) -> str:
        return self.names.get(array.name, array.name)


@dataclass(frozen=True)
class Kernel:
    """A named numeric kernel (``kernels.py``), on and into named arrays."""

    name: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


@dataclass(frozen=True)
class Fill:
    """An array of that shape, every entry the same number."""

    array: str
    shape: Shape = ()
    value: float = 0.0


@dataclass(frozen=True)
class Copy:
    """``target`` becomes what ``source`` is."""

    source: str
    target: str


@dataclass(frozen=True)
class Collect:
    """Append the rows of ``values`` where ``where`` is not zero to ``into`` (most, ...), whose first ``count`` rows are there
    already: a row, or several (k, ...) with a flag for each. Not appended is what does not fit in, and a row that is there
    already: no entry differs by more than that of ``within`` (by none at all, if there are none, a row is there), angles
    (``turns``) up to whole turns. A count that is no number of rows is taken for the nearest, nan for 0."""

    values: str
    where: str
    into: str
    count: str
    within: tuple[float, ...] = ()
    turns: tuple[bool, ...] = ()


@dataclass(frozen=True)
class Record:
    """``array`` becomes a row of ``into`` (rows, ...) at every ``every``-th turn: row turn / every, where that is a whole
    number and there is such a row."""

    array: str
    into: str
    turn: str
    every: int = 1


@dataclass(frozen=True)
class Take:
    """``row`` becomes a row of ``array`` (rows, ...): row turn / every, of which the whole part (floor) counts. Before the
    first it is the first, after the last the last; nan is 0. ``row`` may be ``turn``, which is read before."""

    array: str
    turn: str
    row: str
    every: int = 1


@dataclass(frozen=True)
class Each:
    """The stages for each row of an array, the first ``count`` (a scalar of the workspace) or all; ``row`` holds it."""

    array: str
    row: str
    stages: tuple[Stage, ...]
    count: str | None = None


@dataclass(frozen=True)
class Repeat:
    """The stages so many times: a number, or a scalar of the workspace (of which the whole part counts, nan is 0). ``turn``
    holds the number of the turn, from 0; a turn that leaves ``until`` not zero is the last."""

    times: int | str
    stages: tuple[Stage, ...]
    turn: str | None = None
    until: str | None = None


@dataclass(frozen=True)
class When:
    """The stages if a scalar is anything but zero, else the others."""

    condition: str
    stages: tuple[Stage, ...]
    otherwise: tuple[Stage, ...] = ()


@dataclass(frozen=True)
class Newton:
    """``unknown`` -= ``correction``, which the stages make of it: at most ``steps`` times, until no entry of the
    correction is larger than ``tolerance``. A correction that is not finite ends it and is not made."""

    stages: tuple[Stage, ...]
    steps: int
    unknown: str = "x"
    correction: str = "dx"
    tolerance: float = 0.0


Stage = Run | Kernel | Fill | Copy | Collect | Record | Take | Each | Repeat | When | Newton


@dataclass(frozen=True, repr=False)
class Routine:
    """``notes`` are lines of prose for people: the first says in a few words what the routine does."""

    name: str
    inputs: tuple[Slot, ...]
    outputs: tuple[Slot, ...]
    stages: tuple[Stage, ...]
    notes: tuple[str, ...] = ()
    documentation: Documentation | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        taken, made = (", ".join(slot.name for slot in slots) for slots in (self.inputs, self.outputs))
        return brief(f"Routine {self.name!r:.60}: {taken} -> {made}, {len(self.stages)} stages")

    @property
    def state(self) -> tuple[Slot, ...]:
        """What goes in and comes out again."""
        made = {slot.name for slot in self.outputs}
        return tuple(slot for slot in self.inputs if slot.name in made)

    @cached_property
    def programs(self) -> tuple[Program, ...]:
        """Each once, in the order of use."""
        return tuple(dict.fromkeys(stage.program for stage in walk(self.stages) if isinstance(stage, Run)))

    @cached_property
    def parameter_symbols(self) -> tuple[Expr, ...]:
        """Those of all programs, each once, in the order of all models."""
        return tuple(sorted({s for program in self.programs for s in program.parameter_symbols}, key=parameter_order))

    @cached_property
    def operations(self) -> Operations:
        """What every call costs: the programs that run whatever happens, in loops of known length each time. What is
        guarded, what Newton iterates, and what kernels do is not in it."""
        return self._operations(self.stages)

    def _operations(self, stages: Sequence[Stage]) -> Operations:
        total = Operations()
        for stage in stages:
            match stage:
                case Run():
                    total += stage.program.operations
                case Repeat(times=int(times), until=None):
                    total += self._operations(stage.stages) * times
                case Each(count=None):
                    total += self._operations(stage.stages) * self.shape(stage.array)[0]
        return total

    @cached_property
    def precompute_operations(self) -> Operations:
        """What is done once for given parameters."""
        return sum((program.precompute_operations for program in self.programs), Operations())

    @cached_property
    def workspace(self) -> tuple[Slot, ...]:
        """Every array the stages make that is neither input nor output, in the order of first use."""
        outside = {slot.name for slot in (*self.inputs, *self.outputs)}
        return tuple(Slot(name, shape) for name, shape in self.looked_over[0].items() if name not in outside)

    @cached_property
    def looked_over(self) -> tuple[dict[str, Shape], list[str]]:
        """The shapes of what the stages make, and what is wrong with them."""
        from .routine_check import checked

        return checked(self)

    def shape(self, name: str) -> Shape:
        """Of an array of the workspace, inputs and outputs included."""
        given = {slot.name: slot.shape for slot in self.inputs}
        return given[name] if name in given else self.looked_over[0][name]

    def call(self, /, *, parameters: Mapping[str, float] | None = None, **inputs: Any) -> dict[str, Any]:
        """The outputs by name: by interpretation."""
        from .interpreter import interpreted

        return interpreted(self, dict(parameters or {}), inputs)


def newton(program: Program, steps: int, unknown: str = "x", tolerance: float = 0.0) -> Newton:
    """Newton's iteration with the correction that is the program's single output."""
    if len(program.outputs) != 1:
        raise ProgramError(
            f"program '{program.name}' has {len(program.outputs)} outputs, expected the correction alone"
        )
    return Newton((Run(program),), steps, unknown, program.outputs[0].name, tolerance)


def inner(stage: Stage) -> tuple[tuple[Stage, ...], ...]:
    """The lists of stages inside a stage."""
    match stage:
        case When():
            return stage.stages, stage.otherwise
        case Each() | Repeat() | Newton():
            return (stage.stages,)
        case _:
            return ()


def walk(stages: Sequence[Stage]) -> Iterator[Stage]:
    """Every stage, in the order written, those inside others too."""
    for stage in stages:
        yield stage
        for part in inner(stage):
            yield from walk(part)


def relabelled(stages: Sequence[Stage], label: Callable[[str], str]) -> tuple[Stage, ...]:
    """The stages with other names for the arrays they work on."""
    return tuple(_relabelled(stage, label) for stage in stages)


def _relabelled(stage: Stage, label: Callable[[str], str]) -> Stage:
    def named(name: str | None) -> str | None:
        return None if name is None else label(name)

    match stage:
        case Run():
            arrays = (*stage.program.inputs, *stage.program.outputs)
            places = {array.name: label(stage.place(array)) for array in arrays}
            return replace(stage, names={name: place for name, place in places.items() if place != name})
        case Kernel():
            return Kernel(stage.name, tuple(map(label, stage.inputs)), tuple(map(label, stage.outputs)))
        case Fill():
            return replace(stage, array=label(stage.array))
        case Copy():
            return Copy(label(stage.source), label(stage.target))
        case Collect():
            places = {key: label(getattr(stage, key)) for key in ("values", "where", "into", "count")}
            return replace(stage, **places)  # type: ignore[arg-type]
        case Record():
            return Record(label(stage.array), label(stage.into), label(stage.turn), stage.every)
        case Take():
            return Take(label(stage.array), label(stage.turn), label(stage.row), stage.every)
        case Each():
            return Each(label(stage.array), label(stage.row), relabelled(stage.stages, label), named(stage.count))
        case Repeat():
            times = label(stage.times) if isinstance(stage.times, str) else stage.times
            return Repeat(times, relabelled(stage.stages, label), named(stage.turn), named(stage.until))
        case When():
            parts = (relabelled(part, label) for part in (stage.stages, stage.otherwise))
            return When(label(stage.condition), *parts)
        case Newton():
            places = {key: label(getattr(stage, key)) for key in ("unknown", "correction")}
            return replace(stage, stages=relabelled(stage.stages, label), **places)  # type: ignore[arg-type]


def with_programs(routine: Routine, others: Mapping[Program, Program]) -> Routine:
    """The routine with other programs in place of its own."""
    return replace(routine, stages=_replaced(routine.stages, others))


def _replaced(stages: Sequence[Stage], others: Mapping[Program, Program]) -> tuple[Stage, ...]:
    found: list[Stage] = []
    for stage in stages:
        match stage:
            case Run():
                found.append(replace(stage, program=others[stage.program]))
            case When():
                parts = (_replaced(part, others) for part in (stage.stages, stage.otherwise))
                found.append(When(stage.condition, *parts))
            case Each() | Repeat() | Newton():
                found.append(replace(stage, stages=_replaced(stage.stages, others)))
            case _:
                found.append(stage)
    return tuple(found)


def routine_violations(routine: Routine) -> list[str]:
    """What is wrong with a routine; nothing, if it is sound."""
    from .routine_check import programs_checked

    return routine.looked_over[1] or programs_checked(routine)


def verified_routine(routine: Routine) -> Routine:
    """The routine itself, or a ProgramError listing what is wrong with it."""
    found = routine_violations(routine)
    if found:
        raise ProgramError(f"routine '{routine.name}' is not sound:\n  " + "\n  ".join(found[:20]))
    return routine
