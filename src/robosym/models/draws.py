"""Random positions of a robot's joints, such that loops close at some of them.

A crank may have a few degrees to turn, a slider a millimetre to move: half of the draws are near the positions of the
description, or else near quarters of a turn, and those of a slider are of the size of the robot.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping

from ..expr import VARIABLE, Expr, evaluate, free_symbols
from ..robot import PRISMATIC, Robot

SPREADS = (0.003, 0.03, 0.3, 1.0)  # of draws about a position, from near to anywhere
UNKNOWN = 1.0  # the size of a length that has no number
LENGTHS = (1, 3, 5)  # b, d, r among the geometric parameters


class Draws:
    """Of one robot; ``own`` are the numbers of its parameters."""

    def __init__(self, robot: Robot, seed: int, own: Mapping[str, float]) -> None:
        self.random = random.Random(seed)
        self._joints = {one.joint.variable: one for one in robot.frames if one.joint.variable is not None}
        self.reach = _reach(robot, own)

    def position(self, variable: Expr) -> float:
        """Of the joint that has this variable; another variable is like an angle."""
        frame = self._joints.get(variable)
        whole = self.reach if frame is not None and frame.sigma == PRISMATIC else math.pi
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


def _reach(robot: Robot, own: Mapping[str, float]) -> float:
    """All lengths together."""
    lengths = [x for one in robot.frames for k, x in enumerate(one.geometry) if k in LENGTHS]
    at = {s: 0.0 if s.level == VARIABLE else own.get(s.name, UNKNOWN) for s in free_symbols(*lengths)}
    total = math.fsum(abs(x) for x in evaluate(lengths, at) if math.isfinite(x))
    return total or UNKNOWN
