"""Random states at which closed loops close, many at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...expr import Expr, evaluate
from ...robot import PRISMATIC, Robot, RobotError
from ...robot.parts import Closure
from ...robot.problems import Problem
from ..loops.found import iterated_states

ROUNDS, DRAWS = 20, 200  # of states, until enough of them can be assembled
SPREADS = (0.003, 0.03, 0.3, 1.0)  # a crank may have a few degrees to turn: draws near the position in the description

States = dict[Expr, NDArray[np.float64]]


def closed_states(
    robot: Robot,
    closure: Closure,
    symbols: Sequence[Expr],
    values: Mapping[Any, Any],
    rng: np.random.Generator,
    samples: int,
) -> States:
    """Numbers for these symbols, positions of driven joints among them, a row for each state; the others have ``values``.

    Of those drawn the farthest from a singular position, where passive joints run away, are taken.
    """
    roots = [closure.exists, *closure.positions.values(), *(x for row in closure.rows.values() for _, x in row)]
    found: States = {s: np.zeros((0, 1)) for s in symbols}
    steepest = np.zeros(0)
    for _ in range(ROUNDS):
        drawn = {s: _drawn(robot, s, rng) for s in symbols}
        if closure.found:
            there = iterated_states(robot, rng, DRAWS)
            count = len(next(iter(there.values())))
            drawn = {s: there[s] if s in there else x[:count] for s, x in drawn.items()}
        shape = next(iter(drawn.values())).shape
        exists, *numbers = (np.broadcast_to(x, shape)[:, 0] for x in evaluate(roots, {**values, **drawn}))
        slopes = numbers[len(closure.positions) :]
        size = np.max(np.abs([np.zeros(len(exists)), *slopes]), axis=0)
        good = (exists != 0) & np.isfinite(np.sum(numbers, axis=0))
        found = {s: np.concatenate([x, drawn[s][good]]) for s, x in found.items()}
        steepest = np.concatenate([steepest, size[good]])
        if len(steepest) >= 2 * samples:
            break
    if len(steepest) < samples:
        raise RobotError([Problem("loops", "cannot be assembled at random positions")], robot.name)
    mild = np.argsort(steepest, kind="stable")[:samples]
    return {s: x[mild] for s, x in found.items()}


def _drawn(robot: Robot, one: Expr, rng: np.random.Generator) -> NDArray[np.float64]:
    """The position of a driven joint anywhere or near that in the description; a speed, or whatever else changes."""
    joint = next((f for f in robot.frames if f.joint.variable is one), None)
    if joint is None:
        return rng.uniform(-2, 2, size=(DRAWS, 1))
    whole = 1.0 if joint.sigma == PRISMATIC else np.pi
    anywhere = whole * rng.uniform(-1, 1, size=(DRAWS, 1))
    if joint.joint.position is None:
        return anywhere
    near = joint.joint.position + anywhere * rng.choice(SPREADS, size=(DRAWS, 1))
    return np.where(rng.uniform(size=(DRAWS, 1)) < 0.5, anywhere, near)
