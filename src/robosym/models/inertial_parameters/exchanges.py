"""Bodies on several links that together have no effect on any torque, because joints follow others.

Written down as those of free joints are in ``rules``, with the energy. R_c is the orientation of link c, P a constant vector:

a cut joint       a needle on its axis (XX = YY, MZ, M) belongs as well to either of the two links that it joins, as at any
                  revolute joint; across a prismatic one it is the inertia matrix; a rigid one joins all ten parameters;
parallel links    have one angular velocity, so that the inertia matrix of one may be another's (Bennis and Khalil 1991); if
                  they also move by the same way, so may MS and M;
a link that keeps parallel to the base has no effect by its inertia matrix, nor, if the base does not turn, by its MS;
a planar loop     of links with sides l_c, sum R_c l_c = 0. The products of inertia p_c = (XZ, YZ) have the energy
                  -w_xy . sum w_zc R_c p_c, with the same w_xy for all, and w_zc R_c p_c is the rate of R_c p_c turned by a right
                  angle: with p_c = l_c it adds up to zero (the needle with MZ), and so it does with p_c = z x l_c;
a parallelogram   that moves in its plane only, of the links b, b' and e, e' with p_b - p_b' = R_e d and p_e - p_e' = R_b s: the
                  first moments z x s on b and z x d on e, with the opposite on b' and e', cancel for all angles.

The last two are derived here. That all these are enough for planar and spherical loops and for chains of parallelograms is not
proved: the rank of the regressor tells, in the tests and for ``exact``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product

import numpy as np

from ...expr import VARIABLE, Expr, evaluate, expr, number, symbol
from ...expr.generic import Generic, negligible
from ...robot import FIXED, PRISMATIC, REVOLUTE, Robot
from ...spatial.inertia import Inertia, moved_back
from ...spatial.rotations import Rotation, Turn, back, into
from ...spatial.vectors import ZERO as ZERO3
from ...spatial.vectors import Vector, plus, times
from ..loops.structure import Loop, Passage, loop_over
from ..tree.bodies import tree
from ..tree.drives import rotors_of
from ..tree.parallel import is_half_turn, parallel_links, rotation_between, straightened
from .moved import Ten, body, turned_back
from .reach import TOLERANCE, Reach, antecedent_reaches
from .spins import cancelling_spins
from .tied_reach import Tied

ZERO = number(0)
SECOND = ("XX", "XY", "XZ", "YY", "YZ", "ZZ")
FIRST = ("MX", "MY", "MZ", "M")

Bodies = list[tuple[int, Ten]]


@dataclass
class Exchanges:
    """The bodies by links. Their amounts are symbols, in ``amounts``: the bodies with one amount have no effect together.
    ``tied`` is what the links can do, where that is known."""

    robot: Robot
    base_turns: bool
    tied: Tied | None
    rotors: Sequence[int] = ()  # those that take part
    amounts: list[Expr] = field(default_factory=list)
    spun: dict[int, Expr] = field(default_factory=dict)  # the rotor inertias of the exchanges

    def __post_init__(self) -> None:
        self.tree = tree(self.robot)
        self.cuts = cut_frames(self.robot)
        groups = [[j for j in group if j not in self.cuts] for group in parallel_links(self.tree)]
        self.groups = [group for group in groups if len(group) > 1]
        self.first = {j: group[0] for group in self.groups for j in group}

    def all(self) -> Iterator[Bodies]:
        yield from self._spins()
        yield from self._parallel()
        yield from self._parallelograms()
        for cut, twin in self.robot.closure.cuts if self.robot.closure is not None else ():
            loop = loop_over(self.robot, cut, twin)
            yield from self._planar(loop)
            yield self._cut(loop)

    def _fresh(self, names: Sequence[str]) -> dict[str, Expr]:
        made = {name: self._amount(k) for k, name in enumerate(names)}
        self.amounts += made.values()
        return made

    def _amount(self, k: int) -> Expr:
        return symbol(f"exchange_{len(self.amounts) + k}", "local")

    def _spins(self) -> Iterator[Bodies]:
        """Rotors, and links that spin like them."""
        links = [body.j for body in self.tree.bodies if not body.prismatic and body.j not in self.cuts]
        for combination in cancelling_spins(self.robot, self.tree, self.rotors, links):
            amount = self._fresh(("ZZ",))["ZZ"]
            for (j, name), factor in combination.items():
                if name == "Ia":
                    self.spun[j] = self.spun.get(j, ZERO) + factor * amount
            yield [(j, body(ZZ=factor * amount)) for (j, name), factor in combination.items() if name == "ZZ"]

    # --- cut joints ------------------------------------------------------------------------------------------------------

    def _cut(self, loop: Loop) -> Bodies:
        sigma = self.robot.frame(loop.cut).sigma
        if sigma == FIXED:
            own = body(**self._fresh((*SECOND, *FIRST)))
        elif sigma == PRISMATIC:
            own = body(**self._fresh(SECOND))
        else:
            needle = self._fresh(("XX", "MZ", "M"))
            own = body(YY=needle["XX"], **needle)
        return [(loop.cut, own), (loop.twin, _minus(own))]

    def _planar(self, loop: Loop) -> Iterator[Bodies]:
        """p_c = z x l_c. The way from frame i to frame j is a part of the side of link i."""
        sides = self._sides(loop)
        if sides is None:
            return
        amount = self._fresh(("YZ",))["YZ"]
        found = []
        for i, rotation, (x, y, _) in sides:
            own = body(XZ=-y * amount, YZ=x * amount)
            found.append((i, turned_back(own, _undone(rotation))))
        yield [(i, ten) for i, ten in found if i]

    def _sides(self, loop: Loop) -> list[tuple[int, Rotation, Vector]] | None:
        """The parts of the sides of a planar loop: the link, the constant rotation from axes with z along the joints' to its
        frame, and the way in these axes. None if the loop is not seen to be planar."""
        kinds = [self.robot.frame(one.frame).sigma for one in loop.around]
        start = next((k for k, one in enumerate(loop.around) if kinds[k] == REVOLUTE and not one.back), None)
        if start is None or PRISMATIC in kinds:
            return None
        lead = straightened(_turns(self.robot, loop.around[start])[:-1])
        so_far: Rotation = _undone(lead)  # from the axes before the turn of the first joint
        found = []
        for one in (*loop.around[start:], *loop.around[:start]):
            before, so_far = so_far, straightened([*so_far, *_turns(self.robot, one)])
            constant = so_far if one.back else before
            if constant and constant[0].axis == "z":
                constant = constant[1:]
            if not all(expr(turn.angle).level < VARIABLE for turn in constant):
                return None
            way = times(-1 if one.back else 1, _position(self.robot, one.frame))
            found.append((self.robot.frame(one.frame).antecedent, constant, back(constant, way)))
        return found

    # --- parallel links --------------------------------------------------------------------------------------------------

    def _parallel(self) -> Iterator[Bodies]:
        for group in self.groups:
            first, *others = group
            for j in others:
                yield self._same_turn(j, first)
                if not first and not self.base_turns:
                    yield [(j, body(**self._fresh(FIRST[:3])))]
            for i, j in combinations(group[first == 0 :], 2):
                if (apart := self._apart(j, i)) is not None and not set(apart) - {first}:
                    yield self._same_way(j, i, apart)

    def _same_turn(self, j: int, first: int) -> Bodies:
        """The inertia matrix; the base's has no effect."""
        own = body(**self._fresh(SECOND))
        there = turned_back(own, rotation_between(self.tree, first, j))
        return [(j, own), (first, _minus(there))] if first else [(j, own)]

    def _same_way(self, j: int, i: int, apart: Mapping[int, Vector]) -> Bodies:
        """MS and M, of links that move by the same way."""
        made = self._fresh(FIRST)
        own = Inertia(moment=(made["MX"], made["MY"], made["MZ"]), mass=made["M"])
        return self._on_both(j, i, own, apart)

    def _on_both(self, j: int, i: int, own: Inertia, apart: Mapping[int, Vector]) -> Bodies:
        """A body on link j, and the opposite on link i where j would be if they were fixed to each other."""
        first = self.first[j]
        position = into(rotation_between(self.tree, first, i), apart.get(first, ZERO3))
        there = moved_back(own, rotation_between(self.tree, i, j), position)
        return [(j, _ten(own)), (i, _minus(_ten(there)))]

    def _is_still(self, group: int, vector: Vector) -> bool:
        """Whether a constant vector of a group of links never turns: they turn about its direction only, or not at all."""
        if not group:
            return not self.base_turns
        if self.tied is None:
            return False
        numbers = np.array(evaluate([expr(x) for x in vector], self.tied.values), dtype=float)
        across = np.cross(self.tied.turning[group], numbers, axis=0)
        return negligible(float(np.abs(across).max(initial=0.0)), float(np.abs(numbers).max()), TOLERANCE)

    def _parallelograms(self) -> Iterator[Bodies]:
        """z x s on b, z x d on e, in their plane."""
        reaches = self.tied.before if self.tied is not None else antecedent_reaches(self.robot, self.base_turns)
        flat = [[j for j in g if j and self._turns_in_plane(j, reaches[j])] for g in self.groups]
        for own, other in combinations([g for g in flat if len(g) > 1], 2):
            if self._up(own[0], other[0]):
                for pair, across in product(combinations(own, 2), combinations(other, 2)):
                    yield from self._parallelogram(pair, across)

    def _turns_in_plane(self, j: int, before: Reach) -> bool:
        return self.robot.frame(j).sigma == REVOLUTE and not before.tilts

    def _parallelogram(self, own: tuple[int, int], other: tuple[int, int]) -> Iterator[Bodies]:
        d, s = self._side(own, other), self._side(other, own)
        if d is not None and s is not None:
            amount = self._fresh(("MY",))["MY"]
            yield [*self._across(own, s, amount), *self._across(other, d, self._up(own[1], other[1]) * amount)]

    def _side(self, own: tuple[int, int], other: tuple[int, int]) -> Vector | None:
        """Where the second link is from the first, if only a vector of the other links, in the axes of the first of their
        group, is between them."""
        i, j = own
        there = self.first[other[0]]
        apart = self._apart(j, i)
        if apart is None or set(apart) - {self.first[j], there} or there not in apart:
            return None
        return apart[there]

    def _across(self, pair: tuple[int, int], side: Vector, amount: Expr) -> Bodies:
        """MS = z x side on the second link, and the opposite on the first."""
        i, j = pair
        x, y, _ = into(rotation_between(self.tree, self.first[j], j), side)
        return self._on_both(j, i, Inertia(moment=(-y * amount, x * amount, ZERO)), self._apart(j, i) or {})

    def _up(self, i: int, j: int) -> int:
        """Whether z of two links is the same, whatever the joints do (1), the opposite (-1) or neither (0)."""
        *between, last = (Turn("z", ZERO), *rotation_between(self.tree, i, j))
        if any(turn.axis != "z" for turn in between):
            return 0
        return -1 if is_half_turn(last) else int(last.axis == "z")

    # --- where links are -------------------------------------------------------------------------------------------------

    def _apart(self, j: int, first: int) -> dict[int, Vector] | None:
        """The origin of frame j from that of frame ``first``: constant vectors by groups of parallel links, each in the axes
        of the first of its group; those that never move are left out. None if joints slide between the two."""
        total: dict[int, Vector] = {}
        for end, sign in ((j, 1), (first, -1)):
            while end:
                own = self.tree.body(end)
                if not _is_constant(own.position):
                    return None
                group = self.first.get(own.parent, own.parent)
                step = back(rotation_between(self.tree, group, own.parent), times(sign, own.position))
                total[group] = plus(total.get(group, ZERO3), step)
                end = own.parent
        return {
            g: vector
            for g, vector in total.items()
            if not _vanishes(vector) and (g == first or not self._is_still(g, vector))
        }


