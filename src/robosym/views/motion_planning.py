"""From a request to a trajectory: legs planned one after the other, timed, and put together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, cast

import numpy as np

from ..options.errors import ArgumentError
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
from .motion_request import TIP_PROFILES, Request, pose_matrix

RATE = 200.0  # samples a second of the joints along a path of the tip
SINGULAR = 1e3  # a condition number that is worth a word
STILL = 1e-9  # m: less than this way is rounding
SEEN = 2001  # instants at which a motion is compared with the points on its way


@dataclass(frozen=True)
class Planned:
    """A motion of the coordinates; of the tip also what it does."""

    trajectory: Trajectory
    arrivals: tuple[float, ...]  # when it is in each of the points, or nearest to those that it only passes
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
        return Planned(move, _passed(move, request.points), tuple(remarks))
    move = _through(request)
    found, remarks = _retimed(request, move)
    return Planned(found, _passed(found, request.points), tuple(remarks))


# --- joints --------------------------------------------------------------------------------------------------------------


def _leg(request: Request, a: Floats, b: Floats) -> Trajectory | Path:
    if request.timing == "fastest":
        return Path.line(a, b, joints=request.names)
    return point_to_point(
        a, b, request.profile, duration=request.seconds, synchronise=request.synchronise, **_limits(request)
    )


def _through(request: Request) -> Trajectory:
    times = None if request.seconds is None else np.arange(len(request.points)) * request.seconds
    return through(request.points, times, method=cast(Any, request.way), degree=request.degree, **_limits(request))


def _limits(request: Request) -> dict[str, Any]:
    """The limits, and the robot, which knows more of its joints than these."""
    found: dict[str, Any] = {
        what: {one.name: x for one in request.coordinates if np.isfinite(x := getattr(one, what))} or None
        for what in ("velocity", "acceleration", "jerk")
    }
    return found | ({"robot": request.robot} if request.of_joints else {"joints": request.names})


def _passed(move: Trajectory, points: Floats) -> tuple[float, ...]:
    """When a motion is nearest to each of the points, in their order."""
    times = np.unique(np.concatenate([np.linspace(0.0, move.duration, SEEN), move.times]))
    q = move(times)[0]
    between = _in_order(times, [np.abs(q - point).max(axis=1) for point in points[1:-1]])
    return (0.0, *between, move.duration)


def _in_order(times: Floats, gaps: Iterable[Floats]) -> list[float]:
    """The times of the smallest gaps, none before the last."""
    found = [float(times[0])]
    for gap in gaps:
        found.append(float(times[int(np.where(times >= found[-1], gap, np.inf).argmin())]))
    return found[1:]


# --- the tip -------------------------------------------------------------------------------------------------------------


def _of_tip(request: Request) -> Planned:
    poses = [pose_matrix(row) for row in request.points]
    if request.way == "arc":
        if len(poses) % 2 == 0:
            raise ArgumentError(f"points: arcs take 3, 5, 7 ... poses (start, one on the way, end), got {len(poses)}")
        paths = [arc(*poses[k : k + 3]) for k in range(0, len(poses) - 2, 2)]
    elif request.way == "via":
        paths = [via(poses, blend=request.blend)]
    else:
        paths = [straight(a, b) for a, b in pairwise(poses)]
    profile: Any = request.profile if request.profile in TIP_PROFILES else TIP_PROFILES[0]
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
    arrivals = found.arrivals
    if request.way != "straight":
        arrivals = _passed(found.trajectory, _joints_at(motions, legs, poses, request.way == "arc"))
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


def _joints_at(motions: Sequence[TaskMotion], legs: Sequence[Trajectory], poses: list[Floats], arcs: bool) -> Floats:
    """The joints where the tip is nearest to each pose. An arc goes through the position of the pose on its way alone."""
    found, each = [legs[0].start], (len(poses) - 1) // len(motions)
    for k, (motion, leg) in enumerate(zip(motions, legs, strict=True)):
        times = np.linspace(0.0, motion.duration, SEEN)
        T = motion(times)
        size = max(float(np.ptp(T[:, :3, 3], axis=0).max()), STILL)
        gaps = [
            np.linalg.norm(T[:, :3, 3] - pose[:3, 3], axis=1) / size
            + (0.0 if arcs else np.linalg.norm(T[:, :3, :3] - pose[:3, :3], axis=(1, 2)))
            for pose in poses[k * each + 1 : (k + 1) * each]
        ]
        found += [*(leg(t)[0] for t in _in_order(times, gaps)), leg.end]
    return np.array(found)


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
