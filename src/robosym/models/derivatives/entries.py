"""Derivatives of the torques of a tree by positions and speeds, the inertia matrix and the torques themselves, axis by axis.

Rows and columns of a joint (``changes.py``) are made in its own axes and carried back to the base; at every link on the way its joint
takes the entries that the two have in common. Joints on different branches share none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ...program import Scope
from ...spatial.scalar import Scalar, is_zero
from ...spatial.vectors import Vector, cross, dot, plus
from ...spatial.wrenches import Wrench, shifted, turned_back
from ..tree.bodies import Body, Tree
from ..tree.coordinates import BASE_AXES, Axis
from ..tree.inertia_entries import base_entries
from .beyond import Beyond, systems
from .carriers import Moving, Place, carriers, places
from .changes import Row, along, own_row, position_column, speed_column, wrench_on
from .free import base_columns, on_base

Entries = dict[tuple[Axis, Axis], Scalar]


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
        found.by_position[j, j], found.by_speed[j, j] = along(body, by_q), along(body, by_qd)
        found.inertia[j, j] = along(body, (row.f, row.m))
        found.torques[j] = along(body, wrench_on(a, x))
        way.back(body, row, by_q, by_qd, found)
    if tree.free:
        _add_base(tree, links[0], whole, found)
    return found


def _add_base(tree: Tree, base: Moving, whole: Beyond, found: Derivatives) -> None:
    """The wrench on a free base with all it carries, and what the base does to it."""
    force, moment = wrench_on(base, whole)
    found.torques |= zip(BASE_AXES, (*force, *moment), strict=True)
    found.inertia |= base_entries(whole.inertia)
    for entries, columns in zip((found.by_position, found.by_speed), base_columns(tree, base, whole), strict=True):
        for axis, (force, moment) in columns.items():
            entries |= {(row, axis): x for row, x in zip(BASE_AXES, (*force, *moment), strict=True)}


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
        while at.parent or self.tree.free:
            own, k = self.where[at.j], at.parent
            twice = self._twice(at)
            row = self._row((j, k), row.turned(own.lead)).before(own.arm, twice)
            by_q, by_qd = (self._wrench(s, (j, k), turned_back(own.lead, w)) for s, w in (("Q", by_q), ("V", by_qd)))
            by_q, by_qd = shifted(by_q, own.arm), shifted(by_qd, own.arm)
            if not k:
                self._meet_base(j, row, by_q, by_qd, found)
                break
            at = self.tree.body(k)
            goes_on = at.parent or self.tree.free
            before = goes_on and is_zero(at.slide) and _zeros(self.moving[k]) > _zeros(self.links[k])
            if not before:
                self._meet(j, at, row, by_q, by_qd, self.links[k], found)
            if goes_on:
                row, by_q, by_qd = self._through(at, j, row, by_q, by_qd)
            if before:
                self._meet(j, at, row, by_q, by_qd, self.moving[k], found)

    def _twice(self, at: Body) -> Vector:
        """2 w x arm, of the foot of a joint about the origin of its carrier."""
        return self.scope.vector("VR", at.j, cross(self.links[at.parent].twice, self.where[at.j].arm))

    def _through(self, at: Body, j: int, row: Row, by_q: Wrench, by_qd: Wrench) -> tuple[Row, Wrench, Wrench]:
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
        found.by_position[k, j], found.by_speed[k, j] = along(at, by_q), along(at, by_qd)
        if at.prismatic:
            found.by_position[j, k] = dot(row.f, a.U[2])
            found.by_speed[j, k] = f1 * a.twice[1] - f2 * a.twice[0]
            found.inertia[k, j] = f3
        else:
            found.by_position[j, k] = b1 * w2 - b2 * w1 + dot(row.m, a.U[2]) + (f1 * a.vd[1] - f2 * a.vd[0])
            found.by_speed[j, k] = b3 + (m1 * a.twice[1] - m2 * a.twice[0])
            found.inertia[k, j] = m3

    def _meet_base(self, j: int, row: Row, by_q: Wrench, by_qd: Wrench, found: Derivatives) -> None:
        """The entries of joint j and a free base."""
        found.by_position |= {(axis, j): x for axis, x in zip(BASE_AXES, (*by_q[0], *by_q[1]), strict=True)}
        found.by_speed |= {(axis, j): x for axis, x in zip(BASE_AXES, (*by_qd[0], *by_qd[1]), strict=True)}
        found.inertia |= {(axis, j): x for axis, x in zip(BASE_AXES, (*row.f, *row.m), strict=True)}
        by_place, by_speed = on_base(self.tree, self.links[0], row)
        found.by_position |= {(j, axis): x for axis, x in by_place.items()}
        found.by_speed |= {(j, axis): x for axis, x in by_speed.items()}

    def _row(self, links: tuple[int, int], row: Row, stem: str = "") -> Row:
        return Row(
            *(self.scope.vector(f"{s}{stem}", links, v) for s, v in (("BR", row.b), ("MR", row.m), ("FW", row.f)))
        )

    def _wrench(self, stem: str, links: tuple[int, int], wrench: Wrench) -> Wrench:
        force, moment = wrench
        return self.scope.vector(f"F{stem}", links, force), self.scope.vector(f"N{stem}", links, moment)
