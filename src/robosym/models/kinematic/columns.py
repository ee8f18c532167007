"""The columns of a Jacobian matrix: what each joint does to a point of the target's link, in the axes of any frame.

SYMORO+ 1997, equation (5): a revolute joint k turns the link about its axis a_k and moves the point by a_k x L_k, where
L_k goes from the axis to the point; a prismatic joint only moves it, by a_k.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeVar

from ...program import Scope
from ...robot import FIXED, PRISMATIC, Robot
from ...spatial.scalar import Scalar, is_zero
from ...spatial.screws import Carried, Screw, from_right
from ...spatial.vectors import AXES, ZERO, Vector, apply, cross, plus, times
from .. import limits
from ..tree.bodies import root
from ..tree.coordinates import BASE_AXES, Axis, coordinates
from ..tree.paths import WORLD, FrameName, Poses, Way, Ways

T = TypeVar("T")


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
#   across   a x L, both in the requested axes, where orientations and positions are multiplied outwards
#   carried  z x L at the joint, turned into the requested axes
#   back     the same, the two vectors carried back frame by frame instead of multiplied by an orientation
Lever = Literal["across", "carried", "back"]
LEVERS: tuple[Lever, ...] = ("across", "carried", "back")


class Joints:
    """The joints that move frame n, seen from any frame and acting on any point. What two columns share is made once."""

    def __init__(self, robot: Robot, n: int, scope: Scope, add_angles: bool = True) -> None:
        self.robot, self.n, self.scope, self.add_angles = robot, n, scope, add_angles
        self.path = Ways(robot)
        self._pose = Poses(scope, add_angles)
        self._carried: dict[Point, dict[Way, Carried]] = {}
        self.coordinates = coordinates(robot)

    def columns(self, axes: FrameName, point: Point, lever: Lever) -> list[Column]:
        """One column a velocity, in the order of qd."""
        found = {axis: column.entries for axis, column in self._of_base(axes, point).items()}
        for k in self.robot.path(self.n):
            if self.robot.frame(k).sigma != FIXED:
                found[k] = self._joint(k, axes, point, lever).entries
        return [Column(c[:3], c[3:]) for c in self.coordinates.columns(found, 6)]

    def position(self, point: Point, axes: FrameName) -> Vector:
        """A point in the axes of a frame, from its origin."""
        turned, place = self._pose(self.path(axes, point.frame))
        return plus(place, apply(turned, point.offset))

    def orientation(self, axes: FrameName, frame: FrameName) -> tuple[Vector, Vector, Vector]:
        """The columns of a frame's orientation in the axes of another."""
        return self._pose(self.path(axes, frame))[0]

    def turned(self, vector: Vector, way: Way, stem: str, back: bool, of: int | None = None) -> Vector:
        """A direction at the end of a way, in the axes at its beginning; it belongs to link ``of``."""
        if back:
            return from_right(way, vector, False, self.scope, stem, self.add_angles, of)
        return apply(self._pose(way)[0], vector)

    def levers(self) -> list[Lever]:
        """Those worth trying on the way to frame n, by how often its joints act on each other's vectors in all.

        "across" multiplies once a joint; "carried" turns every offset between parallel axes once for each joint before
        it, and "back" carries the vectors of every joint through every bend before it.
        """
        joints = sum(self.robot.frame(k).sigma != FIXED for k in self.robot.path(self.n))
        offsets = bends = run = 0
        for motion in self.path(0, self.n):
            if isinstance(motion, Screw) and motion.axis == "z":
                continue
            straight = isinstance(motion, Screw) and is_zero(motion.angle) and self.add_angles
            run = run + 1 if straight else 0
            offsets += run
            bends += not straight
        turned = {"across": 0, "carried": offsets, "back": offsets + joints * bends}
        return [lever for lever in LEVERS if turned[lever] <= limits.MOST_TURNED]

    # --- one joint ---------------------------------------------------------------------------------------------------

    def _joint(self, k: int, axes: FrameName, point: Point, lever: Lever) -> Column:
        before, own = _parted(self.path(axes, k))
        axis = self.turned(AXES[2], before, "A", lever == "back", k)
        if self.robot.frame(k).sigma == PRISMATIC:
            return Column(axis, ZERO)  # (5), sigma = 1
        if lever == "across":
            arm = plus(self.position(point, axes), times(-1, self._pose(before)[1]))
            return Column(cross(axis, self.scope.vector("L", k, arm)), axis)  # (5), sigma = 0
        x, y, _ = self._arm(k, point, own)
        return Column(self.turned((-y, x, 0), before, "V", lever == "back", k), axis)  # (5), z x L turned

    def _of_base(self, axes: FrameName, point: Point) -> dict[Axis, Column]:
        """What each axis of the base's own joint does."""
        kind = root(self.robot, self.coordinates).kind
        if not kind.axes:
            return {}
        turned, place = self._pose(self.path(axes, 0))
        arm = self.scope.vector("L", 0, plus(self.position(point, axes), times(-1, place)))
        twists = [(apply(turned, v), apply(turned, w)) for v, w in kind.axes]
        return {axis: Column(plus(v, cross(w, arm)), w) for axis, (v, w) in zip(BASE_AXES, twists, strict=True)}

    def _arm(self, k: int, point: Point, own: Screw | None) -> Vector:
        """From the axis of joint k to the point, in the axes before the screw ``own`` about it."""

        def through(carried: Carried, way: Way) -> Carried:
            return carried.through(way.back, self.scope, "LI", self.add_angles)

        known = self._carried.setdefault(point, {})
        carried = self.path(point.frame, k).along(known, Carried(point.offset, True), through)
        return (carried if own is None else carried.through(own, self.scope, "LI", self.add_angles)).vector


def _parted(way: Way) -> tuple[Way, Screw | None]:
    """A way to a joint, and its last screw if that is about the joint's axis: it turns neither the axis nor a lever."""
    if way.before is not None and isinstance(way.last, Screw) and way.last.axis == "z":
        return way.before, way.last
    return way, None


def about_middle(frames: list[T], most: int) -> list[T]:
    """Of more frames on a way than ``most``, those about its middle, where both ends are near."""
    left = max(0, (len(frames) - most) // 2)
    return frames[left : left + most]


def origins(robot: Robot, n: int) -> list[int]:
    """The frames on the way to frame n whose origins differ: of frames with one origin the first stands for all."""
    found = [0]
    for j in robot.path(n):
        _, b, _, d, _, r = robot.geometry(j)
        if not all(is_zero(x) for x in (b, d, r)):
            found.append(j)
    return found
