"""Chains of elementary motions and their product, multiplied from the left or from the right.

A frame of the Khalil-Kleinfinger notation is three screw motions: about z (gamma, b), about x (alpha, d), about z
(theta, r); rotation and translation along one axis commute. In a chain, neighbouring screws about the same axis join,
and a screw about x that does not turn (parallel axes) lets the angles on both sides add up: the orientation then needs
the sine and cosine of the sum only.
"""

from __future__ import annotations

from collections.abc import Iterable, Reversible, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Protocol

from .rotations import Rotation, Turn, orientation
from .rotations import joined as joined_turns
from .scalar import Scalar, cos, is_zero, sin
from .vectors import AXES, ZERO, Vector, apply, dot, plus, times

# Over parallel axes the angles add up. Each sine is that of the whole sum, so n of them would hold n^2 angles: a sum of
# this many becomes a step, and deferred rotations are made.
MOST_ADDED = 16


class Steps(Protocol):
    """What names intermediate vectors: a program's scope."""

    def vector(self, stem: str, link: int | tuple[int, ...], values: Sequence[Scalar]) -> tuple[Scalar, ...]: ...


@dataclass(frozen=True)
class Screw:
    """Rotation by ``angle`` about an axis and translation by ``shift`` along it. ``link`` names the steps made here.

    ``last``: it ends at the frame of the link.
    """

    axis: str  # "z" or "x"
    angle: Scalar
    shift: Scalar
    link: int = 0
    last: bool = False

    @property
    def inverse(self) -> Screw:
        return replace(self, angle=-self.angle, shift=-self.shift)

    def joined(self, later: Screw) -> Screw:
        """This screw and a later one about the same axis as one."""
        return Screw(self.axis, self.angle + later.angle, self.shift + later.shift, later.link, later.last)


@dataclass(frozen=True)
class Rigid:
    """Any rigid motion, by its columns: orientation x, y, z and position."""

    columns: tuple[Vector, Vector, Vector]
    position: Vector
    link: int = 0

    @property
    def inverse(self) -> Rigid:
        rows = tuple(tuple(column[i] for column in self.columns) for i in range(3))
        back: Vector = tuple(-dot(column, self.position) for column in self.columns)
        return Rigid((rows[0], rows[1], rows[2]), back, self.link)


Motion = Screw | Rigid


def is_nothing(motion: Motion) -> bool:
    """Whether a motion moves nothing."""
    return isinstance(motion, Screw) and is_zero(motion.angle) and is_zero(motion.shift)


def turn_of(motion: Motion) -> Rotation:
    """The rotation of a motion."""
    if isinstance(motion, Rigid):
        return (orientation(motion.columns),)
    return () if is_zero(motion.angle) else (Turn(motion.axis, motion.angle),)


def shift_of(motion: Motion) -> Vector:
    """The translation of a motion, in the axes before it."""
    if isinstance(motion, Rigid):
        return motion.position
    return times(motion.shift, AXES["xyz".index(motion.axis)])


def rotation_of(motions: Iterable[Motion]) -> Rotation:
    """The rotation of a chain."""
    return joined_turns([turn for motion in motions for turn in turn_of(motion)])


def frame_motions(geometry: Sequence[Scalar], link: int) -> list[Motion]:
    """gamma, b, alpha, d, theta, r of a frame as motions."""
    gamma, b, alpha, d, theta, r = geometry
    return [Screw("z", gamma, b, link), Screw("x", alpha, d, link), Screw("z", theta, r, link, last=True)]


def joined(motions: Iterable[Motion]) -> list[Motion]:
    """The same chain with neighbouring screws about one axis added up and empty ones left out."""
    chain: list[Motion] = []
    for motion in motions:
        last = chain[-1] if chain else None
        if isinstance(motion, Screw) and isinstance(last, Screw) and last.axis == motion.axis:
            motion = last.joined(motion)
            chain.pop()
        if is_nothing(motion):
            continue
        chain.append(motion)
    # Leaving one out may bring two of the same axis together.
    return chain if _alternates(chain) else joined(chain)


def _alternates(chain: Sequence[Motion]) -> bool:
    neighbours = pairwise(chain)
    return not any(isinstance(a, Screw) and isinstance(b, Screw) and a.axis == b.axis for a, b in neighbours)


def turned(a: Vector, b: Vector, angle: Scalar) -> tuple[Vector, Vector]:
    """Two columns after a rotation about the third: (c a + s b, c b - s a)."""
    c, s = cos(angle), sin(angle)
    return plus(times(c, a), times(s, b)), plus(times(c, b), times(-s, a))


