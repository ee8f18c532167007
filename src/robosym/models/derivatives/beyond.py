"""All that a joint carries, as sums over its masses seen from the link that carries the joint (derived here).

Everything beyond joint j is one system of masses m at r from the foot of its axis, which moves at rho and accelerates by sigma relative
to the link that carries the joint, in the joint's axes (``carriers.py``). Of it these sums are enough:

    Sigma = sum m r r^T    MS = sum m r    M = sum m    Gamma = 2 sum m rho r^T    P = 2 sum m rho    F = sum m sigma    N = sum m r x sigma

F and N with what the links exert on the environment. With w, U and vd of the carrier, and K = tr(Gamma) 1 - Gamma, it takes the wrench

    force  = M vd + U MS + w x P + F,    moment = ax(U Sigma) + MS x vd + K w + N,    ax(X) the axial vector of X - X^T.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ...program import Scope
from ...spatial.inertia import Inertia, moved_back
from ...spatial.rotations import Rotation, Turn, back, matrix_back
from ...spatial.scalar import Scalar, is_zero
from ...spatial.vectors import ZERO, Columns, Vector, cross, plus, times
from ..tree.bodies import Body, Tree
from .carriers import Place

NO_MATRIX: Columns = (ZERO, ZERO, ZERO)


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
            matrix_back(rotation, self.gamma),
            *(back(rotation, v) for v in (self.momentum, self.force, self.moment)),
        )

    def about(self, p: Vector) -> Beyond:
        """About a point from which the present one is at p: r + p in place of r."""
        if all(is_zero(x) for x in p):
            return self
        gamma = tuple(plus(column, times(x, self.momentum)) for column, x in zip(self.gamma, p, strict=True))
        moved = moved_back(self.inertia, (), p)
        moment = plus(self.moment, cross(p, self.force))
        return replace(self, inertia=moved, gamma=gamma, moment=moment)  # type: ignore[arg-type]

    def named(self, stem: str, j: int, scope: Scope) -> Beyond:
        own = self.inertia
        inertia = Inertia(
            scope.vector(f"SG{stem}", j, own.sigma),
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
        """Gamma11 + Gamma22."""
        return self.gamma[0][0] + self.gamma[1][1]

    @property
    def trace(self) -> Scalar:
        return self.axial_trace + self.gamma[2][2]


# --- from the tips to the base: the sums -------------------------------------------------------------------------------


def systems(tree: Tree, where: Mapping[int, Place], scope: Scope) -> tuple[dict[int, Beyond], Beyond]:
    """What every joint carries, seen from its carrier; and what the base carries, with the base itself, seen from the base."""
    found: dict[int, Beyond] = {}
    carried = {0: Beyond(tree.base, force=tree.root.force, moment=tree.root.moment)}
    for body in tree.bodies:
        link = Beyond(body.inertia, force=body.force, moment=body.moment)
        left = where[body.j].left
        carried[body.j] = link if is_zero(left) else link.turned((Turn("z", left),))
    for body in reversed(tree.bodies):
        j, own = body.j, where[body.j]
        turned = carried[j].named("P", j, scope).turned(own.turn).named("T", j, scope)
        found[j] = _with_joint(body, turned.about((0, 0, body.slide)).named("S", j, scope), scope)
        before = found[j].turned(own.lead).named("B", j, scope)
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
