"""Exciting motions: motions of a robot from whose recording its parameters can be identified well, within all its limits."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from ...brief import brief
from ...errors import RobosymError
from ...models import regressor
from ...models.common import numbers_given
from ...models.resolve import Near, Structure, as_loops, resolve
from ...models.tool import Tool
from ...options.validate import validated
from ...reals import Floats
from ...robot import Robot, RobotError
from ...robot.problems import Problem
from ...trajectory import Sampled
from .checks import SLOW, Checks, Margin, fitted, linear_margins
from .criterion import Conditions, Criterion, Kind
from .families import Family, FourierFamily, SplineFamily
from .limits import JointLimits, PerJoint, box_of, joint_limits, per_joint, start_positions
from .motions import Motion
from .one_thread import one_thread
from .quantities import point_quantities, torque_quantity
from .search import Budget, Search

Shape = Literal["fourier", "spline"]
FRICTION = ("viscous", "coulomb", "offset")
POSTURES = 20_000  # drawn at random, to find where a motion may be at all
REPORTED = 1000  # samples of the motion that the condition numbers reported are of
SMALLEST, SMALLER = (
    0.01,
    0.97,
)  # how far, and by how much at a time, a motion is drawn together to keep torques and points


@dataclass(frozen=True, repr=False)
class Excitation:
    """A motion, how well it excites the parameters, and how far it stays from every limit."""

    robot: str
    motion: Motion
    conditions: Conditions
    margins: tuple[Margin, ...]
    columns: tuple[str, ...]  # the parameters that it excites
    notes: tuple[str, ...]
    criterion: Kind
    seed: int
    evaluations: int

    def __repr__(self) -> str:
        return brief(f"excitation of {self.robot!r:.42}: condition number {self.condition:.4g}, raw {self.raw:.4g}")

    @property
    def condition(self) -> float:
        """The condition number of the stacked regressor with columns of length one."""
        return self.conditions.condition

    @property
    def raw(self) -> float:
        """The same with the columns as they are, in SI units."""
        return self.conditions.raw

    def sampled(self, rate: float, repeats: int = 1) -> Sampled:
        """The motion at ``rate`` samples a second."""
        return self.motion.sampled(rate, repeats)

    def as_dict(self) -> dict[str, Any]:
        """Everything but the motion's samples, as --json prints it."""
        from .files import motion_as_dict

        return {
            "robot": self.robot,
            "criterion": self.criterion,
            "condition": _finite(self.condition),
            "raw_condition": _finite(self.raw),
            "determinant": _finite(self.conditions.determinant),
            "samples": REPORTED,
            "margins": {one.limit: _as_dict(one) for one in self.margins},
            "seed": self.seed,
            "evaluations": self.evaluations,
            "columns": list(self.columns),
            "motion": motion_as_dict(self.motion),
            "notes": list(self.notes),
        }


def _as_dict(margin: Margin) -> dict[str, Any]:
    return {"what": margin.what, "margin": _finite(margin.margin), "unit": margin.unit}


def _finite(value: float) -> float | None:
    """None stands for infinity, which JSON does not have."""
    return value if math.isfinite(value) else None


