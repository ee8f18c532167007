"""What a motion does to a robot beyond its joints' positions: torques, and where its points are. Measured, penalised, proved.

Position, velocity and acceleration are linear in the motion and are bounded at all times (``Motion.ranges``). Torques and points
are not: they are measured on a grid of a thousand samples for each wave, and what they may do between two samples is bounded by
h^2/8 times twice the largest second difference found. Friction jumps where a joint turns around: there it counts with both signs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...brief import one_line
from ...reals import Floats
from .criterion import Numeric, States, pulled_back
from .limits import JointLimits
from .motions import PROOF, Motion

RESERVE = 0.03  # what the search leaves of each limit, as a part of it
CAUTION = 2.0  # second differences found on the grid are taken this many times
SLOW = 1e-9  # speeds at which friction is that of a joint about to turn around


@dataclass(frozen=True, repr=False)
class Margin:
    """How far a motion stays from a limit where it comes nearest to it."""

    __repr__ = one_line

    limit: str  # position, velocity, acceleration, torque, box or height
    what: str  # the joint, or the frame and the axis
    margin: float
    unit: str


@dataclass(frozen=True)
class Quantity:
    """Numbers of a state that must stay between bounds. ``smooth`` has no jumps; with ``friction`` it is the whole."""

    limit: str
    labels: tuple[str, ...]
    unit: str
    lower: Floats  # (m,)
    upper: Floats
    smooth: Numeric
    friction: Numeric | None = None

    @property
    def size(self) -> Floats:
        """What a violation is measured by: a limit, or the width of the box (1 where it is open)."""
        half = (self.upper - self.lower) / 2
        return np.where(np.isfinite(half), half, 1.0)

    def extremes(self, states: States) -> tuple[Floats, Floats, bool]:
        """The lowest and the highest values along a motion sampled densely, each (m,), and whether there are any."""
        smooth, there = self.smooth(states)
        if not there.all():
            return np.full(self.lower.shape, -np.inf), np.full(self.lower.shape, np.inf), False
        beyond = CAUTION / 8 * np.abs(np.diff(smooth, 2, axis=0)).max(axis=0)
        low, high = np.minimum(smooth[1:], smooth[:-1]), np.maximum(smooth[1:], smooth[:-1])
        if self.friction is not None:
            q, qd, qdd = states
            lost = self.friction(states)[0] - smooth
            least, most = np.minimum(lost[1:], lost[:-1]), np.maximum(lost[1:], lost[:-1])
            turning = (np.sign(qd[1:]) != np.sign(qd[:-1])).any(axis=1)
            at = (q[1:][turning], np.full_like(qd[1:][turning], SLOW), 0 * qdd[1:][turning])
            for way in (1, -1) if turning.any() else ():
                here = (at[0], way * at[1], at[2])
                about = self.friction(here)[0] - self.smooth(here)[0]
                least[turning], most[turning] = np.minimum(least[turning], about), np.maximum(most[turning], about)
            low, high = low + least, high + most
        return low.min(axis=0) - beyond, high.max(axis=0) + beyond, True

    def violation(self, values: Floats, reserve: float = 0.0) -> Floats:
        """How far values (..., m) are beyond the bounds, in sizes; with the sign of the bound."""
        shift = reserve * self.size
        over = np.maximum(values - (self.upper - shift), 0.0)
        under = np.minimum(values - (self.lower + shift), 0.0)
        return np.asarray((over + under) / self.size)

    def named(self, states: States) -> str:
        """The limit, and which of its joints or points are beyond it at all of the states."""
        values, _ = (self.friction or self.smooth)(states)
        always = (self.violation(values, RESERVE) != 0).all(axis=0)
        which = ", ".join(label for label, one in zip(self.labels, always, strict=True) if one)
        return f"{self.limit} ({which})" if which else self.limit

    def margins(self, states: States) -> Margin:
        low, high, there = self.extremes(states)
        if not there:
            return Margin(self.limit, "the closed loops cannot be assembled", -math.inf, "")
        left = np.minimum(self.upper - high, low - self.lower)
        worst = int(np.argmin(left))
        return Margin(self.limit, self.labels[worst], float(left[worst]), self.unit)


@dataclass(frozen=True)
class Checks:
    """All quantities of a robot that are not linear in the motion."""

    quantities: tuple[Quantity, ...]

    def penalty(self, stack: States, samples: int) -> tuple[float, Floats]:
        """The sum of squared violations at nudged states, and its slopes (3, N, n)."""
        total, slopes = 0.0, np.zeros((3, samples, stack[0].shape[1]))
        for one in self.quantities:
            values, _ = (one.friction or one.smooth)(stack)
            values = values.reshape(-1, samples, values.shape[-1])
            beyond = one.violation(values[0], RESERVE)
            total += float((beyond**2).sum())
            if beyond.any():
                slopes += pulled_back(values, 2 * beyond / one.size)
        return total, slopes

    def violated(self, states: States, reserve: float = RESERVE) -> list[np.ndarray[tuple[int], np.dtype[np.bool_]]]:
        """For each quantity, at which of the states it is beyond its bounds or does not exist."""
        found = []
        for one in self.quantities:
            values, there = (one.friction or one.smooth)(states)
            found.append(~there | (one.violation(values, reserve) != 0).any(axis=-1))
        return found

    def margins(self, motion: Motion) -> list[Margin]:
        """The smallest margin of each limit."""
        states = dense(motion)
        found: dict[str, Margin] = {}
        for one in self.quantities:
            here = one.margins(states)
            found[one.limit] = min(here, found.get(one.limit, here), key=lambda each: each.margin)
        return list(found.values())


def dense(motion: Motion) -> States:
    """The grid on which torques and points are proved."""
    return motion(np.linspace(0.0, motion.duration, PROOF * motion.waves + 1))


def linear_margins(motion: Motion, limits: JointLimits) -> list[Margin]:
    """Of position, velocity and acceleration, at all times."""
    found = []
    low, high = motion.ranges(0)
    found.append(_least("position", np.minimum(limits.upper - high, low - limits.lower), limits, ""))
    for name, order, unit in (("velocity", 1, "/s"), ("acceleration", 2, "/s^2")):
        bound: Floats = getattr(limits, name)
        if np.isfinite(bound).any():
            low, high = motion.ranges(order)
            found.append(_least(name, bound - np.maximum(high, -low), limits, unit))
    return found


def _least(name: str, left: Floats, limits: JointLimits, unit: str) -> Margin:
    worst = int(np.argmin(left))
    return Margin(name, limits.joints[worst], float(left[worst]), limits.units[worst] + unit)


def fitted(motion: Motion, limits: JointLimits, about: Floats) -> Motion:
    """The motion drawn together around the positions ``about``, joint by joint, until position, velocity and acceleration are
    within their limits at all times."""
    low, high = motion.ranges(0)
    with np.errstate(divide="ignore", invalid="ignore"):
        parts: Sequence[Floats] = (
            (limits.upper - about) / np.maximum(high - about, 1e-300),
            (about - limits.lower) / np.maximum(about - low, 1e-300),
            limits.velocity / np.maximum(np.abs(motion.ranges(1)).max(axis=0), 1e-300),
            limits.acceleration / np.maximum(np.abs(motion.ranges(2)).max(axis=0), 1e-300),
        )
    factors = np.minimum.reduce([np.ones_like(about), *parts])
    return motion.scaled(np.where(factors < 1, factors * (1 - 1e-7), 1.0), about)
