"""From one position of all joints to another (Khalil, course 2014, 8.3)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from ..options.markers import Positive
from ..options.validate import validated
from ..reals import Floats
from ..robot import Robot
from .bounds import boundary, demand, estimated, inside, joint_names, limits, position
from .profiles import PROFILES, Profile, ProfileName
from .synchronised import Move, in_step, in_time, on_a_line, one_by_one, too_short, with_states
from .trajectory import Trajectory, TrajectoryError

Synchronisation = Literal["homothetic", "time", "phase", "none"]


@validated
def point_to_point(
    q0: Any,
    qf: Any,
    profile: ProfileName = "quintic",
    *,
    velocity: Any = None,
    acceleration: Any = None,
    jerk: Any = None,
    duration: Positive | None = None,
    robot: Robot | None = None,
    v0: Any = None,
    vf: Any = None,
    a0: Any = None,
    af: Any = None,
    synchronise: Synchronisation | None = None,
    joints: Sequence[str] | None = None,
) -> Trajectory:
    """Motion from one joint position to another, with a velocity profile.

    The motion is the fastest within the limits, or takes the given duration. With a robot, its positions at both ends
    must be within the joint limits.

    A profile keeps the limits of derivatives that do not jump in it. All profiles keep velocity limits; all but
    "linear" keep acceleration limits; "quintic", "continuous" and "jerk-limited" also keep jerk limits.

    Parameters
    ----------
    q0
        Start position of the joints [rad or m]: a list, or values by joint name.
    qf
        Goal position of the joints [rad or m]: a list, or values by joint name.
    profile
        Velocity profile: "linear", "cubic", "quintic", "bang-bang", "trapeze", "continuous" or "jerk-limited".
        "trapeze" is trapezoidal; "continuous" is trapezoidal with continuous acceleration; "jerk-limited" has seven
        phases of constant jerk.
    velocity
        Velocity limit [rad/s or m/s]: one number, a list, or values by joint name. None, or a joint left out: the
        limit of the robot's description.
    acceleration
        Acceleration limit [rad/s^2 or m/s^2]: one number, a list, or values by joint name. None, or a joint left out:
        the limit of the robot's description, else the effort over the largest inertia, with a RobotWarning.
    jerk
        Jerk limit [rad/s^3 or m/s^3]: one number, a list, or values by joint name. None, or a joint left out: the
        limit of the robot's description.
    duration
        Duration of the motion [s]. None: the shortest duration within the limits. With a duration, "linear", "cubic",
        "quintic" and "bang-bang" motions need no limits.
    robot
        Robot with the limits and names of the joints. None: only the limits that are given.
    v0
        Joint velocities at the start [rad/s or m/s]: one number, a list, or values by joint name. None, or a joint
        left out: zero. For "cubic", "quintic", "trapeze" and "jerk-limited" profiles.
    vf
        Joint velocities at the end [rad/s or m/s]: one number, a list, or values by joint name. None, or a joint left
        out: zero. For "cubic", "quintic", "trapeze" and "jerk-limited" profiles.
    a0
        Joint accelerations at the start [rad/s^2 or m/s^2]: one number, a list, or values by joint name. None, or a
        joint left out: zero. For "quintic" and "jerk-limited" profiles.
    af
        Joint accelerations at the end [rad/s^2 or m/s^2]: one number, a list, or values by joint name. None, or a
        joint left out: zero. For "quintic" and "jerk-limited" profiles.
    synchronise
        Synchronisation of the joints: "homothetic" or "phase" (straight line), "time" (same arrival), or "none".
        "homothetic" and "phase" move all joints in step on the straight line in joint space. States at the ends that
        are not on one line raise an error. "time" moves each joint in its own way. "none" moves each joint as fast as
        it can, and takes no duration. None: "homothetic" from rest to rest, else "time".
    joints
        Names of the joints. None: the names of the robot, else q1, q2, and so on.

    Returns
    -------
    Trajectory
        Positions, velocities and accelerations as functions of time.

    Raises
    ------
    TrajectoryError
        If a limit is missing, or the duration is too short for the limits.

    Notes
    -----
    Khalil, course 2014, section 8.3; motions in step: [8.23].
    """
    form = PROFILES[profile]
    start, end = (position(what, q, joints, robot) for what, q in (("q0", q0), ("qf", qf)))
    if start.shape != end.shape:
        raise TrajectoryError(f"q0 has {len(start)} joints and qf {len(end)}")
    names = joint_names(len(start), joints, robot)
    inside(robot, names, "q0", start)
    inside(robot, names, "qf", end)
    given = {"velocity": velocity, "acceleration": acceleration, "jerk": jerk}
    known = {what: limits(what, value, names, robot) for what, value in given.items()}
    ends = [boundary(w, x, names) for w, x in (("v0", v0), ("vf", vf), ("a0", a0), ("af", af))]
    _has_these_ends(profile, form, ends)
    moving = (start != end) | np.any(np.array(ends) != 0, axis=0)
    needs = form.needs if duration is None or not form.peak else ()
    known = estimated(needs, known, names, robot)
    demand(needs, {w: np.where(moving, k, 1.0) for w, k in known.items()}, names, f"a {profile} motion")
    kept = [known[what] if keeps(form, what) else np.full(len(names), math.inf) for what in given]
    move = Move(profile, names, start, end, ends, (kept[0], kept[1], kept[2]), duration)
    how = synchronise or ("homothetic" if move.at_rest else "time")
    if how == "none" and duration is not None:
        raise TrajectoryError("duration: joints that are not synchronised have each their own, expected none")
    if move.at_rest:
        return {"none": one_by_one, "time": in_time}.get(how, in_step)(move)
    if how in ("homothetic", "phase"):
        line = on_a_line(move)
        return line if line is not None else _polynomial(move)
    if how == "none":
        return one_by_one(move)
    return _polynomial(move) if form.polynomial else with_states(move)


def _polynomial(move: Move) -> Trajectory:
    """Cubic or quintic with given states at the ends: one polynomial for each joint, of one duration."""
    own = move.polynomials
    least, worst = own.least(move.limits) if np.isfinite(move.limits[:2]).any() else (move.duration, 0)
    if least is None:
        raise TrajectoryError(
            f"no duration of a {move.profile} motion keeps the limits of {move.joints[worst]} with these states at its ends: "
            "a jerk-limited motion may"
        )
    lasting = least if move.duration is None else move.duration
    if move.duration is not None:
        if move.duration < least * (1 - 1e-12):
            raise too_short(move, worst, least)
        excess = own.excess(np.array([lasting]), move.limits)[0] if lasting else np.zeros(1)
        if excess.max() > 1 + 1e-12:
            raise TrajectoryError(
                f"duration: in {lasting:g} s {move.joints[int(excess.argmax())]} comes to {excess.max():.4g} times a limit "
                f"with these states at its ends; the least duration is {least:.9g} s"
            )
    return own.trajectory(move.joints, float(lasting or 0.0), move.profile)


# --- what was given ------------------------------------------------------------------------------------------------------


def keeps(form: Profile, what: str) -> bool:
    return what in form.needs or (what == "jerk" and form.jerk)


def _has_these_ends(profile: str, form: Profile, ends: list[Floats]) -> None:
    for what, names, pair in (("velocity", "v0, vf", ends[:2]), ("acceleration", "a0, af", ends[2:])):
        if what not in form.ends and any(x.any() for x in pair):
            able = ", ".join(name for name, one in PROFILES.items() if what in one.ends)
            raise TrajectoryError(f"{names}: a {profile} motion has no {what} at its ends; those that have: {able}")
