"""States of robots with platforms that satisfy their closures, away from singular positions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from models.parallel import reference
from models.parallel.platform_model import Mechanism, moved

from robosym.robot import Robot

CLEAR = 0.02  # the least singular value of what must be regular over the largest

Position = tuple[np.ndarray, np.ndarray]  # pose and all joints


@dataclass(frozen=True)
class State:
    """``legs``, ``speeds`` and ``accelerations`` are of all joints, q, qd and qdd of the motors; ``tau`` their forces with
    rotors, without friction and wrench. ``carried`` and ``carried_rate`` are of the joints on the platform."""

    pose: np.ndarray
    legs: np.ndarray
    twist: np.ndarray
    speeds: np.ndarray
    twist_rate: np.ndarray
    accelerations: np.ndarray
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray
    tau: np.ndarray
    carried: np.ndarray
    carried_rate: np.ndarray


def state_of(robot: Robot, pose: np.ndarray, legs: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> State:
    """The motion that motors make."""
    motors, on = reference.motors_of(robot), reference.carried_joints(robot)
    u, ud = reference.motion_by_motors(robot, pose, legs, qd, qdd)
    given = {"carried": u[6:][on], "carried_rate": ud[6:][on]}
    tau = reference.inverse_dynamics(robot, pose, legs, u[:6], ud[:6], **given)
    rates = {"twist": u[:6], "speeds": u[6:], "twist_rate": ud[:6], "accelerations": ud[6:]}
    return State(pose, legs, **rates, q=legs[motors], qd=qd, qdd=qdd, tau=tau, **given)


def random_states(
    robot: Robot, pose: np.ndarray, legs: np.ndarray, count: int, seed: int = 0, steps: int = 4
) -> list[State]:
    """At ``nearby_poses``, with motors moving at random."""
    rng = np.random.default_rng([seed, 1])
    found = []
    for here in nearby_poses(robot, pose, legs, count, seed, steps=steps):
        qd, qdd = rng.uniform(-1, 1, (2, len(robot.moving)))
        found.append(state_of(robot, *here, qd, qdd))
    return found


def nearby_poses(
    robot: Robot, pose: np.ndarray, legs: np.ndarray, count: int, seed: int = 0, spread: float = 0.25, steps: int = 4
) -> list[Position]:
    """Poses and all joints that the motors can reach from here: a walk on the surface that the closures leave, as long as
    nothing is near a singular position; ``spread`` is how far each motor goes at most, in rad or m."""
    rng = np.random.default_rng(seed)
    motors = reference.motors_of(robot)
    found: list[Position] = []
    for _ in range(50 * count):
        if len(found) == count:
            break
        way = rng.uniform(-spread, spread, len(motors))
        here: Position | None = (pose, legs)
        for _ in range(
            steps
        ):  # short steps, so that the iteration keeps to one assembly and sees a singular position on the way
            here = _stepped(robot, here, way / steps) if here is not None else None
        found += [here] if here is not None else []
    assert len(found) == count, f"{robot.name}: {len(found)} of {count} poses were found"
    return found


def _stepped(robot: Robot, here: Position, way: np.ndarray) -> Position | None:
    """Along the tangent, then back to the surface with the motors held."""
    pose, legs = here
    q = legs[reference.motors_of(robot)] + way
    step = reference.by_motors(robot, pose, legs) @ way
    pose, legs, error = reference.platform_at(robot, q, moved(pose, step), legs + step[6:])
    return (pose, legs) if error < 1e-12 and is_clear(robot, pose, legs, CLEAR / 2) else None


def is_clear(robot: Robot, pose: np.ndarray, legs: np.ndarray, clear: float = CLEAR) -> bool:
    """Whether the motors alone determine the motion, the platform alone that of its legs, and neither is near to failing."""
    mechanism = Mechanism.of(robot)
    mobility = reference.admissible(robot, pose, legs)
    if mobility.free != len(mechanism.motors):
        return False
    J, _ = mechanism.closures(pose, legs)
    own = [6 + k for k in range(len(mechanism.joints)) if k not in mechanism.carried]
    rank = mechanism.size - mobility.free
    inner = len(own)  # no joint of a leg moves while the platform stands
    return (
        _least(mobility.motions[[6 + k for k in mechanism.motors]], mobility.free) > clear
        and _least(J[:, own], inner) > clear
        and _least(J, rank) > clear
    )


def _least(A: np.ndarray, rank: int) -> float:
    """The singular value that the rank rests on, over the largest."""
    S = np.linalg.svd(A, compute_uv=False)
    return float(S[rank - 1] / S[0]) if rank <= len(S) else 0.0
