"""Random states of a platform on legs in numbers: positions at which all legs are closed, speeds and accelerations that keep them so."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...expr import Expr, evaluate, free_symbols, variable
from ...program import Scope
from ...reals import Floats
from ...robot import Robot, RobotError
from ...robot.problems import Problem
from ...spatial.floats import pose_rows
from ..mechanism import states as mechanism_states
from ..mechanism.chain import variable_of
from ..mechanism.newton import CLOSED
from ..mechanism.states import FASTEST, closed_motions, table
from ..mechanism.walks import walks
from .kinematics import modes_of, solved_legs
from .places import Mechanism, home
from .pose import pose_symbols, rate_symbols, twist_symbols
from .structure import Module

STEPS = 4  # of a walk from home to a position
ROUNDS = 8  # of walks, until enough of them have ended where all legs reach the platform


@dataclass(frozen=True)
class States(mechanism_states.States):
    """The root is the platform; joints are those of the legs, then those that the platform carries."""

    mechanism: Mechanism

    @property
    def module(self) -> Module:
        return self.mechanism.module

    def numbers(self) -> dict[Expr, Floats | float]:
        """For the symbols that models of the platform are written in."""
        found: dict[Expr, Floats | float] = dict(self.mechanism.values)
        found |= zip(pose_symbols, pose_rows(self.T).T, strict=True)
        found |= zip(twist_symbols, self.u[:, :6].T, strict=True)
        found |= zip(rate_symbols, self.ud[:, :6].T, strict=True)
        n = len(self.mechanism.joints)
        for k, j in enumerate(self.module.carried_joints, n):
            speed, rate = (variable(f"{stem}{j}") for stem in ("qd", "qdd"))
            found |= {variable_of(self.module.robot, j): self.x[:, k], speed: self.u[:, 6 + k], rate: self.ud[:, 6 + k]}
        return found


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
    x = np.hstack([x, rng.uniform(-FASTEST, FASTEST, (count, len(module.carried_joints)))])
    closings = [(leg.leg.end, leg.leg.seat, leg.in_a_point) for leg in module.legs]
    motions, u, ud = closed_motions(mechanism.linkage, closings, mechanism.size, T, x, rng)
    return States(mechanism.linkage, T, x, motions, u, ud, _gravity(module.robot), mechanism)


def _gravity(robot: Robot) -> Floats:
    """nan where it has no value."""
    known = {name: value.number for name, value in robot.values.items()}
    values = {s: known.get(s.name, math.nan) for s in free_symbols(*robot.gravity)}
    return np.array(evaluate(robot.gravity, values), dtype=float)


def _in_mode(mechanism: Mechanism, branches: Sequence[int], T: Floats) -> tuple[Floats, Floats]:
    """The same poses of the platform with the legs in other working modes, where they reach it."""
    own = solved_legs(mechanism.robot, branches, Scope(), 0)
    roots = [leg.positions[j] for leg in own.legs for j in leg.path.joints]
    x = table(roots, {**mechanism.values, **dict(zip(pose_symbols, pose_rows(T).T, strict=True))}, len(T))
    good = np.isfinite(x).all(axis=1)
    T, x = T[good], x[good]
    closed = mechanism.gap(T, x) < 100 * CLOSED
    return T[closed], x[closed]
