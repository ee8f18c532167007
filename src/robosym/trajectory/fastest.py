"""The fastest motion along a path within limits of velocity, acceleration and torque (Pham and Pham, 2018; Bobrow, 1985).

With s the place on the path, u = sdd and x = sd^2, qd = q' sd, qdd = q' u + q'' x and tau = a u + b x + c: every limit is
linear in u and x at every place. u is constant between two places of the grid, and the limits of both count (toppra's
"Interpolation"), so that they are kept up to the curvature of q(s) between them; velocities count halfway too. Friction depends on the speed in other ways:
it is linearised about the last motion found, until that stays the same.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from ..brief import one_line
from ..options.markers import NotNegative, Range
from ..options.validate import validated
from ..reals import Floats
from ..robot import Robot
from ..robot.joint_entries import speed_names
from . import reachability
from .path import Path
from .path_limits import at, check_joints, friction_along, held_still, joint_limits, limits_along, torques_of
from .path_programs import derivatives, in_time, speed_squares
from .trajectory import Trajectory, TrajectoryError

if TYPE_CHECKING:
    from ..runtime import CompiledFunction

MOST_STEPS = 1_000_000
MOST_ROUNDS = 50  # of linearised friction
SETTLED = 1e-9  # of the largest x: a smaller change of it is none
SPARE = 1.001  # of the square of a velocity limit: what x may reach halfway between two places, 0.05 % in speed
BETWEEN = 4  # places between two of the grid where limits are looked at again


@dataclass(frozen=True, repr=False)
class PathLimits:
    """Limits of a motion along a path: one number per joint, None where there is none.

    Attributes
    ----------
    robot
        Robot whose torques are limited.
    velocity
        Velocity limits [rad/s or m/s].
    acceleration
        Acceleration limits [rad/s^2 or m/s^2].
    torque
        Torque limits [N m or N].
    friction
        Whether the torques contain friction.
    """

    __repr__ = one_line

    robot: Robot
    velocity: Floats | None
    acceleration: Floats | None
    torque: Floats | None
    friction: bool


@dataclass(frozen=True, eq=False, repr=False)
class TimedPath(Trajectory):
    """Trajectory along a path, with its speeds.

    Attributes
    ----------
    path
        Path of the joints.
    places
        Path parameters s at the times.
    speeds
        Path speeds ds/dt at the times.
    limits
        Limits that the motion had to keep.
    """

    path: Path = field(kw_only=True)
    places: Floats = field(kw_only=True)
    speeds: Floats = field(kw_only=True)
    limits: PathLimits = field(kw_only=True)

    @cached_property
    def excess(self) -> dict[str, float]:
        """Largest used part of each limit, between grid points too: 1.0002 is 0.02 % over."""
        steps = np.diff(self.times)
        t = (self.times[:-1, None] + steps[:, None] * np.linspace(0.001, 0.999, BETWEEN + 1)).ravel()
        q, qd, qdd = self(t)
        limits, found = self.limits, {}
        if limits.velocity is not None:
            found["velocity"] = float((np.abs(qd) / limits.velocity).max())
        if limits.acceleration is not None:
            found["acceleration"] = float((np.abs(qdd) / limits.acceleration).max())
        if limits.torque is not None:
            tau = torques_of(limits.robot, limits.friction)(q, qd, qdd)
            found["torque"] = float((np.abs(tau) / limits.torque).max())
        return found


@validated
def fastest(
    robot: Robot,
    path: Path | Trajectory,
    *,
    velocity: Any = None,
    acceleration: Any = None,
    torque: Any = False,
    steps: Annotated[int, Range(1, MOST_STEPS)] = 1000,
    v0: NotNegative = 0.0,
    vf: NotNegative = 0.0,
    friction: bool = False,
) -> TimedPath:
    """Fastest motion along a path within velocity, acceleration and torque limits.

    It needs limits of acceleration or torque. For a robot with closed loops the limits are those of the actuated
    joints. The property ``excess`` of the result states how well the limits are kept between the grid points.

    Parameters
    ----------
    robot
        Robot.
    path
        Path of the joints, or a motion along it. A motion becomes its path: without its timing.
    velocity
        Velocity limits [rad/s or m/s]: True as described, None or False for none, a number, a list, or values by
        joint name.
    acceleration
        Acceleration limits [rad/s^2 or m/s^2]: True as described, None or False for none, a number, a list, or values
        by joint name.
    torque
        Torque limits [N m or N]: True as described, None or False for none, a number, a list, or values by joint
        name.
    steps
        Number of grid intervals along the path.
    v0
        Path speed ds/dt at the start.
    vf
        Path speed ds/dt at the end.
    friction
        Whether the torques contain the friction of the description.

    Returns
    -------
    TimedPath
        The motion in time, with the path speeds at the grid points.

    Notes
    -----
    Pham and Pham (2018); Bobrow (1985). With the path parameter s, every limit is linear in u = sdd and x = sd^2.

    - qd = q' sd
    - qdd = q' u + q'' x
    - tau = a u + b x + c

    u is constant between two grid points, and the limits of both hold; velocity limits also hold halfway. Friction is
    linearised about the last motion until that stays the same.
    """
    limits = PathLimits(
        robot,
        joint_limits(robot, "velocity", velocity),
        joint_limits(robot, "acceleration", acceleration),
        joint_limits(robot, "torque", torque),
        friction,
    )
    if limits.acceleration is None and limits.torque is None:
        raise TrajectoryError(
            f"{robot.name}: fastest: no limit of acceleration or torque: give acceleration=... or torque=..."
        )
    if isinstance(path, Trajectory):
        path = Path.of(path)
    check_joints(robot, path.joints)
    problem = _Problem(path, limits, path.grid(steps), float(v0), float(vf))
    return _timed(problem, problem.solved())


class _Problem:
    """The limits at both ends of every interval of the grid."""

    def __init__(self, path: Path, limits: PathLimits, s: Floats, v0: float, vf: float) -> None:
        if limits.friction:  # which may jump where a joint turns round
            s = path.with_turns(s)
        self.path, self.limits, self.s, self.v0, self.vf = path, limits, s, v0, vf
        self.steps = s[1:] - s[:-1]
        if path.smooth and not limits.friction:  # the end of an interval is the start of the next
            self.curve, self.local = path.pieces(s, s)
        else:
            inside = s[:-1] + self.steps / 2
            self.curve, self.local = path.pieces(np.append(s[:-1], s[1:]), np.append(inside, inside))
        self.size = self.curve.shape[1] - 1, len(path.joints)  # degree, joints

    def of_intervals(self, function: CompiledFunction, **given: Floats) -> dict[str, Floats]:
        """What a program finds of each interval, from where it begins."""
        N = len(self.steps)
        found: dict[str, Floats] = function(curve=self.curve[:N], local=self.local[:N], step=self.steps, **given)
        return found

    def solved(self) -> Floats:
        """The squares of the path speed at the grid."""
        limits = self.limits
        given = [limit for limit in (limits.acceleration, limits.torque) if limit is not None]
        limit = given[0] if len(given) == 1 else np.concatenate(given)
        function = limits_along(limits.robot, self.size[0], limits.acceleration is not None, limits.torque is not None)
        places = function(self.curve, self.local)
        if limits.torque is None or not limits.friction:
            return self.fastest(places, limit)
        n, x = len(limits.torque), np.zeros(len(self.s))
        q, ways = self.ways()
        for _ in range(MOST_ROUNDS):
            ends = np.concatenate([x[:-1], x[1:]])
            there, slope = friction_along(limits.robot, q, ways, ends)
            rubbed = places.copy()
            rubbed[:, 1, -n:] += slope
            rubbed[:, 2, -n:] += there - slope * ends[:, None]
            found = self.fastest(rubbed, limit)
            change, x = np.abs(found - x).max(), found
            if change <= SETTLED * x.max():
                return x
        raise TrajectoryError(
            f"{limits.robot.name}: fastest: friction changes too fast with the speed, no motion was found"
        )

    def ways(self) -> tuple[Floats, Floats]:
        """q and q' at both ends of the intervals; where a joint turns round, a little of what q' is inside."""
        found = derivatives(*self.size)(curve=self.curve, local=self.local)
        inside = np.tile(self.path.curve.derivative(self.s[:-1] + self.steps / 2, 1), (2, 1))
        return found["q"], np.where(found["q1"] * inside > 0, found["q1"], 1e-6 * inside)

    def fastest(self, places: Floats, limit: Floats) -> Floats:
        """For limits |a u + b x + c| <= limit, with a, b and c at every place, (places, 3, limits)."""
        most = self.most()
        sets, squares = reachability.passes(places, limit, most[:-1], self.steps, self.v0**2, self.vf**2)
        self.check(sets, float(most[-1]))
        if squares.max() >= reachability.FAR:
            where = self.s[int(squares.argmax())]
            raise TrajectoryError(
                f"{self.limits.robot.name}: fastest: nothing limits the motion at s = {where:.6g}: the joints that move there "
                "have no limits"
            )
        return squares

    def most(self) -> Floats:
        """The largest x for the velocities; none where the path has a corner."""
        found = np.full(len(self.s), np.inf)
        if self.limits.velocity is not None:
            each = self.of_intervals(speed_squares(*self.size), velocity=self.limits.velocity)
            found[:-1] = each["begin"]
            np.minimum(found[1:], each["end"], out=found[1:])
            # x is a straight line between two places: where it would be well above the limit halfway, both ends come down.
            halfway, chord = SPARE * each["halfway"], (found[:-1] + found[1:]) / 2
            above = (chord > halfway) & (chord < 2 * halfway)
            down = np.divide(halfway, chord, out=np.ones_like(chord), where=above)
            found[:-1] *= down
            found[1:] *= down
        if len(self.path.corners):
            found[np.abs(self.s[:, None] - self.path.corners).min(axis=1) <= 1e-9 * self.path.length] = 0.0
        return found

    def check(self, reached: Floats, last: float) -> None:
        """Refuse what cannot be followed, with the place and the reason."""
        if self.vf**2 > last * (1 + 1e-12):
            raise TrajectoryError(f"vf: {self.vf:.6g} is too fast: at most {math.sqrt(last):.6g} at the end")
        empty = reached[:, 1] < reached[:, 0]
        if empty.any():
            self.explain(int(np.flatnonzero(empty)[-1]))
        low, high = map(math.sqrt, reached[0])
        if not low * (1 - 1e-12) <= self.v0 <= high * (1 + 1e-12):
            raise TrajectoryError(
                f"v0: got {self.v0:.6g}, the path can be followed from {low:.6g} to {high:.6g} at its start"
            )

    def explain(self, i: int) -> None:
        """Why no speed is possible at place i of the grid."""
        limits, name, s = self.limits, self.limits.robot.name, self.s
        if limits.torque is not None:
            q = self.path(s)[0]
            hold = torques_of(limits.robot)(q, np.zeros_like(q), np.zeros_like(q))
            held_still(limits.robot, q, hold, limits.torque, lambda k: f"at s = {s[k]:.6g}")
        where = at(self.path(s[i])[0], speed_names(limits.robot))
        ending = f" and end with vf = {self.vf:.6g}" if self.vf else ""
        raise TrajectoryError(
            f"{name}: fastest: no speed at s = {s[i]:.6g} keeps the limits from there on{ending}; {where}"
        )


def _timed(problem: _Problem, squares: Floats) -> TimedPath:
    """q(s(t)), with s of second degree in t on every interval."""
    robot, path = problem.limits.robot, problem.path
    found = problem.of_intervals(in_time(*problem.size), begin=squares[:-1], end=squares[1:])
    times = np.zeros(len(squares))
    np.cumsum(found["duration"], out=times[1:])
    if not math.isfinite(times[-1]):
        s = problem.s[int(np.argmax(found["duration"]))]
        raise TrajectoryError(f"{robot.name}: fastest: the limits leave no way to move on at s = {s:.6g}")
    return TimedPath(
        speed_names(robot),
        times,
        found["coefficients"],
        "fastest motion",
        path=path,
        places=problem.s,
        speeds=np.sqrt(squares),
        limits=problem.limits,
    )
