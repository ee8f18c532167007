"""The kinematic constraints of closed loops (Khalil 2010, section 2.2): how the speeds of the passive joints follow.

Going around a loop, the twists of all joints add up to zero. Seen from a frame S of the loop, with A_j the twist of joint j
at unit speed (linear part at the origin of S, then angular),

    sum A_j xd_j = 0,      sum A_j xdd_j + sum (V_j x A_j) xd_j = 0,

V_j being the twist of the axis of joint j: the sum over the joints met before it. With the driven joints apart from the others,
W_p xd_p = -W_a qd and W_p xdd_p = -W_a qdd - psi. Six rows a loop; those that follow from the others are left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np

from ...expr import Expr, evaluate, expr
from ...program import Scope
from ...program.choice import estimate
from ...reals import Floats
from ...robot import FIXED, PRISMATIC, Robot
from ...spatial.blocks import blocks
from ...spatial.scalar import Scalar, is_zero
from ...spatial.screws import Product
from ...spatial.vectors import Vector, cross, plus, times
from ..linear_systems.by_blocks import dot, solved
from ..mechanism.dependence import independent_columns
from .residual import lengths_of
from .structure import Loop, Passage, motions_of

Twist = tuple[Vector, Vector]  # linear, angular
NO_TWIST: Twist = ((0, 0, 0), (0, 0, 0))
Places = Sequence[Mapping[Expr, float]]  # numbers for all symbols
MOST_CHOICES = 1000  # of rows
STEADY = 1e-3  # the volume of rows of length one that stay independent
RANK = 1e-7  # what is left of a row of length one that does not depend on others; far above what a closed loop may be open by


@dataclass(frozen=True)
class Turn:
    """A joint met on the way around: its twist at unit speed, seen from the frame where the way begins."""

    frame: int
    twist: Twist


def turns(robot: Robot, loop: Loop, start: int, scope: Scope) -> list[Turn]:
    """The joints of a loop, from the frame between its passages ``start - 1`` and ``start``."""
    return both_ways(robot, loop, start, scope)[0]


def both_ways(robot: Robot, loop: Loop, start: int, scope: Scope) -> tuple[list[Turn], Product, Product]:
    """The same, and the frame where the loop meets, reached by either way."""
    around = [*loop.around[start:], *loop.around[:start]]
    # Half the way forward and half backward: short products on both sides.
    half = (len(around) + 1) // 2
    out, there = _one_way(robot, around[:half], scope)
    back, here = _one_way(robot, [Passage(one.frame, not one.back) for one in reversed(around[half:])], scope)
    less = [Turn(one.frame, (times(-1, one.twist[0]), times(-1, one.twist[1]))) for one in reversed(back)]
    return [*out, *less], there, here


def _one_way(robot: Robot, around: Sequence[Passage], scope: Scope) -> tuple[list[Turn], Product]:
    found = []
    reached = Product()
    for one in around:
        joint = robot.frame(one.frame)
        motions = motions_of(robot, one)
        if one.back and joint.sigma != FIXED:
            found.append(Turn(one.frame, _twist(reached, joint.sigma, -1)))
        for motion in motions:
            reached = reached.then(motion, scope)
        if not one.back and joint.sigma != FIXED:
            found.append(Turn(one.frame, _twist(reached, joint.sigma, 1)))
    return found, reached


def _twist(place: Product, sigma: int, sign: int) -> Twist:
    """About or along the z axis of a frame."""
    rotation, position = place.pose
    z = times(sign, rotation[2])
    return (z, (0, 0, 0)) if sigma == PRISMATIC else (cross(position, z), z)


def rows_of(around: Sequence[Sequence[Turn]], frames: Sequence[int]) -> list[list[Scalar]]:
    """Six rows for each loop, a column for each of these joints."""
    rows = []
    for loop in around:
        columns = {one.frame: [*one.twist[0], *one.twist[1]] for one in loop}
        rows += [[columns[j][i] if j in columns else 0 for j in frames] for i in range(6)]
    return rows


def drifts_of(around: Sequence[Sequence[Turn]], speeds: Mapping[int, Scalar], scope: Scope) -> list[Scalar]:
    """psi: six entries for each loop."""
    found: list[Scalar] = []
    for number_, loop in enumerate(around, 1):
        total, reached = NO_TWIST, NO_TWIST
        for k, one in enumerate(loop):
            own = (times(speeds[one.frame], one.twist[0]), times(speeds[one.frame], one.twist[1]))
            if k:
                total = _sum(total, _crossed(reached, own))
            reached = _sum(reached, own)
            reached = (
                scope.vector("VL", (number_, k + 1), reached[0]),
                scope.vector("WL", (number_, k + 1), reached[1]),
            )
        found += [*total[0], *total[1]]
    return found


def _sum(a: Twist, b: Twist) -> Twist:
    return plus(a[0], b[0]), plus(a[1], b[1])


def _crossed(a: Twist, b: Twist) -> Twist:
    return plus(cross(a[1], b[0]), cross(a[0], b[1])), cross(a[1], b[1])


# --- the passive speeds -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Group:
    """Loops that are solved together, and the joints that follow from them."""

    loops: tuple[Loop, ...]
    frames: tuple[int, ...]


class SingularLoopsError(ValueError):
    """The passive joints of some loops do not follow from the others."""


@dataclass(frozen=True)
class Rates:
    """Of the passive joints: the rows of G, an entry for each driven joint, and the drifts. ``steady``: they are defined
    wherever the loops are not singular, as far as was seen."""

    rows: Mapping[int, Sequence[Expr]]
    drifts: Mapping[int, Expr]
    steady: bool = True


def passive_rates(
    robot: Robot, groups: Sequence[Group], driven: Mapping[int, Expr], places: Places, scope: Scope
) -> Rates:
    """The rates of all passive joints, loop after loop. ``driven`` are the joints with motors and their speeds; ``places``
    are positions with closed loops, where the rank is seen."""
    order = list(driven)
    rows: dict[int, Sequence[Scalar]] = {j: [int(i == j) for i in order] for j in order}
    drifts: dict[int, Scalar] = dict.fromkeys(order, 0)
    steady = True
    for group in groups:
        ways = [
            _solved_from(robot, group, start, driven, rows, drifts, places, scope) for start in starts_of(group.loops)
        ]
        best = min(ways, key=lambda way: (not way.steady, _cost(way)))
        rows |= best.rows
        drifts |= best.drifts
        steady = steady and best.steady
    made = {j: row for j, row in rows.items() if j not in driven}
    return Rates({j: [expr(x) for x in row] for j, row in made.items()}, {j: expr(drifts[j]) for j in made}, steady)


def _cost(way: Rates) -> int:
    return estimate([x for row in (*way.rows.values(), [*way.drifts.values()]) for x in row])


def starts_of(loops: Sequence[Loop]) -> list[tuple[int, ...]]:
    """Where the ways around loops that are solved together begin: every frame of a single loop is tried."""
    if len(loops) == 1:
        return [(start,) for start in range(len(loops[0].around))]
    return [(0,) * len(loops)]


def _solved_from(
    robot: Robot,
    group: Group,
    starts: Sequence[int],
    driven: Mapping[int, Expr],
    rows: Mapping[int, Sequence[Scalar]],
    drifts: Mapping[int, Scalar],
    places: Places,
    scope: Scope,
) -> Rates:
    """W_p X = -W_a with the twists seen from these frames."""
    around = [turns(robot, loop, start, scope) for loop, start in zip(group.loops, starts, strict=True)]
    known = [j for j in rows if any(one.frame == j for loop in around for one in loop)]
    W_p, W_k = rows_of(around, group.frames), rows_of(around, known)
    kept, steady = steady_rows(W_p, row_sizes(robot, group.loops, places[0]), places)
    if len(kept) < len(group.frames):
        raise SingularLoopsError
    W_p, W_k = [W_p[i] for i in kept], [W_k[i] for i in kept]
    parts = blocks(W_p)
    width = len(driven)
    right = [[-dot(row, [rows[k][a] for k in known]) for a in range(width)] for row in W_k]
    X = solved(W_p, parts, [[*row, 0] for row in right], scope)
    own = {
        j: [scope.scalar("G", (j, a), expr(x)) for a, x in zip(driven, row[:-1], strict=True)]
        for j, row in zip(group.frames, X, strict=True)
    }
    speeds: dict[int, Scalar] = {}
    for j, row in {**{k: rows[k] for k in known}, **own}.items():
        speeds[j] = driven[j] if j in driven else scope.scalar("QP", j, dot(row, list(driven.values())))
    psi = drifts_of(around, speeds, scope)
    late = [-(psi[i] + dot(row, [drifts[k] for k in known])) for i, row in zip(kept, W_k, strict=True)]
    found = solved(W_p, parts, [[x, 0] for x in late], scope)
    late_ones = {j: scope.scalar("DR", j, expr(row[0])) for j, row in zip(group.frames, found, strict=True)}
    return Rates(own, late_ones, steady)


def row_sizes(robot: Robot, loops: Sequence[Loop], at: Mapping[Expr, float]) -> list[float]:
    """What the six rows of each loop are measured with: three with the lengths around it, three with one."""
    found = []
    for loop in loops:
        length = sum(map(abs, evaluate(lengths_of(robot, loop), at))) or 1.0
        found += [length] * 3 + [1.0] * 3
    return found


def steady_rows(matrix: Sequence[Sequence[Scalar]], sizes: Sequence[float], places: Places) -> tuple[list[int], bool]:
    """Rows that have the rank of all, and whether they keep it from place to place.

    Six rows may have a rank of three, and three of them lose it at positions where others do not: rows are taken whose
    determinant has one sign at all places, those with the most zeros first; else those whose determinant is largest where it
    is least. What is only rounding is no row, at one place or at all.
    """
    first = independent_rows(matrix, sizes, places[0])
    numbers = np.array([found for at in places if np.isfinite(found := numbers_of(matrix, at)).all()])
    width = len(matrix[0]) if matrix else 0
    if len(first) < width or len(matrix) == width:
        return first, True
    lengths = np.linalg.norm(numbers, axis=2)
    there = lengths > RANK * np.maximum(lengths.max(axis=0), sizes)
    filled = [i for i in range(len(matrix)) if there[:, i].any()]
    if len(filled) == width or comb(len(filled), width) > MOST_CHOICES:
        return first, True
    units = np.where(there, 1 / np.where(there, lengths, 1), 0)[:, :, None] * numbers
    zeros = {i: sum(is_zero(x) for x in matrix[i]) for i in filled}
    least: dict[tuple[int, ...], float] = {}
    for rows in sorted(combinations(filled, width), key=lambda some: -sum(zeros[i] for i in some)):
        volumes = np.linalg.det(units[:, list(rows), :])
        least[rows] = float(abs(volumes).min())
        if least[rows] > STEADY and (volumes > 0).all() == (volumes > 0).any():
            return list(rows), True
    best = max(least, key=least.__getitem__)
    return list(best) if least[best] > RANK else first, False


def independent_rows(matrix: Sequence[Sequence[Scalar]], sizes: Sequence[float], at: Mapping[Expr, float]) -> list[int]:
    """Rows that have the rank of all, those with the most zeros first."""
    numbers = numbers_of(matrix, at)
    lengths = np.linalg.norm(numbers, axis=1)
    order = sorted(
        np.flatnonzero(lengths > RANK * np.array(sizes)).tolist(), key=lambda i: sum(not is_zero(x) for x in matrix[i])
    )
    unit = numbers / np.where(lengths > 0, lengths, 1.0)[:, None]
    return sorted(independent_columns(unit.T, order, RANK))


def numbers_of(matrix: Sequence[Sequence[Scalar]], at: Mapping[Expr, float]) -> Floats:
    """Entries as numbers."""
    found = evaluate([expr(x) for row in matrix for x in row], at)
    return np.array(found, dtype=float).reshape(len(matrix), -1)
