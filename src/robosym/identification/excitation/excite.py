"""Exciting motions: motions of a robot from whose recording its parameters can be identified well, within all its limits."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...brief import brief
from ...errors import RobosymError
from ...models import regressor
from ...models.common import numbers_given
from ...models.resolve import Near, Structure, as_loops, resolve
from ...options.validate import validated
from ...reals import Floats
from ...robot import Robot, RobotError
from ...robot.joint_entries import require_single_axes
from ...robot.problems import Problem
from ...trajectory import Sampled
from .checks import SLOW, Checks, Margin, fitted, linear_margins
from .criterion import Conditions, Criterion
from .families import FAMILIES
from .limits import JointLimits, PerJoint, joint_limits, per_joint, start_positions
from .motions import Motion
from .one_thread import one_thread
from .options import MotionLimits, Objective, Region, SearchOptions, Waveform
from .quantities import point_quantities, torque_quantity
from .search import Budget, Search

POSTURES = 20_000  # drawn at random, to find where a motion may be at all
REPORTED = 1000  # samples of the motion that the condition numbers reported are of
SMALLEST, SMALLER = (
    0.01,
    0.97,
)  # how far, and by how much at a time, a motion is drawn together to keep torques and points


@dataclass(frozen=True, repr=False)
class Excitation:
    """Exciting motion, its condition numbers, and its margins to every limit.

    Attributes
    ----------
    robot
        Name of the robot.
    motion
        Motion of all joints.
    conditions
        Condition numbers of the stacked regressor.
    margins
        Smallest margin to each limit.
    columns
        Names of the parameters that the motion excites.
    notes
        Remarks in words.
    criterion
        Name of the criterion.
    seed
        Seed of the search.
    evaluations
        Number of motions that the search evaluated.
    """

    robot: str
    motion: Motion
    conditions: Conditions
    margins: tuple[Margin, ...]
    columns: tuple[str, ...]
    notes: tuple[str, ...]
    criterion: str
    seed: int
    evaluations: int

    def __repr__(self) -> str:
        return brief(f"excitation of {self.robot!r:.42}: condition number {self.condition:.4g}, raw {self.raw:.4g}")

    @property
    def condition(self) -> float:
        """Condition number of the stacked regressor with columns of length one."""
        return self.conditions.condition

    @property
    def raw(self) -> float:
        """Condition number of the stacked regressor with columns in SI units."""
        return self.conditions.raw

    def sampled(self, rate: float, repeats: int = 1) -> Sampled:
        """Sample the motion.

        Parameters
        ----------
        rate
            Sampling rate [Hz].
        repeats
            Number of periods of a periodic motion.

        Returns
        -------
        Sampled
            Times, positions, velocities and accelerations.
        """
        return self.motion.sampled(rate, repeats)

    def as_dict(self) -> dict[str, Any]:
        """All results but the samples of the motion, as ``robosym excite --json`` prints them."""
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
    parameters: Mapping[str, float] | None = None,
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
    progress: Callable[[int, float], None] | None = None,
    waveform: Waveform = Waveform(),
    objective: Objective = Objective(),
    motion_limits: MotionLimits = MotionLimits(),
    region: Region = Region(),
    search: SearchOptions = SearchOptions(),
    **options: Any,
) -> Excitation:
    """Find a motion of all joints that excites the base parameters well, within all limits.

    Parameters
    ----------
    robot
        Robot with a fixed base.
    parameters
        Values of parameters that the description leaves open, by name.
    mode
        Assembly mode of closed loops, by name. None: the mode of the joint positions in the description, otherwise
        the first mode.
    near
        Joint positions near the assembly of closed loops [rad or m], by joint.
    structure
        Structure of a robot with closed loops: "closed", or "tree" for the tree without the cut joints.
    progress
        Function that is called with the number of evaluations, and the best value of the criterion.
    waveform
        Course of the motion in time. Its fields are valid as arguments.
    objective
        Criterion, and the columns that it counts. Its fields are valid as arguments.
    motion_limits
        Limits of the joints. Its fields are valid as arguments.
    region
        Region in which points of the robot stay. Its fields are valid as arguments.
    search
        Effort of the search. Its fields are valid as arguments.
    **options
        Fields of ``waveform``, ``objective``, ``motion_limits``, ``region`` and ``search``, such as ``duration=5.0``.

    Returns
    -------
    Excitation
        Motion, its condition numbers, and its margins to every limit.

    Raises
    ------
    RobosymError
        If no motion keeps all limits.
    RobotError
        If the robot cannot be excited, or a parameter has no value.
    ArgumentError
        If an argument does not exist or is of another kind.
    """
    robot = as_loops(robot)
    resolved = resolve(robot, mode, near, structure)
    tree, loops = resolved.robot, resolved.choice
    family = FAMILIES[waveform.shape].of(waveform)
    _check_robot(robot)
    duration = float(waveform.duration)
    known = numbers_given(robot, parameters) or {}
    limits = motion_limits
    bounds = joint_limits(tree, limits.limits, limits.velocity, limits.acceleration, limits.torque)
    bounds = bounds.reserved(limits.reserve)
    first = start_positions(robot, bounds, waveform.start)
    model = regressor(tree, friction=objective.friction, rotor_inertia=objective.rotor_inertia, **loops)
    measure = Criterion(model, known, _weights(robot, bounds, objective.noise), objective.criterion)
    if measure.entries.missing:
        names = ", ".join(measure.entries.missing[:10])
        problem = f"no value for {names}: give them, parameters={{'{measure.entries.missing[0]}': ...}}"
        raise RobotError([Problem("parameters", problem)], robot.name)
    of_torque, notes = torque_quantity(tree, bounds, known, loops)
    of_points = point_quantities(tree, region, known, loops)
    checks = Checks((*of_torque, *of_points))
    with one_thread():
        random = np.random.default_rng(search.seed)
        postures = _postures(robot, bounds, measure, checks, random, first)
        lost = _leave_out_dependent(measure, bounds, postures, random)
        trials = Search(family, duration, bounds, measure, checks, first)
        budget = Budget(search.evaluations, search.seconds, progress)
        candidates = trials.run(random, postures, budget)
        motion, margins = _within(robot, trials, candidates)
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
        objective.criterion,
        search.seed,
        budget.used,
    )


def _check_robot(robot: Robot) -> None:
    """An error for a robot whose motion cannot be prescribed."""
    require_single_axes(robot, "an exciting trajectory")
    if robot.base.floating:
        problem = (
            "is free: its motion follows from the torques and cannot be prescribed; excite the robot with its base held"
        )
        raise RobotError([Problem("base", problem)], robot.name)
    if not robot.moving:
        raise RobotError([Problem("", "has no joint that moves: there is nothing to excite")], robot.name)


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
