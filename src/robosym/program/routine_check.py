"""What a sound routine is: names are defined before use, shapes agree, and its programs are sound."""

from __future__ import annotations

import math
from collections.abc import Sequence

from .kernels import KERNELS, Shape
from .routine import COUNT, Each, Emit, Kernel, Newton, Routine, Run, Stage, When, walk
from .verify import violations as program_violations


def checked(routine: Routine) -> tuple[dict[str, Shape], list[str]]:
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
