"""How the wrench on all that a joint carries changes: with the joint, and with the link that carries it (derived here).

The sums are those of ``beyond.py``.

**Columns**: what q_j and qd_j do to the wrench, and so to the torques of j and of the joints that carry it. A turn about z by dq turns
all sums, dSigma = [z^, Sigma], dMS = z x MS, dGamma = [z^, Gamma] and so on; a speed dqd adds z x r to rho and 2 z x rho to sigma.

**Rows**: what the motion of the carrier does to the torque of j. Let w change by dw, the acceleration of the foot by dvd, and wd by
e - w x dw. Then the mass at r accelerates by dvd + e x r + 2 dw x (w x r + rho) more, so that the torque changes by b.dw + m.e + f.dvd:

    m = J z    f = z x MS    b = 2 Sigma (w x z) + tr(Gamma) z - Gamma^T z

e and dw are the same at any link further on, and moving the row to a point r before it is m + r x f, b + 2 (w x r) x f. A turn of joint k
by dq is the change dw = w x z, e = U z, dvd = vd x z of the links beyond, a speed dqd is dw = z, e = 2 w x z.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...spatial.rotations import Rotation, back
from ...spatial.scalar import Scalar, is_zero
from ...spatial.symmetric import axial
from ...spatial.vectors import Vector, apply, cross, plus, times
from ...spatial.wrenches import Wrench
from ..tree.bodies import Body
from .beyond import Beyond
from .carriers import Moving


def wrench_on(a: Moving, x: Beyond) -> Wrench:
    """The wrench that moves a system with its carrier."""
    own = x.inertia
    force = plus(plus(times(own.mass, a.vd), apply(a.U, own.moment)), plus(cross(a.w, x.momentum), x.force))
    rates = plus(times(x.trace, a.w), times(-1, apply(x.gamma, a.w)))
    moment = plus(plus(axial(a.U, own.sigma), cross(own.moment, a.vd)), plus(rates, x.moment))
    return force, moment


def along(body: Body, wrench: Wrench) -> Scalar:
    """The component that a joint takes."""
    return wrench[0][2] if body.prismatic else wrench[1][2]


# --- columns: what q and qd of a joint do to the wrench on all it carries ------------------------------------------------


def position_column(body: Body, a: Moving, x: Beyond) -> Wrench:
    """d (force, moment) / dq."""
    mx, my, mz = x.inertia.moment
    mass, (p1, p2, p3), w = x.inertia.mass, x.momentum, a.w
    if body.prismatic:  # dSigma = z MS^T + MS z^T, dMS = M z, dGamma = P z^T
        turned = axial(a.U, (0, 0, mx, 0, my, 2 * mz))
        rest = plus(times(p3, w), times(-w[2], x.momentum))
        across = cross((0, 0, mass), a.vd)
        return times(mass, a.U[2]), plus(plus(turned, across), plus(rest, (-x.force[1], x.force[0], 0)))
    quarter: Vector = (-my, mx, 0)
    force = plus(apply(a.U, quarter), cross(w, (-p2, p1, 0)))
    force = plus(force, (-x.force[1], x.force[0], 0))
    moment = plus(plus(_turned_inertia(a, x), cross(quarter, a.vd)), _turned_rates(w, x))
    return force, plus(moment, (-x.moment[1], x.moment[0], 0))


def _turned_inertia(a: Moving, x: Beyond) -> Vector:
    """ax(U [z^, Sigma]); u12 + u21 is 2 w1 w2."""
    sxx, sxy, sxz, syy, syz, _ = x.inertia.sigma
    (u11, u21, u31), (u12, u22, u32), (u13, u23, u33) = a.U
    apart, twice = sxx - syy, 2 * sxy
    return (
        apart * u31 + twice * u32 + syz * u21 + sxz * (u33 - u22),
        twice * u31 - apart * u32 + sxz * u12 + syz * (u33 - u11),
        apart * (u22 - u11) - twice * (a.twice[0] * a.w[1]) - sxz * u13 - syz * u23,
    )


def _turned_rates(w: Vector, x: Beyond) -> Vector:
    """-[z^, Gamma] w."""
    (g11, g21, g31), (g12, g22, g32), (g13, g23, _) = x.gamma
    both, apart = g12 + g21, g22 - g11
    w1, w2, w3 = w
    return (both * w1 + apart * w2 + g23 * w3, apart * w1 - both * w2 - g13 * w3, g32 * w1 - g31 * w2)


def speed_column(body: Body, a: Moving, x: Beyond) -> Wrench:
    """d (force, moment) / dqd."""
    mx, my, mz = x.inertia.moment
    (w1, w2, w3), mass = a.twice, x.inertia.mass
    if body.prismatic:
        return (mass * w2, -(mass * w1), 0), (mz * w1, mz * w2, -(mx * w1 + my * w2))
    sxx, sxy, sxz, syy, syz, _ = x.inertia.sigma
    p1, p2, _ = x.momentum
    g13, g23, _ = x.gamma[2]
    force = (-(w3 * mx + p2), p1 - w3 * my, w1 * mx + w2 * my)
    moment = (
        sxy * w1 + syy * w2 + syz * w3 - g13,
        -(sxx * w1 + sxy * w2 + sxz * w3) - g23,
        x.axial_trace,
    )
    return force, moment


# --- rows: what the motion of the carrier does to the torque of a joint --------------------------------------------------


@dataclass(frozen=True)
class Row:
    """The torque changes by b.dw + m.e + f.dvd."""

    b: Vector
    m: Vector
    f: Vector

    def turned(self, rotation: Rotation) -> Row:
        return Row(*(back(rotation, v) for v in (self.b, self.m, self.f))) if rotation else self

    def before(self, r: Vector, twice: Vector) -> Row:
        """At a point r before the present one, with twice = 2 w x r."""
        if all(is_zero(x) for x in r):
            return self
        return Row(plus(self.b, cross(twice, self.f)), plus(self.m, cross(r, self.f)), self.f)


def own_row(body: Body, a: Moving, x: Beyond) -> Row:
    mx, my, mz = ms = x.inertia.moment
    w1, w2, w3 = a.twice
    if body.prismatic:
        p1, p2, _ = x.momentum
        b = plus(plus(times(w3, ms), times(-mz, a.twice)), (p2, -p1, 0))
        return Row(b, (my, -mx, 0), (0, 0, x.inertia.mass))
    sxx, sxy, sxz, syy, syz, _ = x.inertia.sigma
    g31, g32 = x.gamma[0][2], x.gamma[1][2]
    b = (sxx * w2 - sxy * w1 - g31, sxy * w2 - syy * w1 - g32, sxz * w2 - syz * w1 + x.axial_trace)
    return Row(b, (-sxz, -syz, sxx + syy), (-my, mx, 0))