@validated
def excite(
    robot: Robot,
    *,
    shape: Shape = "fourier",
    duration: float = 10.0,
    harmonics: int = 5,
    segments: int = 10,
    rest: bool = True,
    start: Any = None,
    criterion: Kind = "both",
    friction: bool | Sequence[str] = FRICTION,
    rotor_inertia: bool = True,
    noise: PerJoint = None,
    limits: Mapping[str, Any] | None = None,
    velocity: PerJoint = None,
    acceleration: PerJoint = None,
    torque: PerJoint = None,
    reserve: float = 0.0,
    box: Any = None,
    height: float | None = None,
    frame: int | str | None = None,
    tool: Tool | None = None,
    all_frames: bool = False,
    parameters: Mapping[str, float] | None = None,
    seed: int = 0,
    evaluations: int = 600,
    seconds: float | None = None,
    progress: Callable[[int, float], None] | None = None,
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
) -> Excitation:
    """A motion of all joints that excites the base parameters well and violates no limit.

    ``shape`` "fourier": a series of ``harmonics`` of 1 / ``duration``, periodic; with ``rest`` velocity and acceleration are zero
    where a period begins, so that a controller can start there from rest and stop. "spline": a quintic B-spline of ``segments``,
    at rest at both ends. ``start`` are the positions to begin at, otherwise they are chosen.

    ``criterion``: the "condition" number of the stacked regressor with columns of length one, the "raw" one, "both" (their
    geometric mean) or the "determinant" of D^T D. ``noise`` {"joint": sigma} weights the rows by 1 / sigma.

    ``limits`` {"joint": (lower, upper)}, ``velocity``, ``acceleration`` and ``torque`` (a number for all joints, or by joint) come before
    the description's; ``reserve`` is the part of each that is left free for the controller's errors (0.05), and margins are to what
    remains. ``box`` is three pairs along x, y, z of the world that the origin of ``frame`` (by default the tip), or of a
    ``tool`` in it, stays in; with ``all_frames`` the origins of all frames that move. All of these stay above ``height``.

    The same ``seed`` and ``evaluations`` (at most so many) give the same motion; with ``seconds`` the search ends when they are over,
    wherever it is then. ``progress`` is called with the evaluations used and the best value.
    """
    robot = as_loops(robot)
    resolved = resolve(robot, mode, near, structure)
    tree, loops = resolved.robot, resolved.choice
    family = _family(robot, shape, harmonics, segments, rest, start is not None)
    _check_options(robot, duration, criterion, seed, evaluations, seconds)
    known = numbers_given(robot, parameters) or {}
    bounds = joint_limits(tree, limits, velocity, acceleration, torque).reserved(_part(robot, reserve))
    first = start_positions(robot, bounds, start)
    model = regressor(tree, friction=friction, rotor_inertia=rotor_inertia, **loops)
    measure = Criterion(model, known, _weights(robot, bounds, noise), criterion)
    if measure.entries.missing:
        names = ", ".join(measure.entries.missing[:10])
        problem = f"no value for {names}: give them, parameters={{'{measure.entries.missing[0]}': ...}}"
        raise RobotError([Problem("parameters", problem)], robot.name)
    of_torque, notes = torque_quantity(tree, bounds, known, loops)
    of_points = point_quantities(tree, box_of(robot, box), height, frame, tool, all_frames, known, loops)
    checks = Checks((*of_torque, *of_points))
    with one_thread():
        random = np.random.default_rng(seed)
        postures = _postures(robot, bounds, measure, checks, random, first)
        lost = _leave_out_dependent(measure, bounds, postures, random)
        search = Search(family, float(duration), bounds, measure, checks, first)
        budget = Budget(evaluations, seconds, progress)
        found = search.run(random, postures, budget)
        motion, margins = _within(robot, search, found)
        states = motion((np.arange(REPORTED) + 0.5) / REPORTED * duration)
        conditions = measure.conditions(states)
    if lost:
        notes.append(f"columns no motion can tell from the others, left out: {', '.join(lost)}")
    return Excitation(
        robot.name,
        motion,
        conditions,
        margins,
        measure.columns,
        (*bounds.notes(), *notes),
        criterion,
        seed,
        budget.used,
    )


# --- options -------------------------------------------------------------------------------------------------------------


def _family(robot: Robot, shape: str, harmonics: int, segments: int, rest: bool, anchored: bool) -> Family:
    if shape not in get_args(Shape):
        raise RobotError([Problem("shape", f"got {shape!r}, expected 'fourier' or 'spline'")], robot.name)
    if not isinstance(rest, bool):
        raise RobotError([Problem("rest", f"got {rest!r:.60}, expected True or False")], robot.name)
    if shape == "spline":
        _whole(robot, "segments", segments, 3, 200)
        return SplineFamily(anchored, segments)
    _whole(robot, "harmonics", harmonics, 2 if rest else 1, 100)
    return FourierFamily(anchored, harmonics, rest)


