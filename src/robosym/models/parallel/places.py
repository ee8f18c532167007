"""Platforms in numbers: positions of the platform and all leg joints at which every leg is joined to its seat.

From the positions in the description the legs are closed by Newton's iteration on the pose of the platform and all joints of
the legs. What the platform can do there (its own motion space, whether motors determine it, whether a leg can move by
itself) is the rank of the closure's rows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from ...caches import Kept
from ...expr import Expr, free_symbols
from ...reals import Floats
from ...robot import RobotError
from ...robot.problems import Problem
from ...spatial.floats import nearest_rotations, placed
from ...spatial.ranks import column_space, null_space, rank
from ..draws import parameter_numbers
from ..mechanism.chain import Geometry, geometry_of, variable_of
from ..mechanism.closure import Closure, Pair, orthonormal_poses, states_of
from ..mechanism.frames import Linkage, linkage_of
from ..mechanism.joints import Joints
from ..mechanism.newton import CLOSED, POSE, moved
from .structure import LegPath, Module

_HOMES: Kept[Place] = Kept()
_NEARBY: Kept[list[Place]] = Kept()  # by their number

RANK = 1e-7  # of rows of the size of one
NEARBY, REACH = 6, 0.15  # positions that are looked at beside home, and how far they are: radians, or parts of the size
STARTS = 400


@dataclass(frozen=True)
class Mechanism(Joints):
    """A platform on legs, by the joints of the legs."""

    module: Module

    @cached_property
    def geometry(self) -> Geometry:
        frames = [j for leg in self.module.legs for j in (*leg.frames, *self._seat_path(leg))]
        still = {v: 0.0 for f in self.robot.frames if (v := f.joint.variable) is not None}
        entries = {j: self.robot.frame(j).geometry for j in frames}
        return geometry_of(self.robot, entries, self.joints, {**still, **self.values})

    @cached_property
    def linkage(self) -> Linkage:
        """All frames of the legs, of the platform and on it, by the joints of the legs and those that it carries."""
        module, platform = self.module, self.module.platform.frame
        frames = {j for leg in module.legs for j in leg.frames} | {
            j for j in self.robot.order if platform in self.robot.path(j)
        }
        joints = (*self.joints, *module.carried_joints)
        still = dict.fromkeys((variable_of(self.robot, j) for j in joints), 0.0)
        order = [j for j in self.robot.order if j in frames - {platform}]
        return linkage_of(self.robot, order, joints, {**still, **self.values}, platform)

    @cached_property
    def size(self) -> float:
        """The lengths of the legs and to the seats, on average; lengths are measured with it."""
        lengths = [self.geometry.length((*leg.frames, *self._seat_path(leg))) for leg in self.module.legs]
        slides = np.abs(self.described)[~self.turning]
        return float(sum(lengths) + slides.sum()) / len(self.module.legs) or 1.0

    def _seat_path(self, leg: LegPath) -> tuple[int, ...]:
        path = self.robot.path(leg.leg.seat)
        return path[path.index(self.module.platform.frame) + 1 :]

    @cached_property
    def seats(self) -> list[Floats]:
        """Poses of the seats in the platform."""
        return [self.geometry.still(self._seat_path(leg)) for leg in self.module.legs]

    @cached_property
    def closures(self) -> Closure:
        geometry, size = self.geometry, self.size
        return Closure(
            tuple(
                Pair(geometry.chain(leg.frames, size), geometry.still(self._seat_path(leg), size), leg.in_a_point)
                for leg in self.module.legs
            )
        )

    @cached_property
    def parts(self) -> list[tuple[slice, slice]]:
        """The rows and the columns of each leg in the slopes."""
        rows = np.cumsum([0, *(leg.rows for leg in self.module.legs)]).tolist()
        columns = np.cumsum([6, *(len(leg.joints) for leg in self.module.legs)]).tolist()
        return [(slice(*a), slice(*b)) for a, b in zip(pairwise(rows), pairwise(columns), strict=True)]

    # --- the equations ---

    def states(self, T: Floats, x: Floats) -> Floats:
        """Poses (N, 4, 4) and positions of the joints (N, n) as states of the closures, lengths over the size."""
        states = states_of(T, x / self.units)
        states[:, 9:POSE] /= self.size
        return states

    def placed(self, states: Floats) -> tuple[Floats, Floats]:
        """Poses and positions of the joints of states."""
        T = orthonormal_poses(states)
        T[:, :3, 3] *= self.size
        return T, states[:, POSE:] * self.units

    def ends(self, x: Floats) -> list[Floats]:
        """The poses (N, 4, 4) of the ends of all legs."""
        return [self.geometry.chain(leg.frames).end(x)[0] for leg in self.module.legs]

    def closure(self, T: Floats, x: Floats) -> tuple[Floats, Floats]:
        """The residuals (N, rows), and their slopes by the platform's twist and the joints (N, rows, 6 + n); lengths are in
        units of the size, also those of the twist and of slides."""
        return self.closures.equations(self.states(T, x))

    def gap(self, T: Floats, x: Floats) -> Floats:
        """The largest residual (N,), lengths over the size."""
        return np.asarray(np.abs(self.closure(T, x)[0]).max(axis=1))

    def closed(self, T: Floats, x: Floats, held: Sequence[int] = ()) -> tuple[Floats, Floats]:
        """The positions reached from these, without those that stay open; the joints ``held`` do not move."""
        still = self.places(held)
        free = [k for k in range(6 + len(self.joints)) if k - 6 not in still]
        reached = self.closures.closed_from(self.states(T, x), free)
        T, y = self.placed(reached.closed())
        y[:, still] = np.asarray(x)[reached.residual < CLOSED][:, still]
        return T, y

    def nearest(self, T: Floats, x: Floats) -> Floats:
        """The positions of the joints at which the ends are nearest to the seats, with the platform at one pose."""
        states = self.states(T[None], x[None])
        return np.asarray(self.placed(self.closures.closed_from(states, slice(6, None)).x)[1][0])

    def fitted(self, x: Floats) -> Floats:
        """The pose of the platform whose seats are nearest to the ends of the legs."""
        ends = [E[0] for E in self.ends(x[None])]
        to = np.array([E[:3, 3] for E in ends])
        seats = np.array([S[:3, 3] for S in self.seats])
        rigid = [k for k, leg in enumerate(self.module.legs) if not leg.in_a_point]
        if rigid:  # the orientation of a leg's end says more than the places of three points
            R = np.sum([ends[k][:3, :3] @ self.seats[k][:3, :3].T for k in rigid], axis=0)
        else:
            R = (to - to.mean(0)).T @ (seats - seats.mean(0))
        R = nearest_rotations(R)
        return placed(R, to.mean(0) - R @ seats.mean(0))


@dataclass(frozen=True)
class Place:
    """A position at which all legs are closed, and what can move there."""

    mechanism: Mechanism
    T: Floats
    x: Floats

    @property
    def values(self) -> dict[Expr, float]:
        """Of every parameter of the geometry and every joint."""
        return self.mechanism.values_at(self.x)

    @property
    def position(self) -> dict[int, float]:
        return dict(zip(self.mechanism.joints, self.x.tolist(), strict=True))

    @cached_property
    def slope(self) -> Floats:
        return np.asarray(self.mechanism.closure(self.T[None], self.x[None])[1][0])

    @cached_property
    def twists(self) -> Floats:
        """An orthonormal basis (6, k) of the twists the platform can have, lengths in units of the size."""
        free = null_space(self.slope, RANK)
        return column_space(free[:6], RANK)

    def loose(self) -> list[LegPath]:
        """The legs that can move with the platform held."""
        parts = zip(self.mechanism.module.legs, self.mechanism.parts, strict=True)
        return [leg for leg, part in parts if rank(self.slope[part], RANK) < len(leg.joints)]

    @property
    def driven_rank(self) -> int:
        """How many of the motors' speeds can be chosen at will."""
        return rank(null_space(self.slope, RANK)[self._motors], RANK)

    @property
    def undriven(self) -> int:
        """In how many ways the platform moves with all motors held."""
        return int(null_space(np.delete(self.slope, self._motors, axis=1), RANK).shape[1])

    @property
    def _motors(self) -> list[int]:
        """The columns of the motors in the slope."""
        return [6 + k for k in self.mechanism.places(self.mechanism.module.motors)]


