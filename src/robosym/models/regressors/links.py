"""What one inertial parameter of a link is multiplied by, for a link that moves in a given way.

Torques, momenta, energies and powers are linear in the ten parameters of every link (SYMORO+ 1997, section 6). Each function
here gives, for a link and the names of some of its parameters, what a unit of each makes: a wrench that moves the link, its
momentum, its energy or its power. With U of equation (9), J wd + w x (J w) is written in elements of U and products of w.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from ...spatial.scalar import Scalar
from ...spatial.vectors import AXES, ZERO, Vector, cross, dot
from ...spatial.wrenches import Wrench
from ..tree.motion import Motion
from ..tree.velocities import Speed

HALF = Fraction(1, 2)


def wrenches(m: Motion) -> Mapping[str, Wrench]:
    """Force and moment about the origin that move a link with one parameter 1 (equations 15 and 16)."""
    (u11, u21, u31), (u12, u22, u32), (u13, u23, u33) = m.U
    wd1, wd2, wd3 = m.wd
    w1, w2, w3 = m.w
    return {
        "XX": (ZERO, (wd1, w1 * w3, -(w1 * w2))),
        "XY": (ZERO, (-u31, u32, u11 - u22)),
        "XZ": (ZERO, (u21, u33 - u11, -u23)),
        "YY": (ZERO, (-(w2 * w3), wd2, w1 * w2)),
        "YZ": (ZERO, (u22 - u33, -u12, u13)),
        "ZZ": (ZERO, (w2 * w3, -(w1 * w3), wd3)),
        **{name: (U, cross(axis, m.vd)) for name, U, axis in zip(("MX", "MY", "MZ"), m.U, AXES, strict=True)},
        "M": (m.vd, ZERO),
    }


def momenta(v: Speed) -> Mapping[str, Wrench]:
    """Linear momentum and angular momentum about the origin of a link with one parameter 1."""
    w1, w2, w3 = v.angular
    return {
        "XX": (ZERO, (w1, 0, 0)),
        "XY": (ZERO, (w2, w1, 0)),
        "XZ": (ZERO, (w3, 0, w1)),
        "YY": (ZERO, (0, w2, 0)),
        "YZ": (ZERO, (0, w3, w2)),
        "ZZ": (ZERO, (0, 0, w3)),
        **{
            name: (cross(v.angular, axis), cross(axis, v.linear))
            for name, axis in zip(("MX", "MY", "MZ"), AXES, strict=True)
        },
        "M": (v.linear, ZERO),
    }


def weights(g: Vector) -> Mapping[str, Wrench]:
    """The wrench that holds a link with one parameter 1 against gravity, g in its axes."""
    up: Vector = (-g[0], -g[1], -g[2])
    return {
        **{name: (ZERO, cross(axis, up)) for name, axis in zip(("MX", "MY", "MZ"), AXES, strict=True)},
        "M": (up, ZERO),
    }


def energies(v: Speed, g: Vector, height: Scalar) -> Mapping[str, Scalar]:
    """Kinetic and potential energy of a link with one parameter 1 (equation 52); ``height`` is -g . P of its origin."""
    w, V = v.angular, v.linear
    w1, w2, w3 = w
    inner = cross(w, V)
    return {
        "XX": HALF * (w1 * w1),
        "XY": w1 * w2,
        "XZ": w1 * w3,
        "YY": HALF * (w2 * w2),
        "YZ": w2 * w3,
        "ZZ": HALF * (w3 * w3),
        **{name: -inner[k] - g[k] for k, name in enumerate(("MX", "MY", "MZ"))},
        "M": HALF * dot(V, V) + height,
    }


def powers(m: Motion, v: Speed) -> Mapping[str, Scalar]:
    """The rates of these energies: w . J wd, and the power of the other wrenches on the velocity of the link."""
    w, V = v.angular, v.linear
    (w1, w2, w3), (a1, a2, a3) = w, m.wd
    first = {}
    for name, axis, U in zip(("MX", "MY", "MZ"), AXES, m.U, strict=True):
        first[name] = dot(V, U) + dot(w, cross(axis, m.vd))
    return {
        "XX": w1 * a1,
        "XY": w1 * a2 + w2 * a1,
        "XZ": w1 * a3 + w3 * a1,
        "YY": w2 * a2,
        "YZ": w2 * a3 + w3 * a2,
        "ZZ": w3 * a3,
        **first,
        "M": dot(V, m.vd),
    }
