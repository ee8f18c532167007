"""Dead centres that a driven joint passes: positions at which two ways of closing a loop meet and both go on.

All links of a four-bar of which two sides are as long as the other two lie on a line there. A formula with a root leaves the way
it came on for the other one. Where angles add up (``linear``) no root is needed, and the way goes on. Else a way ends at its dead
centres, on the side of the described position: beyond them its status is 0.

Those of planar and spherical loops are expressions of the parameters (``symmetric_centres``), so that lengths given late have
theirs. Those of other loops are found in numbers, for the values of the description. u is a joint that is known before the loop, or a sum of such joints; the product of all
sin((u - u_k)/2) changes its sign at each dead centre u_k and nowhere else. A joint that follows from other loops has to have a
described position, for that says on which side it is.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ...expr import Expr, ExprError, cos, evaluate, expr, free_symbols, logical_or, number, sin, substitute
from ...reals import Floats
from ...robot import PRISMATIC, Robot
from ..draws import reach
from ..inverse_geometry.closed_form.program import both
from .linear import part_of_turn
from .structure import driven, variable_of
from .symmetric_centres import Fork, SymmetricCentres, symmetric_centres

GRID = 1440  # positions of a joint that are tried
NARROW = 2  # of these: two ways that are not there in between count as meeting
WIDE = 10  # of these: two ways that meet are twice as far apart so far away
TOUCHES = 1e-6  # two ways that come nearer than this meet
OPEN = 1e-4  # with other parameters ways no longer meet
BESIDE = 0.02  # from a position described at a dead centre to its side
BESIDES = (2e-5, 2e-4, 2e-3, BESIDE)  # where it is seen on which way a way goes on, the first at which there are ways
LEAP = 0.5  # a way that moves farther in one step of the grid leaps, or moves fast
SHIFT, SAME = 0.3, 1e-4  # of another joint, to see how dead centres move with it

Way = tuple[Mapping[int, Expr], Expr]  # the positions of the joints, and where they exist


@dataclass(frozen=True)
class DeadCentres:
    """The positions ``at`` of u, the joints it is the sum of with their factors, and the condition that no dead centre lies
    between a position and the described one."""

    factors: Mapping[int, int]
    at: tuple[float, ...]
    reached: Expr

    def meaning(self, robot: Robot) -> str:
        if not self.at:
            return ""
        words = [f"{'-' if n < 0 else '+'} {robot.frame(j).joint.name}" for j, n in self.factors.items()]
        u = " ".join(words).removeprefix("+ ")
        return f"up to the dead centre{'s' if len(self.at) > 1 else ''} {u} = {', '.join(f'{x:.6g}' for x in self.at)}"


def dead_centres(
    robot: Robot, known: Sequence[int], ways: Sequence[Way], fork: Fork | None = None
) -> DeadCentres | None:
    """Those at which two of these ways meet and exchange their directions; ``known`` are the frames of the joints that they
    depend on, ``fork`` is their equation if there is only one. None if there is none, or not at the same sum of these joints
    everywhere."""
    symmetric = symmetric_centres(robot, known, fork) if fork is not None and len(ways) == 2 else None
    if symmetric is not None:
        at = _described(robot, symmetric)
        return DeadCentres(symmetric.factors, at, symmetric.reached) if symmetric.reached is not number(1) else None
    return _in_numbers(robot, known, ways)


def _described(robot: Robot, centres: SymmetricCentres) -> tuple[float, ...]:
    """The dead centres with the values of the description, if it has them all."""
    own = {name: value.number for name, value in robot.values.items()}
    symbols = free_symbols(*centres.at, *centres.dead)
    if any(s.name not in own for s in symbols):
        return ()
    numbers = evaluate([*centres.at, *centres.dead], {s: own[s.name] for s in symbols})
    n = len(centres.at)
    return tuple(float(x) for x, dead in zip(numbers[:n], numbers[n:], strict=True) if dead)


def _in_numbers(robot: Robot, known: Sequence[int], ways: Sequence[Way]) -> DeadCentres | None:
    followers = [j for j in known if j not in driven(robot)]
    if len(ways) < 2 or any(robot.frame(j).joint.position is None for j in followers):
        return None
    views = [_View(robot, known, ways, seed) for seed in ((1, 2) if _unvalued(robot, ways) else (1,))]
    for j in known:
        seen = [view.meetings(j) for view in views]
        if not seen[0]:
            continue
        if any(not _alike(seen[0], other, robot.frame(j).sigma == PRISMATIC, views[0].unit(j)) for other in seen[1:]):
            return None
        factors = views[0].factors(j, seen[0])
        unit = views[0].unit(j)
        return None if factors is None else _ends(robot, factors, tuple(seen[0]), unit, ways)
    return None


class _View:
    """Ways in numbers: the robot's own where it has them."""

    def __init__(self, robot: Robot, known: Sequence[int], ways: Sequence[Way], seed: int) -> None:
        draw = np.random.default_rng(seed)
        own = {name: value.number for name, value in robot.values.items()}
        self.robot, self.ways, self.known = robot, ways, known
        self.symbols = {j: variable_of(robot, j) for j in known}
        roots = [x for positions, exists in ways for x in (exists, *positions.values())]
        drawn = {s: float(draw.uniform(0.5, 1.5)) for s in free_symbols(*roots) if s not in self.symbols.values()}
        self.values = {s: own.get(s.name, x) for s, x in drawn.items()}
        self.at = {j: robot.frame(j).joint.position or 0.0 for j in known}
        self.reach = reach(robot, own)

    def _slides(self, j: int) -> bool:
        return self.robot.frame(j).sigma == PRISMATIC

    def unit(self, j: int) -> float:
        """Of the positions of a joint: a radian, or the size of the robot."""
        return self.reach if self._slides(j) else 1.0

    def positions(self, j: int, x: Floats, way: int) -> Floats:
        """Of the joints of a way (joints, batch) with joint j at these positions; nan where it does not exist."""
        positions, exists = self.ways[way]
        at: dict[Expr, object] = {
            **self.values,
            **{self.symbols[k]: self.at[k] for k in self.known},
            self.symbols[j]: x,
        }
        there, *made = evaluate([exists, *positions.values()], at)
        rows = np.array([np.broadcast_to(np.asarray(row, float), x.shape) for row in made])
        return np.where(np.broadcast_to(np.asarray(there, float), x.shape) > 0.5, rows, np.nan)

    def apart(self, a: Floats, b: Floats) -> Floats:
        """The largest difference of two positions of the joints of a way."""
        turned = 2 * np.abs(np.sin((a - b) / 2))
        slid = np.abs(a - b) / self.reach
        slides = np.array([self._slides(j) for j in self.ways[0][0]])
        return np.asarray(np.where(slides[:, None], slid, turned).max(axis=0))

    def meetings(self, j: int) -> list[float]:
        """Where two ways meet as joint j moves and go on as each other, in order."""
        width = 2 * self.reach if self._slides(j) else math.pi
        grid = self.at[j] + width * (2 * (np.arange(GRID) + 0.37) / GRID - 1)
        found: list[float] = []
        for a, b in combinations(range(len(self.ways)), 2):
            one, other = self.positions(j, grid, a), self.positions(j, grid, b)
            step = grid[1] - grid[0]
            places = [(grid[k], step) for k in _lowest(self.apart(one, other), not self._slides(j))]
            places += self._leaps(j, a, b, grid, one)
            for at, width in places:
                x, least = self._nearest(j, a, b, at, width) if width else (at, 0.0)
                if least < TOUCHES and self._exchanged(j, a, b, x) and not any(self._same(j, x, y) for y in found):
                    found.append(x)
        return sorted(found)

    def _same(self, j: int, x: float, y: float) -> bool:
        return _alike([x], [y], self._slides(j), self.unit(j))

    def _leaps(self, j: int, a: int, b: int, grid: Floats, way: Floats) -> list[tuple[float, float]]:
        """Places within steps in which the way a moves far, each with how wide it is: zero where the way leaps. So do both ways of
        a kite where its crank lies on its ground, and what is between them turns freely."""
        found = []
        for k in np.flatnonzero(self.apart(way[:, :-1], way[:, 1:]) > LEAP):
            low, high = grid[k], grid[k + 1]
            for _ in range(16):
                tried = np.linspace(low, high, 42)
                one, step = self.positions(j, tried, a), float(tried[1] - tried[0])
                there = np.flatnonzero(np.isfinite(one).all(axis=0))  # a way may be missing where it leaps
                if len(there) < 2:
                    break
                moved = self.apart(one[:, there[:-1]], one[:, there[1:]])
                i = int(moved.argmax())
                if moved[i] < LEAP:
                    apart = np.nan_to_num(self.apart(one, self.positions(j, tried, b)), nan=math.inf)
                    found.append((float(tried[apart.argmin()]), step))
                    break
                low, high = tried[there[i]] - 1.1 * step, tried[there[i + 1]] + 1.3 * step
            else:
                found.append(((low + high) / 2, 0.0))
        return found

    def _nearest(self, j: int, a: int, b: int, x: float, step: float) -> tuple[float, float]:
        """Where two ways are nearest to each other, and how near; zero where one of them is not there."""
        low, high, least = x - 1.5 * step, x + 1.5 * step, math.inf
        for _ in range(10):
            tried = np.linspace(low, high, 41)
            distance = np.nan_to_num(self.apart(self.positions(j, tried, a), self.positions(j, tried, b)), nan=0.0)
            least = float(distance.min())
            places = np.flatnonzero(distance == least)
            if len(places) > 1:  # neither is there in between
                return float(tried[places].mean()), least
            k = int(places[0])
            low, high, x = tried[max(k - 1, 0)], tried[min(k + 1, 40)], float(tried[k])
        return x, least

    def _exchanged(self, j: int, a: int, b: int, x: float) -> bool:
        """Whether the way a, continued straight on, is the way b."""
        for h in BESIDES:
            near = x + h * self.unit(j) * np.array([-2.0, -1.0, 1.0])
            one, other = self.positions(j, near, a), self.positions(j, near, b)
            if np.isfinite([one, other]).all():
                break
        slides = np.array([self._slides(i) for i in self.ways[0][0]])
        rate = one[:, 1] - one[:, 0]
        rate = np.where(slides, rate, np.remainder(rate + math.pi, math.tau) - math.pi)
        ahead = (one[:, 1] + 2 * rate)[:, None]
        stays, swaps = (float(self.apart(ahead, way[:, 2:])[0]) for way in (one, other))
        return bool(swaps < stays)  # False also where one of them is not there

    def factors(self, j: int, found: Sequence[float]) -> dict[int, int] | None:
        """How dead centres of joint j move with the other known joints: whole multiples, or None."""
        factors = {j: 1}
        for k in (k for k in self.known if k != j):
            before, self.at[k] = self.at[k], self.at[k] + SHIFT
            moved = self.meetings(j)
            self.at[k] = before
            for n in (0, 1, -1):
                shifted = [x - n * SHIFT for x in found]
                if not self._slides(j):
                    shifted, moved = (sorted(map(_wrapped, some)) for some in (shifted, moved))
                if _alike(shifted, moved, self._slides(j), self.unit(j)):
                    if n:
                        factors[k] = n
                    break
            else:
                return None
        return factors


