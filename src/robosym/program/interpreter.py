"""Routines run stage by stage on NumPy arrays: the reference that printers and the compiled routines are compared with."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from .kernels import KERNELS, whole
from .program import ProgramError
from .routine import Collect, Copy, Each, Fill, Kernel, Newton, Record, Repeat, Routine, Run, Stage, Take, When


def interpreted(routine: Routine, parameters: Mapping[str, float], inputs: Mapping[str, Any]) -> dict[str, Any]:
    """The outputs of a routine by name."""
    import numpy as np

    from ..reals import real_array

    unknown = [name for name in inputs if name not in {slot.name for slot in routine.inputs}]
    if unknown:
        names = ", ".join(slot.name for slot in routine.inputs)
        raise ProgramError(f"unknown input {', '.join(map(repr, unknown))} (inputs: {names})")
    run = Interpreter(parameters)
    for slot in routine.inputs:
        if slot.name not in inputs and slot.size:
            raise ProgramError(f"input '{slot.name}' of shape {slot.shape} is not given")
        data = real_array(f"input '{slot.name}'", inputs.get(slot.name, np.empty(slot.shape)), ProgramError).copy()
        if data.shape != slot.shape:
            raise ProgramError(f"input '{slot.name}' has shape {data.shape}, expected {slot.shape}")
        run.arrays[slot.name] = data
    with np.errstate(all="ignore"):
        run.all(routine.stages)
    return {slot.name: np.array(run.arrays[slot.name]) for slot in routine.outputs}  # one may be a copy of another


class Interpreter:
    """Arrays are never changed in place: a stage puts new ones in their places."""

    def __init__(self, parameters: Mapping[str, float]) -> None:
        self.parameters = parameters
        self.arrays: dict[str, Any] = {}

    def all(self, stages: Sequence[Stage]) -> None:
        for stage in stages:
            self.one(stage)

    def truth(self, name: str) -> bool:
        return float(self.arrays[name]) != 0.0

    def one(self, stage: Stage) -> None:
        import numpy as np

        match stage:
            case Run():
                taken = {array.name: self.arrays[stage.place(array)] for array in stage.program.inputs}
                made = stage.program.interpreted(self.parameters, taken)
                for array in stage.program.outputs:
                    self.arrays[stage.place(array)] = made[array.name]
            case Kernel():
                results = KERNELS[stage.name].reference(*(self.arrays[name] for name in stage.inputs))
                self.arrays.update(zip(stage.outputs, results, strict=True))
            case Fill():
                self.arrays[stage.array] = np.full(stage.shape, float(stage.value))
            case Copy():
                self.arrays[stage.target] = self.arrays[stage.source]
            case Collect():
                self.collect(stage)
            case Record():
                self.record(stage)
            case Take():
                rows = self.arrays[stage.array]
                place = whole(self.arrays[stage.turn] / stage.every, len(rows) - 1)
                self.arrays[stage.row] = rows[place].copy()
            case Each():
                rows = self.arrays[stage.array]
                most = len(rows) if stage.count is None else whole(self.arrays[stage.count], len(rows))
                for row in rows[:most]:
                    self.arrays[stage.row] = row.copy()
                    self.all(stage.stages)
            case Repeat():
                self.repeat(stage)
            case When():
                self.all(stage.stages if self.truth(stage.condition) else stage.otherwise)
            case Newton():
                self.newton(stage)

    def collect(self, stage: Collect) -> None:
        import numpy as np

        into = self.arrays[stage.into].copy()
        total = whole(self.arrays[stage.count], len(into))
        kept = into.reshape(len(into), math.prod(into.shape[1:]))
        wanted = np.reshape(self.arrays[stage.where], -1) != 0.0
        for row in np.reshape(self.arrays[stage.values], (len(wanted), kept.shape[1]))[wanted]:
            if total < len(into) and not (stage.within and _is_there(stage, kept[:total], row)):
                kept[total] = row
                total += 1
        self.arrays[stage.into], self.arrays[stage.count] = kept.reshape(into.shape), np.array(float(total))

    def record(self, stage: Record) -> None:
        place = float(self.arrays[stage.turn]) / stage.every
        into = self.arrays[stage.into].copy()
        if 0 <= place < len(into) and place == math.floor(place):
            into[int(place)] = self.arrays[stage.array]
        self.arrays[stage.into] = into

    def repeat(self, stage: Repeat) -> None:
        import numpy as np

        times = stage.times if isinstance(stage.times, int) else float(self.arrays[stage.times])
        turn = 0
        while turn + 1 <= times:
            if stage.turn is not None:
                self.arrays[stage.turn] = np.array(float(turn))
            self.all(stage.stages)
            if stage.until is not None and self.truth(stage.until):
                return
            turn += 1

    def newton(self, stage: Newton) -> None:
        import numpy as np

        for _ in range(stage.steps):
            self.all(stage.stages)
            correction = self.arrays[stage.correction]
            if not np.isfinite(correction).all():
                return
            self.arrays[stage.unknown] = self.arrays[stage.unknown] - correction
            if np.abs(correction).max(initial=0.0) <= stage.tolerance:
                return


def _is_there(stage: Collect, kept: Any, row: Any) -> bool:
    import numpy as np

    apart = np.abs(kept - row)
    turn = 2 * math.pi
    apart = np.where(stage.turns or False, np.abs(apart - turn * np.floor(apart / turn + 0.5)), apart)
    return bool((apart <= stage.within).all(axis=1).any())
