"""The ten inertial parameters of a body, carried from frame j to its antecedent, in the papers' form (J, MS, M).

One elementary motion after the other, so that the expressions come out as they are printed: YY4 + 2 RL4 MZ4 + RL4^2 M4.
A model moves bodies with ``spatial.inertia.moved_back``, which takes fewer operations but gives expressions that are harder to read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...expr import Expr, cos, expr, number, sin
from ...robot import INERTIA
from ...spatial.rotations import Rotation

ZERO = number(0)

Ten = dict[str, Expr]  # by the names of INERTIA


def body(**given: Expr) -> Ten:
    """The body with these parameters; the others are zero."""
    return {name: given.get(name, ZERO) for name in INERTIA}


def added(a: Mapping[str, Expr], b: Mapping[str, Expr]) -> Ten:
    return {name: a[name] + b[name] for name in INERTIA}


def moved_back(ten: Ten, geometry: Sequence[Expr]) -> Ten:
    """The same body about the antecedent's origin and axes: Rz(gamma) Tz(b) Rx(alpha) Tx(d) Rz(theta) Tz(r).

    A turn and a shift about one axis may change places: turning first leaves d^2 M alone.
    """
    gamma, b, alpha, d, theta, r = geometry
    ten = _along(_about(ten, "z", theta), "z", r)
    ten = _along(_about(ten, "x", alpha), "x", d)
    return _along(_about(ten, "z", gamma), "z", b)


def turned_back(ten: Ten, rotation: Rotation) -> Ten:
    """The same body in the axes before these turns, about the same origin."""
    for turn in reversed(rotation):
        ten = _about(ten, turn.axis, expr(turn.angle))
    return ten


# For each axis: the first moment along it; what grows by a shift, with the product and the moment across; the block of J
# in the plane of a turn; and the pairs that turn like vectors of that plane.
_SHIFTED = {
    "z": ("MZ", (("XX", "XZ", "MX"), ("YY", "YZ", "MY"))),
    "x": ("MX", (("YY", "XY", "MY"), ("ZZ", "XZ", "MZ"))),
}
_TURNED = {
    "z": (("XX", "XY", "YY"), (("XZ", "YZ"), ("MX", "MY"))),
    "x": (("YY", "YZ", "ZZ"), (("XY", "XZ"), ("MY", "MZ"))),
}


def _along(ten: Ten, axis: str, shift: Expr) -> Ten:
    """About an origin further back along an axis."""
    if shift.is_zero:
        return ten
    moment, sides = _SHIFTED[axis]
    grown = 2 * shift * ten[moment] + shift * shift * ten["M"]
    new = {**ten, moment: ten[moment] + shift * ten["M"]}
    for square, product, across in sides:
        new[square], new[product] = ten[square] + grown, ten[product] - shift * ten[across]
    return new


def _about(ten: Ten, axis: str, angle: Expr) -> Ten:
    """R J R^T and R MS."""
    if angle.is_zero:
        return ten
    plane, pairs = _TURNED[axis]
    c, s = cos(angle), sin(angle)
    new = dict(ten)
    for x, y in pairs:
        new[x], new[y] = c * ten[x] - s * ten[y], s * ten[x] + c * ten[y]
    xx, xy, yy = (ten[name] for name in plane)
    if not (xy.is_zero and xx is yy):  # a multiple of the unit matrix stays as it is
        new[plane[0]] = c * c * xx - 2 * c * s * xy + s * s * yy
        new[plane[1]] = c * s * xx - c * s * yy + (c * c - s * s) * xy
        new[plane[2]] = s * s * xx + 2 * c * s * xy + c * c * yy
    return new
