"""Functions of time by polynomial pieces: one joint, or the way along a path. Joints together are a ``Trajectory``."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..reals import Floats
from .trajectory import Trajectory

SAME = 1e-13  # two times that differ by less of the duration are one


@dataclass(frozen=True)
class Pieces:
    """Polynomials of the time since the beginning of each piece; afterwards the last value."""

    times: Floats  # (pieces + 1,), from 0 on
    coefficients: Floats  # (pieces, degree + 1)

    @property
    def duration(self) -> float:
        return float(self.times[-1])

    @property
    def end(self) -> float:
        last, total = float(self.times[-1] - self.times[-2]), 0.0
        for coefficient in reversed(self.coefficients[-1].tolist()):
            total = total * last + coefficient
        return total

    @property
    def degree(self) -> int:
        return int(self.coefficients.shape[1]) - 1

    def stretched(self, duration: float) -> Pieces:
        """The same motion in another duration."""
        by = duration / self.duration
        powers = np.arange(self.degree + 1)
        return Pieces(np.append(self.times[:-1] * by, duration), self.coefficients / by**powers)

    def scaled(self, by: float, onto: float) -> Pieces:
        """onto + by r(t)."""
        own = self.coefficients * by
        own[:, 0] += onto
        return Pieces(self.times, own)

    def refined(self, times: Floats, degree: int) -> Floats:
        """The coefficients over finer pieces, which begin at ``times`` without the last."""
        middle = (times[:-1] + times[1:]) / 2
        piece = np.clip(np.searchsorted(self.times, middle, side="right") - 1, 0, len(self.coefficients) - 1)
        own = np.zeros((len(middle), degree + 1))
        own[:, : self.degree + 1] = moved(self.coefficients[piece], times[:-1] - self.times[piece])
        own[middle > self.duration] = [self.end, *[0.0] * degree]
        return own


def moved(coefficients: Floats, by: Floats) -> Floats:
    """Polynomials of t, by rows, as such of t - by (Horner's scheme for all powers)."""
    own = coefficients.copy()
    top = own.shape[1] - 1
    for lowest in range(top):
        for power in range(top - 1, lowest - 1, -1):
            own[:, power] += by * own[:, power + 1]
    return own


def phased(start: Sequence[float], lengths: Floats, rates: Floats) -> Pieces:
    """Phases in which the highest derivative is constant, from a position and its derivatives below that one on."""
    state, found, times = [float(x) for x in start], [], [0.0]
    for length, rate in zip(lengths.tolist(), rates.tolist(), strict=True):
        if length <= 0:
            continue
        derivatives = [*state, rate]
        found.append([x / math.factorial(power) for power, x in enumerate(derivatives)])
        times.append(times[-1] + length)
        for order in range(len(state)):  # Taylor's series, which ends
            total = 0.0
            for power in range(len(state) - order, -1, -1):
                total = total * length + derivatives[order + power] / math.factorial(power)
            state[order] = total
    if not found:
        found, times = [[x / math.factorial(power) for power, x in enumerate([*state, 0.0])]], [0.0, 0.0]
    return Pieces(np.array(times), np.array(found))


def common_times(every: Sequence[Floats], duration: float) -> Floats:
    """All times of several functions up to a duration; those that are the same but for rounding once."""
    merged = np.sort(np.concatenate([*every, [0.0, duration]]))
    merged = merged[merged <= duration]
    kept = [0.0]
    for t in merged.tolist():
        if t - kept[-1] > SAME * duration:
            kept.append(t)
    kept[-1] = duration
    return np.array(kept if len(kept) > 1 else [0.0, duration])


def mean(a: Pieces, b: Pieces, part: float) -> Pieces:
    """part a + (1 - part) b."""
    times = common_times([a.times, b.times], max(a.duration, b.duration))
    degree = max(a.degree, b.degree)
    return Pieces(times, part * a.refined(times, degree) + (1 - part) * b.refined(times, degree))


def together(joints: tuple[str, ...], every: Sequence[Pieces], name: str, duration: float | None = None) -> Trajectory:
    """The joints as one trajectory."""
    lasting = max(one.duration for one in every) if duration is None else duration
    times = common_times([one.times for one in every], lasting)
    degree = max(one.degree for one in every)
    return Trajectory(joints, times, np.stack([one.refined(times, degree) for one in every], axis=-1), name)
