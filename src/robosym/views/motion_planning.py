"""From a request to a trajectory: legs planned one after the other, timed, and put together."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from ..reals import Floats
from ..trajectory import (
    JointMotion,
    Path,
    TaskMotion,
    Trajectory,
    TrajectoryError,
    arc,
    fastest,
    point_to_point,
    scaled_to_torque,
    straight,
    through,
    timed,
    to_joints,
    via,
)
from .motion_request import MotionError, Request, pose_matrix

RATE = 200.0  # samples a second of the joints along a path of the tip
SINGULAR = 1e3  # a condition number that is worth a word


@dataclass(frozen=True)
class Planned:
    """A motion of the coordinates; of the tip also what it does."""

    trajectory: Trajectory
    arrivals: tuple[float, ...]  # when it is in each of the points
    remarks: tuple[str, ...]
    tip: tuple[TaskMotion, ...] = ()  # leg after leg


def planned(request: Request) -> Planned:
    """The motion, or the error of the leg that cannot be made."""
    if request.space == "tip":
        return _of_tip(request)
    if request.way == "rest":
        legs = [_leg(request, a, b) for a, b in pairwise(request.points)]
        return _together(request, [_retimed(request, leg) for leg in legs])
    if request.timing == "fastest" and request.way == "spline":
        path = Path.spline(request.points, joints=request.names)
        move, remarks = _fastest(request, path)
        return Planned(move, _passed(request, move), tuple(remarks))
    move = _through(request)
    found, remarks = _retimed(request, move)
    return Planned(found, _passed(request, found), tuple(remarks))


# --- joints --------------------------------------------------------------------------------------------------------------


def _leg(request: Request, a: Floats, b: Floats) -> Trajectory | Path:
    if request.timing == "fastest":
        return Path.line(a, b, joints=request.names)
    return point_to_point(
        a, b, request.profile, duration=request.seconds, synchronise=request.synchronise, **_limits(request)
    )


def _through(request: Request) -> Trajectory:
    times = None if request.seconds is None else np.arange(len(request.points)) * request.seconds
    return through(request.points, times, method=request.way, degree=request.degree, **_limits(request))


def _limits(request: Request) -> dict[str, Any]:
    """The limits, and the robot, which knows more of its joints than these."""
    found: dict[str, Any] = {
        what: {one.name: x for one in request.coordinates if np.isfinite(x := getattr(one, what))} or None
        for what in ("velocity", "acceleration", "jerk")
    }
    return found | ({"robot": request.robot} if request.of_joints else {"joints": request.names})


def _passed(request: Request, move: Trajectory) -> tuple[float, ...]:
    """When a motion is nearest to each of the points, in their order."""
    times = np.unique(np.concatenate([np.linspace(0.0, move.duration, 2000), move.times]))
    q = move(times)[0]
    found = [0.0]
    for point in request.points[1:-1]:
        later = times >= found[-1]
        gap = np.where(later, np.abs(q - point).max(axis=1), np.inf)
        found.append(float(times[int(gap.argmin())]))
    return (*found, move.duration)


# --- the tip -------------------------------------------------------------------------------------------------------------


def _of_tip(request: Request) -> Planned:
    poses = [pose_matrix(row) for row in request.points]
    if request.way == "arc":
        if len(poses) % 2 == 0:
            raise MotionError(f"points: arcs take 3, 5, 7 ... poses (start, one on the way, end), got {len(poses)}")
        paths = [arc(*poses[k : k + 3]) for k in range(0, len(poses) - 2, 2)]
    elif request.way == "via":
        paths = [via(poses, blend=request.blend)]
    else:
        paths = [straight(a, b) for a, b in pairwise(poses)]
    profile: Any = "trapeze" if request.profile == "trapeze" else "quintic"
    motions = [timed(path, linear=request.linear, angular=request.angular, profile=profile) for path in paths]
    seed, legs, remarks = request.seed, [], []
    if held(request):
        remarks.append(f"{', '.join(held(request))}: more joints than a pose takes, so that these stay where they are")
    for k, motion in enumerate(motions, 1):
        leg = _joints_along(request, motion, seed, f"leg {k}: " if len(motions) > 1 else "")
        seed = leg.end
        legs.append(leg)
        if leg.condition > SINGULAR:
            remarks.append(
                f"leg {k} comes near a singularity at {leg.worst:.3g} s: condition number {leg.condition:.3g}"
            )
        if leg.deviation > 1e-4:
            remarks.append(f"leg {k}: between samples the tip leaves its path by {1e3 * leg.deviation:.2g} mm")
    found = _together(request, [_retimed(request, leg) for leg in legs])
    arrivals = found.arrivals if request.way == "straight" else _spread(found.arrivals, len(poses))
    kept = tuple(motions) if request.timing == "planned" else ()
    return Planned(found.trajectory, arrivals, (*remarks, *found.remarks), kept)


def _joints_along(request: Request, motion: TaskMotion, seed: Floats | None, leg: str) -> JointMotion:
    stays = None if seed is None else {name: float(seed[request.names.index(name)]) for name in held(request)}
    try:
        return to_joints(request.robot, motion, RATE, seed=seed, given=stays or None)
    except TrajectoryError as error:
        raise TrajectoryError(f"{leg}{error}") from error


def held(request: Request) -> tuple[str, ...]:
    """Of an arm with more joints than a pose takes, the last ones stay where they are."""
    return request.names[6:] if request.robot.structure == "serial" else ()


def _spread(ends: tuple[float, ...], count: int) -> tuple[float, ...]:
    """Poses that are passed on the way, evenly between those at the ends of legs."""
    return tuple(np.interp(np.linspace(0, len(ends) - 1, count), np.arange(len(ends)), ends).tolist())


# --- time ----------------------------------------------------------------------------------------------------------------


def _retimed(request: Request, leg: Trajectory | Path) -> tuple[Trajectory, list[str]]:
    if request.timing == "fastest":
        return _fastest(request, leg)
    assert isinstance(leg, Trajectory)
    if request.timing == "planned":
        return leg, []
    found = scaled_to_torque(request.robot, leg, torque=request.limit("torque"), friction=request.friction)
    said = f"{found.factor:.4g} times as fast as planned: {found.joint} is at its torque at {found.when:.4g} s"
    return found, [said]


def _fastest(request: Request, path: Trajectory | Path) -> tuple[Trajectory, list[str]]:
    given = {what: request.limit(what) for what in ("velocity", "acceleration", "torque")}
    known: dict[str, Any] = {what: rows for what, rows in given.items() if np.isfinite(rows).any()}
    found = fastest(request.robot, path, friction=request.friction, **known)
    used = [f"{100 * share:.4g} % of {what}" for what, share in found.excess.items()]
    return found, [f"at most {', '.join(used)} is used"]


def _together(request: Request, legs: list[tuple[Trajectory, list[str]]]) -> Planned:
    moves = [move for move, _ in legs]
    ends = np.cumsum([0.0, *(move.duration for move in moves)])
    powers = max(move.coefficients.shape[1] for move in moves)
    rows = [np.pad(move.coefficients, ((0, 0), (0, powers - move.coefficients.shape[1]), (0, 0))) for move in moves]
    times = [np.zeros(1), *(move.times[1:] + start for move, start in zip(moves, ends, strict=False))]
    name = moves[0].name if len(moves) == 1 else f"{moves[0].name}, {len(moves)} legs"
    whole = Trajectory(request.names, np.concatenate(times), np.concatenate(rows), name)
    several = len(legs) > 1
    said = [f"leg {k}: {one}" if several else one for k, (_, own) in enumerate(legs, 1) for one in own]
    return Planned(whole if several else moves[0], tuple(ends.tolist()), tuple(said))
