"""Robots with a platform on legs by Lagrange multipliers on Pinocchio's tree: nothing of a leg is inverted, nothing projected.

A state is the platform's ``pose`` (x y z qx qy qz qw in world), ``legs``, the positions of all joints in the order of
``joints_of(robot)``, and the platform's ``twist``: velocity of its origin and angular velocity, world axes. ``twist_rate`` holds
the classical acceleration of the origin and the angular acceleration. Motor forces are in the order of ``robot.moving``.
Joints that the platform carries are in ``legs`` too; no closure moves them, so their speeds and accelerations are the
arguments ``carried`` and ``carried_rate``, in the order of ``carried_joints(robot)``, zero unless given.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from models.parallel.platform_model import Mechanism, moved

from robosym.robot import Robot

RCOND = 1e-12
RANK = 1e-9  # singular values below this, over the largest, are zero
EXACT = 1e-8  # residuals of linear equations that have a solution, over the right-hand side
STEP = 0.3  # the longest step of the iteration, in rad and m


@dataclass(frozen=True)
class Solved:
    """A least-squares solution, and the largest entry of what it leaves: large if the equations contradict each other."""

    value: np.ndarray
    residual: float


@dataclass(frozen=True)
class Mobility:
    """How the mechanism can move at a position.

    ``platform`` is an orthonormal basis, by columns, of the twists that the platform can have while the joints it carries are
    held; ``motions`` one of all motions u = (twist, speeds of all joints). ``free`` is their number, ``held`` that of the
    motions left with all motors locked. ``gap`` is the least singular value of the closures that counts over the greatest
    that does not: a large number, or the rank is doubtful.
    """

    platform: np.ndarray
    motions: np.ndarray
    free: int
    held: int
    gap: float


# --- joints ----------------------------------------------------------------------------------------------------------


def joints_of(robot: Robot) -> tuple[int, ...]:
    """The frames of the joints in ``legs``: all that turn or slide, also those the platform carries, as in ``robot.order``."""
    return Mechanism.of(robot).joints


def motors_of(robot: Robot) -> list[int]:
    """Where the motors are in ``legs``: q = legs[motors_of(robot)]."""
    return Mechanism.of(robot).motors


def carried_joints(robot: Robot) -> list[int]:
    """Where the joints that the platform carries are in ``legs``."""
    return Mechanism.of(robot).carried


# --- positions -------------------------------------------------------------------------------------------------------


def closure_error(robot: Robot, pose: np.ndarray, legs: np.ndarray) -> float:
    """The largest distance or angle, by components, between the end of a leg and its seat."""
    return float(np.abs(Mechanism.of(robot).misses(pose, legs)).max())


def legs_at(robot: Robot, pose: np.ndarray, start: np.ndarray | None = None) -> tuple[np.ndarray, float]:
    """All joints at a pose of the platform, by damped Newton from ``start`` or the description; and the closure error."""
    mechanism = Mechanism.of(robot)
    legs = mechanism.described if start is None else np.asarray(start, dtype=float)
    free = [6 + k for k in range(len(mechanism.joints)) if k not in mechanism.carried]
    _, legs = _closed(mechanism, np.asarray(pose, dtype=float), legs, free)
    return legs, closure_error(robot, pose, legs)


def platform_at(
    robot: Robot, q: np.ndarray, pose: np.ndarray, legs: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray, float]:
    """Pose and all joints at positions of the motors, by damped Newton from a pose and joints; and the closure error."""
    mechanism = Mechanism.of(robot)
    legs = np.array(mechanism.described if legs is None else legs, dtype=float)
    legs[mechanism.motors] = q
    free = [k for k in range(mechanism.size) if k - 6 not in (*mechanism.motors, *mechanism.carried)]
    pose, legs = _closed(mechanism, np.asarray(pose, dtype=float), legs, free)
    return pose, legs, closure_error(robot, pose, legs)


def _closed(mechanism: Mechanism, pose: np.ndarray, legs: np.ndarray, free: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """Newton's iteration on some entries of u, its steps cut to STEP, damped while it is far away."""
    best, since = np.inf, 0
    for _ in range(200):
        miss = mechanism.misses(pose, legs)
        error = float(np.abs(miss).max())
        since += 1
        if error < best:
            best, found, since = error, (pose, legs), 0
        if since > (0 if best < 1e-12 else 20):  # nothing more to gain
            break
        A = mechanism.closures(pose, legs)[0][:, free]
        damping = 1e-3 * min(error, 1.0)
        size = A.shape[1]
        matrix = np.vstack([A, damping * np.eye(size)]) if error > 1e-3 else A
        right = np.concatenate([miss, np.zeros(size)]) if error > 1e-3 else miss
        step = np.zeros(mechanism.size)
        step[free] = np.linalg.lstsq(matrix, right, rcond=RCOND)[0]
        step *= min(1.0, STEP / max(float(np.abs(step).max()), 1e-300))
        pose, legs = (moved(pose, step) if min(free) < 6 else pose), legs + step[6:]
    return found


# --- rates -----------------------------------------------------------------------------------------------------------


