"""Loops whose joints add up: a parallelogram keeps its links parallel, and a passive angle is a sum of driven ones.

Such a solution is seen in numbers and then proved: with it the loop closes at random positions and with random numbers for
all parameters, so that it does not hang on the values of the robot.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np

from ...expr import Expr, ExprError, evaluate, free_symbols, number, pi
from ...robot import PRISMATIC, Robot
from .residual import EXACTLY, always_closes
from .search import Search, numbers_for
from .structure import Loop, variable_of

STEP = 1e-4  # of a driven joint, to see how the others follow
NEAR = 1e-6
PARTS = 12  # a constant angle is a whole number of these parts of half a turn


def linear_solutions(
    robot: Robot, loops: Sequence[Loop], known: Sequence[int], rows: Sequence[Sequence[Expr]], frames: Sequence[int]
) -> list[dict[int, Expr]]:
    """The positions of the joints ``frames`` as sums of those of ``known``, in all solutions that are such: one of a
    parallelogram, both of a rhombus.

    ``rows`` are its solutions in general, of the variables of the joints known.
    """
    if any(robot.frame(j).sigma == PRISMATIC for j in (*known, *frames)):
        return []
    variables = [variable_of(robot, j) for j in known]
    solutions = []
    for row in rows:
        found = _seen(robot, row, variables)
        if found is not None:
            made = dict(zip(frames, found, strict=True))
            closes = all(always_closes(robot, loop, made, number(1), EXACTLY) for loop in loops)
            if closes and made not in solutions and _determined(robot, loops, known, made):
                solutions.append(made)
    return solutions


def _determined(robot: Robot, loops: Sequence[Loop], known: Sequence[int], made: Mapping[int, Expr]) -> bool:
    """Whether the joints follow from those known: with links that lie upon each other, others may be free to turn."""
    draw = np.random.default_rng(7)
    search = Search(robot, numbers_for(robot, draw)[0])
    at = {variable_of(robot, j): float(draw.uniform(-1, 1)) for j in known}
    at |= dict(zip((variable_of(robot, j) for j in made), evaluate(list(made.values()), at), strict=True))
    x = np.array([at.get(search.variable(j), 0.0) for j in search.joints])
    return search.rank(x, loops, list(made)) == len(made)


def _seen(robot: Robot, row: Sequence[Expr], variables: Sequence[Expr]) -> list[Expr] | None:
    """What the solution looks like near a random position: whole multiples, and constants that are parts of a turn."""
    draw = random.Random(3)
    values = _values(robot, row, draw)
    here = {v: draw.uniform(-1, 1) for v in variables}
    start = _numbers(row, values | here)
    if start is None:
        return None
    slopes = []
    for v in variables:
        there = _numbers(row, values | here | {v: here[v] + STEP})
        if there is None:
            return None
        slopes.append([_wrapped(b - a) / STEP for a, b in zip(start, there, strict=True)])
    found = []
    for k, x in enumerate(start):
        whole = [round(slope[k]) for slope in slopes]
        if any(abs(slope[k] - n) > NEAR for slope, n in zip(slopes, whole, strict=True)):
            return None
        constant = _wrapped(x - sum(n * here[v] for n, v in zip(whole, variables, strict=True)))
        parts = round(constant / math.pi * PARTS)
        if abs(constant - parts * math.pi / PARTS) > NEAR:
            return None
        total = pi * number(Fraction(parts, PARTS))
        found.append(sum((n * v for n, v in zip(whole, variables, strict=True)), total))
    return found


def _values(robot: Robot, row: Sequence[Expr], draw: random.Random) -> dict[Expr, float]:
    """The robot's values; where there is none, one that fits."""
    own = {name: value.number for name, value in robot.values.items()}
    return {s: own.get(s.name, 0.5) for s in free_symbols(*row) if s.kind == "parameter"}


def _numbers(entries: Sequence[Expr], values: Mapping[Expr, float]) -> list[float] | None:
    try:
        found = [float(x) for x in evaluate(list(entries), values)]
    except (ExprError, ArithmeticError, ValueError):
        return None
    return found if all(map(math.isfinite, found)) else None


def _wrapped(angle: float) -> float:
    return angle - 2 * math.pi * math.floor(angle / (2 * math.pi) + 0.5)
