"""Wrenches carried back and joint axes carried forth along a chain, to where they meet.

An entry of the inertia matrix is the power of a wrench (of the outer joint) on a twist (of the inner joint), in any frame
between the two. Carrying the wrench all the way back moves its moment to every origin on the way; carrying the axes
instead does that once for all wrenches. They meet where the origin changes: at body s, whose origin is not that of its
antecedent, in the antecedent's frame but about the origin of s.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Self

from ...program import Scope
from ...spatial.scalar import Scalar, is_zero
from ...spatial.vectors import Vector
from .bodies import Body, Tree
from .coordinates import BASE_AXES, Axis
from .deferred import Deferred, at_once, cross, dot
from .joints import PRISMATIC

Z: Vector = (0, 0, 1)


def longest_chain(tree: Tree) -> int:
    """How many joints lie between the base and the tip farthest from it."""
    return max(tree.depths.values())


@dataclass(frozen=True)
class Wrench:
    """Force and moment about the origin of a frame, their turns about z still to be made."""

    force: Deferred
    moment: Deferred

    def shifted(self, position: Vector) -> Self:
        """About an origin from which the present one is at ``position``: m + P x f."""
        if all(is_zero(x) for x in position):
            return self
        return replace(self, moment=self.moment + cross(at_once(position), self.force))


@dataclass(frozen=True)
class Twist:
    """An axis: the angular velocity it gives, and the velocity of the origin."""

    angular: Deferred
    linear: Deferred


@dataclass
class Chains:
    """The ways from the bodies to the base."""

    tree: Tree
    scope: Scope
    bodies: dict[int, Body] = field(init=False)
    _twists: dict[tuple[int, int], Twist] = field(default_factory=dict)
    _arrived: dict[tuple[int, int], Twist] = field(default_factory=dict)
    _directions: dict[tuple[int, int], Deferred] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.bodies = {body.j: body for body in self.tree.bodies}

    def ancestors(self, j: int) -> list[int]:
        """The bodies that carry body j, nearest first."""
        found = []
        while j := self.bodies[j].parent:
            found.append(j)
        return found

    def meeting(self, j: int) -> int:
        """The body s nearest to j, going back, whose origin is not that of its antecedent, or slides (or the first body)."""
        body = self.bodies[j]
        while body.parent and body.kind != PRISMATIC and all(is_zero(x) for x in body.position):
            body = self.bodies[body.parent]
        return body.j

    def named(self, stem: str, links: tuple[int, int], a: Deferred) -> Deferred:
        return at_once(self.scope.vector(stem, links, a.vector))

    # --- back --------------------------------------------------------------------------------------------------------

    def back(self, body: Body, a: Deferred, stem: str, of: int) -> Deferred:
        """A vector of a body in the frame of its antecedent; it came from body ``of``."""
        lead = body.rotation_before
        a = a.turned(body.turn).through(lead)
        return self.named(stem, (of, body.j), a) if lead else a

    def back_to(self, s: int, j: int, a: Deferred, stem: str) -> Deferred:
        """A vector of body j in the frame of the antecedent of body s."""
        for k in (j, *self.ancestors(j)):
            a = self.back(self.bodies[k], a, stem, j)
            if k == s:
                break
        return a

    def powers(self, j: int, w: Wrench, meet: bool, what: str = "") -> dict[Axis, Scalar]:
        """What a wrench at body j does on the axis of every body that carries it (SYMORO+ 1997, equations 36 to 38), and on
        those of a free base: there it is the wrench itself, in frame 0, to which it has to be carried anyway. ``what`` tells its
        steps from those of other wrenches of the body."""
        found: dict[Axis, Scalar] = {}
        stop = self.meeting(j) if meet and not self.tree.free else 0
        body = self.bodies[j]
        while body.parent or self.tree.free:
            force, moment = (
                self.back(body, w.force, f"F{what}", j),
                self.back(body, w.moment, f"N{what}", j),
            )  # (36), (37)
            if body.j == stop:
                twists = {i: self.twist(i, stop) for i in self.ancestors(stop)}
                return found | {i: dot(t.angular, moment) + dot(t.linear, force) for i, t in twists.items()}
            w = Wrench(force, moment).shifted(body.position)  # (37)
            if not body.parent:
                return found | dict(zip(BASE_AXES, (*w.force.vector, *w.moment.vector), strict=True))
            body = self.bodies[body.parent]
            found[body.j] = w.force.z if body.prismatic else w.moment.z  # (38)
        return found

    # --- forth -------------------------------------------------------------------------------------------------------

    def forth(self, body: Body, a: Deferred, stem: str, of: int) -> Deferred:
        """A vector of the antecedent in the frame of the body; it came from body ``of``."""
        lead = body.rotation_before
        if lead:
            a = self.named(stem, (of, body.j), a.into(lead))
        return a.turned(-body.turn)

    def direction(self, i: int, j: int) -> Deferred:
        """The direction of the axis of body i in the frame of body j, which it carries."""
        if i == j:
            return at_once(Z)
        if (i, j) not in self._directions:
            body = self.bodies[j]
            self._directions[i, j] = self.forth(body, self.direction(i, body.parent), "A", i)
        return self._directions[i, j]

    def twist(self, i: int, s: int) -> Twist:
        """The axis of body i where wrenches meet it: about the origin of body s, in the frame of its antecedent."""
        if (i, s) not in self._twists:
            path = [s, *self.ancestors(s)]
            self._twists[i, s] = self._twist(i, path[: path.index(i)][::-1])
        return self._twists[i, s]

    def twist_at(self, i: int, j: int) -> Twist:
        """The axis of body i in the frame of body j, which it carries, about its origin."""
        twist, body = self.twist(i, j), self.bodies[j]
        if (i, j) not in self._arrived:
            linear = self.forth(body, twist.linear, "V", i)
            self._arrived[i, j] = Twist(self.direction(i, j) if twist.angular.parts else twist.angular, linear)
        return self._arrived[i, j]

    def _twist(self, i: int, path: list[int]) -> Twist:
        linear = at_once(Z) if self.bodies[i].prismatic else Deferred()
        angular, at = Deferred() if self.bodies[i].prismatic else at_once(Z), i
        for j in path:
            if at != i:
                linear = self.forth(self.bodies[at], linear, "V", i)
                angular = self.direction(i, at) if angular.parts else angular
            linear = linear + cross(angular, at_once(self.bodies[j].position))
            at = j
        return Twist(angular, linear)