def _lowest(distance: Floats, around: bool) -> list[int]:
    """The places of local minima; a few entries without a number are zero."""
    missing = np.isnan(distance)
    filled = distance.copy()
    n = len(distance)
    for k in np.flatnonzero(missing):
        reach = [i % n if around else min(max(i, 0), n - 1) for i in range(k - NARROW, k + NARROW + 1)]
        if not missing[reach[0]] and not missing[reach[-1]]:
            filled[k] = 0.0
    before, after = np.roll(filled, 1), np.roll(filled, -1)
    low = (filled <= before) & (filled <= after)
    low &= 2 * filled <= np.fmax(np.roll(filled, WIDE), np.roll(filled, -WIDE))  # ways that meet part at once
    if not around:
        low[[0, -1]] = False
    return [int(k) for k in np.flatnonzero(low)]


def _ends(
    robot: Robot, factors: dict[int, int], at: tuple[float, ...], unit: float, ways: Sequence[Way]
) -> DeadCentres:
    first = next(iter(factors))
    slides = robot.frame(first).sigma == PRISMATIC
    offset = sum(n * (robot.frame(j).joint.position or 0.0) for j, n in factors.items() if j != first)
    centres = tuple(x + offset for x in at)  # of u
    if len(centres) % 2 and not slides and any(j not in driven(robot) for j in factors):
        # The angle of a joint that follows is known up to whole turns, at which the product must not change its sign.
        centres += (centres[0] + math.pi,)
    u = expr(sum((n * variable_of(robot, j) for j, n in factors.items()), number(0)))
    here = sum(n * (robot.frame(j).joint.position or 0.0) for j, n in factors.items())
    if any(abs(here - x if slides else math.remainder(here - x, math.tau)) < SAME * unit for x in centres):
        here += BESIDE * unit  # described at a dead centre: the side after it
    side = 1 if _product(here, centres, slides) > 0 else -1
    exact = [number(x) if slides else part_of_turn(x) for x in centres]
    product = number(side)
    for x in exact:
        product = expr(product * (u - x if slides else sin((u - x) / 2)))
    rounded = tuple(float(x) for x in evaluate(exact, {}))
    return DeadCentres(factors, rounded, _or_open(robot, factors, exact, ways, expr(product > 0)))


