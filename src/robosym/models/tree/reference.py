"""A reference motion beside the real one: speeds v and accelerations a of the coordinates, as passivity-based control has them.

With h(qd, qd) the Coriolis and centrifugal torques, a quadratic form of the speeds, and C the matrix of Christoffel symbols,
C(q, qd) v is the symmetric bilinear form h(qd, v): c_ijk = c_ikj. So every recursion for A qdd + h(qd, qd) + Q is one for
A a + C(q, qd) v + Q too, where each product x y of two speeds is (x yr + xr y) / 2, with xr and yr the same speeds of the
reference. ``Pair`` is a scalar with this product: the recursions run on it as they are, and their cost stays linear in the joints.

In the motion of one body this is what Niemeyer and Slotine (1991) and De Luca and Ferrajoli (2009) derive: the wrench
I a_r + B(I, V) V_r with B(I, V) = 1/2 [(V x*) I + (I V) xbar* - I (V x)]. The axes of a free base turn with it, and their speeds are
no rates of coordinates: there the rate of the reference velocity, with v constant, is w x v_r and w x w_r, and of the latter
the product above leaves out a half. Where G changes, the axes have the reference accelerations G a + dG/dt v.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeVar, cast

from ...expr import variable
from ...program import Array, Rate, Scope
from ...robot import Robot
from ...spatial.scalar import Scalar, is_zero
from ...spatial.vectors import Vector, cross, plus, times
from .bodies import Body, Root, Tree, halves
from .coordinates import BASE_AXES, Axis, Coordinates, coordinates
from .joints import FREE
from .moving import Moving
from .state import Wrenches, state_inputs

T = TypeVar("T")
HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Pair:
    """A speed, and the same of the reference motion. The product of two is that of the bilinear form."""

    real: Scalar
    reference: Scalar

    __array_ufunc__ = None  # numbers of NumPy on the left leave the product to this class

    def __add__(self, other: Scalar) -> Pair:
        if isinstance(other, Pair):
            return Pair(self.real + other.real, self.reference + other.reference)
        return self if is_zero(other) else NotImplemented  # nothing but speeds may be added to a speed

    __radd__ = __add__

    def __neg__(self) -> Pair:
        return Pair(-self.real, -self.reference)

    def __sub__(self, other: Scalar) -> Pair:
        return self.__add__(-other)

    def __rsub__(self, other: Scalar) -> Pair:
        return (-self).__add__(other)

    def __mul__(self, other: Scalar) -> Scalar:
        """(x yr + xr y) / 2 of two speeds, or a multiple of one."""
        if isinstance(other, Pair):
            return HALF * (self.real * other.reference + self.reference * other.real)
        return 0 if is_zero(other) else Pair(other * self.real, other * self.reference)

    __rmul__ = __mul__

    def __pow__(self, exponent: int) -> Scalar:
        return self * self if exponent == 2 else NotImplemented


class PairScope(Scope):
    """Names for pairs too: WI13 is of the real motion, WIR13 the same of the reference."""

    def step(self, name: str, value: T) -> T:
        if not isinstance(value, Pair):
            return super().step(name, value)
        reference = super().step(_STEM.sub(r"\g<0>R", name), value.reference)
        return cast(T, Pair(super().step(name, value.real), reference))


_STEM = re.compile("^[A-Za-z]+")


# --- the coordinates -----------------------------------------------------------------------------------------------------


def reference_coordinates(own: Coordinates) -> Coordinates:
    """The same with v and a in the place of qd and qdd, and dG/dt v in that of the drift."""
    v, a = (tuple(variable(_name(stem, axis)) for axis in own.owners) for stem in ("v", "a"))
    drifts: list[tuple[Axis, Scalar]] = []
    for axis, row in own.row_rates:
        drift: Scalar = 0
        for place, rate in row:
            drift = drift + rate * v[place]
        drifts.append((axis, drift))
    return replace(own, qd=v, qdd=a, drifts=tuple(drifts))


def _name(stem: str, axis: Axis) -> str:
    return f"{stem}_base{axis[1] + 1}" if isinstance(axis, tuple) else f"{stem}{axis}"


def reference_inputs(robot: Robot, wrenches: Wrenches = "none") -> tuple[Array, ...]:
    """The input arrays q, qd, v, a, and the wrenches."""
    own = reference_coordinates(coordinates(robot))
    a = Array("a", (own.nv,), own.qdd)
    return state_inputs(robot, ("q", "qd"), wrenches, (Array("v", (own.nv,), own.qd, Rate(a, a.entries)), a))


# --- the tree ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Referred:
    """A tree with a reference motion: its joints as the reference has them, for what acts in each of them alone, and with pairs
    for speeds, for the recursions."""

    reference: Tree
    paired: Tree


def referred(tree: Tree) -> Referred:
    """The tree with the reference motion v and a. A base that is moved from outside has its one motion in both."""
    own = reference_coordinates(tree.coordinates)
    reference = replace(tree, bodies=tuple(_in_reference(body, own) for body in tree.bodies), coordinates=own)
    joints = zip(tree.bodies, reference.bodies, strict=True)
    bodies = tuple(replace(body, speed=_pair(real.speed, body.speed)) for real, body in joints)
    return Referred(reference, replace(reference, bodies=bodies, root=_paired_root(tree.root, own)))


def _in_reference(body: Body, own: Coordinates) -> Body:
    speed, acceleration = own.speed(body.j), own.acceleration(body.j)
    return replace(body, speed=speed, acceleration=acceleration, spring=replace(body.spring, rate=speed))


def _paired_root(root: Root, own: Coordinates) -> Root:
    """Frame 0 with pairs for its angular velocity; of a free one with its acceleration in the reference motion."""
    real = root.moving
    if root.kind != FREE:
        return replace(root, moving=replace(real, w=_pairs(real.w, real.w)))
    v, w = halves([own.speed(axis) for axis in BASE_AXES])
    a, wd = halves([own.acceleration(axis) for axis in BASE_AXES])
    a, wd = plus(a, cross(real.w, v)), plus(wd, times(HALF, cross(real.w, w)))
    return replace(root, moving=Moving(real.v, _pairs(real.w, w), a, wd, "classical"))


def _pairs(real: Vector, reference: Vector) -> Vector:
    x, y, z = map(_pair, real, reference)
    return (x, y, z)


def _pair(real: Scalar, reference: Scalar) -> Scalar:
    return 0 if is_zero(real) and is_zero(reference) else Pair(real, reference)
