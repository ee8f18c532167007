"""Velocities of the links (SYMORO+ 1997, equations 6a to 6c)."""

from __future__ import annotations

from dataclasses import dataclass

from ...program import Scope
from ...spatial.vectors import ZERO, Vector
from .bodies import Tree
from .deferred import Deferred, at_once, cross


@dataclass(frozen=True)
class Speed:
    """Of a link, in its frame: its angular velocity, and the velocity of its origin."""

    angular: Vector = ZERO
    linear: Vector = ZERO


AT_REST = Speed()


def speeds(
    bodies: Tree, scope: Scope, base: Speed = AT_REST, add_angles: bool = True, linear_too: bool = True
) -> dict[int, Speed]:
    """From the base outwards; over parallel axes a velocity is turned once, by the sum of the angles.

    ``linear_too``: those of the origins as well. They are in as many parts as there are axes: where those of all
    links are needed, turning what the antecedent has costs less.
    """
    deferred = {0: (at_once(base.angular), at_once(base.linear))}
    found = {0: base}
    for body in bodies.bodies:
        j, lead = body.j, body.rotation_before
        w, v = deferred[body.parent]
        v = v + cross(w, at_once(body.position))  # (6c), V_i + w_i x P_j
        if lead or not add_angles:
            w = _named(scope, "WA", j, w.into(lead))
        if lead or not (add_angles and linear_too):
            v = _named(scope, "VA", j, v.into(lead))
        w, v = w.turned(-body.turn), v.turned(-body.turn)  # (6a), (6c): into frame j
        joint = at_once((0, 0, body.speed))
        w, v = (w, v + joint) if body.prismatic else (w + joint, v)  # (6c) or (6b)
        deferred[j] = (w, v)
        found[j] = Speed(scope.vector("W", j, w.vector), scope.vector("V", j, v.vector))
    return found


def _named(scope: Scope, stem: str, j: int, a: Deferred) -> Deferred:
    return at_once(scope.vector(stem, j, a.vector))
