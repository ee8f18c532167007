"""The torques of the motion that is wanted, alone or with the feedback of every joint around them.

Of joints that are driven through springs, [7.35] of the course tells where the motors have to be for the joints to be at q_d, and their
torques. The velocities of the motors are taken for those of the joints: exact would be the rates of the torques, which take
the jerk of the motion and its rate. So at rest, and at constant speed against gravity that does not change, it is exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..arguments import judged
from ..generated import Model
from ..models import flexible_joint_inverse_dynamics, inverse_dynamics
from ..models.inertial_parameters.sets import Parameters
from ..models.resolve import Near
from ..models.tree.friction import FrictionKind
from ..program.routine import Stage
from ..robot import Robot
from .assembly import WANTED, assembled_law, period_of
from .dynamics import inside
from .integral import integral_of
from .joints import Joints, joints_of, require_moving
from .law import ControlError, Law
from .pid import decentralised, pid_stage
from .saturation import TauLimits, torque_limits
from .velocity import NOTHING, Velocity, speeds

FORWARD = "tau_forward"


@judged
def feed_forward(
    robot: Robot,
    *,
    feedback: float | Sequence[float] | None = None,
    damping: float | Sequence[float] | None = None,
    inertia: float | Sequence[float] | None = None,
    viscous: float | Sequence[float] | None = None,
    Kp: float | Sequence[float] | None = None,
    Kd: float | Sequence[float] | None = None,
    KI: float | Sequence[float] | None = None,
    integral: bool = False,
    dead_zone: float | Sequence[float] | None = None,
    window: float | Sequence[float] | None = None,
    friction: FrictionKind = False,
    velocity: Velocity = "measured",
    period: float = 1e-3,
    limits: TauLimits = True,
    parameters: Parameters = "standard",
    mode: str | None = None,
    near: Near = None,
) -> Law:
    """Gamma = A(q_d) qdd_d + H(q_d, qd_d), and with ``feedback`` the terms of ``pid`` beside it.

    ``feedback`` is the bandwidth of these in rad/s; or Kp and Kd (and KI) are given. With neither, nothing is measured. ``friction`` adds that of
    the description at the wanted speeds. Of joints that are driven through springs the feedback is that of the motors, about
    where these have to be: the weight of the robot stretches the springs, and its joints come to q_d all the same.
    """
    joints = joints_of(robot, springs=True)
    if joints.free:
        raise ControlError(
            f"{robot.name}: {', '.join(joints.free)} move{'s' if len(joints.free) == 1 else ''} by itself, and no motion of it is wanted: expected "
            "computed_torque, with scheme='predictive' for the model at the wanted motion"
        )
    period = period_of(period)
    gains = {"Kp": Kp, "Kd": Kd, "KI": KI}
    chosen = {"bandwidth": feedback, "damping": damping, "inertia": inertia, "viscous": viscous}
    closed = any(x is not None for x in (*gains.values(), feedback))
    if not closed:
        beside = [name for name, x in {**chosen, "dead_zone": dead_zone, "window": window}.items() if x is not None]
        if beside or integral:
            raise ControlError(
                f"{', '.join(beside or ['integral'])}: there is no feedback: expected feedback= beside it"
            )
    elif integral and feedback is None and KI is None:
        raise ControlError("integral: expected KI beside Kp and Kd")
    integral = closed and (integral or KI is not None)
    settings, make = decentralised(joints, chosen, gains, integral, mode, near) if closed else ({}, _none)
    found = speeds(joints, velocity, period) if closed else NOTHING
    model = _model(joints, friction=friction, parameters=parameters, mode=mode, near=near)
    own = inside(model, _places(joints, WANTED if not closed else FORWARD))
    reference = "q_motor_d" if joints.flexible else "q_d"
    around: tuple[Stage, ...] = (
        (pid_stage(joints, found, integral, added=FORWARD, reference=reference),) if closed else ()
    )
    return assembled_law(
        "feed-forward",
        joints,
        found,
        ("q_d", "qd_d", "qdd_d"),
        (*own.stages, *around),
        settings,
        make,
        period=period,
        limits=torque_limits(joints, limits),
        inside=own,
        integral=integral_of(joints, period, dead_zone, window) if integral else None,
        options={"friction": friction, "parameters": parameters},
    )


def _model(joints: Joints, **options: Any) -> Model:
    require_moving(joints)
    made = flexible_joint_inverse_dynamics if joints.flexible else inverse_dynamics
    return made(joints.robot, wrench="none", **options)


def _places(joints: Joints, torques: str) -> dict[str, str]:
    """Where the model has its inputs and outputs."""
    found = {"q": "q_d", "qd": "qd_d", "qdd": "qdd_d", "tau": torques}
    return found | {"qd_motor": "qd_d", "qdd_motor": "qdd_d", "q_motor": "q_motor_d"} if joints.flexible else found


def _none() -> dict[str, Any]:
    return {}
