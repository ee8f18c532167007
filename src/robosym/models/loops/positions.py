"""Closed positions of any robot with loops, for analysis: those of all joints, also of robots without motors or numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from ...errors import RobosymError
from ...reals import Floats
from ...robot import Robot
from ..mechanism.newton import CLOSED, INEXACT
from .mechanism import LoopMechanism, numbers_for, whole_mechanism

STARTS = 24
ENOUGH = 8  # closed positions


@dataclass(frozen=True)
class ClosedPositions:
    """Positions at which all loops are closed, that of the description first, from so many ``starts``; ``gap``: the smallest
    one, in m and rad alike, which says how far from closing a robot is that cannot be."""

    mechanism: LoopMechanism
    positions: tuple[Floats, ...]
    gap: float
    starts: int
    described: bool = False  # whether the first one is the description's
    assumed: tuple[str, ...] = ()  # parameters without a value, for which one was drawn


def closed_positions(robot: Robot, wanted: int = ENOUGH, starts: int = STARTS, seed: int = 7) -> ClosedPositions:
    """From the description's position and from random starts. Where parameters have no value, numbers are drawn until the
    loops can be closed with them."""
    draw = np.random.default_rng(seed)
    best: ClosedPositions | None = None
    problem: Exception | None = None
    for _ in range(STARTS):
        values, assumed = numbers_for(robot, draw)
        try:
            made = replace(_closed(whole_mechanism(robot, values), wanted, starts, draw), assumed=assumed)
        except (RobosymError, ArithmeticError, ValueError) as error:
            problem = error  # numbers drawn for which a length has no value
            continue
        if made.positions or not assumed:
            return made
        best = made if best is None or made.gap < best.gap else best
    if best is None:
        assert problem is not None
        raise problem
    return best


def _closed(one: LoopMechanism, wanted: int, starts: int, draw: np.random.Generator) -> ClosedPositions:
    described = any(one.robot.frame(j).joint.position is not None for j in one.joints)
    x = np.array([*([one.described] if described else []), *(random_start(one, draw) for _ in range(starts))])
    found = one.reached(x)
    inexact = inexact_tolerance(one)
    first = described and bool(found.residual[0] <= inexact)
    exact = found.residual <= CLOSED
    # Loops with lengths of few digits close nowhere to rounding; the described position counts before others.
    tolerance = CLOSED if exact[0 if first else slice(None)].any() else inexact
    closed = found.x[found.residual <= tolerance][:wanted]
    one = replace(one, tolerance=tolerance if len(closed) else CLOSED)
    return ClosedPositions(one, tuple(closed), float(found.residual.min()) * one.size, len(x), first)


def random_start(one: LoopMechanism, draw: np.random.Generator) -> Floats:
    """Angles anywhere, prismatic joints within their limits."""
    x = draw.uniform(-math.pi, math.pi, len(one.joints))
    for k in np.flatnonzero(~one.turning):
        limits = one.robot.frame(one.joints[k]).joint.limits
        low, high = (
            -one.size if limits.lower is None else limits.lower,
            one.size if limits.upper is None else limits.upper,
        )
        x[k] = draw.uniform(min(low, high), max(low, high))
    return x


def inexact_tolerance(one: LoopMechanism) -> float:
    """The largest residual that lengths written with few digits leave, over the lengths around the smallest loop."""
    around = [one.geometry.length([step.frame for step in loop.around]) or one.size for loop in one.loops]
    return INEXACT * min([1.0, *(length / one.size for length in around)])