def rates(
    robot: Robot, pose: np.ndarray, legs: np.ndarray, twist: np.ndarray, carried: np.ndarray | None = None
) -> Solved:
    """Speeds of all joints from the platform's twist. A large residual: the legs do not let the platform move so."""
    mechanism = Mechanism.of(robot)
    J, _ = mechanism.closures(pose, legs)
    return _followed(mechanism, J, np.asarray(twist, dtype=float), np.zeros(len(J)), carried)


def accelerations(
    robot: Robot,
    pose: np.ndarray,
    legs: np.ndarray,
    twist: np.ndarray,
    twist_rate: np.ndarray,
    carried: np.ndarray | None = None,
    carried_rate: np.ndarray | None = None,
) -> Solved:
    """Accelerations of all joints. A large residual: the legs do not let the platform move so."""
    mechanism = Mechanism.of(robot)
    J, g = mechanism.closures(pose, legs, _motion(robot, pose, legs, twist, carried))
    return _followed(mechanism, J, np.asarray(twist_rate, dtype=float), g, carried_rate)


def _followed(
    mechanism: Mechanism, J: np.ndarray, platform: np.ndarray, drift: np.ndarray, carried: np.ndarray | None
) -> Solved:
    """The joints' part of J (platform, joints) + drift = 0."""
    own = [k for k in range(len(mechanism.joints)) if k not in mechanism.carried]
    A, b = J[:, [6 + k for k in own]], -(J[:, :6] @ platform + drift)
    found = np.zeros(len(mechanism.joints))
    found[own] = np.linalg.lstsq(A, b, rcond=RCOND)[0]
    if carried is not None:
        found[mechanism.carried] = carried
    return Solved(found, float(np.abs(A @ found[own] - b).max()))


def _motion(
    robot: Robot, pose: np.ndarray, legs: np.ndarray, twist: np.ndarray, carried: np.ndarray | None
) -> np.ndarray:
    """u. The twist must be one the legs let the platform have."""
    found = rates(robot, pose, legs, twist, carried)
    assert found.residual < EXACT * (1 + np.abs(twist).max()), f"not admissible: off by {found.residual:.1e}"
    return np.concatenate([twist, found.value])


def admissible(robot: Robot, pose: np.ndarray, legs: np.ndarray) -> Mobility:
    """The null spaces of the closures."""
    mechanism = Mechanism.of(robot)
    J, _ = mechanism.closures(pose, legs)
    motions, gap = _null(J)
    held = [k for k in range(mechanism.size) if k - 6 not in mechanism.motors]
    locked = [k for k in range(mechanism.size) if k - 6 not in mechanism.carried]
    U, S, _ = np.linalg.svd(_null(J[:, locked])[0][:6])
    platform = U[:, : len(S)][:, S > RANK]
    return Mobility(platform, motions, motions.shape[1], _null(J[:, held])[0].shape[1], gap)


def _null(A: np.ndarray) -> tuple[np.ndarray, float]:
    """An orthonormal basis, and how clear the rank is."""
    _, S, V = np.linalg.svd(A)
    rank = int(np.count_nonzero(S / S[0] > RANK))
    left = S[rank] if rank < len(S) else 0.0
    return V[rank:].T, float(S[rank - 1] / max(left, np.finfo(float).eps * S[0]))


def by_motors(robot: Robot, pose: np.ndarray, legs: np.ndarray) -> np.ndarray:
    """G of u = G qd: the first six rows are the robot's Jacobian matrix, the others give the speeds of all joints."""
    mechanism = Mechanism.of(robot)
    motions = admissible(robot, pose, legs).motions
    driven = motions[[6 + k for k in mechanism.motors]]
    assert driven.shape[0] == driven.shape[1], f"{driven.shape[1]} motions of {driven.shape[0]} motors"
    return np.asarray(motions @ np.linalg.inv(driven))


