"""Composite (generalised) links: a link with everything it carries, about its own origin (SYMORO+ 1997, 27 to 34).

A composite is a pseudo-inertia Sigma = int r r^T dm in parts whose rotation about z is deferred, so that over parallel axes
every part is turned once, by the sum of the angles, and the products with positions u v^T + v u^T stay products. With Sigma
in place of the inertia matrix J, equation (28) reads Sigma_i += A Sigma_j A^T + P MS^T + MS P^T + M P P^T (derived here), where
MS is that of link j in the axes of frame i (27).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...program import Scope
from ...spatial import symmetric
from ...spatial.inertia import Inertia, moved_back
from ...spatial.rotations import Rotation, Turn, back
from ...spatial.scalar import Scalar, is_zero
from ...spatial.symmetric import Symmetric
from ...spatial.vectors import AXES, Vector, plus, times
from .. import limits
from .bodies import Body, Tree
from .chains import Wrench
from .deferred import Deferred, at_once, dot, plane_dot


@dataclass(frozen=True)
class Composite:
    """Sigma = sum of Rz(angle) S Rz(-angle) + sum of u v^T + v u^T; the first moments; the mass."""

    sigmas: tuple[tuple[Scalar, Symmetric], ...]
    moment: Deferred
    mass: Scalar
    pairs: tuple[tuple[Deferred, Deferred], ...] = ()

    @property
    def axial(self) -> Scalar:
        """The inertia about z, Sxx + Syy: no turn changes it."""
        total: Scalar = 0
        for _, (xx, _xy, _xz, yy, _yz, _zz) in self.sigmas:
            total = total + (xx + yy)
        for u, v in self.pairs:
            total = total + 2 * plane_dot(u, v)
        return total

    def times(self, a: Deferred) -> Deferred:
        """Sigma a."""
        total = Deferred()
        for angle, part in self.sigmas:
            total = total + Deferred(((angle, symmetric.apply(part, a.turned(-angle).vector)),))
        for u, v in self.pairs:
            total = total + _scaled(dot(v, a), u) + _scaled(dot(u, a), v)
        return total

    def at(self, turn: Scalar) -> Inertia:
        """As one inertia, turned about z."""
        sigma = symmetric.ZERO
        for angle, part in self.sigmas:
            sigma = symmetric.plus(sigma, symmetric.back(_about_z(turn + angle), part))
        for u, v in self.pairs:
            sigma = symmetric.plus(sigma, symmetric.outer(u.turned(turn).vector, v.turned(turn).vector))
        return Inertia(sigma, self.moment.turned(turn).vector, self.mass)


def _scaled(k: Scalar, a: Deferred) -> Deferred:
    return a.each(lambda v: times(k, v))


def _about_z(angle: Scalar) -> Rotation:
    return () if is_zero(angle) else (Turn("z", angle),)


def composites(tree: Tree, scope: Scope, add_angles: bool = True) -> dict[int, Composite]:
    """The composite of every body, from the tips to the base."""
    found: dict[int, Composite] = {}
    for body in reversed(tree.bodies):
        closed, deferred = body.inertia, []
        for child in tree.children(body.j):
            lead, turn = child.rotation_before, child.turn
            if not (add_angles and parallel(body, child)) or len(found[child.j].sigmas) > limits.MOST_PARTS:
                turned = _named(scope, child.j, "T", found[child.j].at(turn))
                closed = closed + moved_back(turned, lead, child.position)  # (27) to (30)
            else:
                deferred.append(_carried(child, found[child.j]))  # (27) to (30)
        found[body.j] = _joined(_named(scope, body.j, "P", closed), deferred)
    return found


def parallel(body: Body, child: Body) -> bool:
    """Whether two revolute joints, one carrying the other, have parallel axes of one direction. Of a rotor there is nothing to
    turn."""
    return not (child.rotation_before or child.prismatic or body.prismatic or child.is_rotor)


def _carried(child: Body, c: Composite) -> Composite:
    """A composite on a parallel axis in the frame of its antecedent, its turns still to be made."""
    turn, P = child.turn, at_once(child.position)
    moment = c.moment.turned(turn)  # (27)
    sigmas = tuple((turn + angle, part) for angle, part in c.sigmas)
    pairs = tuple((u.turned(turn), v.turned(turn)) for u, v in c.pairs)
    half = at_once(times(c.mass / 2, child.position))
    first = moment + _scaled(c.mass, P)  # (29)
    return Composite(sigmas, first, c.mass, (*pairs, (P, moment + half)))  # (28), (30)


def _joined(own: Inertia, deferred: list[Composite]) -> Composite:
    total = Composite(((0, own.sigma),), at_once(own.moment), own.mass)
    for c in deferred:
        total = Composite(
            (*total.sigmas, *c.sigmas), total.moment + c.moment, total.mass + c.mass, (*total.pairs, *c.pairs)
        )
    return total


def whole_robot(bodies: Tree, links: dict[int, Composite], scope: Scope) -> Inertia:
    """All that counts, in frame 0 about its origin."""
    total = bodies.base
    for body in bodies.children(0):
        total = total + moved_back(links[body.j].at(body.turn), body.rotation_before, body.position)
    return replace(total, moment=scope.vector("MS", 0, total.moment))


SECOND, FIRST = ("XX", "XY", "XZ", "YY", "YZ", "ZZ"), ("MX", "MY", "MZ")


def _named(scope: Scope, j: int, stem: str, inertia: Inertia) -> Inertia:
    """The generalised parameters under the papers' names: XXP3 of link 3, and T for what is turned about its axis."""
    sigma = tuple(scope.scalar(name + stem, j, value) for name, value in zip(SECOND, inertia.sigma, strict=True))
    moment = tuple(scope.scalar(name + stem, j, value) for name, value in zip(FIRST, inertia.moment, strict=True))
    return Inertia(sigma, moment, scope.scalar("M" + stem, j, inertia.mass))


# --- what moving a composite takes ------------------------------------------------------------------------------------


def linear_momentum(body: Body, c: Composite) -> Deferred:
    """f = int w dm, of the points a joint carries at its unit speed: z x MS, or M z where it slides."""
    return at_once((0, 0, c.mass)) if body.prismatic else c.moment.quarter


def unit_wrench(body: Body, c: Composite) -> Wrench:
    """What a joint takes for a unit acceleration: force (31, 33) and moment (32, 34), with XZ = -Sxz and YZ = -Syz."""
    if body.prismatic:
        return Wrench(at_once((0, 0, c.mass)), -c.moment.quarter)
    return Wrench(c.moment.quarter, at_once((0, 0, c.axial)) + -c.times(at_once(AXES[2])).flat)


def first_moment(tree: Tree, scope: Scope, add_angles: bool = True) -> Vector:
    """sum of M P0 + R0 MS over the moving links, in frame 0."""
    links = composites(tree, scope, add_angles)
    total: Vector = (0, 0, 0)
    for body in tree.children(0):
        c = links[body.j]
        moment = back(body.rotation_before, c.moment.turned(body.turn).vector)
        total = plus(total, plus(moment, times(c.mass, body.position)))
    return total
