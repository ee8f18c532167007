"""The ranges of the joints: from the description, from the caller, or a full turn."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import RobosymError
from ..reals import Floats, real_array
from ..robot import Robot, RobotError
from ..robot.joint_entries import JointEntry, position_entries, require_no_quaternion
from ..robot.problems import Problem
from .measures import HELD

Pair = tuple[float, float]


@dataclass(frozen=True)
class Ranges:
    """One pair for each moving joint, in the order of q; ``assumed`` are the joints that had no limits."""

    pairs: tuple[Pair, ...]
    assumed: tuple[str, ...]

    @property
    def middle(self) -> Floats:
        return np.array([(lower + upper) / 2 for lower, upper in self.pairs])


def joint_ranges(robot: Robot, joints: list[int], limits: Mapping[str, Any] | None = None) -> Ranges:
    """The range of each moving joint.

    ``limits`` maps joint names to (lower, upper) and comes before the description's. A revolute joint without limits
    turns from -pi to pi; a prismatic one of ``joints`` (those that count) must have some. A bound that is missing beside
    the other is a full turn away.
    """
    given = _checked(robot, {} if limits is None else limits)
    require_no_quaternion(robot, "a search over ranges of positions", "Give positions one by one.")
    pairs: list[Pair] = []
    assumed: list[str] = []
    problems: list[Problem] = []
    for entry in position_entries(robot):
        j, name = entry.frame, entry.name
        pair = given.get(name) or _described(robot, entry)
        if pair is None and not entry.slides:
            pair = (-math.pi, math.pi)
            assumed.append(name)
        if pair is None and j in joints:
            hint = f"give them in metres, limits={{'{name}': (lower, upper)}} or --limit {name}=LOWER:UPPER"
            what = "prismatic joint" if not entry.suffix else "translation"
            problems.append(Problem(f"frame {j}, limits", f"the {what} '{name}' has no limits: {hint}"))
        pairs.append(pair or (0.0, 0.0))
    if problems:
        raise RobotError(problems, robot.name)
    return Ranges(tuple(pairs), tuple(assumed))


def at_joints(robot: Robot, positions: Floats) -> Floats:
    """q for positions of the joints (..., n): a free base is held at the identity."""
    if not robot.base.floating:
        return positions
    held = np.broadcast_to(np.array(HELD), (*positions.shape[:-1], len(HELD)))
    return np.concatenate([held, positions], axis=-1)


def _described(robot: Robot, entry: JointEntry) -> Pair | None:
    """The limits of the description; half a pair is completed for a revolute joint, and is none for a prismatic one."""
    limits = robot.frame(entry.frame).joint.limits
    lower, upper = limits.lower, limits.upper
    if lower is not None and upper is not None:
        return (lower, upper)
    if entry.slides or lower is upper is None:
        return None
    turn = 2 * math.pi
    return (lower, lower + turn) if lower is not None else ((upper or 0.0) - turn, upper or 0.0)


def _checked(robot: Robot, limits: Mapping[str, Any]) -> dict[str, Pair]:
    if not isinstance(limits, Mapping):
        problem = f"got {limits!r:.60}, expected pairs by joint such as {{'joint1': (0, 1)}}"
        raise RobotError([Problem("limits", problem)], robot.name)
    names = [entry.name for entry in position_entries(robot)]
    found: dict[str, Pair] = {}
    problems = []
    for name, pair in limits.items():
        if name not in names:
            known = ", ".join(names[:40])
            problems.append(Problem("limits", f"there is no moving joint '{name}' (joints: {known})"))
            continue
        try:
            bounds = real_array(name, pair)
        except RobosymError:
            bounds = np.empty(0)
        if bounds.shape != (2,):
            problems.append(Problem("limits", f"'{name}': expected (lower, upper), got {pair!r:.60}"))
            continue
        lower, upper = bounds.tolist()
        if not (math.isfinite(lower) and math.isfinite(upper) and lower <= upper):
            problems.append(Problem("limits", f"'{name}': expected finite lower <= upper, got {pair!r}"))
            continue
        found[name] = (lower, upper)
    if problems:
        raise RobotError(problems, robot.name)
    return found
