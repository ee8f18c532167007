"""The two ways of closing a loop, named by what a person can see: the side to which a joint bends.

Between the two lies a dead centre, where some joint is stretched or folded: the sine (or the cosine) of its angle is zero
there, positive in one way and negative in the other. That joint is looked for at random positions, with random lengths where
they have names, so that what is found does not hang on the numbers of the robot; but on their signs it may, and these stay. It
bends by the same angle to either side: then it is straight only where the ways meet, and the signs hold at all positions, not only
at those that were tried.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ...expr import Expr
from ...robot import PRISMATIC, Robot
from ..draws import Draws
from .residual import numbers_at

SAMPLES, TRIES = 40, 400
VARIED = 0.8, 1.25  # factors of the robot's own numbers
MIRRORED = 1e-9  # both ways bend by the same angle


@dataclass(frozen=True)
class Bend:
    """A function of a joint's position whose sign tells the ways apart, and its sign in the first of them."""

    joint: str
    function: str
    first: int
    least: float  # bend that was seen

    def name(self, k: int) -> str:
        return f"{self.joint}{'+' if self._sign(k) > 0 else '-'}"

    def meaning(self, k: int) -> str:
        written = self.joint if self.function == "the length" else f"{self.function}({self.joint})"
        return f"{written} {'>' if self._sign(k) > 0 else '<'} 0"

    def _sign(self, k: int) -> int:
        return self.first if k == 0 else -self.first


def bend(robot: Robot, ways: Sequence[tuple[Mapping[int, Expr], Expr]]) -> Bend | None:
    """What tells two ways apart, each given by the positions of its joints and where it exists; None if nothing does."""
    first, second = (_samples(robot, positions, exists) for positions, exists in ways)
    if not first or not second:
        return None
    found = []
    for k, j in enumerate(ways[0][0]):
        for name, function in _functions(robot, j):
            a, b = ([function(row[k]) for row in rows] for rows in (first, second))
            mirrored = all(abs(x + y) < MIRRORED for x, y in zip(a, b, strict=True))
            if mirrored and (max(a) < 0 < min(b) or max(b) < 0 < min(a)):
                found.append(Bend(robot.frame(j).joint.name, name, 1 if a[0] > 0 else -1, min(map(abs, (*a, *b)))))
    return min(found, key=lambda one: one.least, default=None)


def _functions(robot: Robot, j: int) -> list[tuple[str, Callable[[float], float]]]:
    if robot.frame(j).sigma == PRISMATIC:
        return [("the length", float)]
    return [("sin", math.sin), ("cos", math.cos)]


def _samples(robot: Robot, positions: Mapping[int, Expr], exists: Expr) -> list[list[float]]:
    """Positions where the way exists; too few are none."""
    draws = Draws(robot, 17)
    found = []
    for _ in range(TRIES):
        varied = {name: x * draws.random.uniform(*VARIED) for name, x in draws.own.items()}
        numbers = numbers_at([exists, *positions.values()], draws, varied)
        if numbers is not None and numbers[0]:
            found.append(numbers[1:])
        if len(found) == SAMPLES:
            return found
    return []
