"""What the recursions over the links need: the frames on the way to those requested, the base, and how to write a motion."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ...program import Unmarked
from ...robot import FIXED, Robot, RobotError
from ...robot.problems import Problem
from ...spatial.screws import Motion, Screw, from_left, joined, rotation_of
from ..common import open_tree
from ..tree.bodies import Body, Tree, kind_of, path, root
from ..tree.coordinates import Coordinates, coordinates
from ..tree.joints import RIGID
from ..tree.moving import KINDS, Kind, Moving
from ..tree.paths import WORLD, motions


@dataclass(frozen=True)
class Links:
    """The links to compute, antecedent before successor. Fixed frames that are requested are links whose joint rests."""

    tree: Tree
    asked: tuple[int, ...]
    place: tuple[Motion, ...]  # from the world to frame 0

    @property
    def base(self) -> Moving:
        """How frame 0 moves, in its axes, at its origin."""
        return self.tree.root.moving

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
    """The links on the paths to the requested frames, and no others. ``constant_speed``: qdd = 0."""
    open_tree(robot)
    wanted = tuple(asked)
    own = coordinates(robot)
    ways = _ways(robot, wanted)
    bodies = tuple(_body(robot, own, j, ways[j]) for j in robot.order if j in ways)
    tree = Tree(bodies, own, root=root(robot, own))  # no gravity
    tree = tree.at_constant_speed() if constant_speed else tree
    return Links(tree, wanted, tuple(motions(robot, WORLD, 0)))


# --- the bodies ------------------------------------------------------------------------------------------------------


def _ways(robot: Robot, asked: tuple[int, ...]) -> dict[int, list[Motion]]:
    """For each frame to compute, the motions from the moving frame that carries it.

    Where a moving frame is not requested and carries one other only, its frame may stand anywhere on its axis: the
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


def _body(robot: Robot, own: Coordinates, j: int, way: Sequence[Motion]) -> Body:
    turns = rotation_of(way)
    kind, parent = kind_of(robot, j), _parent(robot, j)
    if kind == RIGID:
        _, position = from_left(way, Unmarked())
        return Body(j, parent, kind, turns, position, slide=0, speed=0, acceleration=0)
    last = way[-1] if way else None
    along = isinstance(last, Screw) and last.axis == "z"
    _, arm = from_left(way[:-1] if along else way, Unmarked())
    slide = last.shift if isinstance(last, Screw) and along else 0
    return Body(j, parent, kind, turns, arm, slide, own.speed(j), own.acceleration(j))