def _whole(robot: Robot, name: str, value: Any, least: int, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        problem = f"got {value!r:.60}, expected a whole number from {least} to {most}"
        raise RobotError([Problem(name, problem)], robot.name)


def _above_zero(robot: Robot, name: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < float("inf"):
        problem = f"got {value!r:.60}, expected a number of seconds above zero"
        raise RobotError([Problem(name, problem)], robot.name)


def _part(robot: Robot, reserve: Any) -> float:
    if isinstance(reserve, bool) or not isinstance(reserve, int | float) or not 0 <= reserve < 1:
        raise RobotError([Problem("reserve", f"got {reserve!r:.60}, expected a part from 0 to below 1")], robot.name)
    return float(reserve)


def _check_options(robot: Robot, duration: Any, criterion: Any, seed: Any, evaluations: Any, seconds: Any) -> None:
    if robot.base.floating:
        problem = (
            "is free: its motion follows from the torques and cannot be prescribed; excite the robot with its base held"
        )
        raise RobotError([Problem("base", problem)], robot.name)
    if not robot.moving:
        raise RobotError([Problem("", "has no joint that moves: there is nothing to excite")], robot.name)
    _above_zero(robot, "duration", duration)
    if seconds is not None:
        _above_zero(robot, "seconds", seconds)
    if criterion not in get_args(Kind):
        expected = ", ".join(map(repr, get_args(Kind)))
        raise RobotError([Problem("criterion", f"got {criterion!r}, expected one of {expected}")], robot.name)
    _whole(robot, "seed", seed, 0, 2**63)
    _whole(robot, "evaluations", evaluations, 1, 10**9)


def _weights(robot: Robot, limits: JointLimits, noise: PerJoint) -> Floats:
    """One over the noise of each row; 1 where none is given."""
    if noise is None:
        return np.ones(len(limits.joints))
    sigma = per_joint(robot.name, limits.joints, "noise", noise, [1.0] * len(limits.joints))
    return np.asarray(1 / sigma)


# --- where a motion may be -----------------------------------------------------------------------------------------------


def _postures(
    robot: Robot,
    limits: JointLimits,
    measure: Criterion,
    checks: Checks,
    random: np.random.Generator,
    start: Floats | None,
) -> Floats:
    """Positions at which the robot can move slowly within all limits, or an error that says which limit is in the way."""
    n = len(limits.joints)
    q = random.uniform(limits.lower, limits.upper, (POSTURES, n)) if start is None else start[None]
    still = (q, np.zeros_like(q), np.zeros_like(q))
    # About to move either way: friction counts.
    both = [checks.violated((q, np.full_like(q, speed), still[2])) for speed in (SLOW, -SLOW)]
    bad = [one | other for one, other in zip(*both, strict=True)]
    names = [one.named(still) for one in checks.quantities]
    if robot.loops:
        bad.insert(0, ~measure.entries(still)[1])
        names.insert(0, "the closed loops, which must be assembled")
    fine = ~np.logical_or.reduce([np.zeros(len(q), dtype=bool), *bad])
    if fine.any():
        return np.asarray(q[fine])
    where = f"at none of {len(q)} postures within the joints' limits" if start is None else "at the start"
    alone = [name for name, one in zip(names, bad, strict=True) if one.all()]
    if alone:
        reason = f"{where} can the robot begin to move within the limit of {' or of '.join(dict.fromkeys(alone))}"
    else:
        reason = f"{where} are the limits of {' and '.join(dict.fromkeys(names))} kept at the same time"
    raise RobosymError(f"{robot.name}: there is no such motion: {reason}")


def _leave_out_dependent(
    measure: Criterion, limits: JointLimits, postures: Floats, random: np.random.Generator
) -> tuple[str, ...]:
    """Columns that no motion can tell apart, found at random states."""
    q = postures[random.integers(len(postures), size=4 * len(measure.model.columns) + 20)]
    q = np.clip(q + 0.02 * limits.width * random.normal(size=q.shape), limits.lower, limits.upper)
    states = (q, random.normal(size=q.shape), random.normal(size=q.shape))
    there = measure.entries(states)[1]
    return measure.leave_out_dependent((states[0][there], states[1][there], states[2][there]))


# --- within all limits ---------------------------------------------------------------------------------------------------


def _within(robot: Robot, search: Search, candidates: Sequence[Floats]) -> tuple[Motion, tuple[Margin, ...]]:
    """The first candidate that keeps all limits, drawn together as far as it must be."""
    worst: Margin | None = None
    for x in candidates:
        fit = search.fit(x)
        whole = search.motion(x)
        motion = fitted(whole, search.limits, fit.centre)
        size = 1.0
        while size >= SMALLEST:
            tried = motion.scaled(size, fit.centre) if size < 1 else motion
            margins = (*linear_margins(tried, search.limits), *search.checks.margins(tried))
            worst = min(margins, key=lambda one: one.margin)
            if worst.margin >= 0 and search.assembled(tried):
                return tried, margins
            size *= SMALLER
    kept = worst is None or worst.margin >= 0
    what = f"the limit of {worst.limit} of {worst.what}" if worst is not None and not kept else "assembling its loops"
    raise RobosymError(f"{robot.name}: no motion was found that keeps all limits: {what} is in the way")
