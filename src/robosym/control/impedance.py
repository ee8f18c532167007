"""Impedance control (Hogan 1985): the frame gives way to forces as a mass on a spring and a damper would."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..arguments import judged
from ..models.inertial_parameters.sets import Parameters
from ..models.resolve import Near
from ..models.tool import Tool
from ..models.tree.friction import FrictionKind
from ..models.tree.paths import FrameName
from ..robot import Robot
from .assembly import period_of
from .computed_torque import positive
from .law import ControlError, Gains, Law, setting
from .parts import not_negative
from .redundancy import resolution
from .resolved_acceleration import accelerating_law
from .saturation import TauLimits
from .task_error import TaskError
from .task_pid import Numbers, gain
from .task_space import Task, task_space
from .velocity import Velocity


@judged
def impedance(
    robot: Robot,
    *,
    inertia: Numbers,
    stiffness: Numbers,
    damping: Numbers | None = None,
    force: bool = False,
    frame: FrameName | None = None,
    tool: Tool | None = None,
    task: Task | None = None,
    friction: FrictionKind = False,
    posture: Numbers = 5.0,
    rest: Sequence[float] | None = None,
    singular_damping: float | None = None,
    singular_below: float | None = None,
    velocity: Velocity = "measured",
    period: float = 1e-3,
    limits: TauLimits = True,
    parameters: Parameters = "standard",
    mode: str | None = None,
    near: Near = None,
) -> Law:
    """M e'' + D e' + K e = -F: pushed by F the frame moves as a body with the ``inertia`` M on a spring of the
    ``stiffness`` K and a damper D.

    M (kg, kg m^2), K (N/m, N m/rad) and ``damping`` D (by default critical: 2 sqrt(M K)) are one number, or one for
    each component of the ``task``, in the axes of the world; e is that of ``task_pid``.

    With ``force`` the wrench of the environment on the frame is measured: the input F, force and moment about the
    frame's origin in world axes. Then the equation holds exactly: Gamma = A J^-1 (V' - Jdot qd) + H - J^T F, with V'
    from e'' = -M^-1 (D e' + K e + F). Without it nothing can change the inertia that is felt: e'' + M^-1 (D e' + K e)
    = -(J A^-1 J^T) F, free motion as chosen and at rest M^-1 K e = -(J A^-1 J^T) F. (``compliance`` has the stiffness
    it is given, and measures no force.) The other options are those of ``resolved_acceleration``.
    """
    space = task_space(robot, "impedance", frame, tool, task, mode, near)
    count = len(space.rows)
    if not isinstance(force, bool):
        raise ControlError(f"force: got {force!r:.40}, expected True (measured, the input F) or False")
    settings = {
        "inertia": setting("inertia", inertia, count),
        "stiffness": setting("stiffness", stiffness, count, least=0.0),
    }
    positive("inertia", settings["inertia"])
    critical = 2 * np.sqrt(settings["inertia"] * settings["stiffness"])
    settings["damping"] = critical if damping is None else setting("damping", damping, count, least=0.0)

    def second_rate(error: TaskError, F: Any = None) -> Sequence[Any]:
        pushed = [0] * count if F is None else error.force(F)
        each = zip(space.suffixes, error.e, error.ed, pushed, strict=True)
        return [-gain("Mi", s) * (gain("D", s) * ed + gain("K", s) * e + f) for s, e, ed, f in each]

    return accelerating_law(
        "impedance",
        space,
        resolution(space, posture, rest, singular_damping, singular_below, period_of(period)),
        second_rate,
        settings,
        _gains,
        ("Mi", "D", "K"),
        friction=friction,
        parameters=parameters,
        velocity=velocity,
        period=period,
        limits=limits,
        force=force,
        notes=() if force else ("No force is measured: the inertia that is felt is that of the robot",),
    )


def _gains(inertia: Any, stiffness: Any, damping: Any) -> Gains:
    positive("inertia", inertia)
    not_negative(stiffness=stiffness, damping=damping)
    return {"Mi": 1 / np.asarray(inertia), "D": damping, "K": stiffness}
