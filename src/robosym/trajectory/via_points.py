"""Through several points with free paths between them (Khalil, course 2014, 8.1): splines, and lines with blends.

A spline passes through every point; its velocity and acceleration are continuous. Lines with blends are the trapeze profile for
many points: constant velocity along each line, and around every point between two of them constant acceleration for as long
as the limits demand; it passes by the inner points at |change of velocity| tau / 8, and meets the first and the last.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from ..options.validate import validated
from ..reals import Floats, finite_array
from ..robot import Robot
from .bounds import demand, estimated, inside, joint_names, limits, position
from .extremes import largest
from .trajectory import Trajectory, TrajectoryError

LIMITS = ("velocity", "acceleration", "jerk")
ROUNDS = 60  # in which the times of a spline are improved
EVEN = 0.2  # the least that an interval gets of what it began with, beside the others
SLACK = 1e-9  # by which given times may break a limit


@validated
def through(
    points: Any,
    times: Any = None,
    *,
    velocity: Any = None,
    acceleration: Any = None,
    jerk: Any = None,
    method: Literal["spline", "blend"] = "spline",
    degree: Literal[3, 5] = 3,
    robot: Robot | None = None,
    joints: Sequence[str] | None = None,
) -> Trajectory:
    """Motion of the joints through several points, from rest to rest.

    Splines pass through every point. Lines with parabolic blends pass by the inner points, and meet the first and the
    last.

    Parameters
    ----------
    points
        Positions to pass [rad or m], two or more: each a list, or values by joint name.
    times
        Times of the points [s], from 0 on, ascending: one per point. Times that break a limit raise an error. None:
        times with which all limits are kept and at least one is reached.
    velocity
        Velocity limit [rad/s or m/s]: one number, a list, or values by joint name. None, or a joint left out: the
        limit of the robot's description.
    acceleration
        Acceleration limit [rad/s^2 or m/s^2]: one number, a list, or values by joint name. None, or a joint left out:
        the limit of the robot's description, else the effort over the largest inertia, with a RobotWarning.
    jerk
        Jerk limit [rad/s^3 or m/s^3]: one number, a list, or values by joint name. Splines of degree 5 keep it. None,
        or a joint left out: the limit of the robot's description.
    method
        Curve between the points: "spline", or "blend" (straight lines with parabolic blends).
    degree
        Degree of the spline: 3 or 5. Degree 3 has zero velocity at both ends. Degree 5 also has zero acceleration
        there, and continuous jerk everywhere.
    robot
        Robot with the limits and names of the joints. None: only the limits that are given.
    joints
        Names of the joints. None: the names of the robot, else q1, q2, and so on.

    Returns
    -------
    Trajectory
        Positions, velocities and accelerations as functions of time.

    Notes
    -----
    Khalil, course 2014, section 8.1. Lines with blends pass an inner point at the distance ``|change of velocity| tau
    / 8``, where tau is the duration of the blend.
    """
    if (
        isinstance(points, (str, bytes))
        or not hasattr(points, "__len__")
        or not getattr(points, "ndim", 1)
        or len(points) < 2
    ):
        raise TrajectoryError("points: expected two positions or more")
    rows = [position(f"points, {k}", point, joints, robot) for k, point in enumerate(points, 1)]
    if len({len(row) for row in rows}) > 1:
        raise TrajectoryError(
            f"points: they have {', '.join(str(len(row)) for row in rows)} joints, expected the same of each"
        )
    q = np.array(rows)
    names = joint_names(q.shape[1], joints, robot)
    for k, row in enumerate(q, 1):
        inside(robot, names, f"points, {k}", row)
    known = {w: limits(w, x, names, robot) for w, x in zip(LIMITS, (velocity, acceleration, jerk), strict=True)}
    given = None if times is None else _times(times, len(q))
    same = [k for k in range(1, len(q)) if np.array_equal(q[k], q[k - 1])]
    if given is None and same:
        raise TrajectoryError(f"points: {same[0]} and {same[0] + 1} are the same; give times to wait there")
    if given is None or method == "blend":
        needed = LIMITS[:2] if given is None else ("acceleration",)
        moving = np.ptp(q, axis=0) > 0
        known = estimated(needed, known, names, robot)
        demand(needed, {w: np.where(moving, k, 1.0) for w, k in known.items()}, names, f"a {method} through points")
    if method == "blend":
        return _blended(names, q, given, known["velocity"], known["acceleration"])
    bounds = [known[w] for w in LIMITS[: 2 if degree == 3 else 3]]
    return _spline(names, q, given, degree, bounds)


def _times(given: Any, count: int) -> Floats:
    found = finite_array("times", given, TrajectoryError)
    if found.shape != (count,):
        raise TrajectoryError(f"times: expected {count}, one for each point, got the shape {found.shape}")
    if found[0] != 0 or (np.diff(found) <= 0).any():
        raise TrajectoryError("times: expected them from 0 on, each after the one before")
    return found


# --- splines -------------------------------------------------------------------------------------------------------------


def _spline(names: tuple[str, ...], q: Floats, times: Floats | None, degree: int, bounds: list[Floats]) -> Trajectory:
    name = f"spline of degree {degree}"
    if times is not None:
        found = _coefficients(times, q, degree)
        excess = _excess(np.diff(times), found, bounds)
        if excess.max() > 1 + SLACK:
            order, piece, j = np.unravel_index(int(excess.argmax()), excess.shape)
            raise TrajectoryError(
                f"times: between points {piece + 1} and {piece + 2} {names[j]} comes to {excess.max():.6g} times its limit of "
                f"{LIMITS[order]}; all times {_longer(excess):.6g} times as long would do"
            )
        return Trajectory(names, times, found, name)
    # An interval in which a limit is broken gets longer, one in which none is reached shorter; the best of all rounds is scaled
    # such that all limits are kept, which is exact: derivatives of order k fall as c^k.
    D = np.abs(np.diff(q, axis=0))
    h = np.maximum((D / bounds[0]).max(axis=1), np.sqrt((D / bounds[1]).max(axis=1)))
    first, best = h, (math.inf, h)
    for _ in range(ROUNDS):
        excess = _excess(h, _coefficients(_from_zero(h), q, degree), bounds)
        h = h * _longer(excess)
        best = min(best, (float(h.sum()), h), key=lambda one: one[0])
        powers = 1 / np.arange(1, len(bounds) + 1)[:, None]
        reached = (excess.max(axis=2) ** powers).max(axis=0)
        share = h / first * (reached / reached.max()) ** 0.3
        h = first * np.maximum(share, EVEN * share.max())
    times = _from_zero(best[1])
    return Trajectory(names, times, _coefficients(times, q, degree), name)


def _longer(excess: Floats) -> float:
    """How much longer all must take, from the excess by order, piece and joint."""
    return max(math.pow(float(own.max()), 1 / order) for order, own in enumerate(excess, 1))


def _from_zero(h: Floats) -> Floats:
    return np.concatenate([[0.0], np.cumsum(h)])


def _coefficients(times: Floats, q: Floats, degree: int) -> Floats:
    """The spline at rest at both ends, by pieces."""
    from scipy.interpolate import CubicSpline, make_interp_spline

    if degree == 3:
        return np.ascontiguousarray(np.moveaxis(CubicSpline(times, q, bc_type="clamped").c[::-1], 0, 1))
    rest = [(1, np.zeros(q.shape[1])), (2, np.zeros(q.shape[1]))]
    spline = make_interp_spline(times, q, k=5, bc_type=(rest, rest))
    return np.stack([spline(times[:-1], order) / math.factorial(order) for order in range(6)], axis=1)


def _excess(h: Floats, coefficients: Floats, bounds: list[Floats]) -> Floats:
    """How many times its limit each derivative reaches at most: (orders, pieces, joints)."""
    own = coefficients * h[:, None, None] ** np.arange(coefficients.shape[1])[None, :, None]
    found = []
    for order, bound in enumerate(bounds, 1):
        own = own[:, 1:] * np.arange(1, own.shape[1])[None, :, None]
        found.append(largest(own) / h[:, None] ** order / bound)
    return np.array(found)


# --- lines with blends ---------------------------------------------------------------------------------------------------


def _blended(names: tuple[str, ...], q: Floats, times: Floats | None, kv: Floats, ka: Floats) -> Trajectory:
    """The lines pass through the points at times t_i; a blend of duration tau_i is centred on each, also on the first and last."""
    D = np.diff(q, axis=0)
    if times is None:
        h = (np.abs(D) / kv).max(axis=1)
        for _ in range(ROUNDS):  # where blends would overlap the line takes longer
            h = h * np.sqrt(np.maximum(1.0, _taken(h, D, ka) / h))
        h = h * math.sqrt(max(1.0, float((_taken(h, D, ka) / h).max())))
    else:
        h = _lines(times, D, names, ka)
        tight = _taken(h, D, ka) / h
        if tight.max() > 1 + SLACK:
            first = int(tight.argmax()) + 1
            raise TrajectoryError(
                f"times: between points {first} and {first + 1} there is no time for the blends at both"
            )
        fast = np.abs(D) / h[:, None] / kv
        if fast.max() > 1 + SLACK:
            k, j = np.unravel_index(int(fast.argmax()), fast.shape)
            raise TrajectoryError(
                f"times: between points {k + 1} and {k + 2} {names[j]} comes to {fast.max():.6g} times its limit of velocity"
            )
    w, tau = _velocities(h, D, ka)
    t = tau[0] / 2 + _from_zero(h)
    starts, coefficients = [], []
    for i in range(len(q)):
        if tau[i] > 0:
            starts.append(t[i] - tau[i] / 2)
            coefficients.append([q[i] - w[i] * tau[i] / 2, w[i], (w[i + 1] - w[i]) / (2 * tau[i])])
        if i < len(h) and h[i] - (tau[i] + tau[i + 1]) / 2 > 1e-13 * h[i]:
            starts.append(t[i] + tau[i] / 2)
            coefficients.append([q[i] + w[i + 1] * tau[i] / 2, w[i + 1], np.zeros_like(w[i])])
    starts[0] = 0.0
    return Trajectory(names, np.array([*starts, t[-1] + tau[-1] / 2]), np.array(coefficients), "lines with blends")


def _velocities(h: Floats, D: Floats, ka: Floats) -> tuple[Floats, Floats]:
    """The velocities before and after every point, and the shortest blends between them."""
    rest = np.zeros((1, D.shape[1]))
    w = np.concatenate([rest, D / h[:, None], rest])
    return w, (np.abs(np.diff(w, axis=0)) / ka).max(axis=1)


def _taken(h: Floats, D: Floats, ka: Floats) -> Floats:
    """How much of every line the blends at its ends take."""
    _, tau = _velocities(h, D, ka)
    return (tau[:-1] + tau[1:]) / 2


def _lines(times: Floats, D: Floats, names: tuple[str, ...], ka: Floats) -> Floats:
    """How long each line takes, without the halves of the first and last blend that lie outside: h = T - tau/2, tau h = 1/A."""
    h = np.diff(times)
    need = (np.abs(D) / ka).max(axis=1)  # 1 / A of the line as a whole
    ends = [(0, 4.0)] if len(h) == 1 else [(0, 2.0), (len(h) - 1, 2.0)]
    for k, halves in ends:
        inside = h[k] ** 2 - halves * need[k]
        if inside < -SLACK * h[k] ** 2:
            j = int((np.abs(D[k]) / ka).argmax())
            raise TrajectoryError(
                f"times: {h[k]:.6g} s between points {k + 1} and {k + 2} are too short for {names[j]}: "
                f"at least {math.sqrt(halves * need[k]):.6g} s"
            )
        h[k] = (h[k] + math.sqrt(max(0.0, inside))) / 2
    return h
