"""When a joint can be at its end, and how it gets there at a given time.

The limits are convex and the equations of motion linear: a mean of two motions with the same states at both ends is one again,
and keeps the limits. So the distances that can be travelled in a time T are all those between the farthest upwards and the
farthest downwards, and the motion over any of them is the mean of these two. The times T at which a distance is possible are
intervals, whose ends are motions farthest upwards or downwards over exactly that distance (and where the change of velocity
becomes possible). Between two such times that follow each other all are possible or none: what is not is a blocked interval.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .acceleration_limited import AccelerationLimited
from .jerk_limited import JerkLimited, Phases
from .pieces import Pieces, mean, phased

SAME = 1e-12  # two times that differ by less of themselves are one

Interval = tuple[float, float]


@dataclass(frozen=True)
class Reachable:
    """One joint from state to state: a problem in units of its own, and these units."""

    problem: JerkLimited | AccelerationLimited
    start: float
    second: float  # one unit of time, in seconds
    metre: float  # one unit of length, in radians or metres

    @cached_property
    def fastest(self) -> dict[float, tuple[Phases, float]]:
        """The motions that are farthest in their time and travel the distance, by that time: phases, and up (1) or down (-1)."""
        up = [(sum(p), (p, 1.0)) for p in self.problem.reaching()]
        down = [(sum(p), (p, -1.0)) for p in self.problem.mirrored.reaching()]
        return dict(sorted([*up, *down]))

    @cached_property
    def intervals(self) -> list[Interval]:
        """The times at which the end can be reached, in seconds, ascending; the last has no end."""
        marks = sorted({*self.fastest, *(t for t in self.problem.corners() if t > 0)})
        found: list[Interval] = [(t, t) for t in self.fastest]
        for t, after in zip(marks, [*marks[1:], math.inf], strict=True):
            inside = (t + after) / 2 if after < math.inf else 2 * t + 1
            if after > t * (1 + SAME) and self._possible(inside):
                found.append((t, after))
        return [(a * self.second, b * self.second) for a, b in _joined(found)]

    def _possible(self, time: float) -> bool:
        up, down = self.problem.farthest(time), self.problem.mirrored.farthest(time)
        if up is None or down is None:
            return False
        return -self.problem.mirrored.travelled(down) <= self.problem.distance <= self.problem.travelled(up)

    def lasting(self, duration: float) -> Pieces:
        """The motion of a duration, which is in one of the intervals."""
        time = duration / self.second
        for own, (phases, sign) in self.fastest.items():
            if abs(own - time) <= SAME * (1 + time):
                return self._pieces(phases, sign)
        up, down = self.problem.farthest(time), self.problem.mirrored.farthest(time)
        if up is None or down is None:  # at the very end of an interval, by rounding
            nearest = min(self.fastest, key=lambda own: abs(own - time))
            return self._pieces(*self.fastest[nearest])
        high, low = self.problem.travelled(up), -self.problem.mirrored.travelled(down)
        part = 0.5 if high <= low else min(1.0, max(0.0, (self.problem.distance - low) / (high - low)))
        if part in (0.0, 1.0):
            return self._pieces(up if part else down, 1.0 if part else -1.0)
        return self._met(mean(self._pieces(up, 1.0), self._pieces(down, -1.0), part))

    def _pieces(self, phases: Phases, sign: float) -> Pieces:
        """Integrated from the start, in seconds and radians or metres."""
        problem, s, m = self.problem, self.second, self.metre
        first = [self.start, problem.v0 * m / s]
        if isinstance(problem, JerkLimited):
            first.append(problem.a0 * m / s**2)
        rate = m / s**problem.order
        return self._met(phased(first, np.array(phases) * s, sign * rate * np.array(problem.rates)))

    def _met(self, found: Pieces) -> Pieces:
        """Rounding along a long way, taken out evenly where the velocity changes by no more than its own rounding."""
        missing = self.start + self.problem.distance * self.metre - found.end
        if not abs(missing) <= 2e-13 * found.duration * self.problem.top * self.metre / self.second:
            return found
        own, rate = found.coefficients.copy(), missing / max(found.duration, 1e-300)
        own[:, 0] += rate * found.times[:-1]
        own[:, 1] += rate
        return Pieces(found.times, own)


def jerk_limited(
    D: float, q0: float, v: Interval, a: Interval, velocity: float, acceleration: float, jerk: float
) -> Reachable:
    """From (q0, v[0], a[0]) over D to velocity v[1] and acceleration a[1]."""
    s, m = acceleration / jerk, acceleration**3 / jerk**2
    problem = JerkLimited(D / m, v[0] * s / m, a[0] / acceleration, v[1] * s / m, a[1] / acceleration, velocity * s / m)
    return Reachable(problem, q0, s, m)


def acceleration_limited(D: float, q0: float, v: Interval, velocity: float, acceleration: float) -> Reachable:
    """From (q0, v[0]) over D to velocity v[1]."""
    s = velocity / acceleration  # of time; the unit of length is such that the limit of velocity is 1 too
    problem = AccelerationLimited(D / (velocity * s), v[0] / velocity, v[1] / velocity, 1.0)
    return Reachable(problem, q0, s, velocity * s)


def common(sets: list[list[Interval]]) -> list[Interval]:
    """The times that are in every one of some lists of intervals."""
    found = [(0.0, math.inf)]
    for own in sets:
        found = [
            (max(a, c), min(b, d))
            for a, b in found
            for c, d in own
            if max(a, c) <= min(b, d) * (1 + SAME)  # which may be a point
        ]
    return sorted(found)


def _joined(intervals: list[Interval]) -> list[Interval]:
    """Ascending, those that touch as one."""
    found: list[Interval] = []
    for a, b in sorted(intervals):
        if found and a <= found[-1][1] * (1 + SAME):
            found[-1] = (found[-1][0], max(b, found[-1][1]))
        else:
            found.append((a, b))
    return found
