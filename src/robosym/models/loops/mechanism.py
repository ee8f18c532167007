"""A robot with closed loops in numbers, whether its loops have a closed form or not: closures, and positions that close them.

Positions are those of the joints, in rad and m. Inside, lengths are divided by those around all loops.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...expr import Expr, free_symbols
from ...reals import Floats
from ...robot import FIXED, Robot
from ...spatial.floats import wrapped
from ...spatial.ranks import rank, singular_value
from ..draws import parameter_numbers
from ..mechanism.chain import Geometry, geometry_of
from ..mechanism.closure import Closure, Pair
from ..mechanism.distinct import distinct
from ..mechanism.joints import Joints
from ..mechanism.newton import CLOSED, Reached
from .angles import described_angle
from .structure import Loop, driven, loop_over, loops_of, passive

STARTS = 192
SAME = 1e-5  # positions that differ by less are one
RANK = 1e-7


@dataclass(frozen=True)
class LoopMechanism(Joints):
    """The loops of a robot, or of the tree it was assembled to."""

    tolerance: float = CLOSED  # the largest residual of loops that count as closed

    @cached_property
    def loops(self) -> tuple[Loop, ...]:
        closure = self.robot.closure
        return loops_of(self.robot) if closure is None else tuple(loop_over(self.robot, *pair) for pair in closure.cuts)

    @cached_property
    def geometry(self) -> Geometry:
        """Of all frames of loops; of all frames, where there are none."""
        return self.geometry_of(
            dict.fromkeys(one.frame for loop in self.loops for one in loop.around) or self.robot.order
        )

    def geometry_of(self, frames: Iterable[int]) -> Geometry:
        return geometry_of(self.robot, {j: _entries(self.robot, j) for j in frames}, self.joints, self.values)

    @cached_property
    def size(self) -> float:
        """The lengths around all loops."""
        return self.geometry.length(self.geometry.rows) or 1.0

    @cached_property
    def closure(self) -> Closure:
        pairs = []
        for loop in self.loops:
            out = [one.frame for one in loop.around if not one.back]
            back = [one.frame for one in reversed(loop.around) if one.back]
            pairs.append(Pair(self.geometry.chain(out, self.size), self.geometry.chain(back, self.size)))
        return Closure(tuple(pairs))

    # --- the equations ---

    def residual(self, x: Floats) -> Floats:
        """How far the loops are from closed at positions (N, n), lengths over the size."""
        return self.closure.residual(x / self.units)

    def slopes(self, x: Floats) -> Floats:
        """The constraints (N, 6 loops, n) on the joint velocities, lengths over the size."""
        return self.closure.equations(x / self.units)[1]

    def reached(self, x: Floats, free: Sequence[int] | None = None) -> Reached:
        """From positions (N, n), by moving the joints of these frames; angles of these from -pi to pi."""
        places = list(range(len(self.joints))) if free is None else self.places(free)
        found = self.closure.closed_from(x / self.units, places)
        y = np.array(x, float)
        y[:, places] = (found.x * self.units)[:, places]
        turns = [k for k in places if self.turning[k]]
        y[:, turns] = wrapped(y[:, turns])
        return Reached(y, found.residual)

    def closed(self, x: Floats, free: Sequence[int] | None = None) -> Floats:
        """The same, without those that stay open."""
        return self.reached(x, free).closed(self.tolerance)

    # --- positions ---

    def random_starts(
        self, draw: np.random.Generator, near: Floats, free: Sequence[int], count: int = STARTS
    ) -> Floats:
        """Positions with these joints anywhere, the first as it is given."""
        x = np.repeat(near[None], count, axis=0)
        for k in self.places(free):
            x[1:, k] = draw.uniform(-math.pi, math.pi, count - 1) * (1.0 if self.turning[k] else self.size / math.pi)
        return x

    def different(self, x: Floats) -> list[Floats]:
        """Each position once, in the order of the entries from -pi to pi, the first of them first; angles next to the described
        ones."""
        return self.counted(x)[0]

    def counted(self, x: Floats) -> tuple[list[Floats], list[int]]:
        """The same, and how often each position is there."""
        x = np.where(self.turning, wrapped(x), x)

        def apart(chosen: list[int], k: int) -> Floats:
            return np.asarray(np.abs(self.difference(x[chosen], x[k])).max(axis=1, initial=0.0) / SAME)

        chosen, times = distinct(range(len(x)), apart)
        found = x[chosen]
        order = sorted(range(len(found)), key=lambda k: [round(float(v), 4) for v in found[k]])
        near = np.array([described_angle(self.robot, self.robot.frame(j).joint) for j in self.joints])
        places = [np.where(self.turning, near + wrapped(found[k] - near), found[k]) for k in order]
        return places, [times[k] for k in order]

    def difference(self, a: Floats, b: Floats) -> Floats:
        """Of two positions, angles within half a turn, lengths over the size."""
        return np.where(self.turning, wrapped(a - b), (a - b) / self.units)

    def distance(self, a: Floats, b: Floats, frames: Collection[int] | None = None) -> float:
        """The largest difference of two positions, of all joints or of those of these frames."""
        apart = np.abs(self.difference(a, b))
        return float(np.max(apart if frames is None else apart[self.places(frames)], initial=0.0))

    # --- ranks ---

    def regular(self, x: Floats, frames: Sequence[int]) -> Floats:
        """How far positions (N, n) are from those at which the joints of these frames are not determined."""
        W = self.slopes(x)[:, :, self.places(frames)]
        return singular_value(W, min(W.shape[1:]))

    def part(self, x: Floats, loops: Sequence[Loop], frames: Sequence[int]) -> Floats:
        """The constraints (N, 6 k, n) of k loops on the joints of these frames."""
        W = self.slopes(x).reshape(len(x), len(self.loops), 6, -1)
        rows = W[:, [self.loops.index(loop) for loop in loops]].reshape(len(x), 6 * len(loops), -1)
        return rows[:, :, self.places(frames)]

    def rank(self, x: Floats, loops: Sequence[Loop], frames: Sequence[int]) -> int:
        """Of these constraints at one position."""
        return rank(self.part(x[None], loops, frames)[0], RANK)


def mechanism_of(robot: Robot, values: Mapping[Expr, float], tolerance: float = CLOSED) -> LoopMechanism:
    """With the joints of loops: those that are driven, then those that follow."""
    mechanism = LoopMechanism(robot, values, (), tolerance)
    around = {j for loop in mechanism.loops for j in loop.joints(robot)}
    joints = tuple(j for j in (*driven(robot), *passive(robot)) if j in around)
    return LoopMechanism(robot, values, joints, tolerance)


def whole_mechanism(robot: Robot, values: Mapping[Expr, float]) -> LoopMechanism:
    """With all joints that depend on no other, cut ones last."""
    free = [j for j in robot.order if robot.frame(j).sigma != FIXED and robot.frame(j).joint.mimic is None]
    joints = (*(j for j in free if j <= robot.n_links), *(j for j in free if j > robot.n_links))
    return LoopMechanism(robot, values, joints)


def numbers_for(robot: Robot, draw: np.random.Generator) -> tuple[dict[Expr, float], tuple[str, ...]]:
    """A number for every parameter of the geometry, and the names of those for which it was drawn."""
    values = parameter_numbers(robot, free_symbols(*(x for j in robot.order for x in _entries(robot, j))), draw)
    return values, tuple(s.name for s in values if s.name not in robot.values)


def _entries(robot: Robot, j: int) -> tuple[Expr, ...]:
    """The geometry of a frame by the positions of independent joints; in an assembled tree passive joints are such too."""
    return robot.geometry(j) if robot.closure is None else robot.frame(j).geometry
