"""Where a simulation starts, checked: positions and speeds of the robot and of its motors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..reals import Floats, finite_array
from ..robot import Robot
from ..robot.joint_entries import position_entries, quaternions, speed_entries
from .plant import Plant, SimulationError
from .references import by_joint

HERE = np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0])  # a free base at the origin of the world
UNIT = 1e-6  # of a quaternion's length


def neutral(robot: Robot) -> Floats:
    """Positions of the joints by default: zero, and quaternions without rotation."""
    return np.array([entry.neutral for entry in position_entries(robot)])


def positions(robot: Robot, given: Any, what: str = "q") -> Floats:
    """(..., nq): of all coordinates, or of the joints alone (a free base is at the origin then), in rows or by joint."""
    entries, nq = position_entries(robot), robot.nq
    n = len(entries)
    if isinstance(given, Mapping):
        given = by_joint(what, given, entries)
    found = finite_array(what, given, SimulationError)
    if found.ndim not in (1, 2) or found.shape[-1] not in (n, nq):
        expected = f"{nq} numbers" + (f", or {n} of the joints alone" if n != nq else "")
        raise SimulationError(f"{what}: expected {expected}, got the shape {found.shape}")
    if found.shape[-1] != nq:
        found = np.concatenate([np.broadcast_to(HERE, (*found.shape[:-1], 7)), found], axis=-1)
    found = np.array(found)
    for whose, place in quaternions(robot).items():
        part = found[..., place : place + 4]
        lengths = np.linalg.norm(part, axis=-1, keepdims=True)
        wrong = lengths[np.abs(lengths - 1) > UNIT]
        if wrong.size:
            raise SimulationError(f"{what}: the quaternion of {whose} has the length {wrong[0]:g}, expected 1")
        part /= lengths
    return found


def speeds(robot: Robot, given: Any, what: str = "qd") -> Floats:
    """(..., nv): of all coordinates, or of the joints alone (a free base is at rest then)."""
    entries, nv = speed_entries(robot), robot.nv
    n = len(entries)
    if isinstance(given, Mapping):
        given = by_joint(what, given, entries, 0.0)
    found = finite_array(what, given, SimulationError)
    if found.ndim not in (1, 2) or found.shape[-1] not in (n, nv):
        expected = f"{nv} numbers" + (f", or {n} of the joints alone" if n != nv else "")
        raise SimulationError(f"{what}: expected {expected}, got the shape {found.shape}")
    if found.shape[-1] != nv:
        found = np.concatenate([np.zeros((*found.shape[:-1], nv - n)), found], axis=-1)
    return np.array(found)


def inside_limits(robot: Robot, q: Floats) -> None:
    """An error that names the first joint that starts where it cannot be."""
    entries = position_entries(robot)
    own = q[..., robot.nq - len(entries) :]
    for k, entry in enumerate(entries):
        joint = robot.frame(entry.frame).joint
        lower = -np.inf if joint.limits.lower is None else joint.limits.lower
        upper = np.inf if joint.limits.upper is None else joint.limits.upper
        outside = (own[..., k] < lower - 1e-9) | (own[..., k] > upper + 1e-9)
        if outside.any():
            x = float(np.atleast_1d(own[..., k])[np.atleast_1d(outside)][0])
            raise SimulationError(
                f"q: '{joint.name}' starts at {x:.6g}, outside its limits from {lower:.6g} to {upper:.6g} "
                "(limits=False simulates it all the same)"
            )


def motors(plant: Plant, q: Floats, qd: Floats, values: Mapping[str, Any]) -> dict[str, Floats]:
    """Motors of flexible joints, at rest relative to their joints: turned as far as the springs need to hold the joints in their
    position, so that a run does not begin with a blow. ``values`` are parameters that are others than in the description."""
    if not plant.flexible:
        return {}
    from ..models import flexible_joint_inverse_dynamics

    robot = plant.robot
    n = len(robot.moving)
    # Friction at rest is what of it is always there.
    model = flexible_joint_inverse_dynamics(robot, friction=bool(plant.friction), **plant.closing).compile()
    nothing = np.zeros(n)
    rows = np.atleast_2d(q)
    found = model(
        q=rows,
        qd=np.zeros((len(rows), robot.nv)),
        qdd=np.zeros(robot.nv),
        qd_motor=nothing,
        qdd_motor=nothing,
        **({"parameters": dict(values)} if values else {}),
    )
    return {"q_motor": found["q_motor"].reshape(*q.shape[:-1], n), "qd_motor": qd[..., robot.nv - n :].copy()}
