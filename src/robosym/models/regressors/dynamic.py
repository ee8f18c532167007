"""The dynamic identification model Gamma = D(q, qd, qdd) K (SYMORO+ 1997, section 6.1).

Column by column D is the inverse dynamic model with one parameter 1 and all others 0: the motion of the links is shared by
all columns, and a wrench of one link is projected on the axes of the joints that carry it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from ...program import Scope
from ...spatial.scalar import Scalar
from ...spatial.wrenches import Wrench as Pair
from ..tree.bodies import Body, Tree
from ..tree.chains import Chains, Wrench
from ..tree.coordinates import BASE_AXES, Axis
from ..tree.deferred import at_once, dot
from ..tree.motion import Recursion, motions
from .links import wrenches
from .parameters import Inertial

Columns = dict[str, Mapping[Axis, Scalar]]  # of each parameter: what it does on the axes
Way = Literal["back", "meet", "forth"]


def dynamic_columns(tree: Tree, own: Inertial, scope: Scope, way: Way, recursion: Recursion = Recursion()) -> Columns:
    """The torques of all axes for one inertial parameter 1 and the others 0."""
    moving = motions(tree, scope, recursion)
    projection = Projection(tree, scope, way)
    found: Columns = {}
    for body in (tree.base_body, *tree.bodies) if tree.free else tree.bodies:
        names = own.of_link(body.j)
        units = wrenches(moving[body.j])
        found |= {name: projection.on_axes(body, units[stem], stem) for stem, name in names.items()}
    return found


@dataclass
class Projection:
    """Wrenches of the links on the axes of the joints that carry them. Carried back to these; or met by them where the origin
    changes; or the axes come forth to the link, which does it once for all of its parameters."""

    tree: Tree
    scope: Scope
    way: Way

    def __post_init__(self) -> None:
        self.chains = Chains(self.tree, self.scope)

    def on_axes(self, body: Body, pair: Pair, what: str) -> Mapping[Axis, Scalar]:
        force, moment = pair
        if not body.j:
            return dict(zip(BASE_AXES, (*force, *moment), strict=True))
        own: dict[Axis, Scalar] = {body.j: force[2] if body.prismatic else moment[2]}
        wrench = Wrench(at_once(force), at_once(moment))
        if self.way != "forth":
            return own | self.chains.powers(body.j, wrench, self.way == "meet", what)
        for i in self.chains.ancestors(body.j):
            twist = self.chains.twist_at(i, body.j)
            own[i] = dot(twist.angular, wrench.moment) + dot(twist.linear, wrench.force)
        return own
