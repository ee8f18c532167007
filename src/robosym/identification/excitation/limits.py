"""The limits of a motion as users give them, checked: of joints by name, and a box for points of the robot."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...analysis.ranges import joint_ranges
from ...errors import RobosymError
from ...reals import Floats, real_array
from ...robot import PRISMATIC, Robot, RobotError
from ...robot.problems import Problem
from ...runtime.arguments import unknown

PerJoint = float | Mapping[str, float] | None
OPEN = (-math.inf, math.inf)


@dataclass(frozen=True)
class JointLimits:
    """Of each moving joint, in the order of q; infinite where there is none. Torques are those of the joints."""

    joints: tuple[str, ...]
    units: tuple[str, ...]  # of the positions: rad or m
    lower: Floats
    upper: Floats
    velocity: Floats
    acceleration: Floats
    torque: Floats
    torque_given: bool  # by the caller, not only by the description
    assumed: tuple[str, ...]  # the joints without position limits: a full turn is taken

    @property
    def width(self) -> Floats:
        return self.upper - self.lower

    def reserved(self, part: float) -> JointLimits:
        """The same with a part of each limit left free."""
        spare = part / 2 * self.width
        smaller = {name: (1 - part) * getattr(self, name) for name in ("velocity", "acceleration", "torque")}
        return replace(self, lower=self.lower + spare, upper=self.upper - spare, **smaller)

    def notes(self) -> list[str]:
        """What is not limited, in words."""
        found = []
        if self.assumed:
            found.append(f"no position limits known, a full turn taken: {', '.join(self.assumed)}")
        for name in ("velocity", "acceleration", "torque"):
            free = [joint for joint, x in zip(self.joints, getattr(self, name), strict=True) if math.isinf(x)]
            if free:
                found.append(f"{name} not limited: {', '.join(free)}")
        return found


def joint_limits(
    robot: Robot,
    position: Mapping[str, Any] | None,
    velocity: PerJoint,
    acceleration: PerJoint,
    torque: PerJoint,
) -> JointLimits:
    """Those given, else those of the description."""
    ranges = joint_ranges(robot, list(robot.moving), position)
    pairs = np.array(ranges.pairs, dtype=float).reshape(-1, 2)
    joints = [robot.frame(j).joint for j in robot.moving]
    described: dict[str, list[float | None]] = {
        "velocity": [joint.limits.velocity for joint in joints],
        "acceleration": [joint.limits.acceleration for joint in joints],
        "torque": [joint.limits.effort for joint in joints],
    }
    found = {}
    for name, given in (("velocity", velocity), ("acceleration", acceleration), ("torque", torque)):
        found[name] = per_joint(robot.name, robot.joint_names, name, given, described[name])
    stuck = [joint.name for joint, pair in zip(joints, pairs, strict=True) if pair[0] >= pair[1]]
    if stuck:
        problem = f"no motion of {', '.join(stuck)}: the lower and the upper limit are equal"
        raise RobotError([Problem("limits", problem)], robot.name)
    units = tuple("m" if robot.frame(j).sigma == PRISMATIC else "rad" for j in robot.moving)
    return JointLimits(
        robot.joint_names,
        units,
        pairs[:, 0],
        pairs[:, 1],
        found["velocity"],
        found["acceleration"],
        found["torque"],
        torque is not None,
        ranges.assumed,
    )


def per_joint(
    robot: str, names: tuple[str, ...], what: str, given: PerJoint, otherwise: Sequence[float | None]
) -> Floats:
    """A positive number for each joint: given for all, given by name, or ``otherwise`` that; infinite where there is none."""
    if given is not None and not isinstance(given, Mapping):
        given = dict.fromkeys(names, given)
    by_name = dict(given or {})
    problems = [Problem(what, unknown("joint", str(name), list(names))) for name in by_name if name not in names]
    for name, value in by_name.items():
        if not value > 0:
            problems.append(Problem(what, f"'{name}' is {value!r:.60}, expected a number above zero"))
    if problems:
        raise RobotError(problems, robot)
    found = [by_name.get(name, own) for name, own in zip(names, otherwise, strict=True)]
    # A description that has 0 means that it is not known.
    return np.array([float(x) if x else math.inf for x in found])


def start_positions(robot: Robot, limits: JointLimits, start: Any) -> Floats | None:
    """The positions a motion is to begin at, which must be within the limits."""
    if start is None:
        return None
    n = len(limits.joints)
    found = real_array("start", start)
    if found.shape != (n,) or not np.isfinite(found).all():
        raise RobosymError(
            f"{robot.name}: start: expected {n} finite numbers ({', '.join(limits.joints)}), got {start!r:.80}"
        )
    for name, x, lower, upper, unit in zip(limits.joints, found, limits.lower, limits.upper, limits.units, strict=True):
        if not lower < x < upper:
            between = f"between {lower:.6g} and {upper:.6g} {unit}"
            raise RobosymError(f"{robot.name}: start: '{name}' is {x:.6g} {unit}, expected {between}, its limits")
    return found


def box_of(robot: Robot, box: Any) -> Floats | None:
    """(3, 2) of pairs along x, y and z; None or infinite bounds are open."""
    if box is None:
        return None
    expected = "expected three pairs (lower, upper) along x, y and z in metres, None for an open bound"
    try:
        pairs = [OPEN if pair is None else (pair[0], pair[1]) for pair in box]
        lower = [-math.inf if pair[0] is None else pair[0] for pair in pairs]
        upper = [math.inf if pair[1] is None else pair[1] for pair in pairs]
        found = np.stack([real_array("box", lower), real_array("box", upper)], axis=1)
    except (TypeError, IndexError, KeyError, RobosymError):
        found = np.empty((0, 2))
    if found.shape != (3, 2) or np.isnan(found).any():
        raise RobotError([Problem("box", f"got {box!r:.80}, {expected}")], robot.name)
    if (found[:, 0] >= found[:, 1]).any():
        axis = "xyz"[int(np.argmax(found[:, 0] >= found[:, 1]))]
        raise RobotError([Problem("box", f"along {axis}: expected lower < upper, got {box!r:.80}")], robot.name)
    return found
