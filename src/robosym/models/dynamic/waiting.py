"""Vectors that wait to be turned about z.

Over parallel axes the turns add up: a vector that has to go through the angles q3 and q2 is turned once by q2 + q3, or,
where only its product with another one is asked for, by the angle between the two.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...spatial.rotations import Rotation, Turn, back, into
from ...spatial.scalar import Scalar, cos, is_zero, sin
from ...spatial.vectors import ZERO, Vector, plus, times

Part = tuple[Scalar, Vector]


@dataclass(frozen=True)
class Waiting:
    """The sum of Rz(angle) vector over the parts."""

    parts: tuple[Part, ...] = ()

    def turned(self, angle: Scalar) -> Waiting:
        return Waiting(tuple((angle + own, vector) for own, vector in self.parts))

    def each(self, change: Callable[[Vector], Vector]) -> Waiting:
        """Every part changed by a map that does not mind turns about z."""
        return Waiting(tuple((angle, change(vector)) for angle, vector in self.parts))

    def __add__(self, other: Waiting) -> Waiting:
        """Parts with the same angle become one; empty ones fall away."""
        sums: dict[Scalar, Vector] = {}
        for angle, vector in (*self.parts, *other.parts):
            sums[angle] = plus(sums[angle], vector) if angle in sums else vector
        return Waiting(tuple((angle, v) for angle, v in sums.items() if not all(is_zero(x) for x in v)))

    @property
    def z(self) -> Scalar:
        """The component no turn changes."""
        total: Scalar = 0
        for _, vector in self.parts:
            total = total + vector[2]
        return total

    @property
    def vector(self) -> Vector:
        """The vector, turned."""
        total = ZERO
        for angle, vector in self.parts:
            total = plus(total, back((Turn("z", angle),), vector) if not is_zero(angle) else vector)
        return total

    def through(self, lead: Rotation) -> Waiting:
        """In the antecedent frame, after its turns before the last about z."""
        return at_once(back(lead, self.vector)) if lead else self

    def into(self, lead: Rotation) -> Waiting:
        """In the successor frame, before its last turn about z."""
        return at_once(into(lead, self.vector)) if lead else self


def at_once(vector: Vector) -> Waiting:
    return Waiting(((0, vector),))


def dot(a: Waiting, b: Waiting) -> Scalar:
    """The scalar product: each pair of parts is turned by the difference of their angles only."""
    total = a.z * b.z
    for angle, u in a.parts:
        for other, v in b.parts:
            total = total + _plane_dot(other - angle, u, v)
    return total


def plane_dot(a: Waiting, b: Waiting) -> Scalar:
    """The scalar product without the z components."""
    total: Scalar = 0
    for angle, u in a.parts:
        for other, v in b.parts:
            total = total + _plane_dot(other - angle, u, v)
    return total


def _plane_dot(angle: Scalar, u: Vector, v: Vector) -> Scalar:
    """u . Rz(angle) v in the plane; the shorter of the two vectors is the one to turn."""
    c, s = cos(angle), sin(angle)
    if is_zero(v[0]) or is_zero(v[1]):
        return (c * v[0] - s * v[1]) * u[0] + (s * v[0] + c * v[1]) * u[1]
    return (c * u[0] + s * u[1]) * v[0] + (c * u[1] - s * u[0]) * v[1]


def cross_of(position: Vector, a: Waiting) -> Waiting:
    """position x a. What the position has along z turns with a, the rest does not."""
    x, y, z = position
    along = a.each(lambda v: (-(z * v[1]), z * v[0], 0))
    if is_zero(x) and is_zero(y):
        return along
    flat = a.vector
    return along + at_once((y * a.z, -(x * a.z), x * flat[1] - y * flat[0]))


def negative(a: Waiting) -> Waiting:
    return a.each(lambda v: times(-1, v))
