"""The ten inertial parameters of a body, carried from frame j to its antecedent, in the papers' form (J, MS, M).

One elementary motion after the other, so that the expressions come out as they are printed: YY4 + 2 RL4 MZ4 + RL4^2 M4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...expr import Expr, cos, number, sin
from ...robot import INERTIA

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
    ten = _along_z(_about_z(ten, theta), r)
    ten = _along_x(_about_x(ten, alpha), d)
    return _along_z(_about_z(ten, gamma), b)


def _along_z(ten: Ten, r: Expr) -> Ten:
    if r.is_zero:
        return ten
    grown = 2 * r * ten["MZ"] + r * r * ten["M"]
    return {
        **ten,
        "XX": ten["XX"] + grown,
        "YY": ten["YY"] + grown,
        "XZ": ten["XZ"] - r * ten["MX"],
        "YZ": ten["YZ"] - r * ten["MY"],
        "MZ": ten["MZ"] + r * ten["M"],
    }


def _along_x(ten: Ten, d: Expr) -> Ten:
    if d.is_zero:
        return ten
    grown = 2 * d * ten["MX"] + d * d * ten["M"]
    return {
        **ten,
        "YY": ten["YY"] + grown,
        "ZZ": ten["ZZ"] + grown,
        "XY": ten["XY"] - d * ten["MY"],
        "XZ": ten["XZ"] - d * ten["MZ"],
        "MX": ten["MX"] + d * ten["M"],
    }


def _about_z(ten: Ten, angle: Expr) -> Ten:
    return _turned(ten, angle, ("XX", "XY", "YY"), ("XZ", "YZ"), ("MX", "MY"))


def _about_x(ten: Ten, angle: Expr) -> Ten:
    return _turned(ten, angle, ("YY", "YZ", "ZZ"), ("XY", "XZ"), ("MY", "MZ"))


def _turned(ten: Ten, angle: Expr, plane: tuple[str, str, str], *pairs: tuple[str, str]) -> Ten:
    """R J R^T and R MS: the block of J in the plane of the turn, and the pairs that turn like vectors of it."""
    if angle.is_zero:
        return ten
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
