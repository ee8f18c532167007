"""A six-joint arm as numbers: T = A1 J1 A2 J2 ... A6 J6 A7, each J a turn about or a slide along z."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ....errors import RobosymError
from ....expr import ExprError, evaluate, free_symbols
from ....robot import FIXED, PRISMATIC, Robot, RobotError
from ....robot.problems import Problem
from ....spatial.floats import screws
from ...request import target
from ...tree.paths import WORLD
from .invariants import Floats, joint_motion

JOINTS = 6
MOST_PRISMATIC = 3


@dataclass(frozen=True, eq=False)
class Arm:
    """Kinds of the joints (REVOLUTE, PRISMATIC), the constant matrices A (7, 4, 4) and the sign of each variable."""

    kinds: tuple[int, ...]
    constants: Floats
    signs: Floats

    def poses(self, q: Floats) -> Floats:
        """The direct geometric model, (N, 6) to (N, 4, 4)."""
        T: Floats = np.broadcast_to(self.constants[0], (len(q), 4, 4))
        for i, kind in enumerate(self.kinds):
            T = T @ joint_motion(kind, self.signs[i] * q[:, i]) @ self.constants[i + 1]
        return T

    @property
    def length(self) -> float:
        """A length typical of the arm; 1 when everything meets in a point."""
        total = float(np.linalg.norm(self.constants[1:6, :3, 3], axis=-1).sum())
        return total / 3 if total > 0 else 1.0

    def reduced(self) -> Arm:
        """The same joints without base and tool matrices, in units of the arm's length."""
        constants = self.constants.copy()
        constants[0] = constants[-1] = np.eye(4)
        constants[:, :3, 3] /= self.length
        return replace(self, constants=constants)


def terminal(robot: Robot, frame: int | str | None = None) -> int:
    """The frame whose pose is requested, after checking that six independent joints carry it."""
    number = target(robot, frame)
    path = [robot.frame(j) for j in robot.path(number)]
    followers = [f.joint.name for f in path if f.sigma != FIXED and f.joint.mimic is not None]
    if followers:
        problem = f"joints {', '.join(followers)} depend on others: the general method needs independent joints"
        raise RobotError([Problem("joints", problem)], robot.name)
    count = sum(f.sigma != FIXED for f in path)
    if count != JOINTS:
        problem = f"the general method needs exactly {JOINTS} moving joints on the way to the frame, found {count}"
        raise RobotError([Problem("joints", problem)], robot.name)
    prismatic = sum(f.sigma == PRISMATIC for f in path)
    if prismatic > MOST_PRISMATIC:
        problem = (
            f"{prismatic} are prismatic: with more than {MOST_PRISMATIC}, a pose has no solution or infinitely many"
        )
        raise RobotError([Problem("joints", problem)], robot.name)
    return number


def symbols_of(robot: Robot, frame: int, base: int | str = 0) -> tuple[str, ...]:
    """The parameters that the geometry of the chain reads."""
    entries = [entry for j in robot.path(frame) for entry in robot.geometry(j)]
    entries += list(robot.base.location) if base == WORLD else []
    return tuple(s.name for s in free_symbols(*entries) if s.kind == "parameter")


def arm_of(robot: Robot, frame: int, base: int | str = 0, parameters: Mapping[str, Any] | None = None) -> Arm:
    """The numbers of the chain, fixed frames folded into the constants; ``parameters`` over the robot's own values."""
    values: dict[Any, Any] = {key: value.number for key, value in robot.values.items()} | dict(parameters or {})
    values |= {v: 0.0 for j in robot.path(frame) if (v := robot.frame(j).joint.variable) is not None}
    numbers = _evaluator(robot, values)
    pieces = [np.array(numbers(robot.base.location)).reshape(4, 4) if base == WORLD else np.eye(4)]
    kinds: list[int] = []
    signs: list[float] = []
    for j in robot.path(frame):
        gamma, b, alpha, d, theta, r = numbers(robot.geometry(j))
        lead = screws(gamma, b, 2) @ screws(alpha, d, 0)
        own = robot.frame(j)
        pieces[-1] = pieces[-1] @ lead
        if own.sigma != FIXED:
            kinds.append(own.sigma)
            values_one = values | {own.joint.variable: 1.0}
            moved = own.r if own.sigma == PRISMATIC else own.theta
            signs.append(_evaluator(robot, values_one)([moved])[0] - (r if own.sigma == PRISMATIC else theta))
            pieces.append(np.eye(4))
        pieces[-1] = pieces[-1] @ screws(theta, r, 2)
    if not np.allclose(np.abs(signs), 1.0, atol=1e-12):
        problem = "a joint moves by a multiple of its variable: expected the variable itself, with a sign and an offset"
        raise RobotError([Problem("joints", problem)], robot.name)
    constants = np.array(pieces)
    if not np.isfinite(constants).all():
        raise RobotError([Problem("geometry", "is not finite with these parameters")], robot.name)
    return Arm(tuple(kinds), constants, np.round(np.array(signs)))


def _evaluator(robot: Robot, values: Mapping[Any, Any]) -> Callable[[Any], list[float]]:
    def numbers(entries: Any) -> list[float]:
        try:
            return [float(number) for number in evaluate(list(entries), values)]
        except ExprError as problem:
            raise RobosymError(f"{robot.name}: {problem}; give it in 'parameters'") from None

    return numbers
