"""PID control in task space (Khalil, course 2014, section 9.3.3): a spring, a damper and an integral between the
frame and its wanted pose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..arguments import judged
from ..expr import parameter
from ..models import static_torques, transform, velocities
from ..models.dynamic.inverse.bias import holding_torques
from ..models.resolve import Near
from ..models.tool import Tool
from ..models.tree.paths import WORLD, FrameName
from ..reals import Floats
from ..robot import Robot
from .assembly import WANTED, period_of
from .integral import INTEGRAL
from .law import ControlError, Gains, Law, setting
from .parts import Parts, law_of_parts, not_negative, tuning_of
from .saturation import TauLimits, torque_limits
from .task_error import POSE, TaskError
from .task_integral import TaskIntegral
from .task_space import Task, TaskSpace, task_space
from .velocity import Speeds, Velocity, speeds

JOINT_DAMPING = "joint_damping"
Numbers = float | Sequence[float]


@judged
def task_pid(
    robot: Robot,
    *,
    Kp: Numbers,
    Kd: Numbers,
    KI: Numbers = 0.0,
    frame: FrameName | None = None,
    tool: Tool | None = None,
    task: Task | None = None,
    gravity: bool = True,
    joint_damping: Numbers | None = None,
    velocity: Velocity = "measured",
    period: float = 1e-3,
    limits: TauLimits = True,
    mode: str | None = None,
    near: Near = None,
) -> Law:
    """Gamma = J^T [Kp e + Kd e' + KI int e dt] [9.17], for the pose of ``frame`` (by default the tip) or of a
    ``tool`` on it, plus the torques against ``gravity`` and springs.

    e is what is missing of the position in world axes (N/m for Kp), and the rotation vector of what is missing of the
    orientation (N m/rad), J the Jacobian matrix of these coordinates. ``task`` says which components are controlled:
    "pose", "position", "orientation", "planar" (x, y and the rotation about z), or some of vx vy vz wx wy wz; by
    default what the joints can make. Gains are one number, or one for each component. Motions of the joints that do
    not move these are only damped, by ``joint_damping`` (torque per speed), which must be given where there are such
    motions.
    """
    space = task_space(robot, "task_pid", frame, tool, task, mode, near)
    count = len(space.rows)
    settings = {
        "Kp": setting("Kp", Kp, count, least=0.0),
        "Kd": setting("Kd", Kd, count, least=0.0),
        "KI": setting("KI", KI, count, least=0.0),
    }
    if not settings["KI"].any():
        del settings["KI"]
    given = {"gravity": gravity, "joint_damping": joint_damping, "velocity": velocity, "limits": limits}
    return spring_law("task-pid", space, settings, period=period, **given)


# --- the law -------------------------------------------------------------------------------------------------------------

GROUPS = {"Kp": "Kp", "Kd": "Kd", "KI": "KI", "stiffness": "Kp", "damping": "Kd", JOINT_DAMPING: "Kn"}


def spring_law(
    name: str,
    space: TaskSpace,
    settings: dict[str, Floats],
    *,
    period: Any,
    gravity: Any,
    joint_damping: Any,
    velocity: Any,
    limits: Any,
) -> Law:
    period, most = period_of(period), torque_limits(space.joints, limits)
    if not isinstance(gravity, bool):
        raise ControlError(f"gravity: got {gravity!r:.40}, expected True or False")
    found = speeds(space.joints, velocity, period)
    damped = joint_damping_of(space, joint_damping)
    groups = {GROUPS[key]: space.suffixes for key in settings}
    integral = TaskIntegral(space, period) if "KI" in settings else None
    if damped is not None:
        settings[JOINT_DAMPING], groups["Kn"] = damped, space.joints.suffixes

    def make(**values: Any) -> Gains:
        not_negative(**values)
        return {GROUPS[key]: value for key, value in values.items()}

    parts = Parts()
    frame_motion(parts, space, found)
    sums = {} if integral is None else {INTEGRAL: integral.slot.shape}
    parts.run("spring and damper", {**POSE, **sums}, _spring(space))
    parts.model(static_torques(space.robot, **space.place), "static", {"q": "q", "wrench": "wrench", "tau": "tau_task"})
    if gravity:
        options = {key: value for key, value in space.place.items() if key in ("mode", "near")}
        parts.model(holding_torques(space.robot, **options), "gravity", {"q": "q", "Q": "Q"})
    _total(parts, space, found, gravity, damped is not None)
    return law_of_parts(
        name,
        space.joints,
        found,
        space.wanted(["T_d", "V_d"]),
        parts,
        tuning_of(settings, make, groups, space.joints, found, most, period),
        period=period,
        limits=most,
        state=() if integral is None else (integral.slot,),
        after=() if integral is None else (integral.stage(most),),
        options={**space.options, "gravity": gravity},
    )


def frame_motion(parts: Parts, space: TaskSpace, found: Speeds) -> None:
    """T and V of the frame."""
    parts.model(transform(space.robot, reference=WORLD, **space.place), "pose", {"q": "q", "T": "T"})
    parts.model(velocities(space.robot, **space.place), "twist", {"q": "q", "qd": found.name, "V": "V"})


def _spring(space: TaskSpace) -> Any:
    def wrench(T: Any, V: Any, T_d: Any, V_d: Any, integral: Any = None) -> Mapping[str, Any]:
        error = TaskError(space.rows, T, V, T_d, V_d)
        force = [
            gain("Kp", s) * e + gain("Kd", s) * ed for s, e, ed in zip(space.suffixes, error.e, error.ed, strict=True)
        ]
        if integral is None:
            return {"wrench": error.wrench(force)}
        force = [f + gain("KI", s) * x for f, s, x in zip(force, space.suffixes, integral, strict=True)]
        return {"wrench": error.wrench(force), "error": error.e}

    return wrench


def gain(group: str, suffix: str) -> Any:
    return parameter(f"{group}{suffix}")


def _total(parts: Parts, space: TaskSpace, found: Speeds, gravity: bool, damped: bool) -> None:
    """What all of it asks of the motors."""
    n = space.joints.count
    shapes = {"tau_task": (n,), **({"Q": (n,)} if gravity else {}), **({"qd": (n,)} if damped else {})}

    def total(tau_task: Any, Q: Any = None, qd: Any = None) -> dict[str, Any]:
        made = tau_task if Q is None else tau_task + Q
        if qd is not None:
            made = made - [gain("Kn", s) * x for s, x in zip(space.joints.suffixes, qd, strict=True)]
        return {WANTED: made}

    names = {"qd": found.name} if damped and found.name != "qd" else {}
    parts.run("total", shapes, total, **names)


def joint_damping_of(space: TaskSpace, given: Any) -> Floats | None:
    """Against motions of the joints that the task does not see."""
    if given is not None:
        found = setting(JOINT_DAMPING, given, space.joints.count, least=0.0)
        return found if found.any() else None
    if space.free:
        raise ControlError(
            f"{space.robot.name}: {space.joints.count} joints move {space.rank} components, so that {space.free} "
            f"motion{'s' if space.free > 1 else ''} of the joints would be left alone: expected joint_damping, torques per speed "
            "against them (0: none)"
        )
    return None
