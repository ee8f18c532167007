"""The platform as a body, with what it carries: the wrench that moves it (Khalil 2010, equation 9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...expr import Expr, expr, number, variable
from ...program import Array, Rate
from ...program.choice import estimate
from ...robot import WRENCH, Robot
from ...spatial.inertia import Inertia
from ...spatial.scalar import Scalar, is_zero
from ...spatial.symmetric import Symmetric
from ...spatial.vectors import ZERO, Columns, Vector, apply, cross, dot, plus, times
from ..tree.bodies import Body, Tree, halves, tree
from ..tree.coordinates import BASE_AXES, coordinates
from ..tree.joint_torques import CLASSICAL, MODERN
from ..tree.joints import FREE
from ..tree.motion import BeforeTurn, Motion, Recursion, acceleration_matrix
from ..tree.wrenches import link_wrench
from .demand import Demand
from .kinematics import Kinematics

WRENCH_ON_ENVIRONMENT = tuple(variable(f"{name}P") for name in WRENCH)


@dataclass(frozen=True)
class Carried:
    """The joints that stand on the platform: symbols of their state, in the order of q."""

    frames: tuple[int, ...]

    def symbols(self, stem: str) -> tuple[Expr, ...]:
        return tuple(variable(f"{stem}{j}") for j in self.frames)

    def arrays(self, robot: Robot, names: Sequence[str]) -> list[Array]:
        """q, qd, qdd of these joints as inputs; none if there are none."""
        if not self.frames:
            return []
        n = (len(self.frames),)
        own = tuple(v for j in self.frames if (v := robot.frame(j).joint.variable) is not None)
        qdd = Array("qdd", n, self.symbols("qdd"))
        qd = Array("qd", n, self.symbols("qd"), Rate(qdd, qdd.entries))
        q = Array("q", n, own, Rate(qd, qd.entries))
        known = {"q": q, "qd": qd, "qdd": qdd}
        return [known[name] for name in names]


def carried_by(motion: Kinematics) -> Carried:
    return Carried(tuple(j for j in motion.module.robot.moving if j in motion.module.carried_joints))


def platform_wrench(motion: Kinematics, demand: Demand) -> tuple[list[Scalar], dict[int, Scalar]]:
    """F_p: force and moment about the platform's origin, in the axes of frame 0; and the torques of joints it carries."""
    joints = carried_by(motion)
    if joints.frames:
        found, torques = _with_joints(motion, joints, demand)
    else:
        found, torques = list(_alone(motion)), {}
    if demand.wrench:
        force, moment = halves(list(WRENCH_ON_ENVIRONMENT))
        R = motion.state.columns
        found = [a + b for a, b in zip(found, (*apply(R, force), *apply(R, moment)), strict=True)]
    return found, torques


def _alone(motion: Kinematics) -> tuple[Scalar, ...]:
    """Of a platform that carries nothing: written in the axes of frame 0, or in its own, whichever costs less."""
    body = platform_inertia(motion)
    a = plus(motion.state.acceleration, times(-1, motion.module.robot.gravity))
    ways = [_in_frame_0(motion, body, a), *_in_own_axes(motion, body, a)]
    return min(ways, key=lambda w: estimate(map(expr, w)))


def platform_inertia(motion: Kinematics) -> Inertia:
    """Of the platform and what is fixed to it, about its origin."""
    return lumped(motion.module.carrier)


def lumped(carrier: Robot) -> Inertia:
    return tree(carrier.replace(base=replace(carrier.base, floating=False))).base


def _in_frame_0(motion: Kinematics, body: Inertia, a: Vector) -> tuple[Scalar, ...]:
    """With the inertia turned into the axes of frame 0: nothing is to be turned of a platform that is like a sphere."""
    R, U = motion.state.columns, motion.U
    ms = motion.scope.vector("MS", 0, apply(R, body.moment))
    force = plus(times(body.mass, a), apply(U, ms))
    if is_sphere(body.sigma):
        inner = times(2 * body.sigma[0], motion.state.angular_acceleration)
    else:
        xx, xy, xz, yy, yz, zz = turned(R, body.sigma)
        (u11, u21, u31), (u12, u22, u32), (u13, u23, u33) = U
        inner = (
            yy * u32 - zz * u23 + xy * u31 - xz * u21 + yz * (u33 - u22),
            zz * u13 - xx * u31 + yz * u12 - xy * u32 + xz * (u11 - u33),
            xx * u21 - yy * u12 + xz * u23 - yz * u13 + xy * (u22 - u11),
        )
    return (*force, *plus(inner, cross(ms, a)))


