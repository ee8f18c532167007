"""The limits of all leg joints of a platform, driven or not, and how far its legs can reach within them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import RobosymError
from ..expr import evaluate, expr
from ..models.parallel.structure import LegPath
from ..reals import Floats, real_array
from ..robot import FIXED, PRISMATIC, RobotError
from ..robot.problems import Problem
from .platform_motion import PlatformMotion, Truths

ROUNDING = 1e-9  # rad or m, by which a position may be beyond a limit


@dataclass(frozen=True)
class LegRanges:
    """Lower and upper limits (n,) of the leg joints; infinite where there is none."""

    names: tuple[str, ...]
    lower: Floats
    upper: Floats
    turning: Truths

    def wrapped(self, x: Floats) -> Floats:
        """The same positions (N, n), angles within a turn from their lower limit on."""
        from_below = self.turning & np.isfinite(self.lower)
        from_above = self.turning & ~np.isfinite(self.lower) & np.isfinite(self.upper)
        found, turn = x.copy(), 2 * math.pi
        low, high = self.lower[from_below] - ROUNDING, self.upper[from_above] + ROUNDING
        found[:, from_below] = low + np.mod(x[:, from_below] - low, turn)
        found[:, from_above] = high - np.mod(high - x[:, from_above], turn)
        return found

    def within(self, x: Floats) -> Truths:
        """Which joints (N, n) are within their limits, whole turns apart."""
        there = self.wrapped(x)
        return np.asarray((there >= self.lower - ROUNDING) & (there <= self.upper + ROUNDING))

    def as_dict(self) -> dict[str, list[float | None]]:
        """By joint, those that have a limit."""
        pairs = zip(self.names, self.lower.tolist(), self.upper.tolist(), strict=True)
        return {name: [_or_none(a), _or_none(b)] for name, a, b in pairs if math.isfinite(a) or math.isfinite(b)}


def _or_none(x: float) -> float | None:
    return x if math.isfinite(x) else None


def leg_ranges(motion: PlatformMotion, limits: Mapping[str, Any] | None = None) -> LegRanges:
    """The limits of the description, and before them those of ``limits``: (lower, upper) by the name of a joint, or by the name
    without that of the leg, for the joints of all legs that have it ("length" of leg1_length, leg2_length, ...)."""
    robot, module = motion.robot, motion.module
    given = _checked(motion, {} if limits is None else limits)
    lower, upper = [], []
    for leg in module.legs:
        for k, j in enumerate(leg.joints):
            joint = robot.frame(j).joint
            pair = given.get(joint.name) or given.get(leg.short_name(k)) or (joint.limits.lower, joint.limits.upper)
            lower.append(-math.inf if pair[0] is None else pair[0])
            upper.append(math.inf if pair[1] is None else pair[1])
    return LegRanges(motion.joint_names, np.array(lower), np.array(upper), motion.mechanism.turning)


def _checked(motion: PlatformMotion, limits: Mapping[str, Any]) -> dict[str, tuple[float, float]]:
    robot, module = motion.robot, motion.module
    if not isinstance(limits, Mapping):
        problem = f"got {limits!r:.60}, expected pairs by joint such as {{'{motion.joint_names[0]}': (0, 1)}}"
        raise RobotError([Problem("limits", problem)], robot.name)
    short = {leg.short_name(k): None for leg in module.legs for k in range(len(leg.joints))}
    known = [*motion.joint_names, *(name for name in short if name not in motion.joint_names)]
    found, problems = {}, []
    for name, pair in limits.items():
        if name not in known:
            problems.append(Problem("limits", f"there is no leg joint '{name}' (joints: {', '.join(known[:60])})"))
            continue
        try:
            bounds = real_array(str(name), pair)
        except RobosymError:
            bounds = np.empty(0)
        if bounds.shape != (2,) or not np.isfinite(bounds).all() or bounds[0] > bounds[1]:
            problems.append(Problem("limits", f"'{name}': expected finite lower <= upper, got {pair!r:.60}"))
            continue
        found[str(name)] = (float(bounds[0]), float(bounds[1]))
    if problems:
        raise RobotError(problems, robot.name)
    return found


def reach_box(motion: PlatformMotion, ranges: LegRanges, orientations: Floats | None) -> tuple[Floats, Floats]:
    """A box that holds all positions of the platform's origin: each leg ends within its length from where it stands.

    ``orientations`` (K, 3, 3) are those of the platform; None stands for any."""
    low, high = np.full(3, -np.inf), np.full(3, np.inf)
    for leg, seat in zip(motion.module.legs, motion.mechanism.seats, strict=True):
        stands = np.array(
            [float(x) for x in evaluate([expr(x) for x in leg.mount_position], dict(motion.mechanism.values))]
        )
        radius, arm = _longest(motion, ranges, leg), seat[:3, 3]
        if orientations is None:
            centres, radius = stands[None], radius + float(np.linalg.norm(arm))
        else:
            centres = stands - orientations @ arm
        low = np.maximum(low, centres.min(axis=0) - radius)
        high = np.minimum(high, centres.max(axis=0) + radius)
    return low, high


def _longest(motion: PlatformMotion, ranges: LegRanges, leg: LegPath) -> float:
    """All lengths of a leg from where it begins to move, its slides at their limits."""
    robot, values, total = motion.robot, dict(motion.mechanism.values), 0.0
    for j in leg.moving_frames:
        frame = robot.frame(j)
        b, d, r = frame.b, frame.d, frame.r
        variable = frame.joint.variable
        if frame.sigma != PRISMATIC:
            still = {} if frame.sigma == FIXED or variable is None else {variable: 0.0}
            total += sum(abs(float(x)) for x in evaluate([b, d, r], {**values, **still}))
            continue
        k = motion.module.joints.index(j)
        ends = ranges.lower[k], ranges.upper[k]
        if not np.isfinite(ends).all():
            name = frame.joint.name
            hint = f"give them in metres, limits={{'{name}': (lower, upper)}} or --limit {name}=LOWER:UPPER"
            shared = leg.short_name(leg.joints.index(j))
            hint += (
                f" ('{shared}' is the name for all legs), or give the box" if shared != name else ", or give the box"
            )
            problem = f"the prismatic joint '{name}' has no limits: {hint}"
            raise RobotError([Problem(f"frame {j}, limits", problem)], robot.name)
        assert variable is not None
        along = max(abs(float(evaluate([r], {**values, variable: float(x)})[0])) for x in ends)
        total += along + sum(abs(float(x)) for x in evaluate([b, d], {**values, variable: 0.0}))
    return total
