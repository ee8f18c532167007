"""To a target that moves (Khalil, course 2014, [8.3]; Taylor 1979)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..options.markers import Positive
from ..options.validate import validated
from .bounds import demand, limits, position
from .pieces import Pieces, common_times
from .point_to_point import keeps
from .profiles import PROFILES, ProfileName
from .synchronised import Move, too_short
from .trajectory import Trajectory, TrajectoryError


@validated
def to_moving_target(
    q0: Any,
    target: Trajectory,
    profile: ProfileName = "quintic",
    *,
    velocity: Any = None,
    acceleration: Any = None,
    jerk: Any = None,
    duration: Positive | None = None,
) -> Trajectory:
    """Motion from rest relative to a moving target until the joints move with it.

    The motion relative to the target starts and ends at rest, so that the joints start with the velocity of the
    target. It uses what the target leaves of the limits.

    Parameters
    ----------
    q0
        Start position of the joints [rad or m]: a list, or values by joint name.
    target
        Motion of the target.
    profile
        Velocity profile: "linear", "cubic", "quintic", "bang-bang", "trapeze", "continuous" or "jerk-limited".
        "trapeze" is trapezoidal; "continuous" is trapezoidal with continuous acceleration; "jerk-limited" has seven
        phases of constant jerk.
    velocity
        Velocity limit [rad/s or m/s]: one number, a list, or values by joint name.
    acceleration
        Acceleration limit [rad/s^2 or m/s^2]: one number, a list, or values by joint name.
    jerk
        Jerk limit [rad/s^3 or m/s^3]: one number, a list, or values by joint name.
    duration
        Duration of the motion [s]. None: the shortest duration within the limits.

    Returns
    -------
    Trajectory
        The joints reach the target at the duration of the profile, and then stay with it.

    Raises
    ------
    TrajectoryError
        If the profile needs a limit that is missing, or the target leaves nothing of a limit.

    Notes
    -----
    ``q(t) = q_f(t) - (1 - r(t)) D`` with ``D = q_f(0) - q0`` (Khalil, course 2014, [8.3]; Taylor 1979).
    """
    form, joints = PROFILES[profile], target.joints
    start = position("q0", q0, joints, None)
    if len(start) != len(joints):
        raise TrajectoryError(
            f"q0: expected {len(joints)} positions, one for each joint of the target, got {len(start)}"
        )
    D = target.start - start
    given = {"velocity": velocity, "acceleration": acceleration, "jerk": jerk}
    known = {what: limits(what, value, joints, None) for what, value in given.items()}
    needs = form.needs if duration is None or not form.peak else ()
    demand(needs, {w: np.where(D != 0, k, 1.0) for w, k in known.items()}, joints, f"a {profile} motion")
    left = []
    for order, what in enumerate(given, 1):
        own = np.abs(target.ranges(order)).max(axis=0)
        rest = known[what] - own if keeps(form, what) else np.full(len(joints), np.inf)
        if (rest <= 0).any():
            j = int(np.argmin(rest))
            raise TrajectoryError(
                f"the target moves {joints[j]} with a {what} of {own[j]:.6g}, which leaves nothing of the limit {known[what][j]:.6g}"
            )
        left.append(rest)
    if not D.any():
        return target
    move = Move(profile, joints, start, target.start, [np.zeros(len(D))] * 4, (left[0], left[1], left[2]), duration)
    r = move.unit(D)
    if duration is not None:
        if duration < r.duration * (1 - 1e-12):
            raise too_short(move, move.slowest, r.duration)
        r = r.stretched(duration)
    moving = [Pieces(target.times, target.coefficients[:, :, j]) for j in range(len(joints))]
    times = common_times([target.times, r.times], max(r.duration, target.duration))
    degree = max(moving[0].degree, r.degree)
    found = [
        own.refined(times, degree) + r.scaled(d, -d).refined(times, degree) for own, d in zip(moving, D, strict=True)
    ]
    return Trajectory(joints, times, np.stack(found, axis=-1), f"{profile} to a moving target")
