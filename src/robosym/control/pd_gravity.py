"""PD control with compensation of gravity, for positions to go to (Khalil, course 2014, section 9.3.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from ..models.dynamic.inverse.bias import holding_torques
from ..models.inertial_parameters.sets import Parameters
from ..models.resolve import Near
from ..program.of_arrays import program_of
from ..program.routine import Run, Stage
from ..robot import Robot
from .assembly import Period, assembled_law
from .declaration import law
from .dynamics import inside
from .joints import Joints, joints_of
from .law import Law
from .pid import decentralised, pid_stage
from .saturation import TauLimits, torque_limits
from .velocity import Velocity, speeds


@law("pd-gravity", rank=3)
def pd_gravity(
    robot: Robot,
    *,
    bandwidth: float | Sequence[float] | None = None,
    damping: float | Sequence[float] | None = None,
    inertia: float | Sequence[float] | None = None,
    viscous: float | Sequence[float] | None = None,
    Kp: float | Sequence[float] | None = None,
    Kd: float | Sequence[float] | None = None,
    at: Literal["q", "q_d"] = "q",
    velocity: Velocity = "measured",
    period: Period = 1e-3,
    limits: TauLimits = True,
    parameters: Parameters = "standard",
    mode: str | None = None,
    near: Near = None,
) -> Law:
    """PD control with gravity compensation, for goals at rest.

    The robot comes to rest at the goal from any initial state. Gains are given as numbers, or follow from a
    bandwidth, a damping ratio and the inertia of each joint. For a floating base, gravity is compensated as if the
    base were held.

    Parameters
    ----------
    robot
        Robot.
    bandwidth
        Bandwidth of the position error [rad/s]: one number, or one per actuated joint. None: 10 rad/s, unless gains
        are given.
    damping
        Damping ratio of the position error (1: critical): one number, or one per actuated joint. None: 1, unless
        gains are given.
    inertia
        Inertia that each motor moves [kg m^2 or kg]: one number, or one per actuated joint. None: the largest
        diagonal entry of the inertia matrix over the joint ranges.
    viscous
        Viscous friction of each joint [N m s/rad or N s/m]: one number, or one per actuated joint. None: the viscous
        friction of the description. The derivative gain is smaller by this friction, which damps the joint already; 0
        leaves it out.
    Kp
        Proportional gain [N m/rad or N/m]: one number, or one per actuated joint. Instead of a bandwidth; requires
        Kd.
    Kd
        Derivative gain [N m s/rad or N s/m]: one number, or one per actuated joint. Instead of a bandwidth; requires
        Kp.
    at
        Position at which gravity is computed: "q" (measured) or "q_d" (desired). Torques of springs are computed at
        the same position. With "q_d" every Kp must be larger than the norm of dQ/dq, else the robot can come to rest
        elsewhere.
    velocity
        Source of the joint velocities: "measured", or the cut-off of a filter of positions [rad/s]. With a cut-off,
        velocities are low-pass filtered differences of the positions from call to call. A floating base always
        measures its twist.
    period
        Time between two calls [s]. At most 10 s.
    limits
        Torque limits [N m or N]: True as described, False for none, one number, or one per actuated joint. Torques
        are cut off at these limits. An effort limit that is missing or 0 in the description is no limit.
    parameters
        Set of inertial parameters: "standard" or the smaller "base" (minimal) set. Both sets give the same torques.
    mode
        Closed loops and parallel robots: name of the assembly mode or of the working mode of the legs. None selects
        the mode of the joint positions in the description, otherwise the first mode. Control takes a parallel robot
        as closed loops, so that its modes are assembly modes.
    near
        Closed loops and parallel robots: joint positions by name [rad, m] that select the nearest mode, in place of
        its name.

    Returns
    -------
    Law
        Inputs q, qd and q_d; output tau.

    Notes
    -----
    Khalil, course 2014, section 9.3.2: ``tau = Kp (q_d - q) - Kd qd + Q`` [9.12], with Q the torques of gravity and
    springs.

    Stability: ``V = 1/2 qd^T A qd + 1/2 e^T Kp e`` decreases [9.16].

    Gains for a bandwidth w and an inertia a: Kp = a w^2, and Kd = 2 damping a w less the viscous friction.
    """
    joints = joints_of(robot, law="pd_gravity")
    robot = joints.robot
    period = float(period)
    chosen = {"bandwidth": bandwidth, "damping": damping, "inertia": inertia, "viscous": viscous}
    settings, make = decentralised(joints, chosen, {"Kp": Kp, "Kd": Kd}, False, mode, near)
    found = speeds(joints, velocity, period)
    model = holding_torques(robot, parameters=parameters, mode=mode, near=near)
    where, before = ("q", ()) if at == "q" else _wanted(joints)
    own = inside(model, {"q": where, "Q": "weight"})
    law = pid_stage(joints, found, False, tracking=False, added="weight")
    return assembled_law(
        "pd-gravity",
        joints,
        found,
        ("q_d",),
        (*before, *own.stages, law),
        settings,
        make,
        period=period,
        limits=torque_limits(joints, limits),
        inside=own,
        options={"at": at, "parameters": parameters},
    )


def _wanted(joints: Joints) -> tuple[str, tuple[Stage, ...]]:
    """The array of all coordinates with the joints where they shall be."""
    if not joints.in_q:
        return "q_d", ()

    def placed(q: Any, q_d: Any) -> dict[str, Any]:
        return {"q_wanted": [*q[: joints.in_q], *q_d]}

    shapes = {"q": (joints.count + joints.in_q,), "q_d": (joints.count,)}
    return "q_wanted", (Run(program_of("wanted position", shapes, placed)),)
