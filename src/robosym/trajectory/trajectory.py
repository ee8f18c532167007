"""A trajectory: q, qd, qdd and jerk of every joint as functions of time, by pieces that are polynomials.

All profiles of chapter 8, splines, blends, jerk-limited motions and parametrised paths are of this form, so that limits can be
checked at all times and not only at samples: the extremes of a polynomial lie at its ends and where its derivative vanishes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ..brief import brief, one_line
from ..errors import RobosymError
from ..files import write_text
from ..options.markers import Positive
from ..options.validate import validated
from ..reals import Floats, finite_array, real_array
from .extremes import extremes

MOST_SAMPLES = 10_000_000
FEW_PIECES = 64  # for more of them a compiled function takes less time
WORDS = ("q", "qd", "qdd")


class TrajectoryError(RobosymError):
    """Motion that cannot be made; the message states the reason."""


@dataclass(frozen=True, repr=False)
class Sampled:
    """Samples of a trajectory at equal time steps.

    Attributes
    ----------
    time
        Times (N,) [s].
    q
        Joint positions (N, n) [rad or m].
    qd
        Joint velocities (N, n) [rad/s or m/s].
    qdd
        Joint accelerations (N, n) [rad/s^2 or m/s^2].
    """

    __repr__ = one_line

    time: Floats
    q: Floats
    qd: Floats
    qdd: Floats


@dataclass(frozen=True, eq=False, repr=False)
class Trajectory:
    """Motion of the joints in time, by pieces that are polynomials.

    Call it with a time or an array of times for q, qd and qdd. Before its start it is at its start, after its end at
    its end.

    Attributes
    ----------
    joints
        Names of the joints.
    times
        Times at which the pieces begin, and the end (pieces + 1,) [s]: from 0 on, ascending.
    coefficients
        Coefficients (pieces, degree + 1, joints) of the powers 0, 1, 2 and so on of the time since the piece began.
    name
        Name of the motion.
    """

    joints: tuple[str, ...]
    times: Floats  # (pieces + 1,), from 0 on, ascending
    coefficients: Floats  # (pieces, degree + 1, joints), of the powers 0, 1, 2 ... of the time since the piece began
    name: str = "trajectory"

    def __post_init__(self) -> None:
        pieces, _, n = self.coefficients.shape
        if self.times.shape != (pieces + 1,) or n != len(self.joints):
            raise TrajectoryError(
                f"trajectory: {pieces} pieces of {n} joints, {self.times.shape} times and {len(self.joints)} names"
            )
        if not (np.isfinite(self.times).all() and np.isfinite(self.coefficients).all()):
            raise TrajectoryError("trajectory: expected finite times and coefficients")
        if self.times[0] != 0 or (self.times[1:] < self.times[:-1]).any():
            raise TrajectoryError("trajectory: expected times from 0 on, ascending")

    def __repr__(self) -> str:
        return brief(
            f"{self.name} of {len(self.joints)} joints, {self.duration:.6g} s, {len(self.coefficients)} pieces"
        )

    @property
    def duration(self) -> float:
        """Duration [s]."""
        return float(self.times[-1])

    def __call__(self, t: Any) -> tuple[Floats, Floats, Floats]:
        """Positions, velocities and accelerations of the joints.

        Parameters
        ----------
        t
            Time [s]: one number, or an array.

        Returns
        -------
        tuple of ndarray
            q, qd and qdd, each with one more dimension than t: the joints.
        """
        times = real_array("t", t)
        inside = times.ravel()
        if not (len(inside) and inside.min() >= 0 and inside.max() <= self.duration):  # also if one is nan
            inside = np.clip(finite_array("t", inside), 0.0, self.duration)
        if len(self.coefficients) == 1:
            found = _powers(inside, self._stacked.shape[1]) @ self._stacked[0]
        elif len(self.coefficients) <= FEW_PIECES:
            found = self._by_piece(inside)
        else:
            from .path_programs import derivatives

            piece = self._piece(inside)
            function = derivatives(self.coefficients.shape[1] - 1, len(self.joints))
            each = function(curve=np.take(self.coefficients, piece, axis=0), local=inside - self.times[piece])
            return tuple(each[name].reshape(*times.shape, len(self.joints)) for name in ("q", "q1", "q2"))
        found = found.reshape(*times.shape, 3, len(self.joints))
        return found[..., 0, :], found[..., 1, :], found[..., 2, :]

    def _by_piece(self, inside: Floats) -> Floats:
        """q, qd and qdd beside each other: a matrix product for each piece."""
        found = np.empty((len(inside), self._stacked.shape[2]))
        piece = self._piece(inside)
        if (piece[1:] < piece[:-1]).any():
            order = np.argsort(piece, kind="stable")
            found[order] = self._by_piece(inside[order])
            return found
        ends = np.searchsorted(piece, np.arange(len(self.coefficients) + 1))
        for k in np.flatnonzero(np.diff(ends)):
            own = slice(ends[k], ends[k + 1])
            np.matmul(_powers(inside[own] - self.times[k], self._stacked.shape[1]), self._stacked[k], out=found[own])
        return found

    def jerk(self, t: Any) -> Floats:
        """Third derivative of the positions; where it jumps, that of the later piece.

        Parameters
        ----------
        t
            Time [s]: one number, or an array.
        """
        return self.derivative(finite_array("t", t), 3)

    def derivative(self, t: Floats, order: int) -> Floats:
        """Derivative of the positions by time (..., n).

        Parameters
        ----------
        t
            Time [s]: one number, or an array.
        order
            Order of the derivative.
        """
        inside = np.clip(np.asarray(t, dtype=float), 0.0, self.duration)
        piece = self._piece(inside)
        local = (inside - self.times[piece])[..., None]
        own = self.derived(order)
        total = np.zeros((*inside.shape, len(self.joints)))
        for power in range(own.shape[1] - 1, -1, -1):
            total = total * local + own[piece, power]
        return total

    def _piece(self, inside: Floats) -> Any:
        """The number of the piece that each time is in."""
        return np.clip(np.searchsorted(self.times, inside, side="right") - 1, 0, len(self.coefficients) - 1)

    @cached_property
    def _stacked(self) -> Floats:
        """The coefficients of q, qd and qdd beside each other, (pieces, degree + 1, 3 n)."""
        pieces, powers, n = self.coefficients.shape
        found = np.zeros((pieces, powers, 3, n))
        for order in range(min(3, powers)):
            found[:, : powers - order, order] = self.derived(order)
        return found.reshape(pieces, powers, 3 * n)

    def derived(self, order: int) -> Floats:
        """Coefficients of a derivative.

        Parameters
        ----------
        order
            Order of the derivative.
        """
        own = self.coefficients
        for _ in range(order):
            powers = np.arange(1, own.shape[1])[None, :, None]
            own = own[:, 1:] * powers if own.shape[1] > 1 else np.zeros_like(own)
        return own

    @cached_property
    def start(self) -> Floats:
        """Positions at the start."""
        return self.derivative(np.zeros(()), 0)

    @cached_property
    def end(self) -> Floats:
        """Positions at the end."""
        return self.derivative(np.array(self.duration), 0)

    def ranges(self, order: int = 0) -> tuple[Floats, Floats]:
        """Smallest and largest value of a derivative of each joint, over all times.

        Parameters
        ----------
        order
            Order of the derivative.
        """
        own = self.derived(order)
        powers = np.arange(own.shape[1])[None, :, None]
        low, high = extremes(own * np.diff(self.times)[:, None, None] ** powers)
        return low.min(axis=0), high.max(axis=0)

    # --- for people -------------------------------------------------------------------------------------------------------

    @validated
    def sampled(self, rate: Positive) -> Sampled:
        """Samples of the trajectory from 0 to the end; the end is the last sample.

        Parameters
        ----------
        rate
            Sampling rate [Hz].
        """
        steps = math.ceil(self.duration * rate * (1 - 1e-12))
        if steps >= MOST_SAMPLES:
            raise TrajectoryError(f"rate: {rate:g} a second are {steps} samples, expected at most {MOST_SAMPLES}")
        time = np.minimum(np.arange(steps + 1) / rate, self.duration)
        return Sampled(time, *self(time))

    def as_csv(self, rate: float = 500.0) -> str:
        """Samples as CSV: t, then q, qd and qdd of every joint.

        Parameters
        ----------
        rate
            Sampling rate [Hz].
        """
        found = self.sampled(rate)
        header = ["t", *(f"{word}_{joint}" for word in WORDS for joint in self.joints)]
        rows = np.column_stack([found.time, found.q, found.qd, found.qdd])
        return "\n".join([",".join(header), *(",".join(map(repr, row)) for row in rows.tolist())]) + "\n"

    def write_csv(self, path: str | Path, rate: float = 500.0) -> None:
        """Write the samples to a CSV file: t, then q, qd and qdd of every joint.

        Parameters
        ----------
        path
            Path of the file.
        rate
            Sampling rate [Hz].
        """
        write_text(path, self.as_csv(rate))

    def plot(self, path: str | Path) -> None:
        """Write a figure of q, qd and qdd.

        Parameters
        ----------
        path
            File name that ends in .png, .svg or .pdf.
        """
        from ..plots import picture_format, save
        from ..plots.motions import motion_figure

        picture_format(path)
        t = np.unique(np.concatenate([np.linspace(0.0, self.duration, 1000), self.times]))
        save(motion_figure(t, self(t), self.joints, repr(self).strip("<>")), path)


def _powers(t: Floats, count: int) -> Floats:
    """1, t, t^2 ... beside each other, (N, count)."""
    found = np.empty((count, len(t)))
    found[0] = 1.0
    for power in range(1, count):
        np.multiply(found[power - 1], t, out=found[power])
    return found.T
