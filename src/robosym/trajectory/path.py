"""A path: where the joints go, q(s), without saying when; by pieces that are polynomials of s."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..brief import brief
from ..reals import Floats, finite_array
from .trajectory import Trajectory, TrajectoryError

AT_REST = 1e-6  # of its greatest speed: a motion this slow does not show which way its path leads
ASTRAY = 1e-5  # of its size: how far a spline may leave the motion it is to follow
APART = 1e-9  # of the length: places that are nearer are one
JUMP = 1e-9  # of the largest q'': a smaller step of it at the end of a piece is rounding


@dataclass(frozen=True, eq=False, repr=False)
class Path:
    """Path of the joints: positions and two derivatives as functions of a parameter s.

    The parameter runs from 0 to ``length``.

    Attributes
    ----------
    curve
        Polynomials of the path: a trajectory whose time is s.
    """

    curve: Trajectory

    # --- how paths are made -----------------------------------------------------------------------------------------------

    @classmethod
    def line(cls, start: Any, end: Any, joints: Sequence[str] | None = None) -> Path:
        """Straight line between two positions of the joints, s from 0 to 1.

        Parameters
        ----------
        start
            Position at s = 0 [rad or m].
        end
            Position at s = 1 [rad or m].
        joints
            Names of the joints. None: joint1, joint2, and so on.
        """
        q0, q1 = finite_array("start", start, TrajectoryError), finite_array("end", end, TrajectoryError)
        if q0.ndim != 1 or q0.shape != q1.shape or not len(q0):
            raise TrajectoryError(f"line: start has shape {q0.shape} and end {q1.shape}, expected a number a joint")
        if np.array_equal(q0, q1):
            raise TrajectoryError("line: start and end are the same: there is no path between them")
        return cls(Trajectory(_names(joints, len(q0)), np.array([0.0, 1.0]), np.stack([q0, q1 - q0])[None], "line"))

    @classmethod
    def spline(cls, points: Any, places: Any = None, joints: Sequence[str] | None = None) -> Path:
        """Cubic spline through points (k, n), not-a-knot.

        The second derivative is continuous; the third is so too at the second point and at the last but one.

        Parameters
        ----------
        points
            Positions to pass [rad or m], one row per point.
        places
            Parameters s of the points, from 0 on. None: equal steps from 0 to 1.
        joints
            Names of the joints. None: joint1, joint2, and so on.
        """
        from scipy.interpolate import CubicSpline

        q = finite_array("points", points, TrajectoryError)
        if q.ndim != 2 or len(q) < 2 or not q.shape[1]:
            raise TrajectoryError(f"points: got shape {q.shape}, expected two rows or more with a number a joint")
        s = np.linspace(0.0, 1.0, len(q)) if places is None else finite_array("places", places, TrajectoryError)
        if s.shape != (len(q),) or s[0] != 0 or np.any(np.diff(s) <= 0):
            raise TrajectoryError(f"places: expected {len(q)} numbers from 0 on, each greater than the one before")
        same = np.flatnonzero((q[1:] == q[:-1]).all(axis=1))
        if len(same):
            raise TrajectoryError(
                f"points: rows {same[0]} and {same[0] + 1} are the same: there is no path between them"
            )
        found = CubicSpline(s, q, bc_type="not-a-knot")
        return cls(Trajectory(_names(joints, q.shape[1]), s, found.c.transpose(1, 0, 2)[:, ::-1].copy(), "spline"))

    @classmethod
    def of(cls, trajectory: Trajectory, points: int = 201) -> Path:
        """Path of a motion, without its timing.

        If the motion never rests, s is its time. Else the path is a spline in the path length. A motion that turns
        sharply then raises an error.

        Parameters
        ----------
        trajectory
            Motion of the joints.
        points
            Number of points of the spline.
        """
        t = np.union1d(np.linspace(0.0, trajectory.duration, 20 * points), trajectory.times)
        q, qd, _ = trajectory(t)
        speed = np.linalg.norm(qd, axis=1)
        if not speed.max(initial=0.0) > 0:
            raise TrajectoryError("path: the motion stays where it is")
        if speed.min() > AT_REST * speed.max():
            return cls(trajectory)
        length = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(q, axis=0), axis=1))])
        chosen = np.unique(np.searchsorted(length, np.linspace(0.0, length[-1], points)))
        chosen = chosen[np.diff(length[chosen], prepend=-1.0) > 0]
        made = cls.spline(q[chosen], length[chosen], trajectory.joints)
        astray = np.abs(made(length)[0] - q).max(axis=1)
        if astray.max() > ASTRAY * np.ptp(q, axis=0).max():
            where = t[astray.argmax()]
            raise TrajectoryError(f"path: the motion turns sharply at {where:.6g} s: its parts are paths of their own")
        return made

    # --- what it is -------------------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        return brief(f"path of {len(self.joints)} joints: {self.curve.name}, {len(self.curve.coefficients)} pieces")

    @property
    def joints(self) -> tuple[str, ...]:
        """Names of the joints."""
        return self.curve.joints

    @property
    def length(self) -> float:
        """Last value of s."""
        return self.curve.duration

    def __call__(self, s: Any) -> tuple[Floats, Floats, Floats]:
        """Positions and their first two derivatives by s.

        Parameters
        ----------
        s
            Path parameter: one number, or an array.

        Returns
        -------
        tuple of ndarray
            q, q' and q'', each with one more dimension than s: the joints.
        """
        return self.curve(s)

    def _jumps(self, order: int) -> Floats:
        """The places inside where a derivative jumps."""
        inside, local = self.curve.times[1:-1], np.diff(self.curve.times)[:-1]
        own = self.curve.derived(order)
        jump = np.abs(_values(own[:-1], local) - self.curve.derivative(inside, order)).max(axis=1)
        return np.asarray(inside[jump > JUMP * (1 + np.abs(own).max(initial=0.0))])

    @cached_property
    def corners(self) -> Floats:
        """Places where the direction jumps: the joints must stop there."""
        return self._jumps(1)

    @cached_property
    def smooth(self) -> bool:
        """Whether q' and q'' are continuous."""
        return not len(self.corners) and not len(self._jumps(2))

    def grid(self, steps: int) -> Floats:
        """Grid of equal steps of s, with the places where pieces meet.

        Limits between two places are kept only as far as the path is one polynomial there.

        Parameters
        ----------
        steps
            Number of equal steps.
        """
        s = np.arange(steps + 1.0) * (self.length / steps)
        s[-1] = self.length
        inside = self.curve.times[1:-1]
        place = np.rint(inside * (steps / self.length)).astype(int)
        if (np.abs(s[place] - inside) <= APART * self.length).all():  # all of them are there already
            s[place] = inside
            s[0], s[-1] = 0.0, self.length
            return s
        return self._joined(s, inside)

    def _joined(self, s: Floats, more: Floats) -> Floats:
        """Both in order, without those that are hardly apart."""
        found = np.union1d(s, more)
        return np.append(found[:-1][np.diff(found) > APART * self.length], self.length)

    def with_turns(self, s: Floats) -> Floats:
        """Grid with the places added where a joint reverses, by bisection.

        Parameters
        ----------
        s
            Grid.
        """
        q1 = self.curve.derivative(s, 1)
        i, j = np.nonzero(q1[:-1] * q1[1:] < 0)
        low, high, ahead = s[i], s[i + 1], q1[i, j]
        for _ in range(60):
            middle = (low + high) / 2
            same = self.curve.derivative(middle, 1)[np.arange(len(i)), j] * ahead > 0
            low, high = np.where(same, middle, low), np.where(same, high, middle)
        return self._joined(s, high)

    def pieces(self, s: Floats, inside: Floats) -> tuple[Floats, Floats]:
        """Polynomials of the pieces at some places, and the places within the pieces.

        Parameters
        ----------
        s
            Path parameters (N,).
        inside
            Path parameters (N,) that choose the pieces.

        Returns
        -------
        tuple of ndarray
            Coefficients (N, degree + 1, n), and the parameters within the pieces (N,).
        """
        curve = self.curve
        piece = np.searchsorted(curve.times[1:-1], inside, side="right")
        return np.take(curve.coefficients, piece, axis=0), s - curve.times[piece]


def _values(coefficients: Floats, local: Floats) -> Floats:
    """Polynomials, a row each, at an argument each."""
    total = coefficients[:, -1]
    for power in range(coefficients.shape[1] - 2, -1, -1):
        total = total * local[:, None] + coefficients[:, power]
    return total


def _names(joints: Sequence[str] | None, n: int) -> tuple[str, ...]:
    if joints is None:
        return tuple(f"joint{j}" for j in range(1, n + 1))
    if len(joints) != n:
        raise TrajectoryError(f"joints: {len(joints)} names for {n} joints")
    return tuple(joints)
