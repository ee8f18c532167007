"""One joint from velocity to velocity with limits of velocity and acceleration: the motions that go farthest in a given time.

Upwards the acceleration is +A 0 -A: up to a velocity, which may stay there at its limit, and down. Units of time and length are
such that the limit of acceleration is 1; downwards is upwards in a mirror (compare ``jerk_limited``).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from .jerk_limited import EXACT, SLACK, Phases

ACCELERATIONS = (1.0, 0.0, -1.0)


@dataclass(frozen=True)
class AccelerationLimited:
    distance: float
    v0: float
    vf: float
    top: float  # the limit of velocity

    rates = ACCELERATIONS
    order = 2

    @property
    def mirrored(self) -> AccelerationLimited:
        return AccelerationLimited(-self.distance, -self.v0, -self.vf, self.top)

    @property
    def possible(self) -> bool:
        return max(abs(self.v0), abs(self.vf)) <= self.top * (1 + 1e-14)

    def travelled(self, phases: Phases) -> float:
        up, stay, down = phases
        peak = self.v0 + up
        return up * (self.v0 + up / 2) + stay * peak + down * (peak - down / 2)

    def farthest(self, time: float) -> Phases | None:
        """The phases that go farthest upwards in a time; None if the end cannot be reached in it at all."""
        peak = (time + self.v0 + self.vf) / 2
        if peak > self.top:
            return self._to(self.top, time - (self.top - self.v0) - (self.top - self.vf))
        return self._to(peak)

    def reaching(self) -> list[Phases]:
        """All motions upwards of this form over the distance."""
        square = self.distance + (self.v0**2 + self.vf**2) / 2
        stay = (square - self.top**2) / self.top
        tried = [self._to(self.top, stay)]
        if square >= 0:
            tried += [self._to(peak) for peak in (math.sqrt(square), -math.sqrt(square))]
        size = 1 + abs(self.distance) + self.top**2
        return [p for p in tried if p is not None and abs(self.travelled(p) - self.distance) <= EXACT * size]

    def corners(self) -> Iterator[float]:
        """The time at which the change of velocity becomes possible."""
        yield abs(self.vf - self.v0)

    def _to(self, peak: float, stay: float = 0.0) -> Phases | None:
        phases = (peak - self.v0, stay, peak - self.vf)
        if min(phases) < -SLACK * (1 + max(phases)) or peak > self.top * (1 + SLACK):
            return None
        return tuple(max(0.0, t) for t in phases)
