"""PD control with compensation of gravity, for positions to go to (Khalil, course 2014, section 9.3.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from ..arguments import judged
from ..models.dynamic.inverse.bias import holding_torques
from ..models.inertial_parameters.sets import Parameters
from ..models.resolve import Near
from ..program.of_arrays import program_of
from ..program.routine import Run, Stage
from ..robot import Robot
from .assembly import assembled_law, period_of
from .dynamics import inside
from .joints import Joints, joints_of
from .law import ControlError, Law
from .pid import decentralised, pid_stage
from .saturation import TauLimits, torque_limits
from .velocity import Velocity, speeds


@judged
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
    period: float = 1e-3,
    limits: TauLimits = True,
    parameters: Parameters = "standard",
    mode: str | None = None,
    near: Near = None,
) -> Law:
    """Gamma = Kp (q_d - q) - Kd qd + Q [9.12], with Q of gravity and springs where the robot is, or ``at`` "q_d" where it shall be.

    The robot comes to rest at q_d from anywhere, since V = 1/2 qd^T A qd + 1/2 e^T Kp e falls [9.16]; with Q(q_d) if every Kp is above
    |dQ/dq|. From ``bandwidth`` w (rad/s) and ``damping`` Kp = a w^2 and Kd + Fv = 2 damping a w, for the largest inertias a as in
    ``pid``; or Kp and Kd themselves. Of a free base gravity is compensated as if it was held.
    """
    joints = joints_of(robot, law="pd_gravity")
    robot = joints.robot
    if at not in ("q", "q_d"):
        raise ControlError(f"at: got {at!r:.40}, expected 'q' or 'q_d'")
    period = period_of(period)
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
