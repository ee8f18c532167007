"""One joint from state to state with limits of velocity, acceleration and jerk: the motions that go farthest in a given time.

They have seven phases. Upwards the jerk is +J 0 -J 0 -J 0 +J: the acceleration rises to a_1, where it may stay at its limit,
falls to zero as the velocity reaches its limit, where it may stay, falls on to a_2, and rises to its value at the end. Where the
velocity stays below its limit the acceleration falls from a_1 to a_2 at once, and does not have to cross zero. The optimum is
of this form by Pontryagin's principle: with the position's multiplier constant, that of the jerk is a parabola in time.

Downwards is upwards in a mirror. Units of time and length are such that the limits of acceleration and jerk are 1. Every case
has a closed form: for a given time (``farthest``) a quadratic equation at most, for a given distance (``reaching``) a quartic.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

JERKS = (1.0, 0.0, -1.0, 0.0, -1.0, 0.0, 1.0)
SLACK = 1e-12  # a duration that is below zero by rounding is zero
EXACT = 1e-12  # how well the end is met, beside one and the distances on the way

Phases = tuple[float, ...]  # the duration of each phase


@dataclass(frozen=True)
class JerkLimited:
    """From rest, velocity and acceleration at the start to those at the end, over a distance."""

    distance: float
    v0: float
    a0: float
    vf: float
    af: float
    top: float  # the limit of velocity

    rates = JERKS  # of the highest derivative, in each phase
    order = 3

    @property
    def mirrored(self) -> JerkLimited:
        return JerkLimited(-self.distance, -self.v0, -self.a0, -self.vf, -self.af, self.top)

    @property
    def reversed(self) -> JerkLimited:
        """Played backwards and mirrored: upwards stays upwards, with the phases in the other order."""
        return replace(self, v0=self.vf, a0=-self.af, vf=self.v0, af=-self.a0)

    @property
    def possible(self) -> bool:
        """Whether the limit of velocity can be kept after the start and could be kept before the end."""
        rise, fall = self.a0 * abs(self.a0) / 2, -self.af * abs(self.af) / 2
        bound = self.top * (1 + 1e-14)
        return max(abs(self.v0), abs(self.vf), abs(self.v0 + rise), abs(self.vf + fall)) <= bound and (
            max(abs(self.a0), abs(self.af)) <= 1.0
        )

    def travelled(self, phases: Phases) -> float:
        """The distance after all phases."""
        x, v, a = 0.0, self.v0, self.a0
        for t, j in zip(phases, JERKS, strict=True):
            x += t * (v + t * (a / 2 + t * j / 6))
            v += t * (a + t * j / 2)
            a += t * j
        return x

    def farthest(self, time: float) -> Phases | None:
        """The phases that go farthest upwards in a time; None if the end cannot be reached in it at all."""
        found = [p for one in self._lasting(time) if (p := self._checked(one)) is not None]
        return max(found, key=self.travelled) if found else None

    def reaching(self) -> list[Phases]:
        """All motions upwards of this form over the distance."""
        still = self.distance == 0 and self.v0 == self.vf and self.a0 == self.af
        found = [p for one in self._over_distance() if (p := self._checked(one)) is not None]
        size = 1 + abs(self.distance)
        met = [p for p in found if abs(self.travelled(p) - self.distance) <= EXACT * (size + self.top * sum(p))]
        return [(0.0,) * 7, *met] if still else met

    def corners(self) -> Iterator[float]:
        """The times at which the change of velocity becomes possible or impossible: with two phases only, of either order."""
        for one in (self, self.mirrored):
            rest = one.vf - one.v0 + (one.a0**2 - one.af**2) / 2  # a_1^2 - a_2^2
            for valley in _roots_of_square(one.a0**2 - rest):  # down from a_0, and up
                low = max(valley, -1.0)
                yield one.a0 + one.af - 2 * low + (low**2 - valley**2 if low > valley else 0.0)

    # --- the forms -------------------------------------------------------------------------------------------------------

    @property
    def _rest(self) -> float:
        """a_1^2 - a_2^2 without constant phases, as the change of velocity has it."""
        return self.vf - self.v0 + (self.a0**2 - self.af**2) / 2

    def _cruise(self, time: float) -> Phases:
        """Through the limit of velocity, where it stays for a time."""
        t1, h1, t3 = _up_to(self.top - self.v0, self.a0)
        t7, h2, t5 = _up_to(self.top - self.vf, -self.af)
        return (t1, h1, t3, time, t5, h2, t7)

    def _peaks(self, high: float, low: float, above: float = 0.0, below: float = 0.0) -> Phases:
        """To a_1, to a_2, with times at these."""
        return (high - self.a0, above, high - low, 0.0, 0.0, below, self.af - low)

    def _lasting(self, time: float) -> Iterator[Phases]:
        cruise = self._cruise(0.0)
        if time >= sum(cruise):
            yield self._cruise(time - sum(cruise))
            return
        rest, own = self._rest, time - self.af + self.a0  # own: 2 (a_1 - a_2) and the times at the limits
        if own > 0:  # a_1 - a_2 = u, a_1 + a_2 = rest / u
            u = own / 2
            yield self._peaks((rest / u + u) / 2, (rest / u - u) / 2)
        yield self._peaks(1.0, -1.0, (own - 4 + rest) / 2, (own - 4 - rest) / 2)
        for low in _quadratic(1.0, -2.0, 1 + rest - own):  # at the upper limit for low^2 + rest - 1
            yield self._peaks(1.0, low, low**2 + rest - 1)
        for low in _quadratic(1.0, -2.0, 1 - rest - own):
            yield self._peaks(-low, -1.0, 0.0, low**2 - rest - 1)

    def _over_distance(self) -> Iterator[Phases]:
        D, rest = self.distance, self._rest
        left = D - self.travelled(self._cruise(0.0))
        yield self._cruise(max(left / self.top, -1.0))

        slope = 2 * self.vf - self.af**2
        for below in _quadratic(1.0, slope + 3, self.travelled(self._peaks(1.0, -1.0, rest)) - D):
            yield self._peaks(1.0, -1.0, below + rest, below)

        a0, af, vf = self.a0, self.af, self.vf
        linear = (-(a0**3) + 3 * a0 * af**2 - 2 * af**3) / 6 + a0 * rest + (af - a0) * vf - D
        between = (-(rest**2) / 4, linear, slope - rest, 0.0, 0.25)
        upper, lower, neither = _quartics((self._below_the_top, self.reversed._below_the_top, between))
        for low in upper:
            yield self._peaks(1.0, low, low**2 + rest - 1)
        for low in lower:
            yield self._peaks(-low, -1.0, 0.0, low**2 - rest - 1)
        for u in neither:
            if u > 0:
                yield self._peaks((rest / u + u) / 2, (rest / u - u) / 2)

    @property
    def _below_the_top(self) -> tuple[float, ...]:
        """The polynomial of a_2 of the motions that stay at the upper limit of acceleration but not at the lower one."""
        rest, slope = self._rest, 2 * self.vf - self.af**2
        constant = self.travelled(self._peaks(1.0, 0.0, rest - 1)) - self.distance
        return (constant, -slope, slope / 2 + 0.5, -1.0, 0.5)

    def _checked(self, phases: Phases) -> Phases | None:
        """Without negative durations, or nothing: also if a limit is not kept."""
        if min(phases) < -SLACK * (1 + max(phases)):
            return None
        t1, _, t3, _, t5, _, _ = found = tuple(max(0.0, t) for t in phases)
        high = self.a0 + t1
        low = high - t3 - t5
        if high > 1 + SLACK or low < -1 - SLACK:
            return None
        if high > 0 > low and found[3] == 0:  # the velocity where the acceleration is zero
            peak = self.v0 + t1 * (self.a0 + t1 / 2) + found[1] * high + high**2 / 2
            if peak > self.top * (1 + SLACK) + SLACK * 1e-3:
                return None
        return found


def _up_to(rise: float, a0: float) -> Phases:
    """Up, at the limit, down: from an acceleration to zero while the velocity rises."""
    square = rise + a0**2 / 2
    peak = math.sqrt(max(square, 0.0))
    if peak > 1:
        return (1 - a0, square - 1, 1.0)
    return (peak - a0, 0.0, peak)


# --- roots -------------------------------------------------------------------------------------------------------------


def _roots_of_square(square: float) -> tuple[float, ...]:
    if square < 0:
        return (0.0,) if square > -SLACK else ()
    return (math.sqrt(square), -math.sqrt(square))


def _quadratic(a: float, b: float, c: float) -> tuple[float, ...]:
    """The real roots of a x^2 + b x + c, without loss of digits."""
    inside = b * b - 4 * a * c
    if inside < 0:
        return (-b / (2 * a),) if inside > -SLACK * (b * b + abs(4 * a * c)) else ()
    q = -(b + math.copysign(math.sqrt(inside), b)) / 2
    return (q / a, c / q) if q else (0.0,)


def _quartics(every: Sequence[tuple[float, ...]]) -> list[list[float]]:
    """The real roots of polynomials of degree four, lowest power first, also where two of them fall together."""
    companion = np.zeros((len(every), 4, 4))
    companion[:, 1, 0] = companion[:, 2, 1] = companion[:, 3, 2] = 1.0
    companion[:, 0] = [[-x / own[4] for x in own[3::-1]] for own in every]
    return [_polished(own, roots) for own, roots in zip(every, np.linalg.eigvals(companion).tolist(), strict=True)]


def _polished(coefficients: tuple[float, ...], roots: list[complex]) -> list[float]:
    """Those of the roots that are real, with all of their digits."""
    e, d, c, b, a = coefficients
    found = []
    for root in roots:
        x = root.real
        if abs(root.imag) > 1e-5 * (1 + abs(x)):
            continue
        for _ in range(4):
            value = e + x * (d + x * (c + x * (b + x * a)))
            slope = d + x * (2 * c + x * (3 * b + x * 4 * a))
            if slope == 0 or abs(value) > 1e-3 * (abs(e) + abs(d * x) + c * x * x + abs(a) * x**4 + 1):
                break
            x -= value / slope
        found.append(x)
    return found