def _product(u: float, centres: Sequence[float], slides: bool) -> float:
    return math.prod(u - x if slides else math.sin((u - x) / 2) for x in centres)


def _or_open(
    robot: Robot, factors: Mapping[int, int], centres: Sequence[Expr], ways: Sequence[Way], reached: Expr
) -> Expr:
    """Or with parameters with which the ways do not meet at any of these positions."""
    roots = [x for positions, exists in ways for x in (exists, *positions.values())]
    if not any(s.kind == "parameter" for s in free_symbols(*roots)):
        return reached
    first = next(iter(factors))
    opened = number(1)
    for x in centres:
        there = {variable_of(robot, j): x if j == first else number(0) for j in factors}
        (a, in_a), (b, in_b) = ways[0], ways[1]
        try:
            exists_a, exists_b, *made = substitute([in_a, in_b, *a.values(), *b.values()], there)
        except ExprError:  # with any parameters there is no way here
            return reached
        n = len(a)
        far = number(0)
        for j, p, q in zip(a, made[:n], made[n:], strict=True):
            if robot.frame(j).sigma != PRISMATIC:
                far = expr(far + 1 - cos(p - q))
        opened = both(opened, both(both(exists_a, exists_b), expr(far > OPEN**2 / 2)))
    return logical_or(reached, opened)


def _unvalued(robot: Robot, ways: Sequence[Way]) -> bool:
    """Whether a parameter of the ways has no value."""
    symbols = free_symbols(*(x for positions, exists in ways for x in (exists, *positions.values())))
    return any(s.kind == "parameter" and s.name not in robot.values for s in symbols)


def _alike(a: Sequence[float], b: Sequence[float], slides: bool, unit: float) -> bool:
    """Whether these are the same positions of a joint."""
    if len(a) != len(b):
        return False
    apart = [x - y if slides else math.remainder(x - y, math.tau) for x, y in zip(a, b, strict=True)]
    return all(abs(x) < SAME * unit for x in apart)


def _wrapped(x: float) -> float:
    return math.remainder(x, math.tau)
