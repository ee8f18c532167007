"""Polynomials with velocities (cubic) and accelerations (quintic) at both ends: the least duration within the limits.

With velocities at the ends the limits may be kept by some durations, by no shorter and perhaps by no longer ones: the durations are
searched from the shortest that could be, and the first that keeps all limits is narrowed down to the last digits.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..reals import Floats
from .extremes import largest
from .trajectory import Trajectory

LONGEST = 1e4  # times the shortest duration that could be
TRIED = 2000
PARTS = 64  # into which what is left is divided, until there is no double between
QUINTIC = np.linalg.inv(
    np.array([[1.0, 1, 1], [3, 4, 5], [6, 12, 20]])
)  # of powers 3 to 5 at the end, and two derivatives
CUBIC = np.linalg.inv(np.array([[1.0, 1], [2, 3]]))


@dataclass(frozen=True)
class Ends:
    """The states of all joints at both ends; accelerations None: a cubic, which does not have them."""

    q0: Floats
    qf: Floats
    v0: Floats
    vf: Floats
    a0: Floats | None = None
    af: Floats | None = None

    def alone(self, j: int) -> Ends:
        """One joint of them."""
        parts = (self.q0, self.qf, self.v0, self.vf, self.a0, self.af)
        return Ends(*(None if x is None else x[j : j + 1] for x in parts))  # type: ignore[arg-type]

    def coefficients(self, T: float) -> Floats:
        """Of the powers of t, (degree + 1, n)."""
        scaled = self._scaled(np.array([T]))[0]
        found: Floats = scaled / T ** np.arange(len(scaled))[:, None]
        return found

    def _scaled(self, T: Floats) -> Floats:
        """Of the powers of t / T for many T, (durations, degree + 1, n)."""
        t = T[:, None]
        D = np.broadcast_to(self.qf - self.q0, (len(T), len(self.q0)))
        first = self.v0 * t
        if self.a0 is None or self.af is None:
            ends = np.stack([D - first, self.vf * t - first], axis=1)
            return np.concatenate([np.broadcast_to(self.q0, D.shape)[:, None], first[:, None], CUBIC @ ends], axis=1)
        second = self.a0 * t * t / 2
        ends = np.stack([D - first - second, self.vf * t - first - 2 * second, self.af * t * t - 2 * second], axis=1)
        start = np.stack([np.broadcast_to(self.q0, D.shape), first, second], axis=1)
        return np.concatenate([start, QUINTIC @ ends], axis=1)

    def excess(self, T: Floats, limits: tuple[Floats, ...]) -> Floats:
        """How many times its limit a derivative reaches at most, by joint: (durations, n)."""
        own = self._scaled(T)
        worst = np.zeros((len(T), len(self.q0)))
        for order, bound in enumerate(limits, 1):
            own = own[:, 1:] * np.arange(1, own.shape[1])[None, :, None]
            if np.isfinite(bound).any() and own.shape[1]:
                worst = np.maximum(worst, largest(own) / T[:, None] ** order / bound)
        return worst

    def least(self, limits: tuple[Floats, ...]) -> tuple[float | None, int]:
        """The least duration within the limits, or None, and the joint that is in the way of a shorter one."""
        V = limits[0]
        bound = np.maximum(np.abs(self.qf - self.q0) / V, np.abs(self.vf - self.v0) / limits[1])
        shortest = float(np.max(bound))
        if shortest == 0:  # nothing to do, but accelerations to pass through or velocities to come back to
            rest = self.a0 is None or self.af is None or np.array_equal(self.a0, self.af)
            if rest:
                return 0.0, 0
            shortest = 1e-3
        tried = shortest * np.geomspace(1 - 1e-12, LONGEST, TRIED)
        excess = self.excess(tried, limits)
        good = np.flatnonzero((excess <= 1).all(axis=1))
        if not good.size:
            return None, int(np.argmax(excess.min(axis=0)))
        k = int(good[0])
        if k == 0:
            return float(tried[0]), int(np.argmax(excess[0]))
        worst = int(np.argmax(excess[k - 1]))
        bad, fine = float(tried[k - 1]), float(tried[k])
        while True:  # between the two, many at a time
            between = np.linspace(bad, fine, PARTS + 1)[1:-1]
            between = between[(between > bad) & (between < fine)]
            if not between.size:
                return fine, worst
            keeps = (self.excess(between, limits) <= 1).all(axis=1)
            first = int(np.argmax(keeps)) if keeps.any() else len(between)
            bad, fine = (
                bad if first == 0 else float(between[first - 1]),
                fine if first == len(between) else float(between[first]),
            )

    def trajectory(self, joints: tuple[str, ...], duration: float, name: str) -> Trajectory:
        if duration == 0:
            parts = [self.q0, self.v0] if self.a0 is None else [self.q0, self.v0, self.a0 / 2]
            return Trajectory(joints, np.zeros(2), np.stack(parts)[None], name)
        return Trajectory(joints, np.array([0.0, duration]), self.coefficients(duration)[None], name)
