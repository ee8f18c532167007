"""A robot at one place: its own values, and numbers drawn for whatever has none, such that everything has a value.

Here is decided what may be divided by. What may be left out is decided at a generic place (``expr.generic``), because
what is zero for one set of values need not be for another.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from ..expr import Expr, free_symbols
from ..expr.generic import LEAST, MOST
from ..robot import Robot, RobotError
from ..robot.parts import Closure
from ..robot.problems import Problem
from .draws import Draws, values_at

TRIALS = 200  # of draws, until every expression has a value
MOST_NAMED = 8  # symbols in a message


def place(robot: Robot, roots: Sequence[Expr], seed: int = 1) -> dict[Expr, float]:
    """Numbers for the symbols of the expressions: the robot's values, and for the others the first draws at which every
    expression has a finite value, and closed loops do close."""
    closure = robot.closure
    if closure is not None:
        return _assembled_place(robot, roots, closure, seed)
    symbols = free_symbols(*roots)
    known = {s: robot.values[s.name].number for s in symbols if s.kind == "parameter" and s.name in robot.values}
    free = [s for s in symbols if s not in known]
    draw = random.Random(seed)
    for trial in range(TRIALS):
        drawn = {s: draw.uniform(LEAST, MOST) if not trial else _anything(draw) for s in free}
        if values_at(roots, {**known, **drawn}) is not None:
            return {**known, **drawn}
        if not free:
            break
    raise _undecided(robot, roots, known, free)


def _assembled_place(robot: Robot, roots: Sequence[Expr], closure: Closure, seed: int) -> dict[Expr, float]:
    draws = Draws(robot, seed)
    roots = [closure.exists, *closure.positions.values(), *roots]
    symbols = free_symbols(*roots)
    for _ in range(TRIALS):
        there = draws.numbers(symbols)
        there |= {s: closure.at[s] for s in symbols if s in closure.at}  # where an iteration has closed the loops
        numbers = values_at(roots, there)
        if numbers is not None and numbers[0]:
            return there
    known = {s: draws.own[s.name] for s in symbols if s.kind == "parameter" and s.name in draws.own}
    raise _undecided(robot, roots, known, [s for s in symbols if s not in known])


def _anything(draw: random.Random) -> float:
    """A number of either sign and of any size a robot may have."""
    return draw.choice((-1, 1, 1)) * 10 ** draw.uniform(-2, 2)


def _undecided(robot: Robot, roots: Sequence[Expr], known: Mapping[Expr, float], free: Sequence[Expr]) -> RobotError:
    lacking = [s.name for s in free if s.kind == "parameter"]
    if lacking:
        listed = ", ".join(lacking[:MOST_NAMED]) + (" ..." if len(lacking) > MOST_NAMED else "")
        problem = f"its structure cannot be decided: no numbers were found with which all of it has a value (give {listed} values)"
    else:
        listed = ", ".join(f"{s.name} = {value:g}" for s, value in list(known.items())[:MOST_NAMED])
        problem = f"its structure cannot be decided: with its own values ({listed}) a part of it has no value"
    return RobotError([Problem("", problem)], robot.name)
