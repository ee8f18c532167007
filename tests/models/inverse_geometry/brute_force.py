"""All positions of an arm at a pose, by search alone: the judge of the inverse geometric model.

Nothing here is derived: the positions are where Levenberg and Marquardt's method, then Newton's, end from very many starts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from models.inverse_geometry.judged_arm import Arm, Floats, Truths, wrapped

Whole = np.ndarray[Any, np.dtype[np.int64]]

# --- descent from many starts ----------------------------------------------------------------------------------------

ROUNDS = 24  # with damping, which finds the valleys
LAST_ROUNDS = 40  # without, which is quick to the end of a narrow one
NEAR = 0.1
CONVERGED = 1e-14
FOUND = 1e-11  # a descent that ends nearer to its pose is a solution, to be polished


def descended(arm: Arm, Q: Floats, R: Floats, p: Floats) -> tuple[Floats, Floats]:
    """From each row to its own target, by Levenberg and Marquardt, then by Newton: where it ends, and what is left."""
    Q, left = _damped(arm, Q.copy(), R, p)
    rows = np.flatnonzero((left < NEAR) & (left > CONVERGED))
    for _ in range(LAST_ROUNDS):
        if not len(rows):
            break
        e, J = arm.errors(Q[rows], R[rows], p[rows])
        left[rows] = np.sqrt((e * e).sum(axis=1))
        on = left[rows] > CONVERGED
        rows, step = rows[on], _newton(J[on], e[on], 1e-15)
        longest = np.abs(step).max(axis=1, initial=1e-300)
        moves = longest > 1e-14
        rows, step = rows[moves], step[moves] * np.minimum(1.0, 0.3 / longest[moves])[:, None]
        Q[rows] += step
    return Q, left


def _damped(arm: Arm, Q: Floats, R: Floats, p: Floats) -> tuple[Floats, Floats]:
    e, J = arm.errors(Q, R, p)
    left = (e * e).sum(axis=1)
    damping = np.full(len(Q), 1e-2)
    final, active = left.copy(), np.arange(len(Q))
    here, eye = Q.copy(), np.eye(arm.n)
    for k in range(ROUNDS):
        Jt = J.transpose(0, 2, 1)
        g = (Jt @ e[:, :, None])[:, :, 0]
        step = np.linalg.solve(Jt @ J + damping[:, None, None] * eye, g[:, :, None])[:, :, 0]
        longest = np.abs(step).max(axis=1, initial=0.0)
        step *= np.minimum(1.0, 1.0 / np.maximum(longest, 1e-300))[:, None]
        tried = here + step
        e2, J2 = arm.errors(tried, R, p)
        left2 = (e2 * e2).sum(axis=1)
        better = left2 < left
        here = np.where(better[:, None], tried, here)
        e, J = np.where(better[:, None], e2, e), np.where(better[:, None, None], J2, J)
        left = np.where(better, left2, left)
        damping = np.where(better, np.maximum(damping * 0.1, 1e-14), np.minimum(damping * 10, 1e8))
        flat = (np.abs(g).max(axis=1) < 1e-3 * left) | ((longest < 1e-7) & (left > 1e-2))  # no zero
        done = (left < CONVERGED**2) | flat | (~better & (left < FOUND**2)) | (damping > 1e6)
        if done.any() or k == ROUNDS - 1:
            Q[active], final[active] = here, left
            on = ~done
            active, here, e, J, left, damping = active[on], here[on], e[on], J[on], left[on], damping[on]
            R, p = R[on], p[on]
            if not len(active):
                break
    return Q, np.sqrt(final)


def _newton(J: Floats, e: Floats, damping: float) -> Floats:
    """The steps J s = e by least squares; directions with a singular value below the root of ``damping`` stay."""
    Jt = J.transpose(0, 2, 1)
    return np.asarray(np.linalg.solve(Jt @ J + damping * np.eye(J.shape[2]), Jt @ e[:, :, None])[:, :, 0])


def polished(arm: Arm, Q: Floats, R: Floats, p: Floats, rounds: int = 6) -> tuple[Floats, Floats]:
    """Newton's method, kept where it is better."""
    best, least = Q, np.full(len(Q), np.inf)
    for _ in range(rounds):
        e, J = arm.errors(Q, R, p)
        left = np.abs(e).max(axis=1)
        better = left < least
        best, least = np.where(better[:, None], Q, best), np.where(better, left, least)
        Q = Q + np.clip(_newton(J, e, 1e-15), -0.1, 0.1)
    return best, least


# --- what a solution is ----------------------------------------------------------------------------------------------

ISOLATED, FOLD, CONTINUUM, UNSURE = "isolated", "double", "continuum", "unsure"

