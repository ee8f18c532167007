"""The wrenches that move the links, and the torques of the joints: Newton and Euler (SYMORO+ 1997, equations 15 to 20).

The moment of the inertial forces is the axial vector of U Sigma - (U Sigma)^T, with the pseudo-inertia Sigma (derived here):
it is linear in the inertial parameters, and costs less than J wd + w x (J w) of equation (16). Over parallel axes a moment is
turned once, by the sum of the angles.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ...program import Scope
from ...spatial import symmetric
from ...spatial.rotations import Turn, back
from ...spatial.scalar import Scalar
from ...spatial.vectors import Columns, Vector, apply, cross, plus, times
from ...spatial.wrenches import Wrench
from .bodies import Body, Tree
from .coordinates import BASE_AXES, Axis
from .motion import Motion, Recursion


def link_wrench(body: Body, m: Motion, scope: Scope, recursion: Recursion) -> Wrench:
    """Force and moment that move link j, about its origin, with those it exerts on the environment."""
    j, ms = body.j, body.inertia.moment
    force = scope.vector("F", j, plus(times(body.inertia.mass, m.vd), apply(m.U, ms)))  # (15)
    by_matrix = recursion.classical or body.is_rotor  # which has one entry only
    inner = classical_moment(body, m) if by_matrix else pseudo_inertia_moment(body, m.U, scope)
    moment = plus(scope.vector("No", j, inner), cross(ms, m.vd))  # (16)
    # f_e and m_e of (17) and (19)
    return plus(force, body.force), scope.vector("M", j, plus(moment, body.moment))


def classical_moment(body: Body, m: Motion) -> Vector:
    """J wd + w x (J w), the first two terms of equation (16)."""
    J = body.inertia.matrix
    return plus(symmetric.apply(J, m.wd), cross(m.w, symmetric.apply(J, m.w)))


def pseudo_inertia_moment(body: Body, U: Columns, scope: Scope) -> Vector:
    """The same as the axial vector of U Sigma - (U Sigma)^T."""
    named = scope.vector("PIS", body.j, symmetric.diagonal_differences(U))
    return symmetric.axial(U, body.inertia.sigma, named)


# --- from the tips to the base ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Load:
    """What a link hands back: force and moment in its own frame, and parts of the moment still to be turned about z."""

    force: Vector
    moments: tuple[tuple[Scalar, Vector], ...]  # (angle, moment): turn by the angle to come to the frame before


def torques(
    tree: Tree, found: dict[int, Motion], scope: Scope, recursion: Recursion = Recursion()
) -> dict[int, tuple[Wrench, Scalar]]:
    """The wrench f_j, m_j through every joint and its projection on the axis, from the tips to the base; of a base that is
    free, as joint 0, the wrench that moves it with all it carries.

    Force and moment are not moved back together (``spatial.wrenches``): the shift along the joint's own axis is made
    before the turn, where it meets two components, and over parallel axes the moment is turned once for several joints.
    """
    handed: dict[int, list[tuple[Body, Load]]] = {}
    result: dict[int, tuple[Wrench, Scalar]] = {}
    for body in reversed((tree.base_body, *tree.bodies) if tree.free else tree.bodies):
        force, moment = link_wrench(body, found[body.j], scope, recursion)
        deferred: list[tuple[Scalar, Vector]] = []
        for child, load in handed.pop(body.j, []):
            f = scope.vector("FDI", child.j, back(child.rotation, load.force))  # (18)
            force = plus(force, f)  # (17)
            moment = plus(moment, cross(child.arm, f))  # (19), P_k x f_k
            lead = child.rotation_before
            if not lead and recursion.add_angles_back and not body.prismatic:
                deferred += load.moments
            else:
                for angle, part in load.moments:
                    moment = plus(moment, back((*lead, Turn("z", angle)), part))  # (19), A_k m_k
        # What is deferred is missing in the moment, which is not N then.
        n, ns = ("NR", "NSR") if deferred else ("N", "NS")
        force, moment = scope.vector("E", body.j, force), scope.vector(n, body.j, moment)
        axial = moment[2]
        for _, part in deferred:
            axial = axial + part[2]
        result[body.j] = ((force, moment), force[2] if body.prismatic else axial)  # (20)
        if not body.j:
            break
        own = body.turn
        handed_on = scope.vector(ns, body.j, plus(moment, times(body.slide, (-force[1], force[0], 0))))  # + r z x f
        moments = ((own, handed_on), *((own + angle, part) for angle, part in deferred))
        handed.setdefault(body.parent, []).append((body, Load(force, moments)))
    return result


def on_axes(joints: Mapping[int, tuple[Wrench, Scalar]]) -> dict[Axis, Scalar]:
    """The torques of all axes: of the joints, and of the six of a free base, whose wrench is joint 0's."""
    found: dict[Axis, Scalar] = {j: gamma for j, (_, gamma) in joints.items() if j}
    if 0 in joints:
        (force, moment), _ = joints[0]
        found |= zip(BASE_AXES, (*force, *moment), strict=True)
    return found
