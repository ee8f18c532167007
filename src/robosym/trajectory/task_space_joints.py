"""From the motion of a frame to that of the joints: the inverse geometric model along the way, on one branch.

Every sample has several solutions. The one that goes on from the sample before is taken; where that is far, poses between the
two are looked at until the steps are small, or so short in time that the joints would have to jump: then the branch ends there.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .. import models
from ..caches import Kept
from ..options.markers import Positive
from ..options.validate import validated
from ..reals import Floats, finite_array
from ..robot import PRISMATIC, Robot
from ..robot.joint_entries import require_single_axes
from ..spatial.floats import rotation_vectors
from .path_limits import at
from .task_space_time import TaskMotion
from .trajectory import MOST_SAMPLES, Trajectory, TrajectoryError

_MODELS: Kept[tuple[Any, Any, Any]] = Kept()

NEAR = 0.1  # rad or m: a longer step of a joint between two samples is looked at again
HALVINGS = 16  # of the time between two samples, before a step is a jump
BETWEEN = 4  # poses between two samples at which the deviation is measured
SUSPECT = 1e3  # a condition number that may be why a joint has to jump
WORST = 1e7  # a condition number of the Jacobian from which on a position counts as singular
TURN = 2 * math.pi


@dataclass(frozen=True, eq=False, repr=False)
class JointMotion(Trajectory):
    """Joint motion that takes a frame along its path: a cubic spline through samples.

    Attributes
    ----------
    task
        Motion of the frame.
    deviation
        Largest distance between the frame and its path, between samples too [m].
    angle
        Largest angle between the frame and its path, between samples too [rad].
    condition
        Largest condition number of the Jacobian matrix on the way.
    worst
        Time of the largest condition number [s].
    margin
        Smallest distance of the joints from their limits [rad or m]; infinite without limits.
    """

    task: TaskMotion = field(kw_only=True)
    deviation: float = field(kw_only=True)
    angle: float = field(kw_only=True)
    condition: float = field(kw_only=True)
    worst: float = field(kw_only=True)
    margin: float = field(kw_only=True)


@validated
def to_joints(
    robot: Robot,
    task: TaskMotion,
    rate: Positive = 500.0,
    *,
    seed: Any = None,
    frame: Any = None,
    tool: Any = None,
    given: Mapping[str, float] | None = None,
) -> JointMotion:
    """Joint motion that follows the motion of a frame, on one branch of the IK.

    Joints that do not move the frame stay at their positions in the seed, or at zero.

    Parameters
    ----------
    robot
        Robot.
    task
        Motion of the frame.
    rate
        Sampling rate [Hz].
    seed
        Joint position near which the motion begins [rad or m]: one number per joint. The motion begins with the
        solution nearest to it. None: the first solution that can be followed to the end.
    frame
        Target frame, by name or number; by default the tip frame. The tip frame is the end of the kinematic chain.
        Robots with several ends require a frame.
    tool
        Pose of a tool in the target frame [m]: a point (3), x y z qx qy qz qw (7) or a matrix (4, 4). Entries are
        numbers, expressions or text such as "LT/2"; lengths are in metres. None: no tool.
    given
        Positions of joints that stay fixed, by joint name [rad or m]. Required for redundant robots, such as arms
        with more than six joints.

    Returns
    -------
    JointMotion
        Motion of the joints, with its deviation from the path and its distance from singularities and limits.

    Raises
    ------
    TrajectoryError
        If a pose is out of reach, a joint leaves its limits, or a joint would have to jump.
    """
    steps = max(math.ceil(task.duration * rate), 4)
    if steps >= MOST_SAMPLES:
        raise TrajectoryError(f"rate: {rate:g} a second are {steps} samples, expected at most {MOST_SAMPLES}")
    arm = _Arm(robot, task, frame, tool, given)
    t = np.linspace(0.0, task.duration, steps + 1)
    first = arm.starts(seed)
    problems = []
    for q0 in first:
        try:
            q = arm.followed(t, q0)
            arm.check_limits(t, q)
            return _motion(arm, t, q)
        except TrajectoryError as problem:
            problems.append(problem)
    more = f" (and none of the {len(first)} solutions at the start goes further)" if len(first) > 1 else ""
    best = max(problems, key=lambda problem: getattr(problem, "when", 0.0))
    raise TrajectoryError(f"{robot.name}: {best}{more}")


class _OnTheWayError(TrajectoryError):
    """What ends a motion, and when."""

    def __init__(self, when: float, why: str) -> None:
        super().__init__(f"at {when:.6g} s: {why}")
        self.when = when


class _Arm:
    """A robot and how its frame is brought to a pose."""

    def __init__(
        self, robot: Robot, task: TaskMotion, frame: Any, tool: Any, given: Mapping[str, float] | None
    ) -> None:
        require_single_axes(robot, "inverse kinematics along a motion")
        self.robot, self.task = robot, task
        held = dict(given or {})
        self.solver: Any
        self.solver, self.jacobian, self.transform = _models(robot, frame, tool, tuple(held))
        self.held = held or None
        if self.solver.given and not held:
            names = ", ".join(self.solver.given)
            raise TrajectoryError(
                f"{robot.name}: the frame can be held while joints move: give the position of {names}"
            )
        self.names: tuple[str, ...] = self.solver.joint_names
        self.columns = [robot.joint_names.index(name) for name in self.names]
        by_name = {robot.frame(j).joint.name: robot.frame(j) for j in robot.moving}
        frames = [by_name[name] for name in self.names]
        self.turning = np.array([one.sigma != PRISMATIC for one in frames])
        self.lower = np.array([-np.inf if one.joint.limits.lower is None else one.joint.limits.lower for one in frames])
        self.upper = np.array([np.inf if one.joint.limits.upper is None else one.joint.limits.upper for one in frames])

    def solved(self, t: float) -> Any:
        return self.solver(self.task(t), given=self.held)

    def starts(self, seed: Any) -> list[Floats]:
        """Positions to begin with."""
        self.begin = self.all_of(seed)
        near = None if seed is None else self.begin[self.columns]
        found = self.solver(self.task(0.0), given=self.held, limits=True, copies=True, seed=near)
        if not len(found.solutions):
            raise TrajectoryError(f"{self.robot.name}: at 0 s: {found.message}")
        return list(found.solutions[:1] if seed is not None else found.solutions)

    def all_of(self, seed: Any) -> Floats:
        """The positions of all joints where the motion begins."""
        names = self.robot.joint_names
        if seed is None:
            found = np.zeros(len(names))
        else:
            found = finite_array("seed", seed, TrajectoryError).astype(float)
            if found.shape != (len(names),):
                raise TrajectoryError(
                    f"seed: got shape {found.shape}, expected a number for each of {', '.join(names)}"
                )
        for name, value in (self.held or {}).items():
            if name in names:
                found[names.index(name)] = value
        return found

    def full(self, q: Floats) -> Floats:
        """The positions of all joints for those of the task, (N, n)."""
        found = np.tile(self.begin, (len(q), 1))
        found[:, self.columns] = q
        return found

    # --- along the way ----------------------------------------------------------------------------------------------------

    def followed(self, t: Floats, q0: Floats) -> Floats:
        """The solutions at all times that go on from the first."""
        found = self.solver.batch(self.task(t), given=None if self.held is None else list(self.held.values()))
        q = np.empty((len(t), len(q0)))
        q[0] = q0
        for k in range(1, len(t)):
            options = found.of(k)
            if not len(options):
                raise _OnTheWayError(float(t[k]), self.solved(float(t[k])).message)
            ahead = q[k - 1] if k == 1 else 2 * q[k - 1] - q[k - 2]
            q[k] = self.nearest(options, ahead)
            if np.abs(q[k] - q[k - 1]).max() > NEAR:
                q[k] = self.halved(float(t[k - 1]), q[k - 1], float(t[k]))
        return q

    def nearest(self, options: Floats, q: Floats) -> Floats:
        """Of some solutions the nearest to a position, its angles within half a turn of that."""
        way = options - q
        way = np.where(self.turning, (way + math.pi) % TURN - math.pi, way)
        return np.asarray(q + way[np.abs(way).max(axis=1).argmin()])

    def halved(self, t: float, q: Floats, end: float) -> Floats:
        """On from q at t to the end in steps that are small, or an error that says that there are none."""
        shortest = (end - t) / 2**HALVINGS
        step = (end - t) / 2
        while t < end - shortest / 2:
            step = min(step, end - t)
            found = self.solved(t + step)
            if not len(found.solutions):
                raise _OnTheWayError(t + step, found.message)
            there = self.nearest(found.solutions, q)
            jump = np.abs(there - q)
            if jump.max() <= NEAR:
                t, q, step = t + step, there, 2 * step
            elif step > shortest:
                step = step / 2
            else:
                name, condition = self.names[int(jump.argmax())], self.conditions(self.full(q[None]))[0]
                near = f" at a singular position (condition {condition:.3g})" if condition > SUSPECT else ""
                why = f"joint '{name}' would have to jump by {jump.max():.6g}: the path leaves the branch{near}"
                raise _OnTheWayError(t, why)
        return q

    def check_limits(self, t: Floats, q: Floats) -> None:
        outside = (q < self.lower - 1e-9) | (q > self.upper + 1e-9)
        if outside.any():
            k = int(outside.any(axis=1).argmax())
            j = int(outside[k].argmax())
            between = f"{self.lower[j]:.6g} to {self.upper[j]:.6g}"
            raise _OnTheWayError(
                float(t[k]), f"joint '{self.names[j]}' is at {q[k, j]:.6g}, outside its limits {between}"
            )

    def conditions(self, q: Floats) -> Floats:
        """The condition numbers of the Jacobian matrix in the joints of the task, (N,)."""
        J = self.jacobian(q=q)
        own = J[:, :3, self.columns] if self.solver.task == "position" else J[:, :, self.columns]
        values = np.linalg.svd(own, compute_uv=False)[:, : len(self.columns)]
        with np.errstate(divide="ignore"):
            return np.asarray(values[:, 0] / values[:, -1])

    def missed(self, t: Floats, q: Floats) -> tuple[float, float]:
        """How far the frame is from its path, and by which angle."""
        T, wanted = self.transform(q=q), self.task(t)
        away = float(np.linalg.norm(T[:, :3, 3] - wanted[:, :3, 3], axis=1).max())
        if self.solver.task == "position":
            return away, 0.0
        turns = rotation_vectors(T[:, :3, :3].transpose(0, 2, 1) @ wanted[:, :3, :3])
        return away, float(np.linalg.norm(turns, axis=1).max())


def _models(robot: Robot, frame: Any, tool: Any, given: tuple[str, ...]) -> tuple[Any, Any, Any]:
    """The inverse geometric model, the Jacobian matrix and the pose."""

    def made() -> tuple[Any, Any, Any]:
        solver = models.inverse_geometric(robot, frame=frame, tool=tool, given=list(given))
        jacobian, transform = (f(robot, frame=frame, tool=tool).compile() for f in (models.jacobian, models.transform))
        return solver, jacobian, transform

    if tool is None and (frame is None or isinstance(frame, (str, int))):
        return _MODELS.of(robot, (frame, given), made)
    return made()


def _motion(arm: _Arm, t: Floats, q: Floats) -> JointMotion:
    """The spline through the samples, from rest to rest, and what is known of it."""
    from scipy.interpolate import CubicSpline

    full = arm.full(q)
    conditions = arm.conditions(full)
    worst = int(conditions.argmax())
    if not conditions[worst] < WORST:
        where = at(full[worst], arm.robot.joint_names)
        raise _OnTheWayError(float(t[worst]), f"singular: the frame cannot move freely there; {where}")
    spline = CubicSpline(t, full, bc_type="clamped")
    coefficients = spline.c.transpose(1, 0, 2)[:, ::-1].copy()
    between = (t[:-1, None] + np.diff(t)[:, None] * np.linspace(0, 1, BETWEEN + 1)).ravel()
    deviation, angle = arm.missed(between, spline(between))
    return JointMotion(
        arm.robot.joint_names,
        t,
        coefficients,
        arm.task.path.name,
        task=arm.task,
        deviation=deviation,
        angle=angle,
        condition=float(conditions[worst]),
        worst=float(t[worst]),
        margin=float(np.minimum(q - arm.lower, arm.upper - q).min()),
    )
