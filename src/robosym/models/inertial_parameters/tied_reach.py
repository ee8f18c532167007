"""What every link can do where joints follow others: the spans of its twists over many states that the ties allow.

With closed loops a link can do less than its path of free joints could: the hand of a palletizer stays level. Then more of
its parameters have no effect. The spans are taken over random states. Numbers near those of the robot stand for its
symbols: what holds for these alone is not seen, and the loops still close.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...expr import Expr, evaluate, expr, free_symbols, postorder, substitute
from ...expr.generic import LEAST, MOST, opaque_functions
from ...robot import FIXED, PRISMATIC, Robot, RobotError
from ..tree.coordinates import Coordinates, coordinates
from .reach import Matrix, Reach, base_gravity, basis, carried, placement
from .states import closed_states

STATES = 12
SPREAD = 0.1  # of the numbers about those of the robot

ZERO = expr(0)


@dataclass(frozen=True)
class Tied:
    """Of every moving frame: what its antecedent can do, seen from it where its own joint is at zero, and the directions it
    turns about itself; and the numbers of the parameters with which this was found."""

    before: Mapping[int, Reach]
    turning: Mapping[int, Matrix]
    values: Mapping[Expr, float]


def tied_reaches(robot: Robot, base_turns: bool) -> Tied | None:
    """None where it cannot be told: then the joints are taken as free."""
    own = coordinates(robot)
    geometry = [x for j in robot.links for x in robot.geometry(j)]
    described = [x for frame in robot.frames for x in frame.geometry]
    iterated = robot.closure is not None and robot.closure.found  # these close with the robot's own numbers only
    if base_turns or iterated or opaque_functions(postorder(described)):
        return None
    rng = np.random.default_rng(3)
    values = _values(robot, [*geometry, *(expr(c) for _, row in own.rows for _, c in row)], rng)
    try:
        states = _states(robot, own, values, rng)
    except RobotError:
        return None
    return _spans(robot, own, geometry, {**values, **states}, values)


def _values(robot: Robot, entries: list[Expr], rng: np.random.Generator) -> dict[Expr, float]:
    found = {}
    closure = [robot.closure.exists, *robot.closure.positions.values()] if robot.closure is not None else []
    for s in sorted((s for s in free_symbols(*entries, *closure) if s.kind == "parameter"), key=lambda s: s.key):
        value = robot.values.get(s.name)
        near = 1 + SPREAD * rng.uniform(-1, 1)
        found[s] = value.number * near if value is not None and value.number else float(rng.uniform(LEAST, MOST))
    return found


def _states(
    robot: Robot, own: Coordinates, values: Mapping[Expr, float], rng: np.random.Generator
) -> dict[Expr, NDArray[np.float64]]:
    if robot.closure is not None:
        return closed_states(robot, robot.closure, own.q, values, rng, STATES)
    return {s: rng.uniform(-2, 2, size=(STATES, 1)) for s in own.q}


def _spans(
    robot: Robot,
    own: Coordinates,
    geometry: list[Expr],
    at: Mapping[Expr, object],
    values: Mapping[Expr, float],
) -> Tied:
    """The twists of all links, from the base outwards: a column for each state and each coordinate."""
    numbers = np.array([np.broadcast_to(x, (STATES, 1))[:, 0] for x in evaluate(geometry, at)]).reshape(-1, 6, STATES)
    longest = float(np.abs(numbers[:, 1::2]).max(initial=0.0)) or 1.0
    numbers[:, 1::2] /= longest
    gravity = base_gravity(robot)
    reach = {0: [Reach(np.zeros((6, own.nv)), gravity)] * STATES}
    before, turning = {}, {}
    for j in robot.order:
        frame = robot.frame(j)
        came = reach[frame.antecedent]
        reach[j] = [carried(one, placement(*numbers[j - 1, :, k])) for k, one in enumerate(came)]
        if frame.sigma == FIXED:
            continue
        at_zero = placement(*_at_zero(robot, j, values, longest))
        seen = [carried(one, at_zero) for one in came]
        before[j] = Reach(basis(_side_by_side(seen, "twists")), basis(_side_by_side(seen, "gravity")))
        rates = _rates(own, j, at)
        s = np.zeros((6, 1))
        s[5 if frame.sigma == PRISMATIC else 2] = 1 / (longest if frame.sigma == PRISMATIC else 1)
        reach[j] = [Reach(one.twists + s * rates[k], one.gravity) for k, one in enumerate(reach[j])]
        turning[j] = basis(_side_by_side(reach[j], "twists")[:3])
    return Tied(before, turning, values)


def _side_by_side(reaches: list[Reach], part: str) -> Matrix:
    return np.hstack([getattr(one, part) for one in reaches])


def _at_zero(robot: Robot, j: int, values: Mapping[Expr, float], longest: float) -> list[float]:
    frame = robot.frame(j)
    own = frame.joint.variable
    entries = substitute(frame.geometry, {own: ZERO}) if own is not None else list(frame.geometry)
    return [float(x) / (longest if k % 2 else 1.0) for k, x in enumerate(evaluate(entries, values))]


def _rates(own: Coordinates, j: int, at: Mapping[Expr, object]) -> NDArray[np.float64]:
    """The row of G of joint j: a row for each state."""
    found = np.zeros((STATES, own.nv))
    for place, coefficient in own.row(j):
        found[:, place] = np.broadcast_to(evaluate([expr(coefficient)], at)[0], (STATES, 1))[:, 0]
    return found
