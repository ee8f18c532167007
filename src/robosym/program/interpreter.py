"""Routines run stage by stage on NumPy arrays: the reference that printers and the compiled routines are compared with."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from .kernels import KERNELS
from .routine import COUNT, Each, Emit, Kernel, Newton, Routine, Run, Stage, When


class Interpreter:
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
