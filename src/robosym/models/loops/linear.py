"""Loops whose joints add up: a parallelogram keeps its links parallel, and a passive angle is a sum of driven ones.

Such a solution is seen in numbers and then proved: with it the loop closes at random positions and with random numbers for
all parameters, so that it does not hang on the values of the robot. Its constants are sums of the fixed angles around the loop and
parts of a turn; where links are turned by lengths (a point that is given by two of them), they are numbers.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product

import numpy as np

from ...expr import Expr, evaluate, expr, free_symbols, number, pi, substitute
from ...robot import PRISMATIC, Robot
from ..draws import values_at
from .mechanism import mechanism_of, numbers_for
from .residual import EXACTLY, always_closes
from .structure import Loop, variable_of

STEP = 1e-4  # of a driven joint, to see how the others follow
NEAR = 1e-6
PARTS = 12  # a constant angle is a whole number of these parts of half a turn, beside the fixed angles of the loop
MOST, SAME = 6, 1e-9  # fixed angles in a constant, and how well it has to fit them


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
    angles = fixed_angles(robot, loops)
    solutions: list[dict[int, Expr]] = []
    for row in rows:
        for values in _values(robot, row, angles):
            seen = _seen(row, variables, angles, values)
            made = dict(zip(frames, seen, strict=True)) if seen is not None else {}
            closes = made and all(always_closes(robot, loop, made, number(1), EXACTLY) for loop in loops)
            if closes and made not in solutions and _determined(robot, loops, known, made):
                solutions.append(made)
            if closes:
                break
    return solutions


def fixed_angles(robot: Robot, loops: Sequence[Loop]) -> list[Expr]:
    """The angles around loops that joints do not change and that are no parts of a turn, each up to its sign."""
    found: list[Expr] = []
    for j in dict.fromkeys(one.frame for loop in loops for one in loop.around):
        frame = robot.frame(j)
        own = frame.joint.variable
        zero = {} if own is None else {own: number(0)}
        gamma, theta = substitute([frame.gamma, frame.theta], zero)
        for angle in (gamma, theta):
            if not _is_part_of_turn(angle) and angle not in found and expr(-angle) not in found:
                found.append(angle)
    return found


def part_of_turn(angle: float) -> Expr:
    """An angle that is nearly a part of a turn as that."""
    parts = round(angle * PARTS / math.pi)
    return pi * number(Fraction(parts, PARTS)) if abs(angle - parts * math.pi / PARTS) < NEAR else number(angle)


def _is_part_of_turn(angle: Expr) -> bool:
    if free_symbols(angle):
        return False
    parts = float(evaluate([angle], {})[0]) * PARTS / math.pi
    return abs(parts - round(parts)) < SAME


def _determined(robot: Robot, loops: Sequence[Loop], known: Sequence[int], made: Mapping[int, Expr]) -> bool:
    """Whether the joints follow from those known: with links that lie upon each other, others may be free to turn."""
    draw = np.random.default_rng(7)
    mechanism = mechanism_of(robot, numbers_for(robot, draw)[0])
    at = {variable_of(robot, j): float(draw.uniform(-1, 1)) for j in known}
    numbers = evaluate(list(made.values()), {**mechanism.values, **at})
    at |= dict(zip((variable_of(robot, j) for j in made), numbers, strict=True))
    x = np.array([at.get(mechanism.variable(j), 0.0) for j in mechanism.joints])
    return mechanism.rank(x, loops, list(made)) == len(made)


def _seen(
    row: Sequence[Expr], variables: Sequence[Expr], angles: Sequence[Expr], values: Mapping[Expr, float]
) -> list[Expr] | None:
    """What the solution looks like near a random position: whole multiples, and constants that are sums of fixed angles and
    parts of a turn."""
    draw = random.Random(3)
    here = {v: draw.uniform(-1, 1) for v in variables}
    start = values_at(row, {**values, **here})
    if start is None:
        return None
    slopes = []
    for v in variables:
        there = values_at(row, {**values, **here, v: here[v] + STEP})
        if there is None:
            return None
        slopes.append([math.remainder(b - a, math.tau) / STEP for a, b in zip(start, there, strict=True)])
    sizes = [float(x) for x in evaluate(list(angles), values)] if angles else []
    found = []
    for k, x in enumerate(start):
        whole = [round(slope[k]) for slope in slopes]
        if any(abs(slope[k] - n) > NEAR for slope, n in zip(slopes, whole, strict=True)):
            return None
        constant = _constant(x - sum(n * here[v] for n, v in zip(whole, variables, strict=True)), angles, sizes)
        found.append(sum((n * v for n, v in zip(whole, variables, strict=True)), constant))
    return found


def _constant(value: float, angles: Sequence[Expr], sizes: Sequence[float]) -> Expr:
    """An angle as a sum of as few fixed angles as it takes and a part of a turn; else as a number."""
    for count in range(min(len(angles), MOST) + 1):
        for chosen in combinations(range(len(angles)), count):
            for signs in product((1, -1), repeat=count):
                left = math.remainder(
                    value - sum(sign * sizes[k] for sign, k in zip(signs, chosen, strict=True)), math.tau
                )
                parts = round(left / math.pi * PARTS)
                if abs(left - parts * math.pi / PARTS) < SAME:
                    total = pi * number(Fraction(parts, PARTS))
                    return expr(sum((sign * angles[k] for sign, k in zip(signs, chosen, strict=True)), total))
    return number(math.remainder(value, math.tau))


def _values(robot: Robot, row: Sequence[Expr], angles: Sequence[Expr]) -> Iterator[dict[Expr, float]]:
    """The robot's values, where there is none one that fits; first with any numbers for the symbols of angles."""
    own = {name: value.number for name, value in robot.values.items()}
    values = {s: own.get(s.name, 0.5) for s in free_symbols(*row, *angles) if s.kind == "parameter"}
    draw = random.Random(5)
    turned = {s: draw.uniform(0.1, 1.4) for s in free_symbols(*angles) if s in values}
    if turned:
        yield values | turned
    yield values
