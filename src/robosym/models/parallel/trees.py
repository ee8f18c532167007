"""The trees that a parallel robot consists of: each leg, and the platform as the floating base of what stands on it.

Their joints move as the coordinates of the robot say (``coordinates.py``), so that the algorithms on a tree are those of any robot.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ...expr import expr, variable
from ...program import Scope
from ...program.choice import estimate
from ...robot import WRENCH, Robot
from ...spatial import symmetric
from ...spatial.inertia import Inertia
from ...spatial.vectors import ZERO, apply, cross, plus, times
from ..tree.bodies import Tree, halves, tree
from ..tree.coordinates import BASE_AXES
from ..tree.joint_torques import CLASSICAL, MODERN, Found
from ..tree.state import wrench_symbols
from .coordinates import TWIST_AXES, PlatformCoordinates
from .rates import LegRates, leg_robot

WRENCH_ON_ENVIRONMENT = tuple(variable(f"{name}P") for name in WRENCH)


def leg_tree(own: PlatformCoordinates, leg: LegRates, pushing: frozenset[int] | None = None) -> Tree:
    """The bodies of a leg. ``pushing``: the frames of the robot whose wrench on the environment is an input, beside those of the
    description; by default there is none at all."""
    of_leg = "none" if pushing is None else pushing & {*leg.path.all_frames}
    return tree(leg_robot(own.module, leg.solved), of_leg, own)


def platform_tree(own: PlatformCoordinates, pushing: frozenset[int] | None = None) -> Tree:
    """The platform and the bodies on it."""
    carrier, platform = own.module.carrier, own.module.platform.frame
    on_it = "none" if pushing is None else pushing & {*own.module.carried}
    bodies = tree(carrier, on_it, own.carried).accelerating(carrier, "classical")
    if pushing is not None and platform in pushing:
        force, moment = halves(list(wrench_symbols(platform)))
        root = bodies.root
        root = replace(root, force=plus(root.force, force), moment=plus(root.moment, moment))
        bodies = replace(bodies, root=root)
    return replace(bodies, gravity=own.scope.vector("G", 0, own.in_own_axes(own.module.robot.gravity)))


def lumped(carrier: Robot) -> Inertia:
    """The inertia of the platform with what is fixed to it, about its origin."""
    return tree(carrier.replace(base=replace(carrier.base, floating=False))).base


# --- the torques of its axes -------------------------------------------------------------------------------------------


def platform_torques(own: PlatformCoordinates, bodies: Tree, scope: Scope) -> Found:
    """The wrench that moves the platform (Khalil 2010, equation 9) and the torques of joints on it, in the cheapest way: a platform
    that carries nothing may be written in the axes of frame 0. Its wrench on the environment is added to that."""

    def cost(found: Found) -> int:
        wrench, torques = own.of_platform(found[1])
        return estimate(map(expr, [*wrench, *torques.values()]))

    alone = replace(bodies, root=replace(bodies.root, force=ZERO, moment=ZERO))
    _, found = min(_ways(own, alone, scope), key=cost)
    pushed = zip(BASE_AXES, (*bodies.root.force, *bodies.root.moment), strict=True)
    return {}, {**found, **{axis: found.get(axis, 0) + x for axis, x in pushed}}


def _ways(own: PlatformCoordinates, bodies: Tree, scope: Scope) -> Iterator[Found]:
    lifted = _lifted(own, bodies, scope)
    if not bodies.bodies:
        yield _in_frame_0(own, bodies, scope)
    for one in (lifted, bodies) if bodies.bodies else (lifted,):
        yield MODERN(one, scope)
        yield CLASSICAL(one, scope)


def _lifted(own: PlatformCoordinates, bodies: Tree, scope: Scope) -> Tree:
    """Gravity as an acceleration of the platform: both are turned into its axes together."""
    a = own.in_own_axes(plus(own.state.acceleration, times(-1, own.module.robot.gravity)))
    moving = replace(bodies.root.moving, a=scope.vector("VPP", 0, a))
    return replace(bodies, root=replace(bodies.root, moving=moving), gravity=ZERO)


def _in_frame_0(own: PlatformCoordinates, bodies: Tree, scope: Scope) -> Found:
    """With the inertia turned into the axes of frame 0: nothing is to be turned of a platform that is like a sphere."""
    R, U, body = own.state.columns, own.U, bodies.base
    a = plus(own.state.acceleration, times(-1, own.module.robot.gravity))
    ms = scope.vector("MS", 0, apply(R, body.moment))
    force = plus(times(body.mass, a), apply(U, ms))
    if symmetric.is_sphere(body.sigma):
        inner = times(2 * body.sigma[0], own.state.angular_acceleration)
    else:
        inner = symmetric.axial(U, symmetric.turned(R, body.sigma))
    return {}, dict(zip(TWIST_AXES, (*force, *plus(inner, cross(ms, a))), strict=True))
