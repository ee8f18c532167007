"""The torques of the motion that is wanted, alone or with the feedback of every joint around them.

Of joints that are driven through springs, [7.35] of the course tells where the motors have to be for the joints to be at q_d, and their
torques. The velocities of the motors are taken for those of the joints: exact would be the rates of the torques, which take
the jerk of the motion and its rate. So at rest, and at constant speed against gravity that does not change, it is exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..generated import Model
from ..models import flexible_joint_inverse_dynamics, inverse_dynamics
from ..models.inertial_parameters.sets import Parameters
from ..models.resolve import Near
from ..models.tree.friction import FrictionKind
from ..program.routine import Stage
from ..robot import Robot
from .assembly import WANTED, Period, assembled_law
from .declaration import law
from .dynamics import inside
from .integral import integral_of
from .joints import Joints, joints_of, require_moving
from .law import ControlError, Law
from .pid import decentralised, pid_stage
from .saturation import TauLimits, torque_limits
from .velocity import NOTHING, Velocity, speeds

FORWARD = "tau_forward"


@law("feed-forward", rank=2)
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
    period: Period = 1e-3,
    limits: TauLimits = True,
    parameters: Parameters = "standard",
    mode: str | None = None,
    near: Near = None,
) -> Law:
    """Feed-forward of the inverse dynamic model, alone or with PID feedback.

    The torques of the desired motion are computed without measurements. With a feedback bandwidth or gains,
    decentralised PD or PID terms are added. For flexible joints the feedback acts on the motor positions, around the
    motor positions that the desired motion needs. So the joints reach q_d although gravity stretches the springs.

    Parameters
    ----------
    robot
        Robot.
    feedback
        Bandwidth of the feedback [rad/s]: one number, or one per actuated joint. None, and no gains: feed-forward
        alone, which measures nothing. Gains follow from the bandwidth, damping ratio, inertia and viscous friction.
    damping
        Damping ratio of the position error (1: critical): one number, or one per actuated joint. Only with a feedback
        bandwidth. None: 1.
    inertia
        Inertia that each motor moves [kg m^2 or kg]: one number, or one per actuated joint. None: the largest
        diagonal entry of the inertia matrix over the joint ranges. Only with a feedback bandwidth.
    viscous
        Viscous friction of each joint [N m s/rad or N s/m]: one number, or one per actuated joint. None: the viscous
        friction of the description. The derivative gain is smaller by this friction, which damps the joint already; 0
        leaves it out. Only with a feedback bandwidth.
    Kp
        Proportional gain [N m/rad or N/m]: one number, or one per actuated joint. Instead of a feedback bandwidth;
        requires Kd.
    Kd
        Derivative gain [N m s/rad or N s/m]: one number, or one per actuated joint. Instead of a feedback bandwidth;
        requires Kp.
    KI
        Integral gain [N m/(rad s) or N/(m s)]: one number, or one per actuated joint. Together with Kp and Kd; None:
        no integral.
    integral
        Integral of the error in the feedback. For a feedback bandwidth. Gains in numbers contain an integral if KI is
        given.
    dead_zone
        Position error up to which the integral stands still [rad or m]: one number, or one per actuated joint. Within
        it an integral would make Coulomb friction stick and slip. None: no dead zone. Requires an integral.
    window
        Position error from which on the integral stands still [rad or m]: one number, or one per actuated joint. It
        must be larger than the dead zone. None: no window. Requires an integral.
    friction
        Joint friction that the law compensates: False (none), True (as described) or "smooth" (its smooth variant).
        "smooth" requires a width in the description of every joint whose friction jumps. The friction is evaluated at
        the desired velocities.
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
        Inputs q_d, qd_d, qdd_d, with feedback also q and qd (q_motor and qd_motor for flexible joints); output tau.

    Raises
    ------
    ControlError
        For a floating base or passive joints, whose motion is not prescribed: use computed_torque with
        scheme="predictive".

    Notes
    -----
    ``tau = A(q_d) qdd_d + H(q_d, qd_d)``, and with feedback the terms of PID control.

    For flexible joints the motor positions and torques follow from [7.35] (Khalil, course 2014). The law takes the
    desired joint velocities and accelerations for those of the motors. Exact motor velocities would need the jerk of
    the motion and its derivative. The law is exact at rest, and at constant velocity under constant gravity torques.
    """
    joints = joints_of(robot, springs=True)
    if joints.free:
        raise ControlError(
            f"{robot.name}: {', '.join(joints.free)} move{'s' if len(joints.free) == 1 else ''} by itself, and no motion of it is wanted: expected "
            "computed_torque, with scheme='predictive' for the model at the wanted motion"
        )
    period = float(period)
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
