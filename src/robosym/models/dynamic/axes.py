"""Wrenches carried back and joint axes carried forth along a chain, to where they meet.

An entry of the inertia matrix is the power of a wrench (of the outer joint) on a twist (of the inner joint), in any frame
between the two. Carrying the wrench all the way back moves its moment to every origin on the way; carrying the axes
instead does that once for all wrenches.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ...program import Scope
from ...spatial.scalar import Scalar, is_zero
from ...spatial.vectors import ZERO, Vector
from .bodies import Body, Tree
from .composite import split
from .waiting import Waiting, at_once, cross_of, dot, negative

Z: Vector = (0, 0, 1)


@dataclass(frozen=True)
class Wrench:
    force: Waiting
    moment: Waiting


@dataclass
class Chain:
    """The way from a body to the base, and where on it wrenches and axes meet."""

    tree: Tree
    scope: Scope
    stops: frozenset[int]  # bodies at whose origin, in the frame of the antecedent, wrenches wait for the axes
    twists: dict[tuple[int, int], tuple[Waiting, Waiting]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.bodies = {body.j: body for body in self.tree.bodies}

    def ancestors(self, j: int) -> list[int]:
        """The bodies that carry body j, nearest first."""
        found = []
        while j := self.bodies[j].parent:
            found.append(j)
        return found

    def back(self, body: Body, w: Wrench, stem: str) -> Wrench:
        """Turned into the frame of the antecedent, about the same origin."""
        lead, turn = split(body)
        force, moment = w.force.turned(turn).through(lead), w.moment.turned(turn).through(lead)
        if lead:
            force, moment = self.named(f"F{stem}", body.j, force), self.named(f"N{stem}", body.j, moment)
        return Wrench(force, moment)

    def shifted(self, body: Body, w: Wrench) -> Wrench:
        """About the origin of the antecedent."""
        return Wrench(w.force, w.moment + cross_of(body.position, w.force))

    def named(self, stem: str, j: int, a: Waiting) -> Waiting:
        return at_once(self.scope.vector(stem, j, a.vector))  # type: ignore[arg-type]

    def powers(self, j: int, w: Wrench, stem: str = "") -> dict[int, Scalar]:
        """What a wrench at body j does on the axis of every body that carries it."""
        found: dict[int, Scalar] = {}
        while True:
            body = self.bodies[j]
            if not body.parent:
                return found
            w = self.back(body, w, stem)
            if j in self.stops:
                for i in self.ancestors(j):
                    e, v = self.twist(i, j)
                    found[i] = dot(e, w.moment) + dot(v, w.force)
                return found
            w = self.shifted(body, w)
            j = body.parent
            found[j] = w.force.z if self.bodies[j].prismatic else w.moment.z

    def twist(self, i: int, stop: int) -> tuple[Waiting, Waiting]:
        """The axis of body i, about the origin of body ``stop`` in the frame of its antecedent."""
        key = (i, stop)
        if key not in self.twists:
            self.twists[key] = self._twist(i, stop)
        return self.twists[key]

    def _twist(self, i: int, stop: int) -> tuple[Waiting, Waiting]:
        path = [j for j in reversed([stop, *self.ancestors(stop)])]
        path = path[path.index(i) + 1 :]
        axis, none = at_once(Z), Waiting()
        e, v = (none, axis) if self.bodies[i].prismatic else (axis, none)
        for j in path:
            body = self.bodies[j]
            v = v + negative(cross_of(body.position, e))
            if j == stop:
                break
            lead, turn = split(body)
            e, v = e.into(lead), v.into(lead)
            if lead:
                e, v = self.named(f"A{i}", j, e), self.named(f"V{i}", j, v)
            e, v = e.turned(-turn), v.turned(-turn)
        return e, v


__all__ = ["ZERO", "Chain", "Wrench", "Callable", "is_zero"]
