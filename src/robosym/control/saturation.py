"""What the motors can do: torques cut off at limits, which are the parameters ``tau_max3`` of the code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..expr import parameter, select
from ..program.of_arrays import program_of
from ..program.routine import Run
from ..reals import Floats, real_array
from ..robot import Robot
from ..robot.joint_entries import speed_frames
from .joints import Joints
from .law import ControlError

TAU_MAX = "tau_max"
TauLimits = bool | float | Sequence[float]  # those of the description, none, one for all, or one for each motor


def described_limits(robot: Robot) -> Floats:
    """The efforts of the joints that are coordinates, infinite where the description has none (or 0: it does not know)."""
    return np.array([float(robot.frame(j).joint.limits.effort or np.inf) for j in speed_frames(robot)])


def torque_limits(joints: Joints, limits: Any) -> Floats:
    """A limit for each motor, infinite where there is none."""
    if limits is True or limits is None:
        return described_limits(joints.robot)[list(joints.driven)]
    count = len(joints.driven)
    if limits is False:
        return np.full(count, np.inf)
    found = real_array("limits", limits, ControlError)
    if found.ndim > 1 or (found.ndim == 1 and found.shape != (count,)):
        raise ControlError(
            f"limits: expected one torque, or {count}, one for each motor, got the shape {found.shape} (False: none)"
        )
    if not (found > 0).all():
        raise ControlError(f"limits: expected torques above zero, got {found[~(found > 0)].ravel()[0]:g}")
    return np.broadcast_to(found, (count,)).astype(float)


def limited(joints: Joints, most: Floats) -> dict[int, str]:
    """The parameter of the limit, by the place of the joint, where there is one."""
    pairs = zip(joints.driven, joints.suffixes, most, strict=True)
    return {k: f"{TAU_MAX}{suffix}" for k, suffix, limit in pairs if np.isfinite(limit)}


def saturation(joints: Joints, most: Floats, wanted: str = "tau_wanted", tau: str = "tau") -> Run:
    """``tau`` from the torques ``wanted``, both of all coordinates. A torque that is not a number stays none: it must not become
    the full torque of the motor."""
    names = {joints.in_qd + k: name for k, name in limited(joints, most).items()}

    def cut(torque: Any) -> dict[str, Any]:
        found = list(torque)
        for k, name in names.items():
            limit = parameter(name)
            found[k] = select(found[k] > limit, limit, select(found[k] < -limit, -limit, found[k]))
        return {"limited": found}

    program = program_of("saturation", {"torque": (joints.count + joints.in_qd,)}, cut)
    return Run(program, {"torque": wanted, "limited": tau})
