"""When a frame is where on its path: a trapeze or a quintic of the path length within linear and angular limits."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ..brief import brief
from ..options.validate import validated
from ..reals import Floats, finite_array
from .task_space import TaskPath
from .trajectory import Trajectory, TrajectoryError

Profile = Literal["quintic", "trapeze"]
SHARE = 0.5  # of an acceleration limit: what changes of direction may take at full speed


@dataclass(frozen=True, eq=False, repr=False)
class TaskMotion:
    """Motion of a frame in time.

    Call it with a time or an array of times for poses: (4, 4), or one for each time.

    Attributes
    ----------
    path
        Path of the frame.
    law
        Position on the path as a function of time.
    """

    path: TaskPath
    law: Trajectory  # the place on the path

    def __repr__(self) -> str:
        return brief(f"{self.path.name} of a frame, {self.law.name}, {self.duration:.6g} s")

    @property
    def duration(self) -> float:
        """Duration [s]."""
        return self.law.duration

    def __call__(self, t: Any) -> Floats:
        """Poses of the frame.

        Parameters
        ----------
        t
            Time [s]: one number, or an array.

        Returns
        -------
        ndarray
            Poses (4, 4), or (N, 4, 4).
        """
        return self.path(self.law(finite_array("t", t, TrajectoryError))[0][..., 0])


@validated
def timed(path: TaskPath, *, linear: Any = None, angular: Any = None, profile: Profile = "trapeze") -> TaskMotion:
    """Fastest motion of a frame along a path, from rest to rest, with a profile.

    Origin and axes move in step. Where the path bends, up to half of an acceleration limit serves the change of
    direction.

    Parameters
    ----------
    path
        Path of the frame.
    linear
        Limits of the linear velocity and acceleration [m/s, m/s^2]: a pair. Required if the origin moves.
    angular
        Limits of the angular velocity and acceleration [rad/s, rad/s^2]: a pair. Required if the frame turns. On a
        path in Euler angles they hold for each angle.
    profile
        Velocity profile along the path: "trapeze" (trapezoidal), or "quintic".

    Returns
    -------
    TaskMotion
        Poses as a function of time.

    Notes
    -----
    Khalil, course 2014, [8.48] to [8.57].
    """
    limits = [_pair("linear", linear), _pair("angular", angular)]
    top, push = math.inf, math.inf
    for piece in path.pieces:
        for name, limit, rate, bend in zip(
            ("linear", "angular"), limits, (piece.speed, piece.turning), (piece.bend, piece.twist), strict=True
        ):
            if rate > 0 and limit is None:
                raise TrajectoryError(
                    f"{name}: the path needs a largest speed and acceleration: {name}=(speed, acceleration)"
                )
            if limit is not None and rate > 0:
                top = min(top, limit[0] / rate)
            if limit is not None and bend > 0:
                top = min(top, math.sqrt(SHARE * limit[1] / bend))
    for piece in path.pieces:
        for limit, rate, bend in zip(limits, (piece.speed, piece.turning), (piece.bend, piece.twist), strict=True):
            if limit is not None and rate > 0:
                push = min(push, (limit[1] - bend * top**2) / rate)
    law = trapeze(path.length, top, push) if profile == "trapeze" else quintic(path.length, top, push)
    return TaskMotion(path, law)


def _pair(name: str, given: Any) -> tuple[float, float] | None:
    if given is None:
        return None
    found = finite_array(name, given, TrajectoryError)
    if found.shape != (2,) or not (found > 0).all():
        raise TrajectoryError(f"{name}: got {given!r:.60}, expected a pair (speed, acceleration), both above zero")
    return float(found[0]), float(found[1])


def trapeze(length: float, top: float, push: float) -> Trajectory:
    """From 0 to a length at most so fast and with at most such an acceleration: 1/V + V/A, or 2/sqrt(A) if V^2 > A."""
    top = min(top, math.sqrt(length * push))
    tau, end = top / push, length / top + top / push
    rise = push * tau**2 / 2
    rows = [[0, 0, push / 2], [rise, top, 0], [length - rise, top, -push / 2]]
    times = [0.0, tau, max(end - tau, tau), end]
    return Trajectory(("place",), np.array(times), np.array(rows)[:, :, None], "trapeze")


def quintic(length: float, top: float, push: float) -> Trajectory:
    """Rest to rest with continuous accelerations: 15/8 of the mean speed, 10/sqrt(3) of length over time squared."""
    T = max(15 * length / (8 * top), math.sqrt(10 * length / (math.sqrt(3) * push)))
    row = [0, 0, 0, 10 * length / T**3, -15 * length / T**4, 6 * length / T**5]
    return Trajectory(("place",), np.array([0.0, T]), np.array(row)[None, :, None], "quintic")
