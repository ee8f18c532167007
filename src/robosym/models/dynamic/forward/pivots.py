"""Pivots: what forward dynamics divides by. Each is the inertia a joint feels while everything beyond it is free.

A joint that moves no inertia has the pivot zero: its acceleration is not determined, and no program is made that would
divide by it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from ....expr import evaluate, expr, free_symbols
from ....expr.generic import negligible
from ....robot import Robot, RobotError
from ....robot.problems import Problem
from ....spatial.scalar import Scalar, is_zero
from ...places import place
from ...tree.coordinates import Axis


class MasslessJointError(Exception):
    """An axis moves no inertia."""

    def __init__(self, axis: Axis) -> None:
        self.axis = axis
        super().__init__(axis)


@dataclass(frozen=True)
class Pivots:
    """The pivots of one factorisation by axis, in the order they are divided by."""

    found: dict[Axis, Scalar] = field(default_factory=dict)

    def reciprocal(self, axis: Axis, pivot: Scalar) -> Scalar:
        if is_zero(pivot):
            raise MasslessJointError(axis)
        self.found[axis] = pivot
        return 1 / pivot


def require_inertia(robot: Robot, pivots: Mapping[Axis, Scalar], carried: Mapping[Axis, Scalar]) -> None:
    """Refuse a robot with a pivot that is zero whatever the state: looked for at a random one, with the robot's values.

    ``carried`` is the inertia each axis carries, to tell a small pivot from rounding.
    """
    entries = [expr(e) for axis, pivot in pivots.items() for e in (pivot, carried[axis])]
    given = [entry for frame in robot.frames for entry in (*frame.geometry, *frame.link.inertial, frame.actuator.Ia)]
    given += robot.base.link.inertial
    there = place(robot, [*given, *(s for s in free_symbols(*entries))])
    numbers = iter(evaluate(entries, there))
    for axis, pivot, size in zip(pivots, numbers, numbers, strict=True):
        if not math.isfinite(pivot) or negligible(pivot, size):
            raise massless(robot, axis)


def massless(robot: Robot, axis: Axis) -> RobotError:
    problem = "moves no inertia that is its alone: its acceleration is not determined (give the links or rotors some)"
    what = f"joint '{robot.frame(axis).joint.name}'" if isinstance(axis, int) else "base"
    return RobotError([Problem(what, problem)], robot.name)
