"""The largest inertia that the motor of a joint moves, over the positions of all joints; and what accelerations its torque allows.

A_jj(q) has many maxima. Positions drawn in the ranges of the joints tell where to look. From the best of them every joint that A_jj
depends on goes in turn where it is largest in its whole range, as long as that helps; then within less and less of it, also along
what the last round moved, since joints with parallel axes compensate each other. All inertias are those of the compiled matrix.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..caches import Kept
from ..generated import Model
from ..models import inertia_matrix
from ..models.common import open_tree
from ..models.resolve import Near
from ..notices import warn
from ..options.validate import validated
from ..reals import Floats
from ..robot import Robot, RobotError, RobotWarning
from ..robot.joint_entries import position_entries, require_no_quaternion, speed_entries
from ..robot.problems import Problem
from .ranges import at_joints, joint_ranges

_LARGEST: Kept[Floats] = Kept()  # by mode

DRAWN = 4096  # positions to begin with
CLIMBED = 16  # the best of them, for each joint
KEPT = 6  # the best of these after looking at whole ranges
GRID = np.linspace(-1, 1, 17)  # positions of one joint that are tried
ROUNDS = 12
FINER = 0.3  # of the range before, where no joint finds a better position in it
FINEST = 1e-6  # of the ranges of the joints: the inertia is then within about 1e-8 of its maximum


class _Inertias:
    """A_jj of the joints that are coordinates, at positions (batch, n)."""

    def __init__(self, robot: Robot, parameters: Mapping[str, float] | None, mode: str | None, near: Near) -> None:
        self.robot, self.parameters = robot, parameters
        model: Model = inertia_matrix(robot, mode=mode, near=near)
        self._compiled = model.compile()
        self.count = len(speed_entries(robot))
        self.first = robot.nv - self.count

    def __call__(self, positions: Floats) -> Floats:
        """(batch, n); -inf where closed loops cannot be assembled."""
        q = at_joints(self.robot, positions)
        A = self._compiled(q=q, parameters=self.parameters) if self.parameters else self._compiled(q=q)
        found = np.diagonal(A, axis1=-2, axis2=-1)[..., self.first :]
        return np.where(np.isfinite(found), found, -np.inf)


@validated
def largest_inertia(
    robot: Robot,
    *,
    limits: Mapping[str, Any] | None = None,
    parameters: Mapping[str, float] | None = None,
    mode: str | None = None,
    near: Near = None,
) -> Floats:
    """Largest inertia that each joint moves, over the positions of all joints.

    For every independent joint, the maximum of the diagonal entry of the inertia matrix within the joint ranges.
    Rotor inertias are included. A floating base is held; free, it would make the inertias smaller.

    Parameters
    ----------
    robot
        Robot.
    limits
        Joint ranges by joint name, (lower, upper) [rad or m], which replace those of the description. A revolute
        joint without limits turns a full turn.
    parameters
        Values of parameters by name, which replace those of the description.
    mode
        Closed loops and parallel robots: name of the assembly mode or of the working mode of the legs. None selects
        the mode of the joint positions in the description, otherwise the first mode.
    near
        Closed loops and parallel robots: joint positions by name [rad, m] that select the nearest mode, in place of
        its name.

    Returns
    -------
    ndarray
        Inertias in the order of the joints (n,) [kg m^2 or kg].

    Notes
    -----
    Khalil, course 2014, [9.6].
    """
    if not isinstance(robot, Robot):
        open_tree(robot)  # says what is wrong with it
    if not robot.moving:
        return np.zeros(0)
    if limits is None and not parameters and near is None:
        return _LARGEST.of(robot, mode, lambda: _over_ranges(robot, None, None, mode, None)).copy()
    return _over_ranges(robot, limits, parameters, mode, near)


def _over_ranges(
    robot: Robot,
    limits: Mapping[str, Any] | None,
    parameters: Mapping[str, float] | None,
    mode: str | None,
    near: Near,
) -> Floats:
    require_no_quaternion(robot, "a search for the largest inertia", "Give inertia= where an option has it.")
    inertias = _Inertias(robot, parameters, mode, near)
    rng = np.random.default_rng(0)
    matters = _dependence(inertias, rng)
    alone = {entry.frame for entry in position_entries(robot) if not entry.suffix}
    entries = [entry for k, entry in enumerate(position_entries(robot)) if matters[k].any()]
    count = [entry.frame for entry in entries if entry.frame in alone or entry.slides]
    pairs = np.array(joint_ranges(robot, count, limits).pairs).reshape(-1, 2)
    return _largest(inertias, matters, pairs, rng)


def _dependence(inertias: _Inertias, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Whether the position of joint k changes the inertia of joint j: [k, j]."""
    n = inertias.count
    q = rng.uniform(-1, 1, (16, n))
    moved = q + 0.5 * np.eye(n)[:, None]
    here, there = inertias(q), inertias(moved.reshape(-1, n)).reshape(n, 16, n)
    known = np.isfinite(here) & np.isfinite(there)
    change = np.abs(np.where(known, there, 0) - np.where(known, here, 0))
    found: NDArray[np.bool_] = (change > 1e-12 * np.abs(np.where(known, here, 0))).any(axis=1) | ~known.any(axis=1)
    return found


