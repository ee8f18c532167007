"""Interpolation functions r(t) from 0 to 1, at rest at both ends, of least duration within limits (Khalil, course 2014, 8.3).

Joints that move in step have q = q0 + r(t) D [8.1]. The limits of r are those of the joints over their distances: V = min k_v / |D|,
A = min k_a / |D|, J = min k_j / |D|, where joints with D = 0 do not count. With these, the homothetic synchronisation of
[8.32] to [8.35] is the profile of one joint.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from ..options.markers import OneOf
from .pieces import Pieces, phased


@dataclass(frozen=True)
class Bounds:
    """Of the first three derivatives of r; infinite where there is none."""

    V: float
    A: float = math.inf
    J: float = math.inf


Function = Callable[[Bounds], Pieces]


@dataclass(frozen=True)
class Profile:
    """An interpolation function and what it takes: limits of the derivatives that do not jump, states at the ends.

    ``peak`` is its largest velocity over the mean one, where the duration alone determines it; else 0.
    """

    name: str
    meaning: str  # one sentence
    of: Function
    needs: tuple[str, ...]
    peak: float = 0.0
    jerk: bool = False  # whether it keeps a limit of jerk, if there is one
    ends: tuple[str, ...] = ()  # the derivatives that may be other than zero at its ends
    polynomial: bool = False  # whether a motion with states at its ends is one polynomial


PROFILES: dict[str, Profile] = {}
ProfileName = Annotated[str, OneOf(lambda: PROFILES)]
_BOTH = ("velocity", "acceleration")


def profile(name: str, meaning: str, needs: tuple[str, ...], **more: Any) -> Callable[[Function], Function]:
    """Declare an interpolation function; lists are in the order of declarations."""

    def declared(function: Function) -> Function:
        PROFILES[name] = Profile(name, meaning, function, needs, **more)
        return function

    return declared


@profile("linear", "Constant velocity, which jumps at both ends.", ("velocity",), peak=1.0)
def linear(k: Bounds) -> Pieces:
    """r = t / t_f [8.4]: the velocity jumps at both ends."""
    return _polynomial(1 / k.V, (0, 1))


@profile(
    "cubic",
    "Polynomial of degree 3; the acceleration jumps at both ends.",
    _BOTH,
    peak=1.5,
    ends=("velocity",),
    polynomial=True,
)
def cubic(k: Bounds) -> Pieces:
    """r = 3 (t/t_f)^2 - 2 (t/t_f)^3 [8.7], with [8.8] and [8.9]: the acceleration jumps at both ends."""
    return _polynomial(max(1.5 / k.V, math.sqrt(6 / k.A)), (0, 0, 3, -2))


@profile(
    "quintic",
    "Polynomial of degree 5, with continuous acceleration.",
    _BOTH,
    peak=1.875,
    jerk=True,
    ends=_BOTH,
    polynomial=True,
)
def quintic(k: Bounds) -> Pieces:
    """r = 10 (t/t_f)^3 - 15 (t/t_f)^4 + 6 (t/t_f)^5 [8.11], with [8.12] and [8.13]."""
    least = max(15 / (8 * k.V), math.sqrt(10 / (math.sqrt(3) * k.A)), math.cbrt(60 / k.J))
    return _polynomial(least, (0, 0, 0, 10, -15, 6))


@profile("bang-bang", "Constant acceleration, then constant deceleration.", _BOTH, peak=2.0)
def bang_bang(k: Bounds) -> Pieces:
    """Constant acceleration, then constant deceleration [8.15], with [8.16] and [8.17]."""
    half = max(1 / k.V, 1 / math.sqrt(k.A))
    return phased([0.0, 0.0], np.array([half, half]), np.array([1, -1]) / half**2)


@profile(
    "trapeze", "Trapezoidal velocity: constant acceleration, velocity and deceleration.", _BOTH, ends=("velocity",)
)
def trapeze(k: Bounds) -> Pieces:
    """Constant acceleration for tau = V / A, constant velocity, constant deceleration: t_f = 1/V + V/A [8.22], or 2/sqrt(A) [8.35]."""
    V = min(k.V, math.sqrt(k.A))
    tau, a = V / k.A, k.A
    return phased([0.0, 0.0], np.array([tau, max(0.0, 1 / V - tau), tau]), np.array([a, 0.0, -a]))


@profile("continuous", "Trapezoidal velocity with continuous acceleration.", _BOTH, jerk=True)
def continuous(k: Bounds) -> Pieces:
    """The trapeze with an acceleration that is a parabola for tau = 3/2 V/A [8.37] to [8.47]; longer if the jerk has a limit."""
    V = min(k.V, math.sqrt(2 * k.A / 3), math.cbrt(k.J / 6))
    tau = max(1.5 * V / k.A, math.sqrt(6 * V / k.J))
    h = max(0.0, 1 / V - tau)
    rise = [0.0, 0.0, 0.0, V / tau**2, -V / (2 * tau**3)]
    stay = [V * tau / 2, V, 0.0, 0.0, 0.0]
    fall = [V * (tau / 2 + h), V, 0.0, -V / tau**2, V / (2 * tau**3)]
    if h == 0:
        return Pieces(np.array([0.0, tau, 2 * tau]), np.array([rise, fall]))
    return Pieces(np.array([0.0, tau, tau + h, 2 * tau + h]), np.array([rise, stay, fall]))


@profile("jerk-limited", "Seven phases of constant jerk.", (*_BOTH, "jerk"), jerk=True, ends=_BOTH)
def jerk_limited(k: Bounds) -> Pieces:
    """Seven phases of constant jerk (Figure 8.9b): the fastest of all whose jerk has a limit."""
    V, A, J = k.V, k.A, k.J
    # The velocity of half a motion that has no time for more: V (V/A + A/J) = 1, or 2 V^(3/2) / J^(1/2) = 1 below A.
    reached = math.cbrt(J / 4)
    if reached * J > A * A:
        reached = 2 / (A / J + math.sqrt((A / J) ** 2 + 4 / A))
    V = min(V, reached)
    rise = A / J if V * J >= A * A else math.sqrt(V / J)
    hold = max(0.0, V / A - rise) if V * J >= A * A else 0.0
    stay = max(0.0, 1 / V - 2 * rise - hold)
    return phased(
        [0.0, 0.0, 0.0], np.array([rise, hold, rise, stay, rise, hold, rise]), J * np.array([1, 0, -1, 0, -1, 0, 1])
    )


def _polynomial(duration: float, coefficients: tuple[float, ...]) -> Pieces:
    """A polynomial of t / t_f."""
    return Pieces(np.array([0.0, duration]), np.array([[c / duration**p for p, c in enumerate(coefficients)]]))
