"""One joint alone, as the gains of decentralised laws see it: a_j qdd + Fv_j qd = tau (Khalil, course 2014, [9.6])."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..analysis.inertia import largest_inertia
from ..expr import evaluate, expr, free_symbols
from ..models.resolve import Near
from ..models.tree.drives import motor_speed
from ..reals import Floats
from ..robot import Robot
from ..robot.joint_entries import speed_frames
from .joints import Joints
from .law import ControlError, Gains, setting


def inertia_setting(joints: Joints, inertia: Any, mode: str | None = None, near: Near = None) -> Floats:
    """What is given for each motor, or the largest A_jj in the ranges of the joints."""
    if inertia is None:
        found: Floats = largest_inertia(joints.robot, mode=mode, near=near)[list(joints.driven)]
    else:
        found = setting("inertia", inertia, len(joints.driven))
    for k, a in zip(joints.driven, found, strict=True):
        if not (np.isfinite(a) and a > 0):
            raise ControlError(
                f"inertia: joint '{joints.names[k]}' has {a:g}, expected a number above zero (inertia= gives them)"
            )
    return found


def viscous_setting(joints: Joints, viscous: Any) -> Floats:
    """What is given for each motor, or the viscous friction of the description: that of the joint, of what follows it and of the
    motors that turn with it."""
    if viscous is not None:
        return setting("viscous", viscous, len(joints.driven), least=0.0)
    return viscous_friction(joints.robot)[list(joints.driven)]


def viscous_friction(robot: Robot) -> Floats:
    """Fv of every joint that is a coordinate, at its own speed: the diagonal of what multiplies qd."""
    frames = speed_frames(robot)
    total = dict.fromkeys(frames, expr(0))
    for j, frame in enumerate(robot.frames, 1):
        own, ratio = robot.master(j)
        if own in total:
            total[own] = total[own] + ratio * ratio * frame.actuator.Fv
        if not frame.actuator.motor.Fv.is_zero:
            for i, N in motor_speed(robot, j).items():
                own, ratio = robot.master(i)
                if own in total:
                    total[own] = total[own] + (N * ratio) * (N * ratio) * frame.actuator.motor.Fv
    values = {name: value.number for name, value in robot.values.items()}
    missing = sorted({s.name for s in free_symbols(*total.values())} - values.keys())
    if missing:
        raise ControlError(
            f"{robot.name}: no value for {', '.join(missing)}: the gains need the viscous friction (viscous= gives it)"
        )
    return np.array(evaluate([total[j] for j in frames], values), dtype=float)


# --- gains -------------------------------------------------------------------------------------------------------------


def gains_without_integral(bandwidth: Any, damping: Any, inertia: Any, viscous: Any) -> Gains:
    """a s^2 + (Kd + Fv) s + Kp = a (s^2 + 2 damping w s + w^2)."""
    a, w, z = np.asarray(inertia), np.asarray(bandwidth), np.asarray(damping)
    return {"Kp": a * w**2, "Kd": _left(2 * z * a * w, viscous)}


def gains_with_integral(bandwidth: Any, damping: Any, inertia: Any, viscous: Any) -> Gains:
    """a s^3 + (Kd + Fv) s^2 + Kp s + KI = a (s + w) (s^2 + 2 damping w s + w^2): the triple pole [9.10] if the damping is 1."""
    a, w, both = np.asarray(inertia), np.asarray(bandwidth), 1 + 2 * np.asarray(damping)
    return {"Kp": both * a * w**2, "Kd": _left(both * a * w, viscous), "KI": a * w**3}


def _left(damped: Any, viscous: Any) -> Any:
    """Kd, beside what the friction of the joint damps already."""
    found = damped - np.asarray(viscous)
    if not (damped > 0).all():
        raise ControlError(
            f"bandwidth and damping: expected numbers above zero, got the derivative gain {damped.min():g}"
        )
    if (found < 0).any():
        raise ControlError(
            f"bandwidth: the viscous friction alone damps more than requested (Kd would be {found.min():g}): expected a larger "
            "bandwidth or damping, or viscous=0 to leave the friction out of the gains"
        )
    return found
