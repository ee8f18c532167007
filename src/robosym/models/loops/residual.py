"""Whether a solution closes its loop: the product of all motions around it less the identity, in expressions and in numbers.

The equations that were solved are seldom all there are: a loop with too few joints (a Bennett linkage) closes for special
lengths only. What holds with random numbers for all parameters holds always; what holds with the numbers of the robot is
checked at every position, for others may be given later.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence

from ...expr import (
    VARIABLE,
    Expr,
    absolute,
    expr,
    free_symbols,
    maximum,
    number,
    postorder,
    substitute,
)
from ...robot import Robot
from ...spatial.screws import joined
from ..draws import Draws, values_at
from ..inverse_geometry.chain.chain import rows_of
from .structure import Loop, motions_of

CLOSED = 1e-9  # of the size of the loop: what rounding leaves is far below, links that do not meet far above
INEXACT = 1e-6  # what lengths written with few digits leave, where a loop has more equations than unknown joints
EXACTLY = 1e-13  # sums of angles: nothing is rounded but the product itself
PROOFS, TRIES = 6, 300


def residuals(robot: Robot, loop: Loop, made: Mapping[int, Expr]) -> list[Expr]:
    """Entries that are zero where the loop closes, with these positions for its passive joints: twelve, and one for each
    angle that is known by its sine and cosine. Two equations may give these such that no angle has them, and in the product
    they would be taken at their word."""
    rows = rows_of(joined([screw for one in loop.around for screw in motions_of(robot, one)]))
    own = {v: x for j, x in made.items() if (v := robot.frame(j).joint.variable) is not None}
    entries = substitute([x for row in rows for x in row], own)
    pairs = [node.args for node in postorder(made.values()) if node.op == "angle"]
    circles = [expr(sine * sine + cosine * cosine - 1) for sine, cosine in pairs]
    return [*(expr(x - number(int(k % 5 == 0))) for k, x in enumerate(entries)), *circles]


def lengths_of(robot: Robot, loop: Loop) -> list[Expr]:
    """The lengths around a loop, but those that a joint changes."""
    lengths = [x for one in loop.around for k, x in enumerate(robot.geometry(one.frame)) if k in (1, 3, 5)]
    return [x for x in lengths if x.level < VARIABLE]


def size(robot: Robot, loop: Loop) -> Expr:
    """The lengths around a loop, added up, and one for its directions."""
    return expr(sum((absolute(x) for x in lengths_of(robot, loop)), number(1)))


def always_closes(robot: Robot, loop: Loop, made: Mapping[int, Expr], exists: Expr, tolerance: float = CLOSED) -> bool:
    """Whether it closes at random positions and with random numbers for all parameters, wherever it exists."""
    return gap(robot, loop, made, exists, {}) <= tolerance


def gap(
    robot: Robot, loop: Loop, made: Mapping[int, Expr], exists: Expr, own: Mapping[str, float] | None = None
) -> float:
    """By how much the loop stays open with these numbers of the parameters (by default the robot's own), at the best; infinite if
    the solution exists nowhere."""
    return max(_largest([exists, size(robot, loop), *residuals(robot, loop, made)], Draws(robot, 11, own)))


def _largest(roots: Sequence[Expr], draws: Draws) -> list[float]:
    """At some positions at which a solution exists: the largest residual over the size. The roots are these three."""
    found = []
    for _ in range(TRIES):
        numbers = numbers_at(roots, draws)
        if numbers is not None and numbers[0]:
            found.append(max(map(abs, numbers[2:])) / numbers[1])
        if len(found) == PROOFS:
            break
    return found or [math.inf]


def nearly_closes(robot: Robot, loop: Loop, made: Mapping[int, Expr], exists: Expr) -> bool:
    """Whether a loop with lengths written with few digits closes at most positions, with the robot's own numbers: near dead
    centres such lengths leave more than elsewhere."""
    found = _largest([exists, number(1), *_relative(robot, loop, made)], Draws(robot, 11))
    return statistics.median(found) <= INEXACT


def is_nearly_closed(robot: Robot, loop: Loop, made: Mapping[int, Expr]) -> Expr:
    """The condition that such a loop closes at a position, with the parameters as they are."""
    return expr(_maximum(_relative(robot, loop, made)) <= INEXACT)


def _relative(robot: Robot, loop: Loop, made: Mapping[int, Expr]) -> list[Expr]:
    """The residuals, with lengths over those around the loop."""
    lengths = [absolute(x) for x in lengths_of(robot, loop) if not x.is_zero]
    total = expr(sum(lengths, number(0))) if lengths else number(1)
    found = residuals(robot, loop, made)
    return [expr(x / total) if k < 12 and k % 4 == 3 else x for k, x in enumerate(found)]


def numbers_at(roots: Sequence[Expr], draws: Draws, own: Mapping[str, float] | None = None) -> list[float] | None:
    """Expressions at a random position, with the numbers that are known (by default those of the draws); None where they have no
    value."""
    return values_at(roots, draws.numbers(free_symbols(*roots), own))


def is_closed(robot: Robot, loop: Loop, made: Mapping[int, Expr]) -> Expr:
    """The condition that the loop closes at a position, with the parameters as they are."""
    return expr(_maximum(residuals(robot, loop, made)) <= CLOSED * size(robot, loop))


def _maximum(entries: Sequence[Expr]) -> Expr:
    largest = number(0)
    for x in entries:
        if not x.is_zero:
            largest = expr(absolute(x)) if largest.is_zero else maximum(largest, absolute(x))
    return largest
