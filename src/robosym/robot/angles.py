"""Angles as they are meant: multiples of pi/12 that were written in decimals.

1.5707963267948966 is the double nearest to pi/2. Its cosine is 6e-17 and not 0, so that a model of it keeps every product with
that cosine: up to twice the operations. What is the nearest double to a multiple of pi/12 is that multiple; what is only near
one (1.5708 in many files) is taken for it where a person says how near.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Annotated

from ..expr import Expr, linear, number, pi
from ..expr.node import LIN, NUM, Number
from ..options.markers import Range
from .parts import Frame
from .robot import Robot

PARTS = 12  # of half a turn
PI = Fraction(31415926535897932384626433832795028841972, 10**40)
ANGLES = ("gamma", "alpha", "theta")
FAR = 1e-3  # beyond, an angle in a file is its own
Snap = Annotated[float, Range(0, FAR)]  # within which an angle counts as such a multiple, rad


def meant(angle: Number, tolerance: float = 0.0) -> Fraction | None:
    """How many half turns an angle is, if it is a multiple of pi/12 to the last bit, or within ``tolerance`` of one."""
    amount = float(angle)
    if not math.isfinite(amount) or abs(amount) > 4 * math.pi:
        return None
    turns = Fraction(round(amount * PARTS / math.pi), PARTS)
    exact = float(turns * PI)
    return turns if amount == exact or abs(amount - exact) <= tolerance else None


def as_meant(robot: Robot, tolerance: float = 0.0) -> Robot:
    """The robot with such angles in its frames exact: gamma, alpha and theta, also beside the variable of a joint."""
    frames = tuple(_clean(frame, tolerance) for frame in robot.frames)
    same = all(new is old for new, old in zip(frames, robot.frames, strict=True))
    return robot if same else robot.replace(frames=frames)


@dataclass(frozen=True)
class Near:
    """An angle of a description that is nearly, and not exactly, a multiple of pi/12."""

    where: str
    angle: float
    turns: Fraction

    @property
    def off(self) -> float:
        return abs(self.angle - float(self.turns * PI))

    def __str__(self) -> str:
        return f"{self.where}: {self.angle!r} is {number(self.turns) * pi} but for {self.off:.1g}"


def near_angles(robot: Robot, within: float = FAR) -> list[Near]:
    """The angles in the frames of a robot that are nearly multiples of pi/12."""
    found = []
    for j, frame in enumerate(robot.frames, 1):
        for name in ANGLES:
            for constant in _constants(getattr(frame, name)):
                turns = meant(constant, within)
                if turns is not None and meant(constant) is None:
                    found.append(Near(f"frame {j}, {name}", float(constant), turns))
    return found


def _clean(frame: Frame, tolerance: float) -> Frame:
    old = (frame.gamma, frame.alpha, frame.theta)
    gamma, alpha, theta = new = tuple(_exact(entry, tolerance) for entry in old)
    return frame if new == old else replace(frame, gamma=gamma, alpha=alpha, theta=theta)


def _exact(entry: Expr, tolerance: float) -> Expr:
    """The number, or the constant of a sum, in half turns."""
    for constant in _constants(entry):
        turns = meant(constant, tolerance)
        if turns is not None:
            return linear(0, [(entry, 1), (number(constant), -1), (pi, turns)])
    return entry


def _constants(entry: Expr) -> Iterator[Number]:
    """What is written in decimals: a number by itself, or the one in a sum with the variable of a joint."""
    constant = entry.value if entry.op == NUM else entry.value[0] if entry.op == LIN else 0
    if isinstance(constant, float):
        yield constant