EXACT = 1e-12  # a solution that misses its pose by more may be none: rounding cannot be told from a near miss
SUSPECT = 1e-4  # the share of the largest singular value below which another is looked at
STRIDE = 0.1  # how far a self-motion is followed
MOVES = 1e-13  # a self-motion keeps the pose as well as this
MAY_MOVE = 1e-7  # and where it keeps it as well as this it may be called one: noise of 1e-9 makes the difference
SAME = 1e-6  # nearer to each other regular solutions are one
CLOSE = 3e-3  # and singular ones, if what is between them makes the pose as well:
INDISTINCT = 1e-11
MEMBERS = 6  # of self-motions, kept as examples
DIRECTIONS = 8  # tried in a null space of more than one dimension


@dataclass(frozen=True, eq=False)
class Solution:
    """A position: isolated (full rank), a double root (or a triple one), or a member of a continuum of ``dimension``."""

    q: Floats
    kind: str
    miss: float
    stiffness: float  # the smallest singular value by the largest
    dimension: int = 0
    directions: int = 0  # in which it leaves the position: more than its dimension where branches cross
    moving: Truths | None = None  # which joints move along the continuum


@dataclass(frozen=True, eq=False)
class Found:
    """The solutions of a pose, and how sure it is that there are no others."""

    solutions: tuple[Solution, ...]
    starts: int
    quiet: int  # how many starts at the end found nothing new
    nearest: float  # the least miss of all descents

    @property
    def complete(self) -> bool:
        """The last half of the starts found nothing new."""
        return 2 * self.quiet >= self.starts

    def of(self, *kinds: str) -> list[Solution]:
        return [one for one in self.solutions if one.kind in kinds]


def classified(arm: Arm, q: Floats, T: Floats) -> Solution:
    """What kind of solution a position (lengths by size) is."""
    R, p = T[None, :3, :3], T[None, :3, 3] / arm.size
    e, J = arm.errors(q[None], R, p)
    miss = float(np.abs(e).max())
    _, sizes, V = np.linalg.svd(J[0])
    sizes = np.concatenate([sizes, np.zeros(arm.n - len(sizes))])
    stiffness = float(sizes[-1] / sizes[0]) if sizes[0] else 0.0
    if stiffness > SUSPECT:
        return Solution(q * arm.units, ISOLATED if miss < EXACT else UNSURE, miss, stiffness)
    null = V[sizes < SUSPECT * max(sizes[0], 1e-300)]
    ends, keeps = _followed(arm, q, null, R, p, STRIDE)
    least = keeps.min()
    if MOVES < least < MAY_MOVE and least > 3 * _followed(arm, q, null, R, p, STRIDE / 2)[1].min():
        least = np.inf  # noise grows with the way, a multiple root with its square at least
    for tolerance, kind in ((MOVES, CONTINUUM), (MAY_MOVE, UNSURE)):
        reached = ends[keeps < tolerance]
        if len(reached) and least < tolerance:
            ways = reached - q
            spread = int((np.linalg.svd(ways, compute_uv=False) > 0.1 * STRIDE).sum())
            there = np.linalg.svd(arm.errors(reached, *_rows(R, p, len(reached)))[1], compute_uv=False)
            loose = arm.n - (there > SUSPECT * there[:, :1]).sum(axis=1)
            dimension = max(1, min(spread, int(loose.min())))
            moving = (np.abs(ways) > 0.02 * STRIDE).any(axis=0)
            return Solution(q * arm.units, kind, miss, stiffness, dimension, max(spread, 1), moving)
    return Solution(q * arm.units, FOLD if miss < EXACT else UNSURE, miss, stiffness)


def _rows(R: Floats, p: Floats, count: int) -> tuple[Floats, Floats]:
    return np.broadcast_to(R, (count, 3, 3)), np.broadcast_to(p, (count, 3))


def _followed(arm: Arm, q: Floats, null: Floats, R: Floats, p: Floats, stride: float) -> tuple[Floats, Floats]:
    """Positions a stride away within the null space, corrected back to the pose; and by how much they miss it."""
    k = len(null)
    if k == 1:
        directions = np.vstack([null, -null])
    else:
        draws = np.random.default_rng(5).normal(size=(DIRECTIONS, k))
        draws = np.vstack([np.eye(k), draws / np.linalg.norm(draws, axis=1)[:, None]])
        directions = draws @ null
    Q = q + stride * directions
    R, p = _rows(R, p, len(Q))
    best, least = Q, np.full(len(Q), np.inf)
    for _ in range(8 if k == 1 else 25):
        e, J = arm.errors(Q, R, p)
        inside = (Q - q) @ null.T @ null
        gone = np.linalg.norm(inside, axis=1)
        held = np.abs(gone - stride) < 0.2 * stride
        left = np.abs(e).max(axis=1)
        better = (left < least) & held
        best, least = np.where(better[:, None], Q, best), np.where(better, left, least)
        u = inside / np.maximum(gone, 1e-9)[:, None]
        J = np.concatenate([J, u[:, None, :]], axis=1)
        e = np.concatenate([e, (stride - gone)[:, None]], axis=1)
        Q = Q + np.clip(_newton(J, e, 1e-12), -stride, stride)
    return best, least


# --- the search ------------------------------------------------------------------------------------------------------


