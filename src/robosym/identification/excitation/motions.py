"""Motions of joints as functions of time: finite Fourier series and quintic B-splines, with proven bounds of their derivatives.

A motion can be called with times and gives q, qd and qdd. What it does between two samples is bounded too: a function f lies
above the lower and below the upper of two neighbouring samples by at most h^2/8 max |f''|, and max |f''| is known from the
coefficients alone.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from scipy.interpolate import BSpline

from ...brief import brief
from ...errors import RobosymError
from ...options.markers import Count, Positive
from ...options.validate import validated
from ...reals import Floats, finite_array
from ...trajectory import Sampled

DEGREE = 5  # of splines: positions to accelerations are smooth, and the fourth derivative is bounded
PROOF = 1000  # samples for each wave of the fastest harmonic, or segment of a spline, when bounds are proved
MOST_SAMPLES = 10_000_000


@dataclass(frozen=True, repr=False)
class Motion(ABC):
    """Motion of the joints in time, with proven bounds of its derivatives.

    Call it with a time or an array of times for q, qd and qdd.

    Attributes
    ----------
    joints
        Names of the joints, in the order of q.
    duration
        Duration [s].
    """

    joints: tuple[str, ...]
    duration: float

    def __repr__(self) -> str:
        return brief(f"{self.kind} motion of {len(self.joints)} joints, {self.duration:.6g} s")

    def __call__(self, t: Any) -> tuple[Floats, Floats, Floats]:
        """q, qd and qdd at a time or an array of times, each with one more dimension: the joints."""
        times = finite_array("t", t)
        return self.derivative(times, 0), self.derivative(times, 1), self.derivative(times, 2)

    @property
    @abstractmethod
    def kind(self) -> str:
        """What it is made of."""

    @property
    @abstractmethod
    def waves(self) -> int:
        """How many waves or segments it has: what a grid must resolve."""

    @abstractmethod
    def derivative(self, t: Floats, order: int) -> Floats:
        """The derivative of q by time, (..., n)."""

    @abstractmethod
    def bound(self, order: int) -> Floats:
        """A number for each joint that the derivative, in absolute value, nowhere exceeds (order 1 to 4)."""

    @abstractmethod
    def scaled(self, factors: Any, about: Floats) -> Motion:
        """The same motion with all distances from the positions ``about`` multiplied, joint by joint or all alike."""

    @property
    def start(self) -> Floats:
        """The positions at time zero."""
        return self.derivative(np.zeros(()), 0)

    def ranges(self, order: int = 0) -> tuple[Floats, Floats]:
        """Between which values a derivative of order 0, 1 or 2 stays at all times, not only at samples: proved."""
        steps = PROOF * self.waves
        found = self.derivative(np.linspace(0.0, self.duration, steps + 1), order)
        beyond = (self.duration / steps) ** 2 / 8 * self.bound(order + 2)
        rounding = 1e-12 * np.abs(found).max(axis=0)
        return found.min(axis=0) - beyond - rounding, found.max(axis=0) + beyond + rounding

    @validated
    def sampled(self, rate: Positive, repeats: Count = 1) -> Sampled:
        """Sample the motion, with both ends.

        Parameters
        ----------
        rate
            Sampling rate [Hz].
        repeats
            Number of periods, one after the other. A spline has one.

        Returns
        -------
        Sampled
            Times, positions, velocities and accelerations.
        """
        if repeats > 1 and not self.periodic:
            raise RobosymError("repeats: a spline ends elsewhere than it starts, so it cannot be repeated: expected 1")
        steps = math.floor(repeats * self.duration * rate * (1 + 1e-12))
        if steps >= MOST_SAMPLES:
            raise RobosymError(f"rate: {rate:g} a second are {steps} samples, expected at most {MOST_SAMPLES}")
        time = np.arange(steps + 1) / rate
        return Sampled(time, *self(time))

    @property
    def periodic(self) -> bool:
        """Whether it goes on for ever in the same way; what is not stays where it ends."""
        return False

    def plot(self, path: str | Path) -> None:
        """A picture of q, qd and qdd: .png, .svg or .pdf."""
        from ...plots import picture_format, save
        from ...plots.motions import motion_figure

        picture_format(path)
        t = np.linspace(0.0, self.duration, 100 * self.waves + 1)
        save(motion_figure(t, self(t), self.joints, repr(self).strip("<>")), path)


@dataclass(frozen=True, repr=False)
class FourierMotion(Motion):
    """q = offset + sum over k of sine_k sin(k w t) + cosine_k cos(k w t), with w = 2 pi / duration."""

    offset: Floats  # (n,)
    sine: Floats  # (n, harmonics)
    cosine: Floats  # (n, harmonics)

    @property
    def kind(self) -> str:
        return "Fourier"

    @property
    def waves(self) -> int:
        return int(self.sine.shape[1])

    @property
    def periodic(self) -> bool:
        return True

    @property
    def rates(self) -> Floats:
        """k w, in rad/s."""
        return np.asarray(2 * np.pi / self.duration * np.arange(1.0, self.waves + 1), dtype=np.float64)

    def derivative(self, t: Floats, order: int) -> Floats:
        # A whole number of quarter waves further: each derivative turns sin to cos and cos to -sin.
        angle = t[..., None] * self.rates
        wave = np.sin(angle), np.cos(angle), -np.sin(angle), -np.cos(angle)
        power = self.rates**order
        found = (wave[order % 4] * power) @ self.sine.T + (wave[(order + 1) % 4] * power) @ self.cosine.T
        return np.asarray(found + self.offset if order == 0 else found)

    def bound(self, order: int) -> Floats:
        return np.asarray(np.hypot(self.sine, self.cosine) @ self.rates**order)

    def scaled(self, factors: Any, about: Floats) -> FourierMotion:
        f = np.broadcast_to(np.asarray(factors, dtype=float), self.offset.shape)
        offset = about + f * (self.offset - about)
        return FourierMotion(self.joints, self.duration, offset, f[:, None] * self.sine, f[:, None] * self.cosine)


@dataclass(frozen=True, repr=False)
class SplineMotion(Motion):
    """A quintic B-spline with equal segments; the joints stay where they are before its start and after its end."""

    control: Floats  # (n, segments + 5): the control points

    @property
    def kind(self) -> str:
        return "spline"

    @property
    def waves(self) -> int:
        return int(self.control.shape[1]) - DEGREE

    @cached_property
    def spline(self) -> BSpline:
        return BSpline(spline_knots(self.waves) * self.duration, self.control.T, DEGREE)

    def derivative(self, t: Floats, order: int) -> Floats:
        found = self.spline(np.clip(t, 0.0, self.duration), nu=order)
        held = ((t < 0) | (t > self.duration))[..., None]
        return np.asarray(np.where(held, 0.0, found) if order else found)

    def bound(self, order: int) -> Floats:
        """A spline lies within the hull of its control points, and so does each derivative within that of its own."""
        made = self.spline.derivative(order)
        used = len(made.t) - made.k - 1
        return np.asarray(np.abs(made.c[:used]).max(axis=0))

    def scaled(self, factors: Any, about: Floats) -> SplineMotion:
        f = np.broadcast_to(np.asarray(factors, dtype=float), about.shape)
        return SplineMotion(self.joints, self.duration, (about + f * (self.control.T - about)).T)


def spline_knots(segments: int) -> Floats:
    """Equal segments from 0 to 1; the ends are repeated so that the spline starts and ends at control points."""
    inside = np.linspace(0.0, 1.0, segments + 1)
    return np.concatenate([np.zeros(DEGREE), inside, np.ones(DEGREE)])
