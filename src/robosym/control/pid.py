"""PID control of every joint by itself (Khalil, course 2014, section 9.3.1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..arguments import judged
from ..expr import Expr, number, parameter
from ..models.resolve import Near
from ..program.of_arrays import program_of
from ..program.routine import Run, Stage
from ..reals import Floats
from ..robot import Robot
from .assembly import WANTED, assembled_law, period_of
from .computed_torque import bandwidth_and_damping
from .inertias import gains_with_integral, gains_without_integral, inertia_setting, viscous_setting
from .integral import integral_of
from .joints import Joints, joints_of
from .law import ControlError, Gains, Law, setting
from .saturation import TauLimits, torque_limits
from .velocity import Speeds, Velocity, speeds


@judged
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
    period: float = 1e-3,
    limits: TauLimits = True,
    mode: str | None = None,
    near: Near = None,
) -> Law:
    """Gamma = Kp (q_d - q) + Kd (qd_d - qd) + KI int (q_d - q) dt [9.5].

    From ``bandwidth`` w (rad/s, 10 unless it is given) the gains of a triple pole at -w [9.10], for the ``inertia`` a_j (by default the
    largest A_jj in the ranges of the joints) and the ``viscous`` friction (that of the description); another ``damping`` than 1 makes two
    of the three poles complex. Or Kp, Kd, KI themselves. Each is one number or one for each motor. The integral stands still within
    ``dead_zone`` and outside ``window`` (rad or m), and where the motor is at its limit. A step of q_d overshoots by a fifth with its velocity
    in qd_d, by a quarter without, in spite of real poles: [9.7] has zeros. Joints that are driven through springs are controlled by
    the positions of their motors.
    """
    joints = joints_of(robot, springs=True)
    period = period_of(period)
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
