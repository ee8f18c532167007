"""Vectors with a deferred rotation about z.

Over parallel axes the rotations add up: a vector that has to go through the angles q3 and q2 is turned once by q2 + q3, or,
where only its product with another one is needed, by the angle between the two.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...spatial.rotations import Rotation, Turn, back, into
from ...spatial.scalar import Scalar, cos, is_zero, sin
from ...spatial.vectors import ZERO, Vector, plus

Part = tuple[Scalar, Vector]


@dataclass(frozen=True)
class Deferred:
    """The sum of Rz(angle) vector over the parts."""

    parts: tuple[Part, ...] = ()

    def turned(self, angle: Scalar) -> Deferred:
        return Deferred(tuple((angle + own, vector) for own, vector in self.parts))

    def each(self, change: Callable[[Vector], Vector]) -> Deferred:
        """Every part changed by a linear map that commutes with turns about z."""
        return Deferred(tuple((angle, change(vector)) for angle, vector in self.parts))

    def __add__(self, other: Deferred) -> Deferred:
        """Parts with the same angle become one; empty ones fall away."""
        sums: dict[Scalar, Vector] = {}
        for angle, vector in (*self.parts, *other.parts):
            sums[angle] = plus(sums[angle], vector) if angle in sums else vector
        return Deferred(tuple((angle, v) for angle, v in sums.items() if not all(is_zero(x) for x in v)))

    def __neg__(self) -> Deferred:
        return self.each(lambda v: (-v[0], -v[1], -v[2]))

    @property
    def z(self) -> Scalar:
        """The component no turn changes."""
        total: Scalar = 0
        for _, vector in self.parts:
            total = total + vector[2]
        return total

    @property
    def flat(self) -> Deferred:
        """Without the z component."""
        return self.each(lambda v: (v[0], v[1], 0))

    @property
    def quarter(self) -> Deferred:
        """z x the vector."""
        return self.each(lambda v: (-v[1], v[0], 0))

    @property
    def vector(self) -> Vector:
        """The vector, turned."""
        total = ZERO
        for angle, vector in self.parts:
            total = plus(total, vector if is_zero(angle) else back((Turn("z", angle),), vector))
        return total

    def through(self, lead: Rotation) -> Deferred:
        """In the antecedent frame, after the turns that come before the joint's own."""
        return at_once(back(lead, self.vector)) if lead else self

    def into(self, lead: Rotation) -> Deferred:
        """In the successor frame, before the joint's own turn."""
        return at_once(into(lead, self.vector)) if lead else self


def at_once(vector: Vector) -> Deferred:
    return Deferred(((0, vector),))


def dot(a: Deferred, b: Deferred) -> Scalar:
    """The scalar product."""
    return a.z * b.z + plane_dot(a, b)


def plane_dot(a: Deferred, b: Deferred) -> Scalar:
    """The scalar product without the z components: two parts are turned by the difference of their angles."""
    total: Scalar = 0
    for angle, u in a.parts:
        for other, v in b.parts:
            total = total + _flat_dot(other - angle, u, v)
    return total


def _flat_dot(angle: Scalar, u: Vector, v: Vector) -> Scalar:
    """u . Rz(angle) v in the plane. The vector that lies along an axis is turned: that costs less, and may be shared."""
    c, s = cos(angle), sin(angle)
    if is_zero(v[0]) or is_zero(v[1]):
        return (c * v[0] - s * v[1]) * u[0] + (s * v[0] + c * v[1]) * u[1]
    return (c * u[0] + s * u[1]) * v[0] + (c * u[1] - s * u[0]) * v[1]


def cross(a: Deferred, b: Deferred) -> Deferred:
    """The vector product. What one of the two has along z turns with the other."""
    x, z = a.z, b.z
    along = b.each(lambda v: (-(x * v[1]), x * v[0], 0)) + a.each(lambda v: (z * v[1], -(z * v[0]), 0))
    return along + at_once((0, 0, plane_dot(a.quarter, b)))