def starts(arm: Arm, count: int, seed: int, reach: float = 1.5) -> Floats:
    """Random positions, lengths by size: the whole circle, and slides as long as the arm and the way to the pose."""
    Q = np.random.default_rng(seed).uniform(-1, 1, (count, arm.n))
    return np.asarray(Q * np.where(arm.prismatic, reach, math.pi))


def search(
    arm: Arm, Ts: Floats, hints: Sequence[Floats] | None = None, most: int = 16, block: int | None = None
) -> list[Found]:
    """The solutions of each pose (N, 4, 4). ``hints`` are positions to begin with as well (rows, a block for each pose).

    The starts come in blocks, ``most`` at most. A pose is left when half of its starts have found nothing new.
    """
    block = block or min(12 * 2 ** (arm.n - 1), 96)
    gathered = [Gathered(arm, T) for T in Ts]
    R, p = Ts[:, :3, :3], Ts[:, :3, 3] / arm.size
    if hints is not None and any(len(one) for one in hints):
        rows = np.repeat(np.arange(len(Ts)), [len(one) for one in hints])
        _collect(arm, np.concatenate([one for one in hints if len(one)]) / arm.units, rows, R, p, gathered)
    open_ = np.arange(len(Ts))
    for seed in range(most):
        fresh = np.vstack([starts(arm, block, 1000 * seed + i, 1.2 + np.abs(p[i]).max()) for i in open_.tolist()])
        _collect(arm, fresh, np.repeat(open_, block), R, p, gathered)
        for i in open_.tolist():
            gathered[i].block(block)
        open_ = np.array(
            [i for i in open_.tolist() if seed < 1 or 2 * gathered[i].quiet < gathered[i].starts], dtype=int
        )
        if not len(open_):
            break
    return [Found(tuple(one.solutions), one.starts, one.quiet, one.nearest) for one in gathered]


class Gathered:
    """What the search has found at a pose so far."""

    def __init__(self, arm: Arm, T: Floats) -> None:
        self.arm, self.T = arm, T
        self.solutions: list[Solution] = []
        self.starts = self.quiet = 0
        self.nearest = math.inf
        self.grew = False

    def block(self, count: int) -> None:
        self.starts += count
        self.quiet = 0 if self.grew else self.quiet + count
        self.grew = False

    def add(self, Q: Floats, loose: Truths) -> None:
        """Positions at which a descent ended (lengths by size): those that are new are kept."""
        arm = self.arm
        others = [one.q / arm.units for one in self.solutions]
        looks = 4 + max(0, MEMBERS - sum(one.kind in (CONTINUUM, UNSURE) for one in self.solutions))
        for is_loose in (False, True):
            own = Q[loose == is_loose]
            for other in others:
                own = own[~self._same(other, own, is_loose)]
            while len(own) and (not is_loose or looks > 0):
                looks -= is_loose
                q, left = polished(arm, own[:1], self.T[None, :3, :3], self.T[None, :3, 3] / arm.size)
                own = own[1:]
                if left[0] < FOUND and not any(self._same(other, q, is_loose)[0] for other in others):
                    self._keep(classified(arm, q[0], self.T))
                    others.append(q[0])
                    own = own[~self._same(q[0], own, is_loose)]

    def _keep(self, one: Solution) -> None:
        kept = one.kind in (ISOLATED, FOLD) or sum(o.kind == one.kind for o in self.solutions) < MEMBERS
        if kept:
            self.solutions.append(one)
        self.grew |= one.kind in (ISOLATED, FOLD) or not any(o.kind == one.kind for o in self.solutions[:-1])

    def _same(self, q: Floats, Q: Floats, is_loose: bool) -> Truths:
        arm = self.arm
        way = Q - q
        way = np.where(arm.prismatic, way, wrapped(way))
        distance = np.abs(way).max(axis=1, initial=0.0)
        same = distance < SAME
        if is_loose:
            for k in np.flatnonzero((distance >= SAME) & (distance < CLOSE)).tolist():
                same[k] = arm.between((q + way[k]) * arm.units, q * arm.units, self.T) < INDISTINCT
        return np.asarray(same)


def _collect(arm: Arm, Q: Floats, rows: Whole, R: Floats, p: Floats, gathered: list[Gathered]) -> None:
    """Descends from each row of Q to the pose it belongs to; the poses gather what is found."""
    Q, left = descended(arm, Q, R[rows], p[rows])
    for i in np.unique(rows).tolist():
        gathered[i].nearest = min(gathered[i].nearest, float(left[rows == i].min()))
    good = left < 1e-9
    Q, rows = np.where(arm.prismatic, Q, wrapped(Q))[good], rows[good]
    if len(Q):
        sizes = np.linalg.svd(arm.errors(Q, R[rows], p[rows])[1], compute_uv=False)
        loose = sizes[:, -1] < SUSPECT * sizes[:, 0]
        for i in np.unique(rows).tolist():
            gathered[i].add(Q[rows == i], loose[rows == i])