@dataclass(frozen=True)
class Product:
    """The product of the first motions of a chain.

    Columns x and y stand as they were before the last turns about z; ``turn`` is the angle still to be made, the sum of
    ``added`` angles since it was last a step.
    """

    columns: tuple[Vector, Vector, Vector] = AXES
    position: Vector = ZERO
    turn: Scalar = 0
    added: int = 0

    @property
    def pose(self) -> tuple[tuple[Vector, Vector, Vector], Vector]:
        """Columns of the orientation, all turns made, and the position."""
        x, y, z = self.columns
        x, y = turned(x, y, self.turn)
        return (x, y, z), self.position

    def then(self, motion: Motion, scope: Steps, add_angles: bool = True) -> Product:
        """With one motion more. s, n, a and P are those of the motion's frame; on the way to it, the origin after the
        shifts b and d is PB and PD, and the axes x and y before and after the turn by alpha are sB, nB and nD."""
        x, y, z = self.columns
        position, link = self.position, motion.link
        if isinstance(motion, Screw) and motion.axis == "z":
            if not is_zero(motion.shift):
                position = _named(scope, "P" if motion.last else "PB", link, plus(position, times(motion.shift, z)))
            turn, added = self.turn + motion.angle, self.added + 1
            if added > MOST_ADDED:
                turn, added = scope.vector("turn", link, (turn,))[0], 1
            return Product(self.columns, position, turn, added)
        if isinstance(motion, Screw) and is_zero(motion.angle) and add_angles:
            along, _ = turned(x, y, self.turn)
            along = _named(scope, "sB", link, along)
            return replace(self, position=_named(scope, "PD", link, plus(position, times(motion.shift, along))))
        x, y = turned(x, y, self.turn)
        x, y = _named(scope, "sB", link, x), _named(scope, "nB", link, y)
        if isinstance(motion, Rigid):
            columns = (x, y, z)
            position = _named(scope, "P", link, plus(position, apply(columns, motion.position)))
            x, y, z = (
                _named(scope, stem, link, apply(columns, c)) for stem, c in zip("sna", motion.columns, strict=True)
            )
        else:
            position = _named(scope, "PD", link, plus(position, times(motion.shift, x)))
            y, z = turned(y, z, motion.angle)
            y, z = _named(scope, "nD", link, y), _named(scope, "a", link, z)
        return Product((x, y, z), position)


def from_left(
    motions: Iterable[Motion], scope: Steps, add_angles: bool = True
) -> tuple[tuple[Vector, Vector, Vector], Vector]:
    """Columns of the orientation and the position, multiplying from the first motion to the last."""
    product = Product()
    for motion in motions:
        product = product.then(motion, scope, add_angles)
    return product.pose


def from_right(
    motions: Reversible[Motion],
    column: Vector,
    is_point: bool,
    scope: Steps,
    stem: str,
    add_angles: bool = True,
    of: int | None = None,
) -> Vector:
    """A direction or a point of the last frame, carried back to the first, motion by motion. It belongs to link ``of``."""
    carried = Carried(column, is_point)
    for motion in reversed(motions):
        carried = carried.through(motion, scope, stem, add_angles, of)
    return carried.vector


@dataclass(frozen=True)
class Carried:
    """A direction or a point on its way back through a chain of motions.

    Over parallel axes the turns add up before they are made: the vector is Rz(turn) column, plus every shift along x
    turned by what was added to ``turn`` since, plus ``rise`` along z.
    """

    column: Vector
    is_point: bool
    turn: Scalar = 0
    rise: Scalar = 0
    shifts: tuple[tuple[Scalar, Scalar], ...] = ()  # (shift along x, the turn when it was met)

    def through(
        self, motion: Motion, scope: Steps, stem: str, add_angles: bool = True, of: int | None = None
    ) -> Carried:
        """In the frame before the motion; a T at the end of the stem says that the turn by alpha is still to be made."""
        link = motion.link if of is None else (of, motion.link)
        if isinstance(motion, Screw) and motion.axis == "z":
            return replace(self, turn=self.turn + motion.angle, rise=self.rise + motion.shift)
        if isinstance(motion, Screw) and is_zero(motion.angle) and add_angles and len(self.shifts) < MOST_ADDED:
            return replace(self, shifts=(*self.shifts, (motion.shift, self.turn)))
        column = _named(scope, f"{stem}T", link, self.vector)
        if isinstance(motion, Rigid):
            column = apply(motion.columns, column)
            column = plus(column, motion.position) if self.is_point else column
        else:
            a, b, c = column
            co, si = cos(motion.angle), sin(motion.angle)
            column = (a + motion.shift if self.is_point else a, co * b - si * c, si * b + co * c)
        return Carried(_named(scope, stem, link, column), self.is_point)

    @property
    def vector(self) -> Vector:
        """With the deferred turns and shifts."""
        column = _about_z(self.column, self.turn)
        if self.is_point:
            for shift, before in self.shifts:
                column = plus(column, _about_z((shift, 0, 0), self.turn - before))
            column = plus(column, (0, 0, self.rise))
        return column


def _about_z(a: Vector, angle: Scalar) -> Vector:
    c, s = cos(angle), sin(angle)
    return (c * a[0] - s * a[1], s * a[0] + c * a[1], a[2])


def _named(scope: Steps, stem: str, link: int | tuple[int, ...], values: Vector) -> Vector:
    return scope.vector(stem, link, values)
