"""The filtered identification model Gamma = d/dt(D1 K) + D2 K, without accelerations (SYMORO+ 1997, section 6.2).

D1 holds the momenta dE/dqd (equation 42), D2 what Lagrange's equation has besides, -dE/dq + dU/dq (43). For a link with
momentum P, and a joint whose axis is the twist S, both seen from the link (derived here; Khalil and Restrepo 1996 have another way):

    D1 = S . P        D2 = -Sd . P + S . G        Sd = V x S,

where G holds the link against gravity and V is the twist of the joint's own link: the axis S is fixed in it. Momenta of one
unit parameter have many zeros, so that the axes come to the links. On a free base D1 is the momentum in its own axes, which
turn: D2 is V x* P there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ...program import Scope
from ...spatial.rotations import into
from ...spatial.scalar import Scalar
from ...spatial.vectors import ZERO, Vector, cross, plus, times
from ..tree.bodies import Body, Tree
from ..tree.chains import Chains, Twist
from ..tree.coordinates import BASE_AXES, Axis
from ..tree.deferred import at_once, dot
from ..tree.deferred import cross as deferred_cross
from ..tree.velocities import Speed, speeds
from .dynamic import Columns, Projection
from .links import momenta, weights
from .parameters import Inertial


def filtered_columns(tree: Tree, own: Inertial, scope: Scope, add_angles: bool = True) -> tuple[Columns, Columns]:
    """D1 and D2 on the axes, for one inertial parameter 1 and the others 0."""
    moving = speeds(tree, scope, Speed(tree.root.moving.w, tree.root.moving.v), add_angles)
    gravity = gravities(tree, scope)
    axes = Axes(tree, moving, scope)
    first: Columns = {}
    second: Columns = {}
    for body in (tree.base_body, *tree.bodies) if tree.free else tree.bodies:
        P, G = momenta(moving[body.j]), weights(gravity[body.j])
        for stem, name in own.of_link(body.j).items():
            first[name] = axes.powers(body, P[stem], f"{stem}P")
            held = axes.powers(body, G[stem], f"{stem}G") if stem in G else {}
            fall = axes.rate_powers(body, P[stem], first[name])
            second[name] = {axis: held.get(axis, 0) - fall[axis] for axis in first[name]}
    return first, second


def gravities(tree: Tree, scope: Scope) -> dict[int, Vector]:
    """The acceleration of gravity in the axes of every link."""
    found = {0: tree.gravity}
    for body in tree.bodies:
        found[body.j] = scope.vector("G", body.j, into(body.rotation, found[body.parent]))
    return found


@dataclass
class Axes:
    """The axes of the joints and their rates, brought to the links they carry."""

    tree: Tree
    moving: dict[int, Speed]
    scope: Scope
    _rates: dict[tuple[int, int], Twist] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.chains = Chains(self.tree, self.scope)
        self._to_base = Projection(self.tree, self.scope, "back" if self.tree.free else "forth")

    def powers(self, body: Body, pair: tuple[Vector, Vector], what: str) -> dict[Axis, Scalar]:
        """S . P for every axis that moves the body."""
        return dict(self._to_base.on_axes(body, pair, what))

    def rate_powers(self, body: Body, pair: tuple[Vector, Vector], own: Mapping[Axis, Scalar]) -> dict[Axis, Scalar]:
        """Sd . P for the same axes, S . P of which is known."""
        p, h = (at_once(x) for x in pair)
        found: dict[Axis, Scalar] = {}
        for i in (body.j, *self.chains.ancestors(body.j)) if body.j else ():
            rate = self.rate(i, body.j)
            found[i] = dot(rate.angular, h) + dot(rate.linear, p)
        if self.tree.free:
            fx, fy, fz, mx, my, mz = (own[axis] for axis in BASE_AXES)
            P, H = (fx, fy, fz), (mx, my, mz)
            v = self.moving[0]
            turned = (cross(v.angular, P), plus(cross(v.angular, H), cross(v.linear, P)))
            found |= zip(BASE_AXES, (-x for half in turned for x in half), strict=True)
        return found

    def rate(self, i: int, j: int) -> Twist:
        """V x S of the axis of body i in the frame of body j, about its origin."""
        if (i, j) not in self._rates:
            self._rates[i, j] = self._own_rate(i) if i == j else self._carried_rate(i, j)
        return self._rates[i, j]

    def _own_rate(self, i: int) -> Twist:
        v = self.moving[i]
        turning = at_once(_beside(v.angular))
        if self.chains.bodies[i].prismatic:
            return Twist(at_once(ZERO), turning)
        return Twist(turning, at_once(_beside(v.linear)))

    def _carried_rate(self, i: int, j: int) -> Twist:
        body = self.chains.bodies[j]
        before = self.rate(i, body.parent)
        linear = before.linear + deferred_cross(before.angular, at_once(body.position))
        return Twist(*(self.chains.forth(body, x, s, i) for x, s in ((before.angular, "AP"), (linear, "VP"))))


def _beside(a: Vector) -> Vector:
    """a x z."""
    return (a[1], times(-1, a)[0], 0)
