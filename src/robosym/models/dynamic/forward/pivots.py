"""Pivots: what forward dynamics divides by. Each is the inertia a joint feels while everything beyond it is free.

A joint that moves no inertia has the pivot zero: its acceleration is not determined, and no program is made that would
divide by it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ....expr import evaluate, expr, free_symbols
from ....expr.generic import negligible
from ....robot import Robot, RobotError
from ....robot.problems import Problem
from ....spatial.scalar import Scalar, is_zero
from ...places import place


class MasslessJointError(Exception):
    """The joint of frame ``j`` moves no inertia."""

    def __init__(self, j: int) -> None:
        self.j = j
        super().__init__(j)


@dataclass(frozen=True)
class Pivots:
    """The pivots of one factorisation by frame, in the order they are divided by."""

    found: dict[int, Scalar] = field(default_factory=dict)

    def reciprocal(self, j: int, pivot: Scalar) -> Scalar:
        if is_zero(pivot):
            raise MasslessJointError(j)
        self.found[j] = pivot
        return 1 / pivot


def require_inertia(robot: Robot, pivots: Mapping[int, Scalar], carried: Sequence[Scalar]) -> None:
    """Refuse a robot with a pivot that is zero whatever the state: looked for at a random one, with the robot's values.

    ``carried`` is the inertia each independent joint carries, to tell a small pivot from rounding.
    """
    sizes = dict(zip(robot.moving, map(expr, carried), strict=True))
    entries = [expr(e) for j, pivot in pivots.items() for e in (pivot, sizes[j])]
    given = [entry for frame in robot.frames for entry in (*frame.geometry, *frame.link.inertial, frame.actuator.Ia)]
    there = place(robot, [*given, *(s for s in free_symbols(*entries))])
    numbers = iter(evaluate(entries, there))
    for j, pivot, size in zip(pivots, numbers, numbers, strict=True):
        if not math.isfinite(pivot) or negligible(pivot, size):
            raise massless(robot, j)


def massless(robot: Robot, j: int) -> RobotError:
    problem = "moves no inertia that is its alone: its acceleration is not determined (give the links or rotors some)"
    return RobotError([Problem(f"joint '{robot.frame(j).joint.name}'", problem)], robot.name)