def mechanism_of(module: Module) -> Mechanism:
    """With the robot's own numbers; a parameter without one gets some length of the size of one."""
    symbols = free_symbols(*(x for frame in module.robot.frames for x in frame.geometry))
    values = parameter_numbers(module.robot, symbols, np.random.default_rng(11))
    return Mechanism(module.robot, values, module.joints, module)


def home(module: Module) -> Place:
    """The position of the description, its legs closed: found once."""
    return _HOMES.of(module.robot, (), lambda: _home(module))


def _home(module: Module) -> Place:
    mechanism = mechanism_of(module)
    T, closed = _closed_near_home(mechanism)
    if not len(T) or Place(mechanism, T[0], closed[0]).loose():
        regular = _from_anywhere(mechanism, mechanism.described)
        T, closed = regular if len(regular[0]) else (T, closed)  # a leg that is loose anywhere is told by name
    if not len(T):
        problem = "no position was found at which all legs reach the platform: give positions of the joints near one"
        raise RobotError([Problem("legs", problem)], module.robot.name)
    return Place(mechanism, T[0], closed[0])


def _closed_near_home(mechanism: Mechanism) -> tuple[Floats, Floats]:
    """From the positions of the description. Where the motors are is said; the other joints follow, if they can."""
    x = mechanism.described
    start = mechanism.fitted(x)[None]
    said = [j for j in mechanism.module.motors if mechanism.robot.frame(j).joint.position is not None]
    T, closed = mechanism.closed(start, x[None], held=said)
    return (T, closed) if len(T) else mechanism.closed(start, x[None])


