"""The instants of a simulation: its periods, the steps within them, and which are recorded."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..control.law import Law
from ..reals import Floats
from . import references
from .plant import Plant, SimulationError

MOST_TICKS = 100_000_000
MOST_BYTES = 2**28  # of the arrays that are recorded, unless every tick is asked for


@dataclass(frozen=True)
class Grid:
    """The instants of a simulation."""

    ticks: int
    period: float
    substeps: int
    step: float
    every: int

    @property
    def recorded(self) -> Any:
        """The ticks that are recorded; the end is one of them."""
        found = np.arange(0, self.ticks, self.every)
        return np.append(found, self.ticks)

    def times(self, first: int, last: int) -> Floats:
        return np.asarray(np.arange(first, last) * self.period, dtype=float)


def lasting(given: float | None, moves: list[Any]) -> float:
    """The duration that is given, or that of the longest motion."""
    if given is not None:
        return float(given)
    found = [references.duration_of(move) for move in moves]
    if any(x is None or x <= 0 for x in found):
        raise SimulationError("duration: expected seconds; only motions that end have one of their own")
    return max(x for x in found if x is not None)


def grid_of(duration: float, step: float, law: Law | None, runs: int, every: int | None, plant: Plant) -> Grid:
    """Of so many runs as many instants are recorded as fit into memory, unless ``every`` says which."""
    period = float(step) if law is None else law.period
    substeps = round(period / step)
    if substeps < 1 or abs(substeps * step - period) > 1e-9 * period:
        raise SimulationError(
            f"step: {step:g} s does not divide the period of the law, {period:g} s: expected it or a whole part of it"
        )
    ticks = max(1, math.ceil(duration / period - 1e-9))
    if ticks > MOST_TICKS:
        raise SimulationError(f"duration: {duration:g} s are {ticks} periods, expected at most {MOST_TICKS}")
    width = 8 * (ticks + 1) * runs * sum(slot.size for slot in plant.slots) * 2
    return Grid(ticks, period, substeps, period / substeps, every or max(1, math.ceil(width / MOST_BYTES)))
