"""What a sound routine is: names are defined before use, shapes agree, and its programs are sound."""

from __future__ import annotations

import math
from collections.abc import Sequence

from .kernels import KERNELS, Shape
from .routine import Collect, Copy, Each, Fill, Kernel, Newton, Record, Repeat, Routine, Run, Stage, Take, When
from .verify import violations as program_violations

DEEPEST = 60  # stages inside each other
MOST_ENTRIES = 2**31 - 1  # of an array, and most steps of Newton: what counts them may have 32 bits
MOST_TURNS = 2**53  # a turn is a double, which holds whole numbers up to this one


def checked(routine: Routine) -> tuple[dict[str, Shape], list[str]]:
    """The shapes of what the stages make, and what is wrong."""
    check = _Check(routine)
    check.all(routine.stages)
    check.outputs()
    return check.made, check.found


def programs_checked(routine: Routine) -> list[str]:
    """What is wrong with its programs."""
    return [f"program '{one.name}': {problem}" for one in routine.programs for problem in program_violations(one)]


class _Check:
    """``known`` are the arrays that are surely there, ``made`` all that any stage writes, ``fixed`` the inputs that none may."""

    def __init__(self, routine: Routine) -> None:
        self.routine = routine
        self.found: list[str] = []
        self.written: list[str] = []  # one after the other
        self.depth = 0
        self.made: dict[str, Shape] = {slot.name: slot.shape for slot in routine.state}
        self.known: dict[str, Shape] = {slot.name: slot.shape for slot in routine.inputs}
        self.fixed = {slot.name for slot in routine.inputs} - self.made.keys()
        for what, slots in (("inputs", routine.inputs), ("outputs", routine.outputs)):
            if len({slot.name for slot in slots}) < len(slots):
                self.found.append(f"the names of {what} must differ from each other")
            for slot in slots:
                self.fits(slot.name, slot.shape)
        if not routine.outputs:
            self.found.append("there is no output")

    def outputs(self) -> None:
        for slot in self.routine.outputs:
            self.use(slot.name, slot.shape, "an output")

    def all(self, stages: Sequence[Stage]) -> None:
        self.depth += 1
        if stages and self.depth > DEEPEST:
            self.found.append(f"more than {DEEPEST} stages inside each other")
        else:
            for stage in stages:
                self.one(stage)
        self.depth -= 1

    def use(self, name: str, shape: Shape | None, by: str) -> Shape | None:
        if name not in self.known:
            self.found.append(f"{by} uses '{name}' before it is defined")
            return None
        if shape is not None and self.known[name] != shape:
            self.found.append(f"{by} expects '{name}' of shape {shape}, it is of shape {self.known[name]}")
        return self.known[name]

    def fits(self, name: str, shape: Shape) -> None:
        if not all(type(length) is int and length >= 0 for length in shape):
            self.found.append(f"'{name}' of shape {shape}: expected whole numbers of at least 0")
        elif math.prod(shape) > MOST_ENTRIES:
            self.found.append(f"'{name}' of shape {shape} has more than {MOST_ENTRIES} entries")

    def whole(self, what: str, number: object, least: int, most: int) -> None:
        if type(number) is not int or not least <= number <= most:
            self.found.append(f"{what} must be a whole number from {least} to {most}")

    def define(self, name: str, shape: Shape, by: str) -> None:
        self.written.append(name)
        if name not in self.made:
            self.fits(name, shape)
        if name in self.fixed:
            self.found.append(f"{by} writes over '{name}', which is given")
        elif self.made.setdefault(name, shape) != shape:
            self.found.append(f"{by} makes '{name}' of shape {shape}, it is of shape {self.made[name]}")
        self.known.setdefault(name, shape)

    def apart(self, by: str, *names: str) -> None:
        """What is written must not be what is read."""
        if len(set(names)) < len(names):
            self.found.append(f"{by}: {', '.join(map(repr, names))} must be different arrays")

    def change(self, name: str, by: str) -> None:
        """An array that is there is changed."""
        if name in self.known:
            self.define(name, self.known[name], by)

    def one(self, stage: Stage) -> None:
        match stage:
            case Run():
                self.run(stage)
            case Kernel():
                self.kernel(stage)
            case Fill():
                self.define(stage.array, stage.shape, "Fill")
            case Copy():
                self.apart("Copy", stage.source, stage.target)
                shape = self.use(stage.source, None, "Copy")
                if shape is not None:
                    self.define(stage.target, shape, "Copy")
            case Collect():
                self.collect(stage)
            case Record():
                self.record(stage)
            case Take():
                self.take(stage)
            case Each():
                self.each(stage)
            case Repeat():
                self.repeat(stage)
            case When():
                self.use(stage.condition, (), "When")
                before = dict(self.known)
                self.all(stage.stages)
                then, self.known = self.known, before
                self.all(stage.otherwise)
                self.known = {name: shape for name, shape in self.known.items() if name in then}
            case Newton():
                self.newton(stage)

    def run(self, stage: Run) -> None:
        by = f"program '{stage.program.name}'"
        arrays = {array.name for array in (*stage.program.inputs, *stage.program.outputs)}
        self.found += [f"{by} has no array '{name}'" for name in stage.names if name not in arrays]
        for array in stage.program.inputs:
            self.use(stage.place(array), array.shape, by)
        self.apart(by, *map(stage.place, stage.program.outputs))
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
        self.apart(by, *dict.fromkeys(stage.inputs), *stage.outputs)
        for name, shape in zip(stage.outputs, made, strict=True):
            self.define(name, shape, by)

    def collect(self, stage: Collect) -> None:
        into, values = (self.use(name, None, "Collect") for name in (stage.into, stage.values))
        self.use(stage.count, (), "Collect")
        self.apart("Collect", stage.into, stage.count, *dict.fromkeys((stage.values, stage.where)))
        for name in (stage.into, stage.count):
            self.change(name, "Collect")
        if into is None or values is None:
            return
        rows = () if values == into[1:] else values[:1]
        if not into or values != (*rows, *into[1:]):
            self.found.append(f"Collect: '{stage.values}' of shape {values} are no rows of '{stage.into}' {into}")
        self.use(stage.where, rows, "Collect")
        size = math.prod(into[1:])
        for what, entries in (("within", stage.within), ("turns", stage.turns)):
            if entries and len(entries) != size:
                self.found.append(f"Collect: {what} has {len(entries)} entries, expected none or {size}")
        if not all(map(math.isfinite, stage.within)):
            self.found.append(f"Collect: within is {stage.within}, expected finite numbers")

    def record(self, stage: Record) -> None:
        into, shape = (self.use(name, None, "Record") for name in (stage.into, stage.array))
        self.use(stage.turn, (), "Record")
        self.apart("Record", stage.into, *dict.fromkeys((stage.array, stage.turn)))
        self.change(stage.into, "Record")
        if into is not None and shape is not None and (not into or into[1:] != shape):
            self.found.append(f"Record: '{stage.array}' of shape {shape} is no row of '{stage.into}' {into}")
        self.whole("Record: every", stage.every, 1, MOST_TURNS)

    def take(self, stage: Take) -> None:
        shape = self.use(stage.array, None, "Take")
        self.use(stage.turn, (), "Take")
        self.apart("Take", stage.array, stage.row)
        self.whole("Take: every", stage.every, 1, MOST_TURNS)
        if shape is None:
            return
        if not shape or shape[0] == 0:
            self.found.append(f"Take: '{stage.array}' of shape {shape} has no rows, expected at least one")
        self.define(stage.row, shape[1:], "Take")

    def each(self, stage: Each) -> None:
        shape = self.use(stage.array, None, "Each")
        if stage.count is not None:
            self.use(stage.count, (), "Each")
        if not shape:
            self.found += [f"Each: '{stage.array}' is a scalar and has no rows"] if shape == () else []
            return
        before, start = dict(self.known), len(self.written)
        self.define(stage.row, shape[1:], "Each")
        self.all(stage.stages)
        self.known = before
        self.unchanged("Each", {stage.array, stage.count or stage.array}, start)

    def repeat(self, stage: Repeat) -> None:
        if isinstance(stage.times, str):
            self.use(stage.times, (), "Repeat")
        else:
            self.whole("Repeat: times", stage.times, 0, MOST_TURNS)
        before, start = dict(self.known), len(self.written)
        if stage.turn is not None:
            self.define(stage.turn, (), "Repeat")
        begun = len(self.written)
        self.all(stage.stages)
        if stage.until is not None:
            self.use(stage.until, (), "Repeat")
        if isinstance(stage.times, str) or stage.times == 0:  # perhaps there is no turn
            self.known = before
        if isinstance(stage.times, str):
            self.unchanged("Repeat", {stage.times}, start)
        if stage.turn is not None:
            self.unchanged("Repeat", {stage.turn}, begun)

    def unchanged(self, by: str, names: set[str], since: int) -> None:
        for name in sorted(names.intersection(self.written[since:])):
            self.found.append(f"{by}: its stages change '{name}', which says what it goes over")

    def newton(self, stage: Newton) -> None:
        shape = self.use(stage.unknown, None, "Newton")
        if shape is not None:
            self.define(stage.unknown, shape, "Newton")
        self.all(stage.stages)  # one step is always made
        self.use(stage.correction, shape, "Newton")
        if stage.unknown == stage.correction:
            self.found.append(f"Newton: '{stage.unknown}' is the unknown and its correction, expected two arrays")
        self.whole("Newton: steps", stage.steps, 1, MOST_ENTRIES)
