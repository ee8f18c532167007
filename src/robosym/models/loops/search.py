"""Closed positions of loops in numbers: Newton's iteration from many starts at once.

Where loops have no closed form, this is how a position with closed loops is found at all, and how many ways of assembling
them there are. All starts are one batch of arrays; the damping of each step is of the size of the square of what is left
(Yamashita and Fukushima 2001), so that rows that follow from others do no harm.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...expr import Expr, evaluate, free_symbols
from ...reals import Floats
from ...robot import FIXED, PRISMATIC, Robot
from .angles import described_angle
from .structure import Loop, driven, loop_over, loops_of, passive

STARTS, STEPS = 192, 40
LONGEST = 0.7  # of a step: radians, or parts of the size
CLOSED = 1e-11  # what may be left, over the size
INEXACT = 1e-6  # what lengths written with few digits leave, where loops have more equations than joints
SAME = 1e-5  # positions that differ by less are one


@dataclass(frozen=True)
class Search:
    """The loops of a robot, or of the tree it was assembled to, in numbers: ``values`` has one for every parameter."""

    robot: Robot
    values: Mapping[Expr, float]
    tolerance: float = CLOSED

    @cached_property
    def loops(self) -> tuple[Loop, ...]:
        closure = self.robot.closure
        return loops_of(self.robot) if closure is None else tuple(loop_over(self.robot, *pair) for pair in closure.cuts)

    @cached_property
    def joints(self) -> tuple[int, ...]:
        """The frames of all joints of loops: first those that are driven."""
        around = {j for loop in self.loops for j in loop.joints(self.robot)}
        return tuple(j for j in (*driven(self.robot), *passive(self.robot)) if j in around)

    @cached_property
    def _frames(self) -> tuple[int, ...]:
        return tuple(dict.fromkeys(one.frame for loop in self.loops for one in loop.around))

    @cached_property
    def size(self) -> float:
        """The lengths around all loops."""
        still = dict.fromkeys(map(self.variable, self.joints), 0.0)
        total = 0.0
        for j in self._frames:
            _, b, _, d, _, r = self.robot.frame(j).geometry
            total += sum(abs(float(x)) for x in evaluate([b, d, r], {**self.values, **still}))
        return total or 1.0

    @cached_property
    def units(self) -> Floats:
        """Of the joints: one, or the size."""
        return np.array([self.size if self.robot.frame(j).sigma == PRISMATIC else 1.0 for j in self.joints])

    # --- the equations ---

    def around(self, x: Floats) -> tuple[Floats, Floats]:
        """What is left of the closure, six rows a loop over the size, and the twists of the joints: of positions (batch, n)."""
        poses = self._poses(x)
        rest, twists = [], []
        for loop in self.loops:
            T = np.broadcast_to(np.eye(4), (len(x), 4, 4))
            W = np.zeros((len(x), 6, len(self.joints)))
            for one in loop.around:
                if one.back:
                    self._turn(W, T, one.frame, -1)
                T = T @ (_inverse(poses[one.frame]) if one.back else poses[one.frame])
                if not one.back:
                    self._turn(W, T, one.frame, 1)
            skew = (T - np.swapaxes(T, 1, 2)) / 2
            W[:, :3] /= self.size
            rest.append(
                np.stack([*(T[:, i, 3] / self.size for i in range(3)), skew[:, 2, 1], skew[:, 0, 2], skew[:, 1, 0]], 1)
            )
            twists.append(W)
        return np.concatenate(rest, 1), np.concatenate(twists, 1)

    def apart(self, x: Floats) -> Floats:
        """The largest entry by which a loop is open, lengths over the size."""
        poses, worst = self._poses(x), np.zeros(len(x))
        for loop in self.loops:
            T = np.broadcast_to(np.eye(4), (len(x), 4, 4))
            for one in loop.around:
                T = T @ (_inverse(poses[one.frame]) if one.back else poses[one.frame])
            T = T - np.eye(4)
            T[:, :3, 3] /= self.size
            worst = np.maximum(worst, np.abs(T).max(axis=(1, 2)))
        return worst

    def _poses(self, x: Floats) -> dict[int, Floats]:
        values: dict[Expr, object] = dict(self.values)
        values.update(zip(map(self.variable, self.joints), np.asarray(x, float).T, strict=True))
        moving = [j for j in self._frames if self.robot.frame(j).sigma != FIXED]
        entries = evaluate([e for j in moving for e in self.robot.frame(j).geometry[4:]], values)
        found = dict(self._before)
        for k, j in enumerate(moving):
            theta, r = (np.broadcast_to(e, len(x)) for e in entries[2 * k : 2 * k + 2])
            found[j] = self._before[j] @ screws(theta, r, 2)
        return found

    @cached_property
    def _before(self) -> dict[int, Floats]:
        """What of each frame does not move; all of a fixed one."""
        found = {}
        for j in self._frames:
            frame = self.robot.frame(j)
            fixed = frame.geometry[: 6 if frame.sigma == FIXED else 4]
            numbers = [np.atleast_1d(float(e)) for e in evaluate(list(fixed), self.values)]
            found[j] = screws(numbers[0], numbers[1], 2) @ screws(numbers[2], numbers[3], 0)
            if frame.sigma == FIXED:
                found[j] = found[j] @ screws(numbers[4], numbers[5], 2)
        return found

    def _turn(self, W: Floats, T: Floats, frame: int, sign: int) -> None:
        """The twist of a joint about or along the z axis of a frame."""
        sigma = self.robot.frame(frame).sigma
        if sigma == FIXED:
            return
        k, z = self.joints.index(frame), sign * T[:, :3, 2]
        if sigma == PRISMATIC:
            W[:, :3, k] = z * self.size
        else:
            W[:, :3, k], W[:, 3:, k] = _cross(T[:, :3, 3], z), z

    # --- the search ---

    def closed(self, x: Floats, free: Sequence[int]) -> Floats:
        """The positions reached from these (batch, n) by moving the joints of these frames, without those that stay open."""
        x = np.array(x, float)
        places = [self.joints.index(j) for j in free]
        going = np.arange(len(x))  # those that are not closed yet
        for _ in range(STEPS):
            e, W = self.around(x[going])
            left = np.einsum("bi,bi->b", e, e)
            on = left > (CLOSED / 100) ** 2
            going, e, W, left = going[on], e[on], W[on][:, :, places], left[on]
            if not len(going):
                break
            damping = np.minimum(left, 1.0) + 1e-13
            A = np.einsum("bij,bik->bjk", W, W) + damping[:, None, None] * np.eye(len(places))
            step = np.linalg.solve(A, np.einsum("bij,bi->bj", W, e)[:, :, None])[:, :, 0]
            longest = np.abs(step).max(axis=1, initial=1e-300)
            x[np.ix_(going, places)] -= step * np.minimum(1.0, LONGEST / longest)[:, None] * self.units[places]
        return x[self.apart(x) < self.tolerance]

    def random_starts(
        self, draw: np.random.Generator, near: Floats, free: Sequence[int], count: int = STARTS
    ) -> Floats:
        """Positions with these joints anywhere, the first as it is given."""
        x = np.repeat(near[None], count, axis=0)
        for j in free:
            k = self.joints.index(j)
            x[1:, k] = (
                draw.uniform(-math.pi, math.pi, count - 1) * self.units[k] / (math.pi if self.units[k] != 1 else 1)
            )
        return x

    def different(self, x: Floats) -> list[Floats]:
        """Each position once, in the order of the entries from -pi to pi, the first of them first; angles next to the described
        ones."""
        turns = [self.turns(j) for j in self.joints]
        found: list[Floats] = []
        for row in x:
            row = np.where(turns, _wrapped(row), row)
            if all(self.distance(row, other) > SAME for other in found):
                found.append(row)
        found.sort(key=lambda row: [round(float(v), 4) for v in row])
        near = np.array([described_angle(self.robot, self.robot.frame(j).joint) for j in self.joints])
        return [np.where(turns, near + _wrapped(row - near), row) for row in found]

    def distance(self, a: Floats, b: Floats, frames: Sequence[int] | None = None) -> float:
        """The largest difference of two positions, of all joints or of those of these frames; lengths over the size."""
        turns = [self.turns(j) for j in self.joints]
        apart = np.abs(np.where(turns, _wrapped(a - b), (a - b) / self.units))
        return float(np.max(apart[[frames is None or j in frames for j in self.joints]], initial=0.0))

    def regular(self, x: Floats, frames: Sequence[int]) -> Floats:
        """How far positions (batch, n) are from those at which the joints of these frames are not determined."""
        W = self.around(x)[1][:, :, [self.joints.index(j) for j in frames]]
        return np.asarray(np.linalg.svd(W, compute_uv=False)[:, min(W.shape[1:]) - 1])

    def rank(self, x: Floats, loops: Sequence[Loop], frames: Sequence[int]) -> int:
        """Of the twists of these joints around these loops."""
        W = self.around(x[None])[1][0].reshape(len(self.loops), 6, -1)
        part = W[[self.loops.index(loop) for loop in loops]].reshape(6 * len(loops), -1)
        return int(np.linalg.matrix_rank(part[:, [self.joints.index(j) for j in frames]], tol=1e-7)) if frames else 0

    def turns(self, j: int) -> bool:
        return self.robot.frame(j).sigma != PRISMATIC

    def variable(self, j: int) -> Expr:
        own = self.robot.frame(j).joint.variable
        assert own is not None
        return own


def numbers_for(robot: Robot, draw: np.random.Generator) -> tuple[dict[Expr, float], bool]:
    """A number for every parameter of the geometry, and whether all of them are the robot's own."""
    own = {name: value.number for name, value in robot.values.items()}
    symbols = free_symbols(*(x for frame in robot.frames for x in frame.geometry))
    wanted = [s for s in symbols if s.kind == "parameter"]
    values = {s: own[s.name] if s.name in own else float(draw.uniform(0.5, 1.5)) for s in wanted}
    return values, all(s.name in own for s in wanted)


def _cross(a: Floats, b: Floats) -> Floats:
    return a[:, [1, 2, 0]] * b[:, [2, 0, 1]] - a[:, [2, 0, 1]] * b[:, [1, 2, 0]]


def _wrapped(angle: Floats) -> Floats:
    return np.asarray(angle - 2 * math.pi * np.floor(angle / (2 * math.pi) + 0.5))


def screws(angle: Floats, shift: Floats, axis: int) -> Floats:
    """About and along z (2) or x (0)."""
    T = np.zeros((len(angle), 4, 4))
    i, j = (axis + 1) % 3, (axis + 2) % 3
    c, s = np.cos(angle), np.sin(angle)
    T[:, i, i], T[:, i, j], T[:, j, i], T[:, j, j] = c, -s, s, c
    T[:, axis, axis] = T[:, 3, 3] = 1.0
    T[:, axis, 3] = shift
    return T


def _inverse(T: Floats) -> Floats:
    made = np.zeros_like(T)
    R = np.swapaxes(T[:, :3, :3], 1, 2)
    made[:, :3, :3] = R
    made[:, :3, 3] = -np.einsum("bij,bj->bi", R, T[:, :3, 3])
    made[:, 3, 3] = 1.0
    return made
