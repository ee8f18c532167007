"""The ways between the frames of a robot, grown frame by frame: what two of them have in common is walked once.

A way is a chain of motions that begins at some frame; the way to the next frame is the same chain with a few motions more.
What is found motion by motion along a way, such as their product, is remembered for all the ways that go on from there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated, TypeVar

from ...options.markers import FRAME
from ...program import Scope
from ...robot import Robot
from ...spatial.scalar import is_zero
from ...spatial.screws import Motion, Product, Rigid, Screw
from ...spatial.vectors import Vector
from .joints import free_motion

WORLD = "world"

FrameName = Annotated[int | str, FRAME]
T = TypeVar("T")


class Way:
    """A chain of motions: the way before the last one (None at the beginning), the last one, and its inverse."""

    __slots__ = ("back", "before", "last")

    def __init__(self, before: Way | None, last: Motion, back: Motion) -> None:
        self.before, self.last, self.back = before, last, back

    def then(self, motion: Motion, back: Motion) -> Way:
        """With one motion more: neighbouring screws about one axis add up, and an empty one is left out."""
        before = self
        if isinstance(motion, Screw) and isinstance(back, Screw):
            if (
                self.before is not None
                and isinstance(self.last, Screw)
                and isinstance(self.back, Screw)
                and self.last.axis == motion.axis
            ):
                before, motion, back = self.before, self.last.joined(motion), back.joined(self.back)
            if is_zero(motion.angle) and is_zero(motion.shift):
                return before
        return Way(before, motion, back)

    def __reversed__(self) -> Iterator[Motion]:
        way = self
        while way.before is not None:
            yield way.last
            way = way.before

    def __iter__(self) -> Iterator[Motion]:
        return iter([*reversed(self)][::-1])

    def along(self, known: dict[Way, T], start: T, step: Callable[[T, Way], T]) -> T:
        """What grows from ``start`` with each motion of the way, and is ``known`` for some of its beginnings."""
        ahead: list[Way] = []
        way = self
        while way.before is not None and way not in known:
            ahead.append(way)
            way = way.before
        found = start if way.before is None else known[way]
        for way in reversed(ahead):
            found = known[way] = step(found, way)
        return found


class Ways:
    """The ways between the frames of a robot (numbers, names, or "world"), through their nearest common antecedent."""

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self._found: dict[tuple[FrameName, FrameName], Way] = {}
        self._carried: dict[FrameName, dict[FrameName, FrameName]] = {}

    def __call__(self, start: FrameName, end: FrameName) -> Way:
        start, end = self._known(start), self._known(end)
        ahead: list[tuple[FrameName, FrameName]] = []
        frame = end
        while (start, frame) not in self._found and frame != start:
            previous = self._previous(start, frame)
            ahead.append((previous, frame))
            frame = previous
        way = self._found.setdefault((start, frame), _beginning())
        for previous, frame in reversed(ahead):
            for motion, back in self._between(previous, frame):
                way = way.then(motion, back)
            self._found[start, frame] = way
        return way

    def _known(self, frame: FrameName) -> FrameName:
        inside = isinstance(frame, int) and 0 <= frame <= len(self.robot.frames)  # also frames inside of joints
        return frame if inside or frame == WORLD else self.robot.number(frame)

    def _antecedent(self, frame: FrameName) -> FrameName:
        return self.robot.frame(int(frame)).antecedent if frame != 0 else WORLD

    def _previous(self, start: FrameName, frame: FrameName) -> FrameName:
        """The frame before this one on the way from ``start``."""
        if start not in self._carried:  # for every frame that carries the start, the next one on the way to it
            towards: dict[FrameName, FrameName] = {}
            at = start
            while at != WORLD:
                carrier = self._antecedent(at)
                towards[carrier] = at
                at = carrier
            self._carried[start] = towards
        return self._carried[start][frame] if frame in self._carried[start] else self._antecedent(frame)

    def _between(self, start: FrameName, end: FrameName) -> Iterator[tuple[Motion, Motion]]:
        """The motions between neighbours, each with its inverse."""
        if end != WORLD and self._antecedent(end) == start:
            yield from ((motion, motion.inverse) for motion in _motions(self.robot, end))
        else:
            yield from ((motion.inverse, motion) for motion in reversed(_motions(self.robot, start)))


def _beginning() -> Way:
    nothing = Screw("z", 0, 0)
    return Way(None, nothing, nothing)


def motions(robot: Robot, start: FrameName, end: FrameName) -> list[Motion]:
    """The elementary motions from one frame to another."""
    return [*Ways(robot)(start, end)]


def _motions(robot: Robot, j: FrameName) -> list[Motion]:
    """The motions from the antecedent of frame j to frame j; for the base, those from the world."""
    if j != 0:
        return robot.motions(int(j))
    z = robot.base.location
    columns = ((z[0], z[4], z[8]), (z[1], z[5], z[9]), (z[2], z[6], z[10]))
    placed: list[Motion] = [Rigid(columns, (z[3], z[7], z[11]))]
    return [*placed, free_motion(robot.coordinates[:7])] if robot.base.floating else placed


class Poses:
    """Orientations (by columns) and positions at the ends of ways, multiplied from their beginnings."""

    def __init__(self, scope: Scope, add_angles: bool = True) -> None:
        self.scope, self.add_angles = scope, add_angles
        self._products: dict[Way, Product] = {}
        self._found: dict[Way, tuple[tuple[Vector, Vector, Vector], Vector]] = {}

    def __call__(self, way: Way) -> tuple[tuple[Vector, Vector, Vector], Vector]:
        if way not in self._found:
            self._found[way] = way.along(self._products, Product(), self._then).pose
        return self._found[way]

    def _then(self, product: Product, way: Way) -> Product:
        return product.then(way.last, self.scope, self.add_angles)
