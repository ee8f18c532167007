"""A frame held by a spring and a damper: what the robot touches feels these, and the robot's own inertia."""

from __future__ import annotations

from ..arguments import judged
from ..models.resolve import Near
from ..models.tool import Tool
from ..models.tree.paths import FrameName
from ..robot import Robot
from .law import Law, setting
from .saturation import TauLimits
from .task_pid import Numbers, spring_law
from .task_space import Task, task_space
from .velocity import Velocity


@judged
def compliance(
    robot: Robot,
    *,
    stiffness: Numbers,
    damping: Numbers,
    frame: FrameName | None = None,
    tool: Tool | None = None,
    task: Task | None = None,
    joint_damping: Numbers | None = None,
    velocity: Velocity = "measured",
    period: float = 1e-3,
    limits: TauLimits = True,
    mode: str | None = None,
    near: Near = None,
) -> Law:
    """The frame held by a spring and a damper: Gamma = J^T [K e + D e'] + Q, the robot's own inertia as it is.

    ``stiffness`` K is in N/m and N m/rad in the axes of the world, ``damping`` D in N s/m and N m s/rad, one number
    or one for each component of the ``task``. The energy 1/2 e^T K e is what the wrench derives from, at any angle
    below half a turn and with any K, so that the robot is passive towards whatever it touches: no force is measured,
    and pushed by F it gives way by K^-1 F. The other options are those of ``task_pid``.
    """
    space = task_space(robot, "compliance", frame, tool, task, mode, near)
    count = len(space.rows)
    settings = {
        "stiffness": setting("stiffness", stiffness, count, least=0.0),
        "damping": setting("damping", damping, count, least=0.0),
    }
    given = {"joint_damping": joint_damping, "velocity": velocity, "limits": limits}
    return spring_law("compliance", space, settings, period=period, gravity=True, **given)
