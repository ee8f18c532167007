"""Torques of the axes of a tree in given motion, by each of the recursions that give them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...expr import Expr, expr
from ...program import Scope
from ...spatial.scalar import Scalar
from ...spatial.wrenches import Wrench
from .augmented_body import augmented_torques
from .bodies import Body, Tree
from .coordinates import Axis
from .friction import FrictionKind, joint_friction
from .motion import Recursion, motions
from .two_axis_links import taken_out
from .wrenches import on_axes, torques

# The wrench through every joint (where the algorithm has them) and the torque of every axis, without the motor's own.
Found = tuple[Mapping[int, Wrench], Mapping[Axis, Scalar]]
Algorithm = Callable[[Tree, Scope], Found]


def newton_euler(recursion: Recursion) -> Algorithm:
    """The recursion over all links, written in one way."""

    def found(bodies: Tree, scope: Scope) -> Found:
        joints = torques(bodies, motions(bodies, scope, recursion), scope, recursion)
        wrenches = {body.j: joints[body.j][0] for body in bodies.bodies}
        return wrenches, on_axes(joints)

    return found


def two_axis_links_first(bodies: Tree, scope: Scope) -> Found:
    """The links that two axes move in closed form, the recursion over the others."""
    others, extra = taken_out(bodies, scope)
    _, found = MODERN(others, scope)
    return {}, {axis: gamma + extra.get(axis, 0) for axis, gamma in found.items()}


def augmented(bodies: Tree, scope: Scope) -> Found:
    """Renaud's recursion."""
    return {}, dict(augmented_torques(bodies, scope).items())


CLASSICAL = newton_euler(Recursion(classical=True, add_angles=False, add_angles_back=False))
MODERN = newton_euler(Recursion())
# The wrench inside a joint needs its moment in one piece.
WITH_REACTIONS = newton_euler(Recursion(add_angles_back=False))
METHODS = {"newton-euler": CLASSICAL, "acceleration-matrix": MODERN, "augmented-body": augmented}


def actuator_torque(bodies: Tree, body: Body, friction: FrictionKind, rotor: bool = True) -> Expr:
    """What the motor spends on itself: Ia qdd + Fv qd + Fs sign(qd), the last terms of equation (20); and on the spring of
    the joint."""
    total = expr(body.spring.torque)
    if rotor:
        total = total + bodies.rotor_torque(body)
    return total + joint_friction(bodies, body, friction) if friction else total
