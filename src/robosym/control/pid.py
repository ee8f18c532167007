"""PID control of every joint by itself (Khalil, course 2014, section 9.3.1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..expr import Expr, number, parameter
from ..models.resolve import Near
from ..program.of_arrays import program_of
from ..program.routine import Run, Stage
from ..reals import Floats
from ..robot import Robot
from .assembly import WANTED, Period, assembled_law
from .computed_torque import bandwidth_and_damping
from .declaration import law
from .inertias import gains_with_integral, gains_without_integral, inertia_setting, viscous_setting
from .integral import integral_of
from .joints import Joints, joints_of
from .law import ControlError, Gains, Law, setting
from .saturation import TauLimits, torque_limits
from .velocity import Speeds, Velocity, speeds


@law("pid", rank=4)
def pid(
    robot: Robot,
    *,
    bandwidth: float | Sequence[float] | None = None,
    damping: float | Sequence[float] | None = None,
    inertia: float | Sequence[float] | None = None,
    viscous: float | Sequence[float] | None = None,
    Kp: float | Sequence[float] | None = None,
    Kd: float | Sequence[float] | None = None,
    KI: float | Sequence[float] | None = None,
    integral: bool = True,
    dead_zone: float | Sequence[float] | None = None,
    window: float | Sequence[float] | None = None,
    velocity: Velocity = "measured",
    period: Period = 1e-3,
    limits: TauLimits = True,
    mode: str | None = None,
    near: Near = None,
) -> Law:
    """PID control of every joint by itself.

    Gains are given as numbers, or follow from a bandwidth, a damping ratio, the inertia and the viscous friction of
    each joint. Flexible joints are controlled by the positions of their motors.

    The integral also stands still while a motor is at its torque limit. A step of q_d overshoots by a fifth with its
    velocity in qd_d, by a quarter without. Real poles do not prevent this, because the closed loop has zeros [9.7].

    Parameters
    ----------
    robot
        Robot.
    bandwidth
        Bandwidth of the position error [rad/s]: one number, or one per actuated joint. None: 10 rad/s, unless gains
        are given. With an integral and damping ratio 1, all three poles are at -bandwidth.
    damping
        Damping ratio of the position error (1: critical): one number, or one per actuated joint. None: 1, unless
        gains are given. With an integral, a ratio below 1 makes two of the three poles complex.
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
    KI
        Integral gain [N m/(rad s) or N/(m s)]: one number, or one per actuated joint. Together with Kp and Kd; None:
        no integral.
    integral
        Integral of the error in the feedback. For a bandwidth. Gains in numbers contain an integral if KI is given.
    dead_zone
        Position error up to which the integral stands still [rad or m]: one number, or one per actuated joint. Within
        it an integral would make Coulomb friction stick and slip. None: no dead zone. Requires an integral.
    window
        Position error from which on the integral stands still [rad or m]: one number, or one per actuated joint. It
        must be larger than the dead zone. None: no window. Requires an integral.
    velocity
        Source of the joint velocities: "measured", or the cut-off of a filter of positions [rad/s]. With a cut-off,
        velocities are low-pass filtered differences of the positions from call to call. A floating base always
        measures its twist.
    period
        Time between two calls [s]. At most 10 s.
    limits
        Torque limits [N m or N]: True as described, False for none, one number, or one per actuated joint. Torques
        are cut off at these limits. An effort limit that is missing or 0 in the description is no limit.
    mode
        Closed loops and parallel robots: name of the assembly mode or of the working mode of the legs. None selects
        the mode of the joint positions in the description, otherwise the first mode. Control takes a parallel robot
        as closed loops, so that its modes are assembly modes. The mode matters for the largest inertias only.
    near
        Closed loops and parallel robots: joint positions by name [rad, m] that select the nearest mode, in place of
        its name.

    Returns
    -------
    Law
        Inputs q, qd (q_motor, qd_motor for flexible joints), q_d and qd_d; output tau.

    Notes
    -----
    Khalil, course 2014, section 9.3.1: ``tau = Kp (q_d - q) + Kd (qd_d - qd) + KI int (q_d - q) dt`` [9.5].

    The gains give a joint ``a qdd + Fv qd = tau`` [9.6] a triple pole at -bandwidth [9.10] if the damping ratio is 1.
    """
    joints = joints_of(robot, springs=True)
    period = float(period)
    chosen = {"bandwidth": bandwidth, "damping": damping, "inertia": inertia, "viscous": viscous}
    gains = {"Kp": Kp, "Kd": Kd, "KI": KI}
    if any(gain is not None for gain in gains.values()):
        integral = KI is not None
    settings, make = decentralised(joints, chosen, gains, integral, mode, near)
    if not integral and (dead_zone, window) != (None, None):
        raise ControlError("dead_zone and window are those of the integral, and there is none")
    found = speeds(joints, velocity, period)
    sums = integral_of(joints, period, dead_zone, window) if integral else None
    return assembled_law(
        "pid",
        joints,
        found,
        ("q_d", "qd_d"),
        (pid_stage(joints, found, integral),),
        settings,
        make,
        period=period,
        limits=torque_limits(joints, limits),
        integral=sums,
        options={"integral": integral},
    )


def pid_stage(
    joints: Joints,
    found: Speeds,
    integral: bool,
    *,
    tracking: bool = True,
    added: str | None = None,
    reference: str = "q_d",
) -> Stage:
    """[9.5] of every motor, into ``tau_wanted``; with the torques of another array ``added``, and without ``tracking`` -Kd qd for its
    second term."""
    n, first, base = joints.count, joints.in_qd, joints.in_q
    q, _ = joints.measured_names
    shapes = {"position": (n + base,), "speed": (n + first,), "q_d": (n,)}
    shapes |= {"qd_d": (n,)} if tracking else {}
    shapes |= {"integral": (n,)} if integral else {}
    shapes |= {"known": (n + first,)} if added else {}

    def torques(position: Any, speed: Any, q_d: Any, qd_d: Any = None, integral: Any = None, known: Any = None) -> Any:
        tau: list[Expr] = [number(0)] * (first + n)
        for k, j in zip(joints.driven, joints.suffixes, strict=True):
            e = q_d[k] - position[base + k]
            ed = -speed[first + k] if qd_d is None else qd_d[k] - speed[first + k]
            tau[first + k] = parameter(f"Kp{j}") * e + parameter(f"Kd{j}") * ed
            if integral is not None:
                tau[first + k] = tau[first + k] + parameter(f"KI{j}") * integral[k]
            if known is not None:
                tau[first + k] = tau[first + k] + known[first + k]
        return {"torques": tau} | ({} if integral is None else {"error": q_d - position[base:]})

    names = {"position": q, "speed": found.name, "torques": WANTED, "q_d": reference} | (
        {"known": added} if added else {}
    )
    return Run(program_of("control law", shapes, torques), names)


# --- gains -------------------------------------------------------------------------------------------------------------


def decentralised(
    joints: Joints, chosen: Mapping[str, Any], gains: Mapping[str, Any], integral: bool, mode: str | None, near: Near
) -> tuple[dict[str, Floats], Callable[..., Gains]]:
    """The settings, and how the gains follow from them: themselves, or from ``chosen`` bandwidth, damping, inertia and viscous friction."""
    given = {name: gain for name, gain in gains.items() if gain is not None}
    if given:
        beside = [name for name, value in chosen.items() if value is not None]
        if beside:
            raise ControlError(
                f"{', '.join(given)} beside {', '.join(beside)}: expected gains, or what they follow from"
            )
        if not {"Kp", "Kd"} <= given.keys():
            raise ControlError(f"got {', '.join(given)} alone, expected Kp and Kd (and KI for an integral)")
        return {name: setting(name, x, len(joints.driven), least=0.0) for name, x in given.items()}, _as_given
    defaults = {"bandwidth": 10.0, "damping": 1.0}
    w, z = (default if chosen[name] is None else chosen[name] for name, default in defaults.items())
    settings = bandwidth_and_damping(joints, w, z)
    settings["inertia"] = inertia_setting(joints, chosen["inertia"], mode, near)
    settings["viscous"] = viscous_setting(joints, chosen["viscous"])
    return settings, gains_with_integral if integral else gains_without_integral


def _as_given(**gains: Any) -> Gains:
    return gains
