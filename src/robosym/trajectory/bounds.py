"""What users give for every joint: positions, limits, names; from the call or from the robot's description."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..reals import Floats, finite_array, real_array
from ..robot.joint_entries import require_no_quaternion, speed_entries, speed_names
from .trajectory import TrajectoryError

if TYPE_CHECKING:
    from ..robot import Robot

# What is not supported of joints with a quaternion, and what to do.
TURNING = ("a trajectory of joints", "trajectory.rotation gives the motion of a ball joint between two orientations.")
UNITS = {"velocity": "rad/s or m/s", "acceleration": "rad/s^2 or m/s^2", "jerk": "rad/s^3 or m/s^3"}


def joint_names(count: int, joints: Sequence[str] | None, robot: Robot | None) -> tuple[str, ...]:
    """The names given, or the robot's, or q1, q2 ..."""
    if robot is not None and robot.base.floating:
        raise TrajectoryError(
            f"{robot.name}: the base is free: expected a robot whose q are the positions of its joints"
        )
    if robot is not None:
        require_no_quaternion(robot, *TURNING)
    if joints is None:
        joints = tuple(f"q{i}" for i in range(1, count + 1)) if robot is None else speed_names(robot)
    found = tuple(joints)
    if not all(isinstance(name, str) and name for name in found):
        raise TrajectoryError(f"joints: expected names, got {joints!r:.80}")
    if len(found) != count:
        whose = "" if robot is None else f" of {robot.name}"
        raise TrajectoryError(f"expected {len(found)} positions, one for each joint{whose}, got {count}")
    if len(set(found)) != count:
        raise TrajectoryError(f"joints: a name is there twice: {', '.join(found)}")
    return found


def position(what: str, given: Any, joints: Sequence[str] | None, robot: Robot | None) -> Floats:
    """One finite number for each joint, as a list or by name."""
    if isinstance(given, Mapping):
        names = list(joints if joints is not None else () if robot is None else speed_names(robot))
        if not names:
            raise TrajectoryError(f"{what}: positions by name need joints= or robot=")
        return by_name(what, given, names)
    found = finite_array(what, given, TrajectoryError)
    if found.ndim != 1 or not found.size:
        raise TrajectoryError(f"{what}: expected a number for each joint, got the shape {found.shape}")
    return found


def by_name(what: str, given: Mapping[str, Any], joints: Sequence[str]) -> Floats:
    unknown = [name for name in given if name not in joints]
    missing = [name for name in joints if name not in given]
    if unknown:
        raise TrajectoryError(
            f"{what}: there is no joint {', '.join(map(repr, unknown))} (joints: {', '.join(joints)})"
        )
    if missing:
        raise TrajectoryError(f"{what}: no number for {', '.join(missing)}")
    return finite_array(what, [given[name] for name in joints], TrajectoryError)


def boundary(what: str, given: Any, joints: tuple[str, ...]) -> Floats:
    """A velocity or acceleration of every joint; none is zero, and of a mapping what it leaves out."""
    if given is None:
        return np.zeros(len(joints))
    if isinstance(given, Mapping):
        return by_name(what, {**dict.fromkeys(joints, 0.0), **given}, joints)
    found = finite_array(what, given, TrajectoryError)
    if found.shape not in ((), (len(joints),)):
        raise TrajectoryError(f"{what}: expected {len(joints)} numbers, got the shape {found.shape}")
    return np.broadcast_to(found, (len(joints),)).astype(float)


def limits(what: str, given: Any, joints: tuple[str, ...], robot: Robot | None) -> Floats:
    """A positive number for each joint: one for all, one each, or by name; else the description's; infinite where none is known."""
    described = _described(what, joints, robot)
    if given is None:
        return described
    if isinstance(given, Mapping):
        unknown = [name for name in given if name not in joints]
        if unknown:
            raise TrajectoryError(
                f"{what}: there is no joint {', '.join(map(repr, unknown))} (joints: {', '.join(joints)})"
            )
        given = [given.get(name, own) for name, own in zip(joints, described, strict=True)]
    found = real_array(what, given, TrajectoryError)
    if found.shape not in ((), (len(joints),)):
        raise TrajectoryError(f"{what}: expected one limit, or {len(joints)}, got the shape {found.shape}")
    found = np.broadcast_to(found, (len(joints),)).astype(float)
    for name, value in zip(joints, found, strict=True):
        if not value > 0:
            raise TrajectoryError(
                f"{what}: '{name}' has the limit {value:g}, expected a number above zero, {UNITS[what]}"
            )
    return found


def _described(what: str, joints: tuple[str, ...], robot: Robot | None) -> Floats:
    if robot is None:
        return np.full(len(joints), math.inf)
    own = {entry.name: getattr(robot.frame(entry.frame).joint.limits, what) for entry in speed_entries(robot)}
    return np.array([float(own.get(name) or math.inf) for name in joints])  # a description that has 0 does not know


def estimated(
    needed: Sequence[str], known: dict[str, Floats], joints: tuple[str, ...], robot: Robot | None
) -> dict[str, Floats]:
    """The limits, and for an acceleration that is needed and not known the effort of the joint over its largest inertia, which a
    ``RobotWarning`` says."""
    if robot is None or "acceleration" not in needed or np.isfinite(known["acceleration"]).all():
        return known
    if not any(robot.frame(j).joint.limits.effort for j in robot.moving):
        return known
    from ..analysis.inertia import acceleration_limits

    missing = [name for name, limit in zip(joints, known["acceleration"], strict=True) if math.isinf(limit)]
    own = dict(zip(speed_names(robot), acceleration_limits(robot, missing), strict=True))
    found = [
        own.get(name, math.inf) if math.isinf(k) else k for name, k in zip(joints, known["acceleration"], strict=True)
    ]
    return {**known, "acceleration": np.array(found)}


def demand(needed: Sequence[str], known: Mapping[str, Floats], joints: tuple[str, ...], why: str) -> None:
    """An error that names the joints whose limits are missing."""
    for what in needed:
        missing = [name for name, limit in zip(joints, known[what], strict=True) if math.isinf(limit)]
        if missing:
            whose = f"joint{'' if len(missing) == 1 else 's'} {', '.join(missing)}"
            raise TrajectoryError(
                f"{why} needs a limit of {what} ({UNITS[what]}), and there is none for {whose}: give {what}=, "
                f"or limits in the robot's description"
            )


def inside(robot: Robot | None, joints: tuple[str, ...], what: str, q: Floats) -> None:
    """Within the positions that the joints of the description can have."""
    if robot is None:
        return
    for entry in speed_entries(robot):
        joint = robot.frame(entry.frame).joint
        if entry.name not in joints:
            continue
        x, lower, upper = float(q[joints.index(entry.name)]), joint.limits.lower, joint.limits.upper
        if (lower is not None and x < lower - 1e-9) or (upper is not None and x > upper + 1e-9):
            low, high = ("-inf" if lower is None else f"{lower:.6g}"), ("inf" if upper is None else f"{upper:.6g}")
            raise TrajectoryError(f"{what}: '{entry.name}' is at {x:.6g}, outside its limits from {low} to {high}")
