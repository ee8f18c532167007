"""Motion of a ball joint from one orientation to another, about one axis.

With the quaternions q0 and q1 at the ends, n the unit axis and theta the angle of the rotation between them in the axes of the
link, and s(t) the angle in time, q = q0 * (n sin(s / 2), cos(s / 2)), the angular velocity is s' n and its rate s'' n, both in the
axes of the link. The axis does not turn in these axes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..brief import brief
from ..options.markers import Positive
from ..options.validate import validated
from ..reals import Floats, finite_array
from .point_to_point import point_to_point
from .profiles import ProfileName
from .trajectory import Trajectory, TrajectoryError

UNIT = 1e-6  # how far the length of a quaternion may be from 1


@dataclass(frozen=True, eq=False, repr=False)
class RotationMotion:
    """Motion between two orientations as a function of time.

    Attributes
    ----------
    start
        Quaternion x, y, z, w at the start.
    axis
        Unit axis of the rotation, in the axes of the link.
    angle
        Trajectory of the angle about the axis, from zero.
    """

    start: Floats
    axis: Floats
    angle: Trajectory

    def __repr__(self) -> str:
        turn = float(self.angle(self.duration)[0][0])
        return brief(f"rotation by {turn:.6g} rad, {self.duration:.6g} s")

    @property
    def duration(self) -> float:
        """Duration [s]."""
        return self.angle.duration

    def __call__(self, t: Any) -> tuple[Floats, Floats, Floats]:
        """Positions, velocities and accelerations of a ball joint.

        Parameters
        ----------
        t
            Time [s]: one number, or an array.

        Returns
        -------
        tuple of ndarray
            Quaternion x, y, z, w (..., 4), angular velocity (..., 3) [rad/s] and angular acceleration (..., 3)
            [rad/s^2] in the axes of the link.
        """
        s, rate, second = self.angle(t)
        turned = np.concatenate([np.sin(s / 2) * self.axis, np.cos(s / 2)], axis=-1)
        return product(self.start, turned), rate * self.axis, second * self.axis


@validated
def rotation(
    start: Any,
    end: Any,
    profile: ProfileName = "quintic",
    *,
    velocity: Positive | None = None,
    acceleration: Positive | None = None,
    jerk: Positive | None = None,
    duration: Positive | None = None,
) -> RotationMotion:
    """Motion of a ball joint from one orientation to another by the shortest rotation.

    The link turns about one axis. The motion is the fastest within the limits, or takes the given duration.

    Parameters
    ----------
    start
        Quaternion x, y, z, w at the start, of unit length.
    end
        Quaternion x, y, z, w at the end, of unit length.
    profile
        Velocity profile of the angle, as in ``point_to_point``.
    velocity
        Limit of the angular velocity [rad/s].
    acceleration
        Limit of the angular acceleration [rad/s^2].
    jerk
        Limit of the third derivative of the angle [rad/s^3].
    duration
        Duration of the motion [s]. None: the shortest duration within the limits.

    Returns
    -------
    RotationMotion
        Quaternion, angular velocity and angular acceleration as functions of time.

    Raises
    ------
    TrajectoryError
        If a quaternion is not of unit length, a limit is missing, or the duration is too short for the limits.

    Examples
    --------
    >>> move = rotation([0, 0, 0, 1], [0, 0, 1, 0], duration=2.0)
    >>> [x.shape for x in move(0.5)]
    [(4,), (3,), (3,)]
    """
    first, last = quaternion("start", start), quaternion("end", end)
    between = product(first * [-1, -1, -1, 1], last)
    if between[3] < 0:  # the same orientation, by the shorter way
        between = -between
    sine = float(np.linalg.norm(between[:3]))
    axis = between[:3] / sine if sine > 0 else np.array([0.0, 0.0, 1.0])
    theta = 2 * np.arctan2(sine, between[3])
    angle = point_to_point(
        [0.0],
        [theta],
        profile,
        velocity=velocity,
        acceleration=acceleration,
        jerk=jerk,
        duration=duration,
        joints=["angle"],
    )
    return RotationMotion(first, axis, angle)


def quaternion(what: str, given: Any) -> Floats:
    """A quaternion of unit length."""
    found = finite_array(what, given, TrajectoryError)
    if found.shape != (4,):
        raise TrajectoryError(f"{what}: expected a quaternion x, y, z, w, got the shape {found.shape}")
    length = float(np.linalg.norm(found))
    if abs(length - 1) > UNIT:
        raise TrajectoryError(f"{what}: expected a quaternion of length 1, got {length:g}. Divide it by its length.")
    return np.asarray(found / length)


def product(a: Floats, b: Floats) -> Floats:
    """Product of quaternions x, y, z, w (..., 4)."""
    v, w, u, s = a[..., :3], a[..., 3:], b[..., :3], b[..., 3:]
    vector = w * u + s * v + np.cross(v, u)
    return np.concatenate([vector, w * s - np.sum(v * u, axis=-1, keepdims=True)], axis=-1)
