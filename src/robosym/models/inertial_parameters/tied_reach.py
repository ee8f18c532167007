"""What every link can do where joints follow others: the spans of its twists over many states that the ties allow.

With closed loops a link can do less than its path of free joints could: the hand of a palletizer stays level. Then more of
its parameters have no effect. The spans are taken over random states. Numbers near those of the robot stand for its
symbols: what holds for these alone is not seen, and the loops still close.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...expr import Expr, expr, free_symbols, postorder
from ...expr.generic import LEAST, MOST, opaque_functions
from ...reals import Floats
from ...robot import FIXED, Robot, RobotError
from ..loops.states import random_numbers, sliding_places
from ..mechanism.states import TreeMotion
from .reach import Reach, base_gravity, basis

STATES = 12
SPREAD = 0.1  # of the numbers about those of the robot


@dataclass(frozen=True)
class Tied:
    """Of every moving frame: what its antecedent can do, seen from it where its own joint is at zero, and the directions it
    turns about itself; and the numbers of the parameters with which this was found."""

    before: Mapping[int, Reach]
    turning: Mapping[int, Floats]
    values: Mapping[Expr, float]


def tied_reaches(robot: Robot, base_turns: bool) -> Tied | None:
    """None where it cannot be told: then the joints are taken as free."""
    motion = TreeMotion(robot)
    described = [x for frame in robot.frames for x in frame.geometry]
    iterated = robot.closure is not None and robot.closure.found  # these close with the robot's own numbers only
    if base_turns or iterated or opaque_functions(postorder(described)):
        return None
    rng = np.random.default_rng(3)
    own = motion.bodies.coordinates
    geometry = [x for j in robot.links for x in robot.geometry(j)]
    values = _values(robot, [*geometry, *(expr(c) for _, row in own.rows for _, c in row)], rng)
    try:
        drawn = random_numbers(robot, own.q, values, rng, STATES)
    except RobotError:
        return None
    return _spans(motion, {**dict.fromkeys((*motion.changing, *motion.constant), 0.0), **values, **drawn}, values)


def _values(robot: Robot, entries: Sequence[Expr], rng: np.random.Generator) -> dict[Expr, float]:
    found = {}
    closure = [robot.closure.exists, *robot.closure.positions.values()] if robot.closure is not None else []
    for s in sorted((s for s in free_symbols(*entries, *closure) if s.kind == "parameter"), key=lambda s: s.key):
        value = robot.values.get(s.name)
        near = 1 + SPREAD * rng.uniform(-1, 1)
        found[s] = value.number * near if value is not None and value.number else float(rng.uniform(LEAST, MOST))
    return found


def _spans(motion: TreeMotion, at: Mapping[Expr, Floats | float], values: Mapping[Expr, float]) -> Tied:
    """A column for each state and each coordinate; lengths, also those of joints that slide, are over the longest way from frame to
    frame."""
    robot, states = motion.robot, motion.states(at, STATES)
    linkage, gravity = states.linkage, base_gravity(robot)
    longest = float(np.abs(linkage.chain.steps(states.x)[:, :, :3, 3]).max(initial=0.0)) or 1.0
    units = np.ones(states.motions.shape[2])
    units[sliding_places(robot)] = longest
    at_zero = linkage.chain.steps(np.zeros((1, len(states.joints))))[0]
    before, turning = {}, {}
    for j, i, step in zip(linkage.frames, linkage.antecedents, at_zero, strict=True):
        if robot.frame(j).sigma == FIXED:
            continue
        came, own = states.moving[i], states.moving[j]
        place = came.T @ step
        v, w = np.split(_columns(came.twists_at(place) * units), 2)
        falls = _columns(np.swapaxes(place[:, :3, :3], 1, 2) @ gravity)
        before[j] = Reach(basis(np.vstack([w, v / longest])), basis(falls))
        turning[j] = basis(_columns(own.twists_at(own.T) * units)[3:])
    return Tied(before, turning, values)


def _columns(batch: Floats) -> Floats:
    """Those of all matrices (N, m, n) of a batch, side by side."""
    return np.moveaxis(batch, 0, 1).reshape(batch.shape[1], -1)
