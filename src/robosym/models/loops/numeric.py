"""Positions with closed loops in numbers, for any robot, whether its loops have a closed form or not: a tool of analysis.

Of each loop, with k the frame of its cut joint and t the twin, which are one when the loop is closed: the gap is where k is
and how it is turned as seen from t, in the axes of k; the constraints are V_k - V_t = 0, six rows a loop, in the same axes.
Lengths are divided by the longest one, so that all numbers are of the size of one.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ...expr import Expr, ExprError, evaluate, free_symbols
from ...reals import Floats
from ...robot import FIXED, PRISMATIC, Robot
from .structure import Loop, loops_of

CLOSED = 1e-11  # a gap that is rounding
INEXACT = 1e-6  # a gap that lengths written with few digits leave, where loops have more equations than joints
EXACT = 4e-16
STILL = 1e-14  # a step that changes nothing
RANK = 1e-6  # of the largest singular value: where a loop is singular its joints are known to about 1e-8
STEPS = 150
STARTS = 24


@dataclass(frozen=True)
class Mechanism:
    """A robot in numbers. Its joints are those that depend on no other by a given ratio, cut ones last; positions are in rad
    and in units of length."""

    robot: Robot
    joints: tuple[int, ...]
    unit: float
    fixed: Mapping[int, Floats]  # of each frame, what is before its turn and slide
    offsets: Mapping[int, tuple[float, float]]  # its turn and slide where all joints are at zero
    ratios: Mapping[int, tuple[int, float]]  # of a frame that moves: the joint it follows, and how fast
    values: Mapping[Expr, float]  # of the parameters
    assumed: tuple[str, ...] = ()  # those without a value, for which one was drawn
    tolerance: float = CLOSED  # the largest gap of loops that count as closed
    inexact: float = INEXACT  # the largest that lengths written with few digits leave

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.robot.frame(j).joint.name for j in self.joints)

    @cached_property
    def loops(self) -> tuple[Loop, ...]:
        return loops_of(self.robot)

    @cached_property
    def scales(self) -> Floats:
        """What a position is multiplied with to be in rad or m."""
        return np.array([self.unit if self.robot.frame(j).sigma == PRISMATIC else 1.0 for j in self.joints])

    def place(self, j: int) -> int:
        return self.joints.index(j)

    def poses(self, x: Floats) -> dict[int, Floats]:
        """Every frame in frame 0."""
        found = {0: np.eye(4)}
        for j in self.robot.order:
            turn, slide = self.offsets[j]
            if j in self.ratios:
                place, ratio = self.ratios[j]
                more = ratio * x[place]
                turn, slide = (turn, slide + more) if self._slides(j) else (turn + more, slide)
            c, s = math.cos(turn), math.sin(turn)
            own = np.array([[c, -s, 0, 0], [s, c, 0, 0], [0, 0, 1, slide], [0, 0, 0, 1]])
            found[j] = found[self.robot.frame(j).antecedent] @ self.fixed[j] @ own
        return found

    def _slides(self, j: int) -> bool:
        return self.robot.frame(j).sigma == PRISMATIC

    def jacobian(self, poses: Mapping[int, Floats], j: int) -> Floats:
        """The twist of frame j (linear, at its origin; angular) of the speeds of the joints, in frame 0."""
        found = np.zeros((6, len(self.joints)))
        for i in self.robot.path(j):
            if i not in self.ratios:
                continue
            place, ratio = self.ratios[i]
            z = poses[i][:3, 2]
            if self._slides(i):
                found[:3, place] += ratio * z
            else:
                found[:3, place] += ratio * np.cross(z, poses[j][:3, 3] - poses[i][:3, 3])
                found[3:, place] += ratio * z
        return found

    def gap(self, x: Floats) -> Floats:
        """Six entries a loop, zero where all are closed."""
        return self._gap(self.poses(x))

    def _gap(self, poses: Mapping[int, Floats]) -> Floats:
        found = np.zeros(6 * len(self.loops))
        for i, loop in enumerate(self.loops):
            k, t = poses[loop.cut], poses[loop.twin]
            found[6 * i : 6 * i + 3] = k[:3, :3].T @ (k[:3, 3] - t[:3, 3])
            found[6 * i + 3 : 6 * i + 6] = rotation_vector(t[:3, :3].T @ k[:3, :3])
        return found

    def constraints(self, x: Floats) -> Floats:
        """V_k - V_t in the axes of k, six rows a loop and a column for each joint."""
        return self._constraints(self.poses(x))

    def _constraints(self, poses: Mapping[int, Floats]) -> Floats:
        found = np.zeros((6 * len(self.loops), len(self.joints)))
        for i, loop in enumerate(self.loops):
            R = poses[loop.cut][:3, :3]
            twist = self.jacobian(poses, loop.cut) - self.jacobian(poses, loop.twin)
            found[6 * i : 6 * i + 3] = R.T @ twist[:3]
            found[6 * i + 3 : 6 * i + 6] = R.T @ twist[3:]
        return found

    def symbols_at(self, x: Floats) -> dict[Expr, float]:
        """Numbers for the parameters of the geometry and the variables of the joints."""
        place = zip(self.joints, (x * self.scales).tolist(), strict=True)
        return {**self.values, **{v: at for j, at in place if (v := self.robot.frame(j).joint.variable) is not None}}

    def apart(self, x: Floats, y: Floats) -> Floats:
        """The differences of two positions, angles within half a turn."""
        turned = np.remainder(x - y + math.pi, 2 * math.pi) - math.pi
        return np.where([self._slides(j) for j in self.joints], x - y, turned)

    # --- closing ------------------------------------------------------------------------------------------------------

    def closed_from(self, start: Floats, held: Collection[int] = ()) -> tuple[Floats, float]:
        """A position near another one with the smallest gap that is found, and this gap; the joints at the places ``held``
        stay. Levenberg's method, whose damping goes to zero with the square of the gap: quadratic also where rows are
        redundant or joints are free."""
        x = start.copy()
        free = [k for k in range(len(self.joints)) if k not in held]
        poses = self.poses(x)
        gap = self._gap(poses)
        size, damping = float(gap @ gap), 1e-2
        for _ in range(STEPS):
            if math.sqrt(size) <= EXACT or not free:
                break
            J = self._constraints(poses)[:, free]
            step = -np.linalg.lstsq(
                np.vstack([J, math.sqrt(damping * size) * np.eye(len(free))]),
                np.concatenate([gap, np.zeros(len(free))]),
                rcond=_smallest(math.sqrt(size)),
            )[0]
            longest = float(np.abs(step).max())
            if longest <= STILL:  # where loops of inexact lengths miss least
                break
            tried = x.copy()
            tried[free] += step * min(1.0, 1.0 / longest) if longest else 0.0
            there = self.poses(tried)
            gap_there = self._gap(there)
            size_there = float(gap_there @ gap_there)
            if size_there < size:
                x, poses, gap, size, damping = tried, there, gap_there, size_there, max(damping / 10, 1e-8)
            elif damping > 1e8 or math.sqrt(size) <= CLOSED / 100:
                break
            else:
                damping *= 10
        turns = [k for k in free if not self._slides(self.joints[k])]
        x[turns] = np.remainder(x[turns] + math.pi, 2 * math.pi) - math.pi
        return x, math.sqrt(size)

    def start(self, draw: np.random.Generator) -> Floats:
        """A random position: of prismatic joints within their limits."""
        found = draw.uniform(-math.pi, math.pi, len(self.joints))
        for k, j in enumerate(self.joints):
            if self._slides(j):
                limits = self.robot.frame(j).joint.limits
                low, high = (
                    sign if one is None else one / self.unit for one, sign in ((limits.lower, -1), (limits.upper, 1))
                )
                found[k] = draw.uniform(min(low, high), max(low, high))
        return found

    @property
    def described(self) -> Floats | None:
        """Where the description says that the joints are, zero where it does not; None if it says nothing."""
        own = [self.robot.frame(j).joint.position for j in self.joints]
        if all(one is None for one in own):
            return None
        return np.array([one or 0.0 for one in own]) / self.scales


def _smallest(gap: float) -> float:
    """The smallest singular value that counts in a step: inexact lengths make free motions stiff, and a step along these leads
    far away. Where a gap is rounding, accuracy at singular positions needs smaller ones."""
    if gap > INEXACT:
        return 1e-14
    return RANK if gap > CLOSED else 1e-9


def rotation_vector(R: Floats) -> Floats:
    """Axis times angle."""
    axis = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]) / 2
    sine, cosine = float(np.linalg.norm(axis)), (float(np.trace(R)) - 1) / 2
    if sine > 1e-6:
        return axis * (math.atan2(sine, cosine) / sine)
    if cosine > 0:
        return axis
    # About half a turn: the axis is the column of R + 1 that is longest.
    column = (R + np.eye(3))[:, int(np.argmax(np.diag(R)))]
    return math.pi * column / float(np.linalg.norm(column))


# --- the numbers of a robot -------------------------------------------------------------------------------------------


def mechanism(robot: Robot, draw: np.random.Generator) -> Mechanism:
    """With the values of the description; a parameter without one is drawn."""
    free = [j for j in robot.order if robot.frame(j).sigma != FIXED and robot.frame(j).joint.mimic is None]
    joints = (*(j for j in free if j <= robot.n_links), *(j for j in free if j > robot.n_links))
    places = {j: k for k, j in enumerate(joints)}
    ratios = {j: robot.master(j) for j in robot.order if robot.frame(j).sigma != FIXED}
    entries = [x for j in robot.order for x in robot.geometry(j)]
    speeds = [ratio for _, ratio in ratios.values()]
    values, assumed = _values(robot, [*entries, *speeds], draw)
    found = np.array(evaluate(entries, values), dtype=float).reshape(-1, 6)
    lengths = np.abs(found[:, [1, 3, 5]])
    unit = float(lengths.max(initial=0.0)) or 1.0
    numbers = dict(zip(robot.order, found, strict=True))
    rates = [float(x) for x in evaluate(speeds, values)]
    return Mechanism(
        robot,
        joints,
        unit,
        {j: _before_the_joint(row, unit) for j, row in numbers.items()},
        {j: (float(row[4]), float(row[5]) / unit) for j, row in numbers.items()},
        {j: (places[master], rate) for (j, (master, _)), rate in zip(ratios.items(), rates, strict=True)},
        {symbol: x for symbol, x in values.items() if symbol.kind == "parameter"},
        assumed,
        inexact=INEXACT * min([1.0, *(_around(loop, numbers) / unit for loop in loops_of(robot))]),
    )


def _around(loop: Loop, rows: Mapping[int, Floats]) -> float:
    """The lengths around a loop; one if it has none."""
    total = sum(float(np.abs(rows[one.frame][[1, 3, 5]]).sum()) for one in loop.around if one.frame in rows)
    return total or 1.0


def _values(
    robot: Robot, entries: Sequence[Expr], draw: np.random.Generator
) -> tuple[dict[Expr, float], tuple[str, ...]]:
    """All joints at zero, and numbers for the parameters."""
    own = {name: value.number for name, value in robot.values.items()}
    values, assumed = {}, []
    for symbol in free_symbols(*entries):
        if symbol.kind == "variable":
            values[symbol] = 0.0
        elif symbol.name in own:
            values[symbol] = own[symbol.name]
        else:
            values[symbol] = float(draw.uniform(0.5, 1.5))
            assumed.append(symbol.name)
    return values, tuple(assumed)


def _before_the_joint(row: Floats, unit: float) -> Floats:
    """Rz(gamma) Tz(b) Rx(alpha) Tx(d)."""
    gamma, b, alpha, d = map(float, row[:4])
    cg, sg, ca, sa = math.cos(gamma), math.sin(gamma), math.cos(alpha), math.sin(alpha)
    d, b = d / unit, b / unit
    return np.array(
        [[cg, -sg * ca, sg * sa, d * cg], [sg, cg * ca, -cg * sa, d * sg], [0.0, sa, ca, b], [0.0, 0.0, 0.0, 1.0]]
    )


# --- closed positions -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ClosedPositions:
    """Positions at which all loops are closed, that of the description first; ``gap``: the smallest one, in m and rad alike,
    which says how far from closing a robot is that cannot be."""

    mechanism: Mechanism
    positions: tuple[Floats, ...]
    gap: float
    described: bool = False  # whether the first one is the description's


def closed_positions(robot: Robot, wanted: int = 8, starts: int = STARTS, seed: int = 7) -> ClosedPositions:
    """From the description's position and from random starts. Where parameters have no value, numbers are drawn until the
    loops can be closed with them."""
    draw = np.random.default_rng(seed)
    best: ClosedPositions | None = None
    for _ in range(STARTS):
        try:
            one = mechanism(robot, draw)
        except (ExprError, ArithmeticError, ValueError):
            continue  # numbers drawn for which a length has no value
        made = _closed(one, wanted, starts, draw)
        if made.positions or not one.assumed:
            return made
        best = made if best is None or made.gap < best.gap else best
    if best is None:
        return _closed(mechanism(robot, draw), wanted, starts, draw)
    return best


def _closed(one: Mechanism, wanted: int, starts: int, draw: np.random.Generator) -> ClosedPositions:
    closed: list[tuple[Floats, float]] = []
    smallest = math.inf
    own = one.described
    if own is not None:
        x, smallest = one.closed_from(own)
        closed += [(x, smallest)] if smallest <= one.inexact else []
    described = bool(closed)
    tolerance = CLOSED if not described or smallest <= CLOSED else one.inexact
    for _ in range(starts):
        if len([gap for _, gap in closed if gap <= tolerance]) >= wanted:
            break
        x, gap = one.closed_from(one.start(draw))
        smallest = min(smallest, gap)
        if gap <= one.inexact:
            closed.append((x, gap))
    # Loops with lengths of few digits close nowhere to rounding; the described position counts before others.
    one = replace(one, tolerance=one.inexact if closed and smallest > CLOSED else tolerance)
    positions = tuple(x for x, gap in closed if gap <= one.tolerance)[:wanted]
    return ClosedPositions(one, positions, smallest * one.unit, described)


def rank_of(matrix: Floats, size: float = 1.0) -> int:
    """How many singular values are not rounding, of a matrix whose entries are of the size of ``size``."""
    if not matrix.size:
        return 0
    values = np.linalg.svd(matrix, compute_uv=False)
    return int((values > RANK * max(float(values[0]), size)).sum())


def null_space(matrix: Floats) -> Floats:
    """An orthonormal basis, by columns, of what the matrix makes zero."""
    n = matrix.shape[1]
    if not matrix.size:
        return np.eye(n)
    _, values, V = np.linalg.svd(matrix)
    rank = int((values > RANK * max(float(values[0]), 1.0)).sum())
    return V[rank:].T
