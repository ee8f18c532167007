"""What the recursions over the links need: the frames on the way to those asked for, the base, and how to write a motion."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ...program import Unmarked
from ...robot import FIXED, PRISMATIC, Robot, RobotError
from ...robot.problems import Problem
from ...spatial.inertia import Inertia
from ...spatial.rotations import Turn
from ...spatial.rotations import joined as joined_turns
from ...spatial.scalar import Scalar, is_zero
from ...spatial.screws import Motion, Screw, from_left, joined
from ...spatial.vectors import ZERO, Vector, cross, plus, times
from ..common import open_tree
from ..tree.bodies import Body, Tree, path
from ..tree.paths import WORLD, motions
from ..tree.state import free_base, joint_acceleration, joint_speed

# The two accelerations of a frame, the angular part being the same:
#   classical  of its origin, as an observer sees it
#   spatial    the rate of the six numbers of its twist: the classical one less w x v
Kind = Literal["classical", "spatial"]
KINDS: tuple[Kind, ...] = ("classical", "spatial")


@dataclass(frozen=True)
class Moving:
    """How a rigid frame moves: velocity and acceleration of one of its points, angular velocity and acceleration."""

    v: Vector = ZERO
    w: Vector = ZERO
    a: Vector = ZERO
    wd: Vector = ZERO
    kind: Kind = "classical"  # of the acceleration a

    def of_kind(self, kind: Kind) -> Moving:
        if kind == self.kind:
            return self
        sign = 1 if kind == "classical" else -1
        return replace(self, a=plus(self.a, times(sign, cross(self.w, self.v))), kind=kind)

    def at(self, r: Vector) -> Moving:
        """The same of another point of the frame, r away."""
        across = cross(self.w, r)
        a = plus(self.a, cross(self.wd, r))
        if self.kind == "classical":
            a = plus(a, cross(self.w, across))
        return replace(self, v=plus(self.v, across), a=a)

    @property
    def velocity(self) -> tuple[Scalar, ...]:
        return (*self.v, *self.w)

    @property
    def acceleration(self) -> tuple[Scalar, ...]:
        return (*self.a, *self.wd)


@dataclass(frozen=True)
class Links:
    """The links to compute, antecedent before successor. Fixed frames that are asked for are links whose joint rests."""

    tree: Tree
    asked: tuple[int, ...]
    base: Moving  # in frame 0, at its origin
    place: tuple[Motion, ...]  # from the world to frame 0

    def way(self, j: int) -> list[Body]:
        """The bodies from the base to frame j."""
        found: list[Body] = []
        while j:
            found.append(self.tree.body(j))
            j = found[-1].parent
        return found[::-1]


def kind_named(robot: Robot, kind: str) -> Kind:
    for known in KINDS:
        if kind == known:
            return known
    raise RobotError([Problem("kind", f"got {kind!r}, expected 'classical' or 'spatial'")], robot.name)


def links(robot: Robot, asked: Iterable[int], constant_speed: bool = False) -> Links:
    """The links on the paths to the frames asked for, and no others. ``constant_speed``: qdd = 0."""
    open_tree(robot)
    wanted = tuple(asked)
    base = _base(robot, constant_speed)
    ways = _ways(robot, wanted)
    bodies = tuple(_body(robot, j, ways[j]) for j in robot.order if j in ways)
    tree = Tree(bodies, 0, ZERO, base.w, base.wd, base.of_kind("classical").a)  # no gravity
    tree = tree.at_constant_speed() if constant_speed else tree
    return Links(tree, wanted, base, tuple(motions(robot, WORLD, 0)))


def _base(robot: Robot, constant_speed: bool) -> Moving:
    """The motion the description gives, or the free base's: its qdd are the rates of its qd, a spatial acceleration."""
    base = robot.base
    given = Moving(base.velocity, base.angular_velocity, base.acceleration, base.angular_acceleration)
    if not base.floating:
        return given
    if not all(is_zero(x) for x in (*given.velocity, *given.acceleration)):
        problem = "is free and has a given motion too: expected one of the two"
        raise RobotError([Problem("base", problem)], robot.name)
    qd, qdd = free_base(robot, "qd"), (0,) * 6 if constant_speed else free_base(robot, "qdd")
    return Moving(qd[:3], qd[3:], qdd[:3], qdd[3:], "spatial")  # type: ignore[arg-type]


# --- the bodies ------------------------------------------------------------------------------------------------------


def _ways(robot: Robot, asked: tuple[int, ...]) -> dict[int, list[Motion]]:
    """For each frame to compute, the motions from the moving frame that carries it.

    Where nobody asks for a moving frame and it carries one other only, its frame may stand anywhere on its axis: the
    screw about that axis that leads to the other one becomes part of the joint's own.
    """
    needed = {i for j in asked for i in robot.path(j) if robot.frame(i).sigma != FIXED or i == j}
    ways = {j: path(robot, j) for j in robot.order if j in needed or j in asked}
    for j in reversed(ways):
        i = _parent(robot, j)
        alone = sum(_parent(robot, k) == i for k in ways) == 1
        if i == 0 or i in asked or not alone or not ways[j]:
            continue
        first = ways[j][0]
        own = robot.frame(j).sigma != FIXED and len(ways[j]) == 1
        if isinstance(first, Screw) and first.axis == "z" and not own:
            ways[i] = joined([*ways[i], replace(first, link=i)])
            ways[j] = ways[j][1:]
    return ways


def _parent(robot: Robot, j: int) -> int:
    return robot.carrier(robot.frame(j).antecedent)


def _body(robot: Robot, j: int, way: Sequence[Motion]) -> Body:
    turns = joined_turns([Turn(motion.axis, motion.angle) for motion in way if isinstance(motion, Screw)])
    common = {"j": j, "parent": _parent(robot, j), "rotation": turns, "inertia": Inertia(), "coordinate": 0}
    last = way[-1] if way else None
    if robot.frame(j).sigma == FIXED:  # like a slide that rests
        _, position = from_left(way, Unmarked())
        return Body(prismatic=True, arm=position, slide=0, speed=0, acceleration=0, **common)  # type: ignore[arg-type]
    along = isinstance(last, Screw) and last.axis == "z"
    _, arm = from_left(way[:-1] if along else way, Unmarked())
    return Body(
        prismatic=robot.frame(j).sigma == PRISMATIC,
        arm=arm,
        slide=last.shift if isinstance(last, Screw) and along else 0,
        speed=joint_speed(robot, j),
        acceleration=joint_acceleration(robot, j),
        **common,  # type: ignore[arg-type]
    )
