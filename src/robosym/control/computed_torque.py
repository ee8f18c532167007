"""Computed torque control in joint space: the model makes n double integrators of the robot (Khalil, course 2014, section 9.4.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from ..expr import Expr, number, parameter
from ..generated import Model
from ..models import hybrid_dynamics, inverse_dynamics
from ..models.inertial_parameters.sets import Parameters
from ..models.resolve import Near
from ..models.tree.friction import FrictionKind
from ..program.of_arrays import program_of
from ..program.routine import Run, Stage
from ..robot import Robot
from .assembly import WANTED, Period, assembled_law
from .declaration import law
from .dynamics import inside
from .integral import Integral, integral_of
from .joints import Joints, joints_of, require_moving
from .law import ControlError, Gains, Law, setting
from .saturation import TauLimits, torque_limits
from .velocity import Speeds, Velocity, speeds

Scheme = Literal["tracking", "position", "predictive"]
ZERO = number(0)


@law("computed-torque", rank=1)
def computed_torque(
    robot: Robot,
    *,
    bandwidth: float | Sequence[float] = 10.0,
    damping: float | Sequence[float] = 1.0,
    scheme: Scheme = "tracking",
    friction: FrictionKind = False,
    integral: bool = False,
    dead_zone: float | Sequence[float] | None = None,
    window: float | Sequence[float] | None = None,
    velocity: Velocity = "measured",
    period: Period = 1e-3,
    limits: TauLimits = True,
    parameters: Parameters = "standard",
    mode: str | None = None,
    near: Near = None,
) -> Law:
    """Computed torque: PD feedback through the inverse dynamic model.

    The inverse dynamic model decouples the joints: each position error follows a linear equation with the chosen
    bandwidth and damping ratio. The law also controls robots with floating bases and passive joints: these move
    freely, with zero torque, while the actuated joints accelerate as computed.

    Parameters
    ----------
    robot
        Robot.
    bandwidth
        Bandwidth of the position error [rad/s]: one number, or one per actuated joint.
    damping
        Damping ratio of the position error (1: critical): one number, or one per actuated joint.
    scheme
        Use of the model: "tracking", "position" (for goals at rest), or "predictive" (model at the desired motion).
        "tracking" and "position" evaluate the model at the measured state. "position" reads desired positions only.
        "predictive" evaluates the model at the desired positions and velocities, so that measurement noise does not
        enter the model.
    friction
        Joint friction that the law compensates: False (none), True (as described) or "smooth" (its smooth variant).
        "smooth" requires a width in the description of every joint whose friction jumps.
    integral
        Integral of the error in the feedback. With the integral the error has a further pole at -bandwidth.
    dead_zone
        Position error up to which the integral stands still [rad or m]: one number, or one per actuated joint. Within
        it an integral would make Coulomb friction stick and slip. None: no dead zone. Requires integral=True.
    window
        Position error from which on the integral stands still [rad or m]: one number, or one per actuated joint. It
        must be larger than the dead zone. None: no window. Requires integral=True.
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
        Inputs q, qd, q_d and, unless the scheme is "position", qd_d and qdd_d; output tau.

    Notes
    -----
    Khalil, course 2014, section 9.4.2: ``tau = A(q) w + H(q, qd)`` [9.22], the inverse dynamic model with w as
    accelerations.

    - "tracking": ``w = qdd_d + Kd (qd_d - qd) + Kp (q_d - q)`` [9.24].
    - "position": ``w = Kp (q_d - q) - Kd qd`` [9.29].
    - "predictive": w of "tracking", in the model at q_d and qd_d [9.31].

    With Kp = bandwidth^2 and Kd = 2 damping bandwidth [9.26] the errors follow ``e'' + Kd e' + Kp e = 0`` [9.25]. The
    integral adds ``KI int e dt``, whose poles are these two and one at -bandwidth.
    """
    joints = joints_of(robot, law="computed_torque")
    period = float(period)
    found = speeds(joints, velocity, period)
    settings = bandwidth_and_damping(joints, bandwidth, damping)
    sums = integral_of(joints, period, dead_zone, window) if integral else None
    if not integral and not (dead_zone is None and window is None):
        raise ControlError("dead_zone and window are those of the integral: expected integral=True beside them")
    loops: dict[str, Any] = {"mode": mode, "near": near}
    model = inverse_model(joints, friction=friction, parameters=parameters, **loops)
    at = ("q", found.name) if scheme != "predictive" else ("q_model", "qd_model")
    own = inside(model, {"q": at[0], "qd": at[1], "qdd": "w", model_torques(model): WANTED})
    wanted = ("q_d",) if scheme == "position" else ("q_d", "qd_d", "qdd_d")
    before: tuple[Stage, ...] = (_inputs_of_model(joints, found, scheme, sums),)
    return assembled_law(
        "computed-torque",
        joints,
        found,
        wanted,
        (*before, *own.stages),
        settings,
        poles_with_integral if integral else poles,
        period=period,
        limits=torque_limits(joints, limits),
        inside=own,
        integral=sums,
        is_torque=False,
        options={"scheme": scheme, "friction": friction, "integral": integral, "parameters": parameters},
    )


# --- the model ---------------------------------------------------------------------------------------------------------


def inverse_model(joints: Joints, **options: Any) -> Model:
    """Torques for given accelerations of the joints with motors; what else there is moves freely."""
    require_moving(joints)
    if joints.free:
        return hybrid_dynamics(joints.robot, free=joints.free, wrench="none", **options)
    return inverse_dynamics(joints.robot, wrench="none", **options)


def model_torques(model: Model) -> str:
    return "tau_all" if model.name == "hybrid-dynamics" else "tau"


def _inputs_of_model(joints: Joints, found: Speeds, scheme: Scheme, sums: Integral | None) -> Stage:
    """w, and what else the model and the integral read."""
    n, first, base = joints.count, joints.in_qd, joints.in_q
    names = ["q_d"] if scheme == "position" else ["q_d", "qd_d", "qdd_d"]
    shapes = {"q": (n + base,), "qd": (n + first,), **dict.fromkeys(names, (n,))}
    shapes |= {"integral": (n,)} if sums is not None else {}

    def accelerations(q: Any, qd: Any, q_d: Any, qd_d: Any = None, qdd_d: Any = None, integral: Any = None) -> Any:
        w: list[Expr] = [ZERO] * (first + n)
        for k, j in zip(joints.driven, joints.suffixes, strict=True):
            e = q_d[k] - q[base + k]
            ed = -qd[first + k] if qd_d is None else qd_d[k] - qd[first + k]
            w[first + k] = parameter(f"Kp{j}") * e + parameter(f"Kd{j}") * ed  # [9.29]
            if qdd_d is not None:
                w[first + k] = qdd_d[k] + w[first + k]  # [9.24]
            if integral is not None:
                w[first + k] = w[first + k] + parameter(f"KI{j}") * integral[k]
        made: dict[str, Any] = {"w": w}
        if scheme == "predictive":
            made |= {"q_model": [*q[:base], *q_d], "qd_model": [*qd[:first], *qd_d]}
        if sums is not None:
            made["error"] = q_d - q[base:]
        return made

    program = program_of(f"{scheme} law", shapes, accelerations)
    return Run(program, {"qd": found.name} if found.name != "qd" else {})


# --- gains -------------------------------------------------------------------------------------------------------------


def bandwidth_and_damping(joints: Joints, bandwidth: Any, damping: Any) -> dict[str, Any]:
    count = len(joints.driven)
    made = {"bandwidth": setting("bandwidth", bandwidth, count), "damping": setting("damping", damping, count)}
    for name, values in made.items():
        positive(name, values)
    return made


def positive(what: str, values: Any) -> None:
    if not (np.asarray(values) > 0).all():
        raise ControlError(f"{what}: got {np.min(values):g}, expected a number above zero")


def poles(bandwidth: Any, damping: Any) -> Gains:
    """Of (s^2 + 2 damping w s + w^2) [9.26]."""
    positive("bandwidth", bandwidth)
    w = np.asarray(bandwidth)
    return {"Kp": w**2, "Kd": 2 * np.asarray(damping) * w}


def poles_with_integral(bandwidth: Any, damping: Any) -> Gains:
    """Of (s + w) (s^2 + 2 damping w s + w^2): a triple pole if the damping is 1, as in [9.9]."""
    positive("bandwidth", bandwidth)
    w, both = np.asarray(bandwidth), 1 + 2 * np.asarray(damping)
    return {"Kp": both * w**2, "Kd": both * w, "KI": w**3}
