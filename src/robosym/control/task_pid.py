"""PID control in task space (Khalil, course 2014, section 9.3.3): a spring, a damper and an integral between the
frame and its wanted pose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..expr import parameter
from ..models import static_torques, transform, velocities
from ..models.dynamic.inverse.bias import holding_torques
from ..models.resolve import Near
from ..models.tool import Tool
from ..models.tree.paths import WORLD, FrameName
from ..reals import Floats
from ..robot import Robot
from .assembly import WANTED, Period
from .declaration import law
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


@law("task-pid", rank=7, reference="task")
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
    period: Period = 1e-3,
    limits: TauLimits = True,
    mode: str | None = None,
    near: Near = None,
) -> Law:
    """PID control in task space: a spring, a damper and an integral hold the frame.

    The law acts between the frame and its desired pose, and needs no inertial parameters beyond those of gravity. It
    needs a fixed base and a motor for every coordinate. The integral stands still while a motor is at its torque
    limit.

    Parameters
    ----------
    robot
        Robot.
    Kp
        Stiffness of the frame in world axes [N/m, N m/rad]: one number, or one per component of the task.
    Kd
        Damping of the frame in world axes [N s/m, N m s/rad]: one number, or one per component of the task.
    KI
        Integral gain of the frame in world axes [N/(m s), N m/(rad s)]: one number, or one per component of the task.
    frame
        Target frame, by name or number; by default the tip frame. The tip frame is the end of the kinematic chain.
        Robots with several ends require a frame.
    tool
        Pose of a tool in the target frame [m]: a point (3), x y z qx qy qz qw (7) or a matrix (4, 4). Entries are
        numbers, expressions or text such as "LT/2"; lengths are in metres. None: no tool.
    task
        Controlled components: "pose", "position", "orientation", "planar", or some of vx vy vz wx wy wz. The
        components are along and about the world axes. "planar" is x, y and the rotation about z. None: the components
        that the joints can move independently. The orientation then counts with all rotations that the joints can
        make, or not at all.
    gravity
        Additional torques that balance gravity and springs.
    joint_damping
        Damping of joint motions that do not move the task [N m s/rad or N s/m]: one number, or one per joint.
        Required if the task leaves joint motions free; 0 leaves them without damping. The term acts on all joint
        velocities.
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
        as closed loops, so that its modes are assembly modes.
    near
        Closed loops and parallel robots: joint positions by name [rad, m] that select the nearest mode, in place of
        its name.

    Returns
    -------
    Law
        Inputs q, qd, T_d (4, 4) and V_d (6,) in world axes; output tau.

    Notes
    -----
    Khalil, course 2014, section 9.3.3: ``tau = J^T [Kp e + Kd e' + KI int e dt]`` [9.17], plus gravity.

    e is the position error in world axes with the rotation vector of the orientation error; J is the Jacobian matrix
    of these coordinates.
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
    given: dict[str, Any] = {"gravity": gravity, "joint_damping": joint_damping, "velocity": velocity, "limits": limits}
    return spring_law("task-pid", space, settings, period=period, **given)


# --- the law -------------------------------------------------------------------------------------------------------------

GROUPS = {"Kp": "Kp", "Kd": "Kd", "KI": "KI", "stiffness": "Kp", "damping": "Kd", JOINT_DAMPING: "Kn"}


def spring_law(
    name: str,
    space: TaskSpace,
    settings: dict[str, Floats],
    *,
    period: Any,
    gravity: bool,
    joint_damping: Any,
    velocity: Any,
    limits: Any,
) -> Law:
    period, most = float(period), torque_limits(space.joints, limits)
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