def _largest(inertias: _Inertias, matters: NDArray[np.bool_], pairs: Floats, rng: np.random.Generator) -> Floats:
    lower, upper = pairs.T
    drawn = rng.uniform(lower, upper, (DRAWN, len(lower)))
    drawn[0] = (lower + upper) / 2
    values = inertias(drawn)
    if not np.isfinite(values).any(axis=0).all():
        problem = (
            f"the closed loops can be assembled at none of {DRAWN} positions: expected limits within which they can"
        )
        raise RobotError([Problem("limits", problem)], inertias.robot.name)
    found: Floats = values.max(axis=0)
    for j in range(len(lower)):
        if (matters[:, j] & (upper > lower)).any():
            climbers = _Climbers(inertias, j, matters[:, j], pairs, drawn[np.argsort(values[:, j])[-CLIMBED:]])
            climbers.climb()
            found[j] = climbers.height.max()
    return found


class _Climbers:
    """Positions on their way to the largest A_jj, some of which are given up."""

    def __init__(self, inertias: _Inertias, j: int, matters: NDArray[np.bool_], pairs: Floats, at: Floats) -> None:
        self.inertias, self.j, self.at = inertias, j, at
        self.lower, self.upper = pairs.T
        span = self.upper - self.lower
        self.axes = np.diag(span)[matters & (span > 0)]  # one joint over its range
        self.height = inertias(at)[:, j]

    def climb(self) -> None:
        reach = 1.0
        while reach > FINEST:
            for _ in range(ROUNDS):
                before, at = self.height, self.at
                for axis in self.axes:
                    self._along(np.broadcast_to(axis, at.shape), reach)
                self._along(self.at - at, 4.0)  # further on the way of this round
                if (self.height <= before).all():
                    break
            if reach == 1.0:
                best = np.argsort(self.height)[-KEPT:]
                self.at, self.height = self.at[best], self.height[best]
            reach *= FINER

    def _along(self, way: Floats, reach: float) -> None:
        tried = np.clip(self.at[:, None] + reach * GRID[:, None] * way[:, None], self.lower, self.upper)
        heights = self.inertias(tried.reshape(-1, tried.shape[-1]))[:, self.j].reshape(tried.shape[:2])
        best, each = heights.argmax(axis=1), np.arange(len(tried))
        higher = heights[each, best] > self.height
        self.at = np.where(higher[:, None], tried[each, best], self.at)
        self.height = np.where(higher, heights[each, best], self.height)


@validated
def acceleration_limits(robot: Robot, joints: Sequence[str] | None = None) -> Floats:
    """Acceleration limits of the joints, from the description or from the efforts.

    Parameters
    ----------
    robot
        Robot.
    joints
        Names of the joints whose limits matter. None: all joints. For others no limit is estimated.

    Returns
    -------
    ndarray
        Limits in the order of the joints (n,) [rad/s^2 or m/s^2]: the limit of the description, else the effort over
        the largest inertia, else infinity.

    Warns
    -----
    RobotWarning
        If a limit is the effort over the largest inertia, which leaves nothing for gravity, friction and other
        joints.
    """
    entries = speed_entries(robot)
    every = [robot.frame(entry.frame).joint for entry in entries]
    found = np.array([joint.limits.acceleration or np.inf for joint in every])
    efforts = np.array([joint.limits.effort or np.inf for joint in every])
    matter = np.array([joints is None or entry.name in joints for entry in entries], bool)
    taken = np.isinf(found) & np.isfinite(efforts) & matter
    if not taken.any():
        return found
    inertias = largest_inertia(robot)
    names = ", ".join(entry.name for entry, one in zip(entries, taken, strict=True) if one)
    problem = (
        f"{robot.name}: no limit of acceleration for {names}: the effort over the largest inertia of the joint is taken, which "
        "leaves nothing for gravity, friction and the motion of the others"
    )
    warn(RobotWarning(problem))
    return np.where(taken & (inertias > 0), efforts / np.where(inertias > 0, inertias, 1.0), found)
