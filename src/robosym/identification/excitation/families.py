"""Families of motions that a search varies: each motion is a centre plus a sum of shapes, linear in its coefficients.

Time runs from 0 to 1 here. ``anchored`` shapes are zero at the start, so that the centre is where the motion begins; the
others are zero in the mean, so that the centre is the middle they move around.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from scipy.interpolate import BSpline

from ...errors import RobosymError
from ...reals import Floats
from .motions import DEGREE, FourierMotion, Motion, SplineMotion, spline_knots

if TYPE_CHECKING:
    from .options import Waveform

LEAST_SAMPLES = 200


@dataclass(frozen=True)
class Family(ABC):
    """The shapes, and the motion that coefficients make of them."""

    anchored: bool

    @classmethod
    @abstractmethod
    def of(cls, waveform: Waveform) -> Family:
        """The family that a waveform selects."""

    @property
    @abstractmethod
    def size(self) -> int:
        """The number of coefficients of a joint."""

    @property
    @abstractmethod
    def samples(self) -> int:
        """How many equal steps of time show what its motions do, when their criterion is computed."""

    @abstractmethod
    def shapes(self, s: Floats, order: int) -> Floats:
        """The derivatives of the shapes at the times ``s``: (N, size)."""

    @abstractmethod
    def motion(self, joints: tuple[str, ...], duration: float, centre: Floats, coefficients: Floats) -> Motion:
        """The motion of centres (n,) and coefficients (n, size)."""

    @abstractmethod
    def draw(self, random: np.random.Generator, joints: int) -> Floats:
        """Coefficients (joints, size) to begin a search with."""


F = TypeVar("F", bound=type[Family])
FAMILIES: dict[str, type[Family]] = {}


def shape_names() -> list[str]:
    """The shapes of motions by name."""
    return list(FAMILIES)


def shape(name: str) -> Callable[[F], F]:
    """Declare a family of motions."""

    def declared(family: F) -> F:
        FAMILIES[name] = family
        return family

    return declared


@shape("fourier")
@dataclass(frozen=True)
class FourierFamily(Family):
    """Finite Fourier series. ``rest``: velocity and acceleration are zero at the start and the end of each period, which
    leaves two coefficients less for each joint: sum k a_k = 0 and sum k^2 b_k = 0."""

    harmonics: int
    rest: bool

    @classmethod
    def of(cls, waveform: Waveform) -> FourierFamily:
        if waveform.rest and waveform.harmonics < 2:
            raise RobosymError("harmonics: got 1, expected 2 or more. Only motions with rest=False have one harmonic.")
        return cls(waveform.start is not None, waveform.harmonics, waveform.rest)

    @property
    def samples(self) -> int:
        return max(LEAST_SAMPLES, 40 * self.harmonics)

    @property
    def size(self) -> int:
        return int(self._free.shape[1])

    @cached_property
    def _free(self) -> Floats:
        """(2 harmonics, size): the sine and cosine coefficients that the shapes have."""
        k = np.arange(1.0, self.harmonics + 1)
        whole = np.eye(2 * self.harmonics)
        if not self.rest:
            return whole
        H = self.harmonics
        free = np.zeros((2 * H, 2 * H - 2))
        free[:H, : H - 1] = _orthogonal_to(k)
        free[H:, H - 1 :] = _orthogonal_to(k**2)
        return free

    def shapes(self, s: Floats, order: int) -> Floats:
        k = 2 * np.pi * np.arange(1.0, self.harmonics + 1)
        angle = s[:, None] * k
        wave = np.sin(angle), np.cos(angle), -np.sin(angle), -np.cos(angle)
        found = np.hstack([wave[order % 4] * k**order, wave[(order + 1) % 4] * k**order]) @ self._free
        return np.asarray(found - self._at_start if self.anchored and order == 0 else found)

    @property
    def _at_start(self) -> Floats:
        return np.asarray(self._free[self.harmonics :].sum(axis=0))

    def motion(self, joints: tuple[str, ...], duration: float, centre: Floats, coefficients: Floats) -> FourierMotion:
        both = coefficients @ self._free.T
        offset = centre - coefficients @ self._at_start if self.anchored else centre
        return FourierMotion(joints, duration, offset, both[:, : self.harmonics], both[:, self.harmonics :])

    def draw(self, random: np.random.Generator, joints: int) -> Floats:
        """Amplitudes that fall with the harmonic, as velocities would otherwise be all of the fastest."""
        k = np.tile(np.arange(1.0, self.harmonics + 1), 2)
        return np.asarray((random.normal(size=(joints, 2 * self.harmonics)) / k) @ self._free)


@shape("spline")
@dataclass(frozen=True)
class SplineFamily(Family):
    """Quintic B-splines at rest at both ends: the first three control points are equal, and so are the last three."""

    segments: int

    @classmethod
    def of(cls, waveform: Waveform) -> SplineFamily:
        return cls(waveform.start is not None, waveform.segments)

    @property
    def samples(self) -> int:
        return max(LEAST_SAMPLES, 20 * self.segments)

    @property
    def size(self) -> int:
        return self.segments

    @cached_property
    def _free(self) -> Floats:
        """(segments + 5, segments): the control points that the shapes have."""
        count = self.segments + DEGREE
        free = np.zeros((count, self.segments))
        inside = np.arange(self.segments - 1)
        free[inside + 3, inside] = 1
        free[-3:, -1] = 1
        if not self.anchored:
            knots = spline_knots(self.segments)
            weights = (knots[DEGREE + 1 :] - knots[: -DEGREE - 1]) / (DEGREE + 1)  # the integral of each B-spline
            free -= weights @ free
        return free

    def shapes(self, s: Floats, order: int) -> Floats:
        return np.asarray(BSpline(spline_knots(self.segments), self._free, DEGREE)(s, nu=order))

    def motion(self, joints: tuple[str, ...], duration: float, centre: Floats, coefficients: Floats) -> SplineMotion:
        return SplineMotion(joints, duration, centre[:, None] + coefficients @ self._free.T)

    def draw(self, random: np.random.Generator, joints: int) -> Floats:
        return random.normal(size=(joints, self.size))


def _orthogonal_to(vector: Floats) -> Floats:
    """A basis (k, k - 1) of the space at right angles to a vector, the same on every machine."""
    k = len(vector)
    mirror = vector / np.linalg.norm(vector) + np.eye(k)[0]  # Householder: the vector is turned into the first axis
    return np.asarray((np.eye(k) - 2 * np.outer(mirror, mirror) / (mirror @ mirror))[:, 1:])
