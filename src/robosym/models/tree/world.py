"""Vectors of the links in the axes of the world, or of any frame the base is placed in."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...program import Scope
from ...spatial.rotations import Orientation, Rotation, Turn
from ...spatial.scalar import Scalar, is_zero
from ...spatial.screws import turned
from ...spatial.vectors import AXES, ZERO, Columns, Vector, apply, cross, plus
from .bodies import Body, Tree
from .chains import Chains
from .deferred import Deferred, at_once


@dataclass(frozen=True)
class WorldRoute:
    """How vectors of the links come to the world: every choice gives the same ones, at another cost."""

    add_angles: bool = True  # over parallel axes, turn once by the sum of the angles
    depth: int | None = None  # vectors from farther out are carried back to this many joints from the base first


@dataclass(frozen=True)
class Place:
    """The orientation of a frame in the world: these columns, then a turn about z still to be made."""

    columns: Columns
    turn: Scalar = 0


@dataclass
class World:
    """The axes of the world for the vectors of the links. ``base`` holds the columns of frame 0."""

    tree: Tree
    base: Columns
    scope: Scope
    route: WorldRoute
    chains: Chains = field(init=False)
    depth: dict[int, int] = field(init=False)
    _places: dict[int, Place] = field(default_factory=dict)
    _finished: dict[int, Columns] = field(default_factory=dict)
    _origins: dict[int, Vector] = field(default_factory=dict)
    _axes: dict[int, tuple[Vector, Vector]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.chains = Chains(self.tree, self.scope)
        self.depth = self.tree.depths

    def vector(self, j: int, a: Deferred, stem: str, of: int) -> Vector:
        """A vector of body j (or of the base, 0); what it is carried back through is named after body ``of``."""
        while self._is_far(j):
            body = self.chains.bodies[j]
            a, j = self.chains.back(body, a, stem, of), body.parent
        if self._needs_columns(j):
            return apply(self.columns(j), a.vector)
        place = self.place(j)
        return apply(place.columns, a.turned(place.turn).vector)

    def axis(self, j: int) -> tuple[Vector, Vector]:
        """The twist of joint j at unit speed: angular velocity, and the velocity of the point at the base's origin."""
        if j not in self._axes:
            z = self.scope.vector("Z", j, self.vector(j, at_once(AXES[2]), "Z", j))
            if self.chains.bodies[j].prismatic:
                self._axes[j] = ZERO, z
            else:
                self._axes[j] = z, self.scope.vector("U", j, cross(self.origin(j), z))
        return self._axes[j]

    def origin(self, j: int) -> Vector:
        """From the origin of frame 0 to that of body j."""
        if j == 0:
            return ZERO
        if j not in self._origins:
            body = self.chains.bodies[j]
            step = ZERO
            if not all(is_zero(x) for x in body.position):
                step = self.vector(body.parent, at_once(body.position), "O", j)
            self._origins[j] = self.scope.vector("O", j, plus(self.origin(body.parent), step))
        return self._origins[j]

    def _is_far(self, j: int) -> bool:
        return self.route.depth is not None and self.depth[j] > self.route.depth

    def _needs_columns(self, j: int) -> bool:
        """Whether the columns of a frame are turned anyway, for a successor: then they take vectors as they are."""
        return any(self._turns_again(child) for child in self.tree.children(j) if not self._is_far(child.j))

    def _turns_again(self, body: Body) -> bool:
        return bool(body.rotation_before) or not self.route.add_angles

    def place(self, j: int) -> Place:
        if j == 0:
            return Place(self.base)
        if j not in self._places:
            body = self.chains.bodies[j]
            if self._turns_again(body):
                self._places[j] = Place(self._turned(body.rotation_before, self.columns(body.parent), j, 1), body.turn)
            else:
                before = self.place(body.parent)
                self._places[j] = Place(before.columns, before.turn + body.turn)
        return self._places[j]

    def columns(self, j: int) -> Columns:
        """The orientation of a frame, all turns made."""
        if j not in self._finished:
            place = self.place(j)
            last: Rotation = () if is_zero(place.turn) else (Turn("z", place.turn),)
            self._finished[j] = self._turned(last, place.columns, j, 0)
        return self._finished[j]

    def _turned(self, rotation: Rotation, columns: Columns, j: int, more: int) -> Columns:
        """Columns after some turns, with ``more`` about z to come: each one to come is a T in the names."""
        x, y, z = columns
        for left, turn in zip(reversed(range(len(rotation))), rotation, strict=True):
            if isinstance(turn, Orientation):
                a, b, c = turn.columns
                x, y, z = apply((x, y, z), a), apply((x, y, z), b), apply((x, y, z), c)
            elif turn.axis == "z":
                x, y = turned(x, y, turn.angle)
            else:
                y, z = turned(y, z, turn.angle)
            x, y = (self.scope.vector(stem + "T" * (left + more), j, a) for stem, a in (("s", x), ("n", y)))
            z = self.scope.vector("a" + "T" * left, j, z)
        return (x, y, z)