def cut_frames(robot: Robot) -> set[int]:
    """The frames of cut joints, which carry no link."""
    if robot.closure is not None:
        return {j for pair in robot.closure.cuts for j in pair}
    return set(range(robot.n_links + 1, robot.n_links + 2 * robot.loops + 1)) if robot.loops > 0 else set()


def with_rotors(robot: Robot) -> list[int]:
    """The joints whose rotor inertia is a parameter: all of a tree; with closed loops those that are driven, and others
    that have a rotor."""
    moving = [j for j in robot.links if robot.frame(j).sigma != FIXED]
    if robot.closure is None:
        return moving
    own = rotors_of(robot).own
    return [j for j in moving if j in robot.moving or not own[j].is_zero]


def _turns(robot: Robot, one: Passage) -> list[Turn]:
    """Of a frame, its joint taken as independent: turns of different joints must not undo each other here."""
    gamma, _, alpha, _, theta, _ = robot.frame(one.frame).geometry
    turns = [Turn("z", gamma), Turn("x", alpha), Turn("z", theta)]
    return list(_undone(tuple(turns))) if one.back else turns


def _position(robot: Robot, j: int) -> Vector:
    """The origin of frame j in its antecedent."""
    gamma, b, alpha, d, _, r = robot.frame(j).geometry
    return plus(back((Turn("z", gamma), Turn("x", alpha)), (d, ZERO, r)), (ZERO, ZERO, b))


def _undone(rotation: Rotation) -> Rotation:
    return tuple(Turn(turn.axis, -turn.angle) for turn in reversed(rotation))


def _is_constant(vector: Vector) -> bool:
    return all(expr(x).level < VARIABLE for x in vector)


def _vanishes(vector: Vector) -> bool:
    return all(negligible(float(x)) for x in Generic()([expr(x) for x in vector]))


def _minus(ten: Ten) -> Ten:
    return {name: -value for name, value in ten.items()}


def _ten(inertia: Inertia) -> Ten:
    values = (*inertia.matrix, *inertia.moment, inertia.mass)
    return {name: expr(value) for name, value in zip((*SECOND, *FIRST), values, strict=True)}
