"""The same motion, slower or faster, within limits of torque (Hollerbach, 1984).

A motion run c times as fast has c times the speeds and c^2 times the accelerations, so that at every place of it

    tau(c) = A c^2 + B c + C,     A: inertia and centrifugal forces, B: viscous friction, C: gravity and Coulomb friction.

|tau| <= limit forbids an interval of c for each joint and time; the largest c outside of all of these gives the shortest
duration. Friction of any other kind is taken for the line in c that touches it, until c stays the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..options.validate import validated
from ..reals import Floats
from ..robot import Robot
from ..robot.joint_entries import speed_names
from .path_limits import at, check_joints, held_still, joint_limits, torques_of
from .trajectory import Trajectory, TrajectoryError

FIRST = 1000  # samples at least, and
PER_PIECE = 8  # in each piece
FINER = 16  # samples more, on either side of each that counts
COUNTS = 1e-2  # a torque this close to its limit
MOST_ROUNDS = 60
SETTLED = 1e-13


@dataclass(frozen=True, eq=False, repr=False)
class Scaled(Trajectory):
    """Trajectory that was made faster or slower, with the reason for its speed.

    Attributes
    ----------
    factor
        How many times as fast as before the motion is.
    joint
        Joint that is at its torque limit.
    when
        Time at which it is there [s].
    """

    factor: float = field(kw_only=True)
    joint: str = field(kw_only=True)
    when: float = field(kw_only=True)


@validated
def scaled_to_torque(robot: Robot, trajectory: Trajectory, *, torque: Any = True, friction: bool = False) -> Scaled:
    """Trajectory slowed down or sped up to the shortest duration that torques allow.

    The shape of the motion stays as it was. The largest torque is found between samples too, to machine precision.

    Parameters
    ----------
    robot
        Robot.
    trajectory
        Motion of the joints.
    torque
        Torque limits [N m or N]: True as described, None or False for none, a number, a list, or values by joint
        name. At least one joint needs a limit.
    friction
        Whether the torques contain the friction of the description.

    Returns
    -------
    Scaled
        The trajectory, with its factor and the joint that is at its limit.

    Notes
    -----
    Hollerbach (1984): a motion c times as fast has the torques ``tau(c) = A c^2 + B c + C`` at each of its points. A
    contains inertia and centrifugal forces, B viscous friction, C gravity and Coulomb friction. Other friction is
    linearised until c stays the same.
    """
    limit = joint_limits(robot, "torque", torque)
    if limit is None or not np.isfinite(limit).any():
        raise TrajectoryError(f"{robot.name}: scaled_to_torque: expected limits of torque")
    check_joints(robot, trajectory.joints)
    if not trajectory.duration > 0:
        raise TrajectoryError("scaled_to_torque: the motion takes no time")
    problem = _Problem(robot, trajectory, limit, bool(friction))
    t, c = problem.first_samples(), 1.0
    for _ in range(MOST_ROUNDS):
        A, B, C = problem.parts(t, c)
        before, c = c, largest(A, B, C, limit)
        if not c > 0:
            problem.refuse(t, C)
        used = (np.abs((A * c + B) * c + C) / limit).max(axis=1)
        finer = problem.more_samples(t, used)
        if abs(c - before) <= SETTLED * c and finer[1] <= 1e-9 * trajectory.duration:
            break
        t = finer[0]
    else:
        raise TrajectoryError(
            f"{robot.name}: scaled_to_torque: friction changes too fast with the speed, no duration was found"
        )
    if not np.isfinite(c):
        raise TrajectoryError(
            f"{robot.name}: scaled_to_torque: no torque grows with the speed: nothing limits this motion"
        )
    share = np.abs((A * c + B) * c + C) / limit
    i, j = np.unravel_index(int(share.argmax()), share.shape)
    return _faster(trajectory, c, speed_names(robot)[j], float(t[i]))


def _faster(trajectory: Trajectory, c: float, joint: str, when: float) -> Scaled:
    powers = c ** np.arange(trajectory.coefficients.shape[1])
    return Scaled(
        trajectory.joints,
        trajectory.times / c,
        trajectory.coefficients * powers[None, :, None],
        trajectory.name,
        factor=c,
        joint=joint,
        when=when / c,
    )


class _Problem:
    def __init__(self, robot: Robot, trajectory: Trajectory, limit: Floats, friction: bool) -> None:
        self.robot, self.trajectory, self.limit, self.friction = robot, trajectory, limit, friction

    def first_samples(self) -> Floats:
        """Times in every piece, its two ends from inside, for accelerations may jump there."""
        times = self.trajectory.times
        lengths = np.diff(times)
        pieces = len(lengths)
        part = np.linspace(0.0, 1.0, max(PER_PIECE, FIRST // pieces) + 1)
        part[0], part[-1] = 1e-12, 1 - 1e-12
        return np.asarray((times[:-1, None] + lengths[:, None] * part)[lengths > 0].ravel())

    def parts(self, t: Floats, c: float) -> tuple[Floats, Floats, Floats]:
        """A, B and C at every time, (N, n); with friction as it is near the speed c."""
        q, qd, qdd = self.trajectory(t)
        rest = np.zeros_like(q)
        tau = torques_of(self.robot)
        C = tau(q, rest, rest)
        A = tau(q, qd, qdd) - C
        self.hold, self.q = C, q
        if not self.friction:
            return A, np.zeros_like(A), C
        rubbed = torques_of(self.robot, True)
        here, there = (rubbed(q, x * qd, rest) - tau(q, x * qd, rest) for x in (c, 2 * c))
        if c != 1.0 or not np.allclose(rubbed(q, 3 * qd, rest) - tau(q, 3 * qd, rest), 2 * there - here):
            there = here + (rubbed(q, c * 1.001 * qd, rest) - tau(q, c * 1.001 * qd, rest) - here) * 1000
        B = (there - here) / c
        return A, B, C + here - B * c

    def refuse(self, t: Floats, C: Floats) -> None:
        """The torques are too small however slow the motion is."""
        held_still(self.robot, self.q, self.hold, self.limit, lambda i: f"at {t[i]:.3f} s")
        share = np.abs(C) / self.limit
        i, j = np.unravel_index(int(share.argmax()), share.shape)
        name, where = speed_names(self.robot)[j], at(self.q[i], speed_names(self.robot))
        raise TrajectoryError(
            f"{self.robot.name}: joint '{name}' needs {abs(C[i, j]):.6g} to move slowly at {t[i]:.3f} s, at most "
            f"{self.limit[j]:.6g} is allowed; {where}"
        )

    def more_samples(self, t: Floats, used: Floats) -> tuple[Floats, float]:
        """More times around those where a torque is close to its limit and larger than beside it, and how far apart the
        samples are at the largest of all."""
        beside = np.maximum(np.append(used[1:], -1.0), np.insert(used[:-1], 0, -1.0))
        (tops,) = np.nonzero((used >= beside) & (used > 1 - COUNTS))
        before, after = t[np.maximum(tops - 1, 0)], t[np.minimum(tops + 1, len(t) - 1)]
        new = np.linspace(before, after, 2 * FINER + 1).ravel()
        best = int(used[tops].argmax()) if len(tops) else 0
        gap = float(after[best] - before[best]) if len(tops) else 0.0
        return np.union1d(t, new), gap


def largest(A: Floats, B: Floats, C: Floats, limit: Floats) -> float:
    """The largest c with |A c^2 + B c + C| <= limit everywhere; 0 if even slow motions need more."""
    if (np.abs(C) > limit).any():
        return 0.0
    forbidden = [_forbidden(A, B, C - limit), _forbidden(-A, -B, -C - limit)]
    begin, end = (np.concatenate([one[k] for one in forbidden]) for k in (0, 1))
    c = float(begin[np.isinf(end)].min(initial=np.inf))
    while True:
        inside = (begin < c) & (c < end)
        if not inside.any():
            return c
        c = float(begin[inside].min())


def _forbidden(A: Floats, B: Floats, C: Floats) -> tuple[Floats, Floats]:
    """The intervals of c > 0 with A c^2 + B c + C > 0, where C <= 0: from the first root to the second, or for ever."""
    D = B * B - 4 * A * C
    there = (A > 0) | ((B > 0) & (D > 0))
    A, B, C, D = A[there], B[there], C[there], D[there]
    up = B + np.sqrt(D)
    second = np.full_like(A, np.inf)
    np.divide(up, -2 * A, out=second, where=A < 0)
    return np.maximum(-2 * C, 0.0) / up, second