def motion_by_motors(
    robot: Robot, pose: np.ndarray, legs: np.ndarray, qd: np.ndarray, qdd: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """u = (twist, speeds of all joints) and its rate, from the motors' speeds and accelerations."""
    mechanism = Mechanism.of(robot)
    G = by_motors(robot, pose, legs)
    u = G @ np.asarray(qd, dtype=float)
    J, g = mechanism.closures(pose, legs, u)
    drift = np.linalg.lstsq(J, -g, rcond=RCOND)[0]  # any rate of u that the closures allow
    return u, drift + G @ (qdd - drift[[6 + k for k in mechanism.motors]])


def by_platform(robot: Robot, pose: np.ndarray, legs: np.ndarray, basis: np.ndarray) -> np.ndarray:
    """G of u = G (entries on a basis of admissible twists, speeds of the carried joints)."""
    mechanism = Mechanism.of(robot)
    columns = [_motion(robot, pose, legs, twist, None) for twist in basis.T]
    own = np.eye(mechanism.size)[[6 + k for k in mechanism.carried]]
    return np.array([*columns, *own]).T


# --- dynamics --------------------------------------------------------------------------------------------------------


def inverse_dynamics(
    robot: Robot,
    pose: np.ndarray,
    legs: np.ndarray,
    twist: np.ndarray,
    twist_rate: np.ndarray,
    *,
    carried: np.ndarray | None = None,
    carried_rate: np.ndarray | None = None,
    friction: bool = False,
    wrench: np.ndarray | None = None,
) -> np.ndarray:
    """Forces of the motors: M ud + h + friction + wrench = S tau + J' lambda, solved for tau and lambda.

    ``wrench`` is the force and moment, world axes, at the platform's origin, that the platform exerts on the environment.
    """
    mechanism = Mechanism.of(robot)
    u = _motion(robot, pose, legs, twist, carried)
    solved = accelerations(robot, pose, legs, twist, twist_rate, carried, carried_rate)
    scale = 1 + np.abs(twist_rate).max() + np.abs(u).max() ** 2
    assert solved.residual < EXACT * scale, f"not admissible: off by {solved.residual:.1e}"
    needed = mechanism.forces(pose, legs, u, np.concatenate([twist_rate, solved.value]))
    needed = needed + _others(mechanism, u, friction, wrench)
    J, _ = mechanism.closures(pose, legs)
    S = np.eye(mechanism.size)[:, [6 + k for k in mechanism.motors]]
    motions = _null(J)[0]
    assert np.linalg.matrix_rank(motions.T @ S, tol=RANK) == S.shape[1], "the motors work against each other"
    matrix = np.hstack([S, J.T])
    found = np.linalg.lstsq(matrix, needed, rcond=RCOND)[0]
    left = np.abs(matrix @ found - needed).max()
    assert left < EXACT * (1 + np.abs(needed).max()), f"the motors cannot make this motion: {left:.1e} is left"
    return np.asarray(found[: S.shape[1]])


def forward_dynamics(
    robot: Robot,
    pose: np.ndarray,
    legs: np.ndarray,
    twist: np.ndarray,
    tau: np.ndarray,
    *,
    carried: np.ndarray | None = None,
    friction: bool = False,
    wrench: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """twist_rate and the accelerations of all joints: [[M, J'], [J, 0]] [ud, -lambda] = [S tau - h, -g]."""
    mechanism = Mechanism.of(robot)
    u = _motion(robot, pose, legs, twist, carried)
    M, (J, g) = mechanism.inertia(pose, legs), mechanism.closures(pose, legs, u)
    right = -mechanism.forces(pose, legs, u, np.zeros(mechanism.size)) - _others(mechanism, u, friction, wrench)
    right[[6 + k for k in mechanism.motors]] += tau
    motions = _null(J)[0]
    assert np.linalg.matrix_rank(motions.T @ M @ motions, tol=RANK) == motions.shape[1], "something moves without mass"
    m = len(g)
    matrix = np.block([[M, J.T], [J, np.zeros((m, m))]])
    right = np.concatenate([right, -g])
    found = np.linalg.lstsq(matrix, right, rcond=RCOND)[0]
    left = np.abs(matrix @ found - right).max()
    assert left < EXACT * (1 + np.abs(right).max()), f"the equations of motion are left by {left:.1e}"
    return found[:6], found[6 : mechanism.size]


def _others(mechanism: Mechanism, u: np.ndarray, friction: bool, wrench: np.ndarray | None) -> np.ndarray:
    """What friction takes, and what the platform does to the environment."""
    found = mechanism.friction(u) if friction else np.zeros(mechanism.size)
    if wrench is not None:
        found[:6] += wrench
    return found


def platform_inertia(robot: Robot, pose: np.ndarray, legs: np.ndarray, basis: np.ndarray | None = None) -> np.ndarray:
    """Of all links and rotors, on a basis of admissible twists (all six, or that of ``admissible``), then carried joints."""
    if basis is None:
        basis = admissible(robot, pose, legs).platform
        basis = np.eye(6) if basis.shape[1] == 6 else basis
    G = by_platform(robot, pose, legs, basis)
    return np.asarray(G.T @ Mechanism.of(robot).inertia(pose, legs) @ G)


def motor_inertia(robot: Robot, pose: np.ndarray, legs: np.ndarray) -> np.ndarray:
    """Of all links and rotors, in the motors' coordinates."""
    G = by_motors(robot, pose, legs)
    return np.asarray(G.T @ Mechanism.of(robot).inertia(pose, legs) @ G)


def gravity(robot: Robot, pose: np.ndarray, legs: np.ndarray) -> np.ndarray:
    """Forces of the motors that hold everything at rest."""
    return inverse_dynamics(robot, pose, legs, np.zeros(6), np.zeros(6))


def energy(
    robot: Robot, pose: np.ndarray, legs: np.ndarray, twist: np.ndarray, carried: np.ndarray | None = None
) -> tuple[float, float]:
    """Kinetic, with the rotors, and potential, of all links."""
    mechanism = Mechanism.of(robot)
    u = _motion(robot, pose, legs, twist, carried)
    return float(u @ mechanism.inertia(pose, legs) @ u / 2), mechanism.potential(pose, legs)