def with_other_numbers(module: Module, seed: int) -> list[Place]:
    """Positions of the same robot with other numbers for all parameters of its geometry, near to its own; none if its legs
    do not reach the platform with them."""
    own = mechanism_of(module)
    draw = np.random.default_rng(seed)
    changed = {s: x * draw.uniform(0.9, 1.1) if x else draw.uniform(-0.1, 0.1) for s, x in own.values.items()}
    varied = replace(own, values={s: float(x) for s, x in changed.items()})
    start = home(module)
    T, x = varied.closed(start.T[None], start.x[None])
    if not len(T) or Place(varied, T[0], x[0]).loose():
        return []
    return _around(Place(varied, T[0], x[0]), NEARBY)


def _from_anywhere(mechanism: Mechanism, near: Floats) -> tuple[Floats, Floats]:
    """Of many starts the position that is nearest to where the description has the joints, and regular."""
    draw = np.random.default_rng(3)
    width = np.where(mechanism.turning, math.pi, mechanism.size)
    x = near + draw.uniform(-1, 1, (STARTS, len(near))) * width * draw.uniform(0.1, 1.0, (STARTS, 1))
    starts = np.array([mechanism.fitted(row) for row in x])
    T, x = mechanism.closed(starts, x)
    regular = [k for k in range(len(x)) if not Place(mechanism, T[k], x[k]).loose()]
    best = sorted(regular, key=lambda k: float(np.abs((x[k] - near) / width).max()))[:1]
    return T[best], x[best]


def nearby(module: Module, count: int = NEARBY) -> list[Place]:
    """Home and positions around it."""
    return _NEARBY.of(module.robot, count, lambda: _around(home(module), count))


def _around(start: Place, count: int) -> list[Place]:
    """A position and others around it, reached by moving the legs and closing them again."""
    mechanism = start.mechanism
    draw = np.random.default_rng(5)
    free = null_space(start.slope, RANK)
    steps = draw.uniform(-1, 1, (4 * count, free.shape[1])) @ free.T
    steps *= REACH / np.abs(steps).max(axis=1, keepdims=True)
    home_states = np.repeat(mechanism.states(start.T[None], start.x[None]), len(steps), axis=0)
    T, x = mechanism.closed(*mechanism.placed(moved(home_states, steps)))
    found = [start, *(Place(mechanism, *one) for one in zip(T, x, strict=True))]
    return found[: count + 1]
