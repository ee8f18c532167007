"""Derivatives of the torques of a tree, from composite links seen from the link that carries them (derived here).

Everything beyond joint j is one system of masses m at r from the foot of its axis, which moves at rho and accelerates by sigma relative
to the link that carries the joint, in the joint's axes (``carriers.py``). Of it these sums are enough:

    Sigma = sum m r r^T    MS = sum m r    M = sum m    Gamma = 2 sum m rho r^T    P = 2 sum m rho    F = sum m sigma    N = sum m r x sigma

F and N with what the links exert on the environment. With w, U and vd of the carrier, and K = tr(Gamma) 1 - Gamma, it takes the wrench

    force  = M vd + U MS + w x P + F,    moment = ax(U Sigma) + MS x vd + K w + N,    ax(X) the axial vector of X - X^T.

**Columns**: what q_j and qd_j do to the wrench, and so to the torques of j and of the joints that carry it. A turn about z by dq turns
all sums, dSigma = [z^, Sigma], dMS = z x MS, dGamma = [z^, Gamma] and so on; a speed dqd adds z x r to rho and 2 z x rho to sigma.

**Rows**: what the motion of the carrier does to the torque of j. Let w change by dw, the acceleration of the foot by dvd, and wd by
e - w x dw. Then the mass at r accelerates by dvd + e x r + 2 dw x (w x r + rho) more, so that the torque changes by b.dw + m.e + f.dvd:

    m = J z    f = z x MS    b = 2 Sigma (w x z) + tr(Gamma) z - Gamma^T z

e and dw are the same at any link further on, and moving the row to a point r before it is m + r x f, b + 2 (w x r) x f. A turn of joint k
by dq is the change dw = w x z, e = U z, dvd = vd x z of the links beyond, a speed dqd is dw = z, e = 2 w x z: the other half of the matrices.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ...program import Scope
from ...spatial import symmetric
from ...spatial.inertia import Inertia, moved_back
from ...spatial.rotations import Rotation, Turn, back
from ...spatial.scalar import Scalar, cos, is_zero, sin
from ...spatial.symmetric import Symmetric
from ...spatial.vectors import ZERO, Columns, Vector, apply, cross, dot, plus, times
from ...spatial.wrenches import Wrench, added, shifted, turned_back
from ..tree.bodies import Body, Tree
from ..tree.coordinates import BASE_AXES, Axis
from .carriers import Moving, Place, carriers, places

Z: Vector = (0, 0, 1)
NO_MATRIX: Columns = (ZERO, ZERO, ZERO)
Entries = dict[tuple[Axis, Axis], Scalar]


@dataclass(frozen=True)
class Beyond:
    """The sums over all that a joint carries."""

    inertia: Inertia  # Sigma, MS, M
    gamma: Columns = NO_MATRIX
    momentum: Vector = ZERO  # P
    force: Vector = ZERO  # F
    moment: Vector = ZERO  # N

    def __add__(self, other: Beyond) -> Beyond:
        gamma = tuple(plus(a, b) for a, b in zip(self.gamma, other.gamma, strict=True))
        return Beyond(
            self.inertia + other.inertia,
            gamma,  # type: ignore[arg-type]
            plus(self.momentum, other.momentum),
            plus(self.force, other.force),
            plus(self.moment, other.moment),
        )

    def turned(self, rotation: Rotation) -> Beyond:
        """In the axes before a rotation."""
        if not rotation:
            return self
        return Beyond(
            moved_back(self.inertia, rotation, ZERO),
            turned_gamma(rotation, self.gamma),
            *(back(rotation, v) for v in (self.momentum, self.force, self.moment)),
        )

    def about(self, p: Vector) -> Beyond:
        """About a point from which the present one is at p: r + p in place of r."""
        if all(is_zero(x) for x in p):
            return self
        gamma = tuple(plus(column, times(x, self.momentum)) for column, x in zip(self.gamma, p, strict=True))
        moved = moved_back(self.inertia, (), p)
        return replace(self, inertia=moved, gamma=gamma, moment=plus(self.moment, cross(p, self.force)))

    def named(self, stem: str, j: int, scope: Scope) -> Beyond:
        own = self.inertia
        inertia = Inertia(
            scope.vector(f"SG{stem}", j, own.sigma),  # type: ignore[arg-type]
            scope.vector(f"MS{stem}", j, own.moment),
            scope.scalar(f"M{stem}", j, own.mass),
        )
        gamma = tuple(scope.vector(f"GM{stem}{c}", j, column) for c, column in enumerate(self.gamma, 1))
        vectors = (
            scope.vector(f"{name}{stem}", j, v)
            for name, v in (("PL", self.momentum), ("FR", self.force), ("NR", self.moment))
        )
        return Beyond(inertia, gamma, *vectors)  # type: ignore[arg-type]

    @property
    def axial_trace(self) -> Scalar:
        return self.gamma[0][0] + self.gamma[1][1]


def turned_gamma(rotation: Rotation, gamma: Columns) -> Columns:
    """R Gamma R^T. In the plane of a turn, with k = s (a - d) + c (b + g) of [a b; g d]: [a - s k, c k - g; c k - b, d + s k]."""
    for turn in reversed(rotation):
        c, s = cos(turn.angle), sin(turn.angle)
        (xx, yx, zx), (xy, yy, zy), (xz, yz, zz) = gamma
        if turn.axis == "z":
            xx, xy, yx, yy = _plane(c, s, xx, xy, yx, yy)
            gamma = (
                (xx, yx, c * zx - s * zy),
                (xy, yy, s * zx + c * zy),
                (c * xz - s * yz, s * xz + c * yz, zz),
            )
        else:
            yy, yz, zy, zz = _plane(c, s, yy, yz, zy, zz)
            gamma = (
                (xx, c * yx - s * zx, s * yx + c * zx),
                (c * xy - s * xz, yy, zy),
                (s * xy + c * xz, yz, zz),
            )
    return gamma


def _plane(c: Scalar, s: Scalar, a: Scalar, b: Scalar, g: Scalar, d: Scalar) -> tuple[Scalar, ...]:
    k = s * (a - d) + c * (b + g)
    sk, ck = s * k, c * k
    return a - sk, ck - g, ck - b, d + sk


def axial(U: Columns, sigma: Symmetric) -> Vector:
    """The axial vector of U Sigma - (U Sigma)^T: sum m r x (U r)."""
    xx, xy, xz, yy, yz, zz = sigma
    (u11, u21, u31), (u12, u22, u32), (u13, u23, u33) = U
    return (
        yy * u32 - zz * u23 + xy * u31 - xz * u21 + yz * (u33 - u22),
        zz * u13 - xx * u31 + yz * u12 - xy * u32 + xz * (u11 - u33),
        xx * u21 - yy * u12 + xz * u23 - yz * u13 + xy * (u22 - u11),
    )


# --- from the tips to the base: the sums -------------------------------------------------------------------------------


def systems(tree: Tree, where: Mapping[int, Place], scope: Scope) -> tuple[dict[int, Beyond], Beyond]:
    """What every joint carries, seen from its carrier; and what the base carries, with the base itself, seen from the base."""
    found: dict[int, Beyond] = {}
    carried = {0: Beyond(tree.base, force=tree.root.force, moment=tree.root.moment)}
    for body in tree.bodies:
        own = Beyond(body.inertia, force=body.force, moment=body.moment)
        left = where[body.j].left
        carried[body.j] = own if is_zero(left) else own.turned((Turn("z", left),))
    for body in reversed(tree.bodies):
        own = where[body.j]
        link = carried[body.j].named("P", body.j, scope).turned(own.turn).named("T", body.j, scope)
        link = link.about((0, 0, body.slide)).named("S", body.j, scope)
        found[body.j] = _with_joint(body, link, scope)
        before = found[body.j].turned(own.lead).named("B", body.j, scope)
        carried[body.parent] = carried[body.parent] + before.about(own.arm)
    return found, carried[0]


def _with_joint(body: Body, x: Beyond, scope: Scope) -> Beyond:
    """The same seen from the carrier: the joint moves all of it."""
    j, qd, qdd = body.j, body.speed, body.acceleration
    twice = scope.scalar("QD2", j, 2 * qd)
    mx, my, mz = x.inertia.moment
    sxx, sxy, sxz, syy, syz, _ = x.inertia.sigma
    (g1, g2, g3), (p1, p2, p3) = x.gamma, x.momentum
    if body.prismatic:
        gamma = tuple(plus(g, (0, 0, twice * m)) for g, m in zip(x.gamma, (mx, my, mz), strict=True))
        momentum = (p1, p2, p3 + twice * x.inertia.mass)
        force = plus(x.force, (0, 0, x.inertia.mass * qdd))
        moment = plus(x.moment, (my * qdd, -(mx * qdd), 0))
        return Beyond(x.inertia, gamma, momentum, force, moment).named("A", j, scope)  # type: ignore[arg-type]
    gamma = (
        plus(g1, (-(twice * sxy), twice * sxx, 0)),
        plus(g2, (-(twice * syy), twice * sxy, 0)),
        plus(g3, (-(twice * syz), twice * sxz, 0)),
    )
    momentum = plus(x.momentum, (-(twice * my), twice * mx, 0))
    square = scope.scalar("QQ", j, qd * qd)
    own: Vector = (-(square * mx) - qdd * my, qdd * mx - square * my, 0)
    force = plus(x.force, plus(own, (-(qd * p2), qd * p1, 0)))
    own = (square * syz - qdd * sxz, -(qdd * syz) - square * sxz, (sxx + syy) * qdd)
    moment = plus(x.moment, plus(own, (-(qd * g3[0]), -(qd * g3[1]), qd * x.axial_trace)))
    return Beyond(x.inertia, gamma, momentum, force, moment).named("A", j, scope)


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


# --- to the joints that carry it -----------------------------------------------------------------------------------------


@dataclass
class Derivatives:
    """By axes: of the torques by the positions and the speeds, and A; entries that are not there are zero."""

    by_position: Entries = field(default_factory=dict)
    by_speed: Entries = field(default_factory=dict)
    inertia: Entries = field(default_factory=dict)  # each entry off the diagonal once
    torques: dict[Axis, Scalar] = field(default_factory=dict)


def derivatives(tree: Tree, scope: Scope) -> Derivatives:
    """All of them, without what is in the joints themselves: rotors, springs, friction."""
    where = places(tree)
    moving, links = carriers(tree, where, scope)
    beyond, whole = systems(tree, where, scope)
    way = _Way(tree, where, moving, links, scope)
    found = Derivatives()
    for body in tree.bodies:
        j, a, x = body.j, moving[body.j], beyond[body.j]
        row, by_q, by_qd = own_row(body, a, x), position_column(body, a, x), speed_column(body, a, x)
        found.by_position[j, j], found.by_speed[j, j] = _along(body, by_q), _along(body, by_qd)
        found.inertia[j, j] = _along(body, (row.f, row.m))
        found.torques[j] = torque(body, a, x)
        way.back(body, row, by_q, by_qd, found)
    return found


def _along(body: Body, wrench: Wrench) -> Scalar:
    """The component that a joint takes."""
    return wrench[0][2] if body.prismatic else wrench[1][2]


def torque(body: Body, a: Moving, x: Beyond) -> Scalar:
    """The component along the axis of the wrench on all that a joint carries."""
    own, (w1, w2, w3) = x.inertia, a.w
    mx, my, _ = own.moment
    if body.prismatic:
        p1, p2, _ = x.momentum
        return own.mass * a.vd[2] + apply(a.U, own.moment)[2] + (w1 * p2 - w2 * p1) + x.force[2]
    rates = w3 * x.axial_trace - x.gamma[0][2] * w1 - x.gamma[1][2] * w2
    return axial(a.U, own.sigma)[2] + (mx * a.vd[1] - my * a.vd[0]) + rates + x.moment[2]


def _zeros(a: Moving) -> int:
    return sum(is_zero(x) for x in (*a.w[:2], *a.U[2]))


@dataclass(frozen=True)
class _Way:
    """The way of rows and columns back to the base."""

    tree: Tree
    where: Mapping[int, Place]
    moving: Mapping[int, Moving]
    links: Mapping[int, Moving]
    scope: Scope

    def back(self, body: Body, row: Row, by_q: Wrench, by_qd: Wrench, found: Derivatives) -> None:
        j, at = body.j, body
        while at.parent:
            own, k = self.where[at.j], at.parent
            twice = self._twice(at)
            row = self._row((j, k), row.turned(own.lead)).before(own.arm, twice)
            by_q, by_qd = (self._wrench(s, (j, k), turned_back(own.lead, w)) for s, w in (("Q", by_q), ("V", by_qd)))
            by_q, by_qd = shifted(by_q, own.arm), shifted(by_qd, own.arm)
            at = self.tree.body(k)
            before = at.parent and is_zero(at.slide) and _zeros(self.moving[k]) > _zeros(self.links[k])
            if not before:
                self._meet(j, at, row, by_q, by_qd, self.links[k], found)
            if at.parent:
                row, by_q, by_qd = self._through(at, j, row, by_q, by_qd)
            if before:
                self._meet(j, at, row, by_q, by_qd, self.moving[k], found)

    def _twice(self, at: Body) -> Vector:
        """2 w x arm, of the foot of a joint about the origin of its carrier."""
        return self.scope.vector("VR", at.j, cross(self.links[at.parent].twice, self.where[at.j].arm))

    def _through(
        self, at: Body, j: int, row: Row, by_q: Wrench, by_qd: Wrench
    ) -> tuple[Row, Wrench, Wrench]:
        """From a link, about its origin, to the axes of its joint, about the foot."""
        own, a = self.where[at.j], self.moving[at.j]
        row = self._row((j, at.j), row, "P").turned(own.turn)
        by_q, by_qd = (
            turned_back(own.turn, self._wrench(f"P{s}", (j, at.j), w)) for s, w in (("Q", by_q), ("V", by_qd))
        )
        row = self._row((j, at.j), row, "T")
        if at.prismatic:
            twice = 2 * at.speed
            row = replace(row, b=plus(row.b, (-(twice * row.f[1]), twice * row.f[0], 0)))
        slide: Vector = (0, 0, at.slide)
        row = row.before(slide, (at.slide * a.twice[1], -(at.slide * a.twice[0]), 0))
        return row, shifted(by_q, slide), shifted(by_qd, slide)

    def _meet(self, j: int, at: Body, row: Row, by_q: Wrench, by_qd: Wrench, a: Moving, found: Derivatives) -> None:
        """The entries of joint j and a joint k that carries it."""
        k, (w1, w2, _) = at.j, a.w
        (b1, b2, b3), (m1, m2, m3), (f1, f2, f3) = row.b, row.m, row.f
        found.by_position[k, j], found.by_speed[k, j] = _along(at, by_q), _along(at, by_qd)
        if at.prismatic:
            found.by_position[j, k] = dot(row.f, a.U[2])
            found.by_speed[j, k] = f1 * a.twice[1] - f2 * a.twice[0]
            found.inertia[k, j] = f3
        else:
            found.by_position[j, k] = b1 * w2 - b2 * w1 + dot(row.m, a.U[2]) + (f1 * a.vd[1] - f2 * a.vd[0])
            found.by_speed[j, k] = b3 + (m1 * a.twice[1] - m2 * a.twice[0])
            found.inertia[k, j] = m3

    def _row(self, links: tuple[int, int], row: Row, stem: str = "") -> Row:
        return Row(*(self.scope.vector(f"{s}{stem}", links, v) for s, v in (("BR", row.b), ("MR", row.m), ("FW", row.f))))

    def _wrench(self, stem: str, links: tuple[int, int], wrench: Wrench) -> Wrench:
        force, moment = wrench
        return self.scope.vector(f"F{stem}", links, force), self.scope.vector(f"N{stem}", links, moment)
