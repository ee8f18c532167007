"""The angles of passive joints as springs and outputs read them: continuous, and next to the described position.

A closed form gives the sine and the cosine of an angle, and links see no more of it. A spring does: it knows whole turns. Its
angle is written

    x = s + atan2(sin(x - s), cos(x - s)),    s = c + sum n_i q_i,

c being whole eighths of a turn and n_i how often the joint turns with the driven joint i (a crank against its coupler: once
backwards). Both are chosen such that atan2 does not come to its cut on the ways from the described position that were tried;
the whole turns in c are those of the described position. Where a joint follows from an iteration, that goes on from the
described position by itself.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product

import numpy as np

from ...expr import (
    VARIABLE,
    Expr,
    ExprError,
    cos,
    evaluate,
    expr,
    free_symbols,
    number,
    pi,
    postorder,
    sin,
    step,
    substitute,
)
from ...expr.node import LIN
from ...expr.trig import angle
from ...reals import Floats
from ...robot import PRISMATIC, Joint, Robot
from ...robot.parts import Closure
from ...spatial.floats import wrapped
from ..draws import Draws
from ..inverse_geometry.closed_form.program import Truths
from .structure import driven, variable_of

WAYS, STEPS = 48, 300  # from the described position, and as many between positions anywhere
STARTS = 200  # draws for a position at which the loops close
NEAR_CUT = 0.1  # rad
EIGHTHS = (0, 2, -2, 4, 1, -1, 3, -3)  # of a turn: quarters first, which cost nothing
QUARTERS = tuple(k for k in EIGHTHS if k % 2 == 0)
EIGHTH, TURN = math.pi / 4, 2 * math.pi
CLEAR = 3 * EIGHTH  # how far the described position may be from the middle between the cuts


def described_angle(robot: Robot, joint: Joint) -> float:
    """What the angle of a joint is next to: its described position; else where its spring is at rest; else zero."""
    if joint.position is not None:
        return joint.position
    own = {name: value.number for name, value in robot.values.items()}
    if joint.spring is None or any(s.name not in own for s in free_symbols(joint.spring.rest)):
        return 0.0
    return float(evaluate([joint.spring.rest], own)[0])


def next_to(near: float, x: float) -> float:
    """The same angle, less than half a turn from another."""
    return near + math.remainder(x - near, TURN)


def continuous(x: Expr, eighths: int, turning: Mapping[Expr, int] | None = None) -> Expr:
    """An angle next to s: so many eighths of a turn, and these multiples of driven joints."""
    s = expr(sum((n * q for q, n in (turning or {}).items()), pi * number(Fraction(eighths, 4))))
    rest = expr(x - s)
    return expr(s + angle(step(sin(rest)), step(cos(rest))))


def is_sum(x: Expr) -> bool:
    """Whether an angle is a sum of others, and so continuous as it is."""
    return not any(node.op in ("angle", "atan2") for node in postorder([x]))


def sprung(robot: Robot, frames: Iterable[int]) -> list[int]:
    """Those of these frames whose joints have a spring."""
    return [j for j in frames if robot.frame(j).joint.spring is not None]


def loop_angles(robot: Robot, closure: Closure, frames: Iterable[int]) -> dict[int, Expr]:
    """The angles of the joints of these frames, as the closure has them."""
    turning = {j: closure.positions[j] for j in frames if robot.frame(j).sigma != PRISMATIC}
    found = set(closure.found)
    after = {j: x for j, x in turning.items() if x not in found and found & set(free_symbols(x))}
    before = {j: x for j, x in turning.items() if not found & set(free_symbols(x))}
    at = closure.at if closure.start is not None else {}
    # Of loops in closed form beside an iteration, that their angles are numbers says that they close.
    exists = closure.exists if not found & set(free_symbols(closure.exists)) else number(1)
    ways = [_Ways(robot, exists, before, {}), _Ways(robot, exists, after, at)]
    return {j: one.angle(j) for one in ways for j in one.positions}


@dataclass(frozen=True)
class _Ways:
    """Straight ways of the driven joints from the described position, and between others."""

    robot: Robot
    exists: Expr
    positions: Mapping[int, Expr]
    at: Mapping[Expr, float]

    def angle(self, j: int) -> Expr:
        x, near = self.positions[j], described_angle(self.robot, self.robot.frame(j).joint)
        here = self._here
        if here is None:  # without numbers
            return x if is_sum(x) else continuous(x, nearest_eighth(near))
        there = next_to(near, float(evaluate([x], here)[0]))
        made = x if is_sum(x) else self._least_cut(j, there)
        turns = round((there - float(evaluate([made], here)[0])) / TURN)
        return expr(made + 2 * turns * pi)

    def _least_cut(self, j: int, there: float) -> Expr:
        """Written such that the fewest of the ways cross the cut, which is an eighth of a turn away at least from where the joint is
        described."""
        x = self.positions[j]
        if self.at:
            return continuous(x, nearest_eighth(there))
        by_terms = self._term_by_term(x)
        if by_terms is not None:
            return by_terms
        best: tuple[tuple[float, ...], Mapping[Expr, int], int] | None = None
        angles = self._angles[x]
        for turning in self._turnings(x):
            turned = sum((n * self._ways[:, :, self._symbols.index(q)] for q, n in turning.items()), np.zeros(()))
            back = there - sum(n * self._start[q] for q, n in turning.items())
            for eighths in EIGHTHS:
                y = wrapped(angles - turned - eighths * EIGHTH)
                far = abs(math.remainder(back - eighths * EIGHTH, TURN))
                score = (far > CLEAR, *self._crossed(y), sum(map(abs, turning.values())), eighths % 2, far)
                if best is None or score < best[0]:
                    best = score, turning, eighths
        assert best is not None
        return continuous(x, best[2], best[1])

    def _term_by_term(self, x: Expr) -> Expr | None:
        """With the cut of each angle in a sum moved by quarters of a turn, which costs nothing; None if one comes to it all the
        same."""
        own: dict[Expr, Expr] = {}
        terms = _terms(x)
        if not terms or not is_sum(substitute([x], dict.fromkeys(terms, number(0)))[0]):
            return None
        for phi, here in zip(terms, evaluate(terms, self._start), strict=True):
            scores = []
            for k in QUARTERS:
                near_cut = abs(math.remainder(here - k * EIGHTH, TURN)) > CLEAR
                scores.append((*self._crossed(wrapped(self._angles[phi] - k * EIGHTH)), near_cut, abs(k), k))
            *crossed, _, eighths = min(scores)
            if any(crossed):
                return None
            own[phi] = continuous(phi, eighths)
        return substitute([x], own)[0]

    def _crossed(self, y: Floats) -> tuple[int, int, int, int]:
        """How many steps cross the cut: on the ways within the limits, on those from the described position, on all; and
        how many come near to it."""
        jumps = (np.abs(np.diff(y, axis=1)) > math.pi) & self._steps
        own = jumps[: self._own]
        close = (np.abs(y) > math.pi - NEAR_CUT)[:, 1:] & self._steps
        return int((own & self._inside[: self._own]).sum()), int(own.sum()), int(jumps.sum()), int(close.sum())

    def _turnings(self, x: Expr) -> Iterator[dict[Expr, int]]:
        """Multiples of driven joints that the angle may turn with."""
        yield {}
        used = [q for q in self._symbols if q in free_symbols(x) and q not in self._sliding]
        if len(used) <= 2:
            for some in product((0, 1, -1), repeat=len(used)):
                yield {q: n for q, n in zip(used, some, strict=True) if n}
            return
        terms = zip(x.args, x.value[1], strict=True) if x.op == LIN else ()
        yield {q: int(n) for q, n in terms if q in used and n == int(n)}
        for q in used:
            yield from ({q: n} for n in (1, -1))

    # --- numbers ---

    @cached_property
    def _symbols(self) -> list[Expr]:
        used = free_symbols(self.exists, *self.positions.values())
        return [q for j in driven(self.robot) if (q := variable_of(self.robot, j)) in used]

    @cached_property
    def _sliding(self) -> set[Expr]:
        return {variable_of(self.robot, j) for j in driven(self.robot) if self.robot.frame(j).sigma == PRISMATIC}

    @cached_property
    def _numbers(self) -> dict[Expr, float] | None:
        """Of the parameters, if all have one."""
        own = {name: value.number for name, value in self.robot.values.items()}
        wanted = [s for s in free_symbols(self.exists, *self.positions.values()) if s.level < VARIABLE]
        return None if any(s.name not in own for s in wanted) else {s: own[s.name] for s in wanted}

    @cached_property
    def _here(self) -> dict[Expr, float] | None:
        """The described position, or another at which the loops close; None where nothing is known."""
        if self.at:
            return dict(self.at)
        if self._numbers is None:
            return None
        joints = {variable_of(self.robot, j): self.robot.frame(j).joint for j in driven(self.robot)}
        draws = Draws(self.robot, 19)
        for k in range(STARTS):
            q = {s: draws.position(s) if k else joints[s].position or 0.0 for s in self._symbols}
            at = {**self._numbers, **q}
            try:
                exists, *numbers = evaluate([self.exists, *self.positions.values()], at)
            except (ExprError, ArithmeticError, ValueError):
                continue
            if exists and all(map(math.isfinite, numbers)):
                return at
        return None

    @property
    def _start(self) -> Mapping[Expr, float]:
        assert self._here is not None
        return self._here

    @cached_property
    def _ways(self) -> Floats:
        """Positions of the driven joints (ways, steps, joints): along each of them, in all directions, then between others."""
        m = len(self._symbols)
        draw = np.random.default_rng(29)
        axes = np.concatenate([np.eye(m), -np.eye(m)])
        out = np.concatenate([axes, draw.uniform(-1, 1, (WAYS if m > 1 else 0, m))])
        draws = Draws(self.robot, 31)
        reach = np.array([2 * draws.reach if q in self._sliding else TURN for q in self._symbols])
        part = np.linspace(0.0, 1.0, STEPS)[None, :, None]
        start = np.array([self._start[q] for q in self._symbols])
        own = start + part**2 * (out * reach)[:, None]  # short steps first: a slider may have a millimetre to move
        a, b = (np.array([[draws.position(q) for q in self._symbols] for _ in range(WAYS)])[:, None] for _ in range(2))
        return np.concatenate([own, a + part * (b - a)])

    @property
    def _own(self) -> int:
        """How many of the ways begin at the described position."""
        return len(self._ways) - WAYS

    @cached_property
    def _found(self) -> tuple[Floats, dict[Expr, Floats]]:
        """Whether the loops close on the ways; the positions of the joints there, and the angles that these are made of."""
        shape = self._ways.shape[:2]
        at = {**(self._numbers or {}), **{q: self._ways[:, :, k].ravel() for k, q in enumerate(self._symbols)}}
        roots = list(dict.fromkeys(y for x in self.positions.values() for y in (x, *_terms(x))))
        exists, *numbers = (
            np.broadcast_to(np.asarray(x, float), shape[0] * shape[1]).reshape(shape)
            for x in evaluate([self.exists, *roots], at)
        )
        return np.asarray(exists), dict(zip(roots, map(np.asarray, numbers), strict=True))

    @property
    def _angles(self) -> dict[Expr, Floats]:
        return self._found[1]

    @cached_property
    def _steps(self) -> Truths:
        """Which steps of the ways are made with closed loops; on those from the described position all before it too."""
        exists, numbers = self._found
        there = (exists > 0) & np.isfinite(np.stack([*numbers.values()])).all(axis=0)
        there = np.concatenate([np.logical_and.accumulate(there[: self._own], axis=1), there[self._own :]])
        return np.asarray(there[:, 1:] & there[:, :-1])

    @cached_property
    def _inside(self) -> Truths:
        """Which steps end within the limits of the driven joints."""
        limits = {variable_of(self.robot, j): self.robot.frame(j).joint.limits for j in driven(self.robot)}
        inside = np.ones(self._ways.shape[:2], dtype=bool)
        for k, q in enumerate(self._symbols):
            low, high = limits[q].lower, limits[q].upper
            inside &= self._ways[:, :, k] >= (-math.inf if low is None else low)
            inside &= self._ways[:, :, k] <= (math.inf if high is None else high)
        return np.asarray(inside[:, 1:])


def _terms(x: Expr) -> list[Expr]:
    """The angles, known by their sines and cosines, that a position is a sum of."""
    if x.op == LIN:
        return list(dict.fromkeys(phi for term in x.args for phi in _terms(term)))
    return [x] if x.op == "angle" else []


def nearest_eighth(x: float) -> int:
    return round(x / EIGHTH)
