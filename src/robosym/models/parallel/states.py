"""Random states of a platform on legs in numbers: positions at which all legs are closed, speeds and accelerations that keep them so.

A motion is u = (twist of the platform, speeds of the leg joints, speeds of the joints it carries). The closures of the legs are
S u = 0; their rates are S ud + drift = 0. All states are one batch of arrays, in the axes of frame 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...expr import Expr, evaluate, expr, variable
from ...expr.derive import derivative
from ...program import Scope
from ...reals import Floats
from ...robot import FIXED, PRISMATIC, RobotError
from ...robot.problems import Problem
from ...spatial.floats import pose_rows, poses_of_rows
from ...spatial.ranks import null_space
from ..mechanism.newton import CLOSED
from ..mechanism.walks import walks
from .kinematics import modes_of, solved_legs
from .places import RANK, Mechanism, home
from .pose import pose_symbols, rate_symbols, twist_symbols
from .structure import Module

STEPS = 4  # of a walk from home to a position
FASTEST = 2.0  # speeds and accelerations, on an orthonormal basis of the motions
ROUNDS = 8  # of walks, until enough of them have ended where all legs reach the platform


@dataclass(frozen=True)
class Moved:
    """How a frame moves: its pose, angular velocity and acceleration, and the acceleration of its origin."""

    T: Floats
    w: Floats
    wd: Floats
    a: Floats


@dataclass(frozen=True)
class States:
    """``T`` and ``x`` are the positions (batch), ``motions`` the basis of all motions at each, ``u`` and ``ud`` one of them and
    its rate. Joints are those of the legs, then those that the platform carries."""

    mechanism: Mechanism
    T: Floats
    x: Floats
    motions: Floats
    u: Floats
    ud: Floats

    @property
    def module(self) -> Module:
        return self.mechanism.module

    @property
    def joints(self) -> tuple[int, ...]:
        return (*self.mechanism.joints, *self.module.carried_joints)

    def __len__(self) -> int:
        return len(self.T)

    @cached_property
    def moved(self) -> dict[int, Moved]:
        """All frames that move, by their numbers."""
        return _outwards(self.mechanism, self.T, self.x, self.u, self.ud)

    def numbers(self) -> dict[Expr, Floats | float]:
        """For the symbols that models of the platform are written in."""
        found: dict[Expr, Floats | float] = dict(self.mechanism.values)
        found |= zip(pose_symbols, pose_rows(self.T).T, strict=True)
        found |= zip(twist_symbols, self.u[:, :6].T, strict=True)
        found |= zip(rate_symbols, self.ud[:, :6].T, strict=True)
        n = len(self.mechanism.joints)
        for stem, values in (("qd", self.u), ("qdd", self.ud)):
            for j, column in zip(self.module.carried_joints, values[:, 6 + n :].T, strict=True):
                found[variable(f"{stem}{j}")] = column
        for j, column in zip(self.module.carried_joints, self.x[:, n:].T, strict=True):
            own = self.module.robot.frame(j).joint.variable
            assert own is not None
            found[own] = column
        return found

    def axis(self, j: int) -> tuple[bool, Floats, Floats]:
        """Of a joint: whether it slides, its direction as its coordinate grows, a point on it."""
        T = self.moved[j].T
        return _slides(self.module, j), _sign(self.mechanism, j) * T[:, :3, 2], T[:, :3, 3]


def random_states(module: Module, branches: Sequence[int], count: int, seed: int = 0) -> States:
    """States around home, the legs in these working modes."""
    rng = np.random.default_rng([seed, 7])
    start = home(module)
    mechanism = start.mechanism
    other = tuple(branches) != modes_of(module.robot).default
    T, x = np.zeros((0, 4, 4)), np.zeros((0, len(mechanism.joints)))
    at_home = mechanism.states(start.T[None], start.x[None])[0]
    for _ in range(ROUNDS):
        visited, went = walks(mechanism.closures.equations, at_home, count + 4, STEPS, rng)
        drawn = mechanism.placed(visited[-1][went.all(axis=0)])
        if other:
            drawn = _in_mode(mechanism, branches, drawn[0])
        T, x = np.concatenate([T, drawn[0]]), np.concatenate([x, drawn[1]])
        if len(T) >= count:
            break
    else:
        problem = f"{len(T)} of {count} positions were found at which all legs reach the platform"
        raise RobotError([Problem("legs", problem)], module.robot.name)
    T, x = mechanism.closed(T[:count], x[:count])
    carried = rng.uniform(-FASTEST, FASTEST, (count, len(module.carried_joints)))
    return _moving(mechanism, T, np.hstack([x, carried]), rng)


def _in_mode(mechanism: Mechanism, branches: Sequence[int], T: Floats) -> tuple[Floats, Floats]:
    """The same poses of the platform with the legs in other working modes, where they reach it."""
    own = solved_legs(mechanism.robot, branches, Scope(), 0)
    roots = [expr(leg.positions[j]) for leg in own.legs for j in leg.path.joints]
    with np.errstate(invalid="ignore", divide="ignore"):
        found = evaluate(roots, {**mechanism.values, **dict(zip(pose_symbols, pose_rows(T).T, strict=True))})
    x = np.array([np.broadcast_to(one, len(T)) for one in found], dtype=float).T
    good = np.isfinite(x).all(axis=1)
    T, x = T[good], x[good]
    closed = mechanism.gap(T, x) < 100 * CLOSED
    return T[closed], x[closed]


def _moving(mechanism: Mechanism, T: Floats, x: Floats, rng: np.random.Generator) -> States:
    """Random motions at these positions."""
    n, m = len(mechanism.joints), x.shape[1] - len(mechanism.joints)
    slopes = _in_metres(mechanism, mechanism.closure(T, x[:, :n])[1])
    bases = [null_space(slope, RANK) for slope in slopes]
    k = bases[0].shape[1]
    motions = np.zeros((len(T), 6 + n + m, k + m))
    motions[:, : 6 + n, :k] = bases
    motions[:, 6 + n :, k:] = np.eye(m)
    u, free = (np.einsum("bij,bj->bi", motions, rng.uniform(-FASTEST, FASTEST, (len(T), k + m))) for _ in range(2))
    drift = _drifts(mechanism, _outwards(mechanism, T, x, u, np.zeros_like(u)), u)
    late = [-np.linalg.lstsq(slope, d, rcond=1e-10)[0] for slope, d in zip(slopes, drift, strict=True)]
    ud = free
    ud[:, : 6 + n] += late
    return States(mechanism, T, x, motions, u, ud)


def _in_metres(mechanism: Mechanism, slopes: Floats) -> Floats:
    """The rows of the closures for twists and speeds as they are, not in units of the size."""
    own = slopes.copy()
    own[:, :, :3] /= mechanism.size
    own[:, :, 6:] /= mechanism.units
    return own


def _drifts(mechanism: Mechanism, at: Mapping[int, Moved], u: Floats) -> Floats:
    """The rates of the closures with no acceleration, rows as those of the closures."""
    platform = mechanism.module.platform.frame
    w, rows = u[:, 3:6], []
    for leg, seat in zip(mechanism.module.legs, mechanism.seats, strict=True):
        arm = at[platform].T[:, :3, :3] @ seat[:3, 3]
        end = at[leg.leg.end]
        rows.append((end.a - np.cross(w, np.cross(w, arm))) / mechanism.size)
        if not leg.in_a_point:
            rows.append(end.wd)
    return np.concatenate(rows, axis=1)


# --- from the base outwards --------------------------------------------------------------------------------------------


def _outwards(mechanism: Mechanism, T: Floats, x: Floats, u: Floats, ud: Floats) -> dict[int, Moved]:
    """From the motion of the platform and the joints."""
    module = mechanism.module
    joints = (*mechanism.joints, *module.carried_joints)
    place = {j: k for k, j in enumerate(joints)}
    zero = np.zeros((len(T), 3))
    found = {0: Moved(np.broadcast_to(np.eye(4), T.shape), zero, zero, zero)}
    variables = {module.robot.frame(j).joint.variable: x[:, k] for j, k in place.items()}
    known = {**mechanism.values, **{v: c for v, c in variables.items() if v is not None}}
    frames = {*(j for leg in module.legs for j in leg.frames), module.platform.frame, *module.carried}
    for j in (j for j in module.robot.order if j in frames):
        if j == module.platform.frame:
            found[j] = Moved(T, u[:, 3:6], ud[:, 3:6], ud[:, :3])
            continue
        frame = module.robot.frame(j)
        before = found[frame.antecedent]
        row = np.array([np.broadcast_to(v, len(T)) for v in evaluate(list(frame.geometry), known)], dtype=float).T
        own = before.T @ poses_of_rows(row)
        w, wd, arm = before.w, before.wd, own[:, :3, 3] - before.T[:, :3, 3]
        a = before.a + np.cross(wd, arm) + np.cross(w, np.cross(w, arm))
        if frame.sigma != FIXED:
            z = _sign(mechanism, j) * own[:, :3, 2]
            speed, rate = u[:, 6 + place[j], None] * z, ud[:, 6 + place[j], None] * z
            if _slides(module, j):
                a = a + rate + 2 * np.cross(w, speed)
            else:
                w, wd = w + speed, wd + rate + np.cross(w, speed)
        found[j] = Moved(own, w, wd, a)
    return found


def _slides(module: Module, j: int) -> bool:
    return module.robot.frame(j).sigma == PRISMATIC


def _sign(mechanism: Mechanism, j: int) -> float:
    """How the entry of a joint grows with its coordinate: theta = q + offset, or less often -q + offset."""
    frame = mechanism.robot.frame(j)
    own = frame.joint.variable
    assert own is not None
    slope = derivative(frame.r if frame.sigma == PRISMATIC else frame.theta, own)
    return float(evaluate([slope], {**mechanism.values, own: 0.0})[0])
