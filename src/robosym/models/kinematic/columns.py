"""The columns of a Jacobian matrix: what each joint does to a point of the target's link, in the axes of any frame.

SYMORO+ 1997, equation (5): a revolute joint k turns the link about its axis a_k and moves the point by a_k x L_k, where
L_k goes from the axis to the point; a prismatic joint only moves it, by a_k.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal

from ...program import Scope
from ...robot import FIXED, PRISMATIC, Robot
from ...spatial.scalar import Scalar, is_zero
from ...spatial.screws import Motion, Product, Screw, from_right
from ...spatial.vectors import AXES, ZERO, Vector, apply, cross, plus, times
from ..geometric import WORLD, motions
from .frames import FrameName


@dataclass(frozen=True)
class Column:
    """What a unit speed does: the velocity of the point and the angular velocity of the link."""

    linear: Vector = ZERO
    angular: Vector = ZERO

    def __add__(self, other: Column) -> Column:
        return Column(plus(self.linear, other.linear), plus(self.angular, other.angular))

    def scaled(self, k: Scalar) -> Column:
        return Column(times(k, self.linear), times(k, self.angular))

    @property
    def entries(self) -> tuple[Scalar, ...]:
        return (*self.linear, *self.angular)


@dataclass(frozen=True)
class Point:
    """A point fixed in a frame: its origin, or an offset from it (a tool's tip)."""

    frame: FrameName
    offset: Vector = ZERO


WORLD_ORIGIN = Point(WORLD)

# How a lever becomes a velocity. All give the same matrix, at another cost:
#   across   a x L, both in the axes asked for, where orientations and positions are multiplied outwards
#   carried  z x L at the joint, turned into the axes asked for
#   back     the same, the two vectors carried back frame by frame instead of multiplied by an orientation
Lever = Literal["across", "carried", "back"]
LEVERS: tuple[Lever, ...] = ("across", "carried", "back")


class Joints:
    """The joints that move frame n, seen from any frame and acting on any point. What two columns share is made once."""

    def __init__(self, robot: Robot, n: int, scope: Scope, add_angles: bool = True) -> None:
        self.robot, self.n, self.scope, self.add_angles = robot, n, scope, add_angles
        self._products: dict[tuple[Motion, ...], Product] = {(): Product()}
        self._pose = cache(lambda path: self._product(path).pose)
        self._arm = cache(self._carried_arm)
        self._motions = cache(lambda a, b: tuple(motions(robot, a, b)))

    def columns(self, axes: FrameName, point: Point, lever: Lever) -> list[Column]:
        """One column a velocity: the free base's six, if any, then one for each independent joint."""
        robot = self.robot
        found = [*self._free_base(axes, point), *[Column()] * len(robot.moving)]
        free = len(found) - len(robot.moving)
        for k in robot.path(self.n):
            if robot.frame(k).sigma != FIXED:
                master, ratio = robot.master(k)
                place = free + robot.moving.index(master)
                found[place] = found[place] + self._joint(k, axes, point, lever).scaled(ratio)
        return found

    def position(self, point: Point, axes: FrameName) -> Vector:
        """A point in the axes of a frame, from its origin."""
        turned, place = self._pose(self._motions(axes, point.frame))
        return plus(place, apply(turned, point.offset))

    def path(self, start: FrameName, end: FrameName) -> tuple[Motion, ...]:
        return self._motions(start, end)

    def orientation(self, axes: FrameName, frame: FrameName) -> tuple[Vector, Vector, Vector]:
        """The columns of a frame's orientation in the axes of another."""
        return self._pose(self._motions(axes, frame))[0]

    def turned(self, vector: Vector, path: tuple[Motion, ...], stem: str, back: bool) -> Vector:
        """A direction at the end of a path, in the axes at its beginning."""
        if back:
            return from_right(path, vector, False, self.scope, stem, self.add_angles)
        return apply(self._pose(path)[0], vector)

    # --- one joint ---------------------------------------------------------------------------------------------------

    def _joint(self, k: int, axes: FrameName, point: Point, lever: Lever) -> Column:
        before, own = _parted(self._motions(axes, k))
        axis = self.turned(AXES[2], before, f"A{k}_", lever == "back")
        if self.robot.frame(k).sigma == PRISMATIC:
            return Column(axis, ZERO)
        if lever == "across":
            arm = plus(self.position(point, axes), times(-1, self._pose(before)[1]))
            return Column(cross(axis, self.scope.vector("L", k, arm)), axis)
        x, y, _ = self._arm(k, point, own)
        return Column(self.turned((-y, x, 0), before, f"V{k}_", lever == "back"), axis)

    def _free_base(self, axes: FrameName, point: Point) -> list[Column]:
        """Three translations along the axes of frame 0 and three rotations about them."""
        if not self.robot.base.floating:
            return []
        turned, place = self._pose(self._motions(axes, 0))
        arm = self.scope.vector("L", 0, plus(self.position(point, axes), times(-1, place)))
        return [Column(axis, ZERO) for axis in turned] + [Column(cross(axis, arm), axis) for axis in turned]

    def _carried_arm(self, k: int, point: Point, own: tuple[Motion, ...]) -> Vector:
        """From the axis of joint k to the point, in the axes before the screw ``own`` about it."""
        path = (*own, *self._motions(k, point.frame))
        return from_right(path, point.offset, True, self.scope, f"L{k}_", self.add_angles)

    def _product(self, path: tuple[Motion, ...]) -> Product:
        """The motions of a path multiplied: the way to a frame begins with that to the frame before it."""
        done = len(path)
        while path[:done] not in self._products:
            done -= 1
        product = self._products[path[:done]]
        for i in range(done, len(path)):
            product = product.then(path[i], self.scope, self.add_angles)
            self._products[path[: i + 1]] = product
        return product


def _parted(path: tuple[Motion, ...]) -> tuple[tuple[Motion, ...], tuple[Motion, ...]]:
    """A path to a joint, and its last screw if that is about the joint's axis: it turns neither the axis nor a lever."""
    last = path[-1] if path else None
    return (path[:-1], path[-1:]) if isinstance(last, Screw) and last.axis == "z" else (path, ())


def origins(robot: Robot, n: int) -> list[int]:
    """The frames on the way to frame n whose origins differ: of frames with one origin the first stands for all."""
    found = [0]
    for j in robot.path(n):
        _, b, _, d, _, r = robot.geometry(j)
        if not all(is_zero(x) for x in (b, d, r)):
            found.append(j)
    return found
