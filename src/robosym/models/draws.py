"""Random positions of a robot's joints, such that loops close at some of them.

A crank may have a few degrees to turn, a slider a millimetre to move: half of the draws are near the positions of the
description, or else near quarters of a turn, and those of a slider are of the size of the robot.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from ..expr import VARIABLE, Expr, ExprError, evaluate, free_symbols
from ..expr.generic import LEAST, MOST
from ..reals import Floats
from ..robot import PRISMATIC, Robot

SPREADS = (0.003, 0.03, 0.3, 1.0)  # of draws about a position, from near to anywhere
UNKNOWN = 1.0  # the size of a length that has no number
LENGTHS = (1, 3, 5)  # b, d, r among the geometric parameters


class Draws:
    """Of one robot; ``own`` are numbers for its parameters, by default those it has."""

    def __init__(self, robot: Robot, seed: int, own: Mapping[str, float] | None = None) -> None:
        own = {name: value.number for name, value in robot.values.items()} if own is None else own
        self.random, self.own = random.Random(seed), own
        self._joints = {one.joint.variable: one for one in robot.frames if one.joint.variable is not None}
        self.reach = reach(robot, own)

    def numbers(self, symbols: Iterable[Expr], own: Mapping[str, float] | None = None) -> dict[Expr, float]:
        """For variables, positions; for parameters, their own numbers, or others where they have none."""
        own = self.own if own is None else own
        found = {}
        for s in symbols:
            drawn = self.position(s) if s.level == VARIABLE else self.random.uniform(LEAST, MOST)
            found[s] = drawn if s.level == VARIABLE else own.get(s.name, drawn)
        return found

    def whole(self, variable: Expr) -> float:
        """Half the range of the joint that has this variable; another variable is like an angle."""
        frame = self._joints.get(variable)
        return self.reach if frame is not None and frame.sigma == PRISMATIC else math.pi

    def positions(self, variable: Expr, count: int) -> Floats:
        """So many positions of this joint."""
        return np.array([self.position(variable) for _ in range(count)])

    def position(self, variable: Expr) -> float:
        """Of the joint that has this variable."""
        frame, whole = self._joints.get(variable), self.whole(variable)
        own = frame.joint.position if frame is not None else None
        if self.random.random() < 0.5:
            return whole * self.random.uniform(-1, 1)
        if own is None:
            own = self.random.choice((-1, 0, 1, 2)) * whole / 2
        return own + whole * self.random.choice(SPREADS) * self.random.uniform(-1, 1)

    def quarter(self, variable: Expr, position: float) -> float:
        """A position of which all angles are special, or, of every other draw, the one given."""
        frame = self._joints.get(variable)
        if (frame is not None and frame.sigma == PRISMATIC) or self.random.random() < 0.5:
            return position
        return self.random.choice((-1, 0, 1, 2)) * math.pi / 2


def parameter_numbers(robot: Robot, symbols: Iterable[Expr], draw: np.random.Generator) -> dict[Expr, float]:
    """The parameters among these symbols: the robot's own numbers, or others where they have none."""
    own = robot.values
    return {
        s: own[s.name].number if s.name in own else float(draw.uniform(LEAST, MOST))
        for s in symbols
        if s.kind == "parameter"
    }


def values_at(roots: Sequence[Expr], at: Mapping[Expr, float]) -> list[float] | None:
    """Expressions in numbers; None where one of them has no value."""
    try:
        found = [float(x) for x in evaluate(roots, at)]
    except (ExprError, ArithmeticError, ValueError):
        return None
    return found if all(map(math.isfinite, found)) else None


def reach(robot: Robot, own: Mapping[str, float]) -> float:
    """All lengths of a robot together."""
    lengths = [x for one in robot.frames for k, x in enumerate(one.geometry) if k in LENGTHS]
    at = {s: 0.0 if s.level == VARIABLE else own.get(s.name, UNKNOWN) for s in free_symbols(*lengths)}
    total = math.fsum(abs(x) for x in evaluate(lengths, at) if math.isfinite(x))
    return total or UNKNOWN