def is_sphere(sigma: Symmetric) -> bool:
    xx, xy, xz, yy, yz, zz = sigma
    return all(map(is_zero, (xy, xz, yz))) and expr(xx) is expr(yy) and expr(yy) is expr(zz)


def turned(R: Columns, sigma: Symmetric) -> Symmetric:
    """R Sigma R^T."""
    if is_sphere(sigma):
        return sigma
    xx, xy, xz, yy, yz, zz = sigma
    rows = ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))
    half = [apply(R, row) for row in rows]  # the columns of R Sigma

    def entry(i: int, k: int) -> Scalar:
        return half[0][i] * R[0][k] + half[1][i] * R[1][k] + half[2][i] * R[2][k]

    return (entry(0, 0), entry(0, 1), entry(0, 2), entry(1, 1), entry(1, 2), entry(2, 2))


def _in_own_axes(motion: Kinematics, body: Inertia, a: Vector) -> list[tuple[Scalar, ...]]:
    """With the motion turned into the axes of the platform, and the wrench back."""
    R, state, scope = motion.state.columns, motion.state, motion.scope
    w, wd, vd = (
        scope.vector(stem, 0, _into(R, x))
        for stem, x in (("WP", state.angular_velocity), ("WPP", state.angular_acceleration), ("VPP", a))
    )
    U = acceleration_matrix(w, wd)
    moved = Motion(w, wd, U, vd, BeforeTurn(w, U[2], 0))
    it = Body(0, 0, FREE, (), ZERO, 0, 0, 0, inertia=body)
    found = []
    for recursion in (Recursion(), Recursion(classical=True)):
        force, moment = link_wrench(it, moved, scope, recursion)
        found.append((*apply(R, force), *apply(R, moment)))
    return found


def _into(R: Columns, a: Vector) -> Vector:
    return (dot(R[0], a), dot(R[1], a), dot(R[2], a))


def _with_joints(motion: Kinematics, joints: Carried, demand: Demand) -> tuple[list[Scalar], dict[int, Scalar]]:
    """The platform is the free base of what it carries."""
    bodies = carried_tree(motion, joints)
    best: tuple[int, list[Scalar], dict[int, Scalar]] | None = None
    for algorithm in (MODERN, CLASSICAL):
        _, gammas = algorithm(bodies, motion.scope)
        force, moment = halves([gammas[axis] for axis in BASE_AXES])
        R = motion.state.columns
        wrench: list[Scalar] = [*apply(R, force), *apply(R, moment)]
        torques = demand.torques(bodies, gammas)
        cost = estimate(map(expr, [*wrench, *torques.values()]))
        if best is None or cost < best[0]:
            best = cost, wrench, torques
    assert best is not None
    return best[1], best[2]


def carried_tree(motion: Kinematics, joints: Carried) -> Tree:
    """The bodies on the platform, moving with it."""
    state, R = motion.state, motion.state.columns
    carrier = motion.module.carrier
    own = coordinates(carrier)
    order = list(carrier.moving)
    speeds = dict(zip(joints.frames, joints.symbols("qd"), strict=True)) if state.order > 0 else {}
    rates = dict(zip(joints.frames, joints.symbols("qdd"), strict=True)) if state.order > 1 else {}
    zero = number(0)
    qd = [*_into(R, state.velocity), *_into(R, state.angular_velocity), *(speeds.get(j, zero) for j in order)]
    qdd = [*_into(R, state.acceleration), *_into(R, state.angular_acceleration), *(rates.get(j, zero) for j in order)]
    moving = replace(own, qd=tuple(map(expr, qd)), qdd=tuple(map(expr, qdd)))
    bodies = tree(carrier, "none", moving).accelerating(carrier, "classical")
    return replace(bodies, gravity=motion.scope.vector("G", 0, _into(R, motion.module.robot.gravity)))
