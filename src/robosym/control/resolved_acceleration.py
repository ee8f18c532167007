"""Computed torque control in task space, "resolved acceleration" (Khalil, course 2014, section 9.4.3; Luh, Walker and
Paul 1980)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..models import inverse_dynamics, static_torques
from ..models.inertial_parameters.sets import Parameters
from ..models.resolve import Near
from ..models.tool import Tool
from ..models.tree.friction import FrictionKind
from ..models.tree.paths import FrameName
from ..program.routine import Slot
from ..reals import Floats
from ..robot import Robot
from .assembly import WANTED, Period
from .computed_torque import poles, poles_with_integral, positive
from .declaration import law
from .integral import INTEGRAL
from .law import Gains, Law, setting
from .parts import Parts, law_of_parts, tuning_of
from .redundancy import Resolution, resolution
from .saturation import TauLimits, torque_limits
from .task_error import POSE, TaskError
from .task_integral import TaskIntegral
from .task_pid import Numbers, frame_motion, gain
from .task_space import Task, TaskSpace, task_space
from .velocity import Velocity, speeds

# From the error, and the other arrays, to its second rate.
Dynamics = Callable[..., Sequence[Any]]
WRENCH = Slot(
    "F", (6,), "measured: force and moment of the environment on the frame, about its origin, in the axes of the world"
)


@law("resolved-acceleration", rank=8, reference="task")
def resolved_acceleration(
    robot: Robot,
    *,
    bandwidth: Numbers = 10.0,
    damping: Numbers = 1.0,
    frame: FrameName | None = None,
    tool: Tool | None = None,
    task: Task | None = None,
    friction: FrictionKind = False,
    integral: bool = False,
    posture: Numbers = 5.0,
    rest: Sequence[float] | None = None,
    singular_damping: float | None = None,
    singular_below: float | None = None,
    velocity: Velocity = "measured",
    period: Period = 1e-3,
    limits: TauLimits = True,
    parameters: Parameters = "standard",
    mode: str | None = None,
    near: Near = None,
) -> Law:
    """Computed torque in task space (resolved acceleration).

    Every component of the task error follows a linear equation with the chosen bandwidth and damping ratio. If the
    gains of all rotations are equal, the orientation error turns back about a fixed axis, at any error below half a
    turn. It needs a fixed base and a motor for every coordinate.

    Tasks with some rotations only are exact where the other components of the orientation error are zero. An example
    is the rotation of a SCARA robot about the vertical.

    Parameters
    ----------
    robot
        Robot.
    bandwidth
        Bandwidth of the task error [rad/s]: one number, or one per component of the task.
    damping
        Damping ratio of the task error (1: critical): one number, or one per component of the task.
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
    friction
        Joint friction that the law compensates: False (none), True (as described) or "smooth" (its smooth variant).
        "smooth" requires a width in the description of every joint whose friction jumps.
    integral
        Integral of the error in the feedback. With the integral the error has a further pole at -bandwidth. It stands
        still while a motor is at its torque limit.
    posture
        Bandwidth of the posture of redundant joints [rad/s]: one number, or one per joint. Redundant joints go to the
        rest position with this bandwidth and damping ratio 1, without moving the frame. Near singularities it also
        damps joint motions that the frame does not show.
    rest
        Rest position of redundant joints [rad or m]: one number per joint. None: the position in the description,
        else the middle of the joint limits, else zero. Only for tasks that leave joints free.
    singular_damping
        Largest damping of the inverse Jacobian at singularities; 0 for none. Its unit is that of the singular values
        of the Jacobian. Damped accelerations do not follow the error equation exactly. Without damping torques have
        no bound near singularities. None: equal to singular_below.
    singular_below
        Distance from singularity below which the inverse Jacobian is damped; 0 for no damping. The distance is ``1 /
        |J^+|``, the inverse of the Frobenius norm of the pseudo-inverse. None: 5 % of the largest distance found at
        sampled positions of the robot.
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
        Inputs q, qd, T_d (4, 4), V_d (6,) and A_d (6,) in world axes; output tau.

    Notes
    -----
    Khalil, course 2014, section 9.4.3; Luh, Walker and Paul (1980): ``tau = A J^-1 (w - J' qd) + H`` [9.33].

    w is chosen such that ``e'' + Kd e' + Kp e = 0`` [9.36], with Kp = bandwidth^2 and Kd = 2 damping bandwidth. e is
    the position error in world axes with the rotation vector of the orientation error.

    The damping near singularities is that of Nakamura and Hanafusa (1986): it grows as the distance falls below
    singular_below.
    """
    space = task_space(robot, "resolved_acceleration", frame, tool, task, mode, near)
    count = len(space.rows)
    settings = {"bandwidth": setting("bandwidth", bandwidth, count), "damping": setting("damping", damping, count)}
    for name, values in settings.items():
        positive(name, values)

    def second_rate(error: TaskError, integral: Any = None, **_: Any) -> Sequence[Any]:
        sums = (
            [0] * count
            if integral is None
            else [gain("KI", s) * x for s, x in zip(space.suffixes, integral, strict=True)]
        )
        pairs = zip(space.suffixes, error.e, error.ed, sums, strict=True)
        return [-(gain("Kd", s) * ed + gain("Kp", s) * e + x) for s, e, ed, x in pairs]  # [9.36]

    groups = ("Kp", "Kd", "KI") if integral else ("Kp", "Kd")
    return accelerating_law(
        "resolved-acceleration",
        space,
        resolution(space, posture, rest, singular_damping, singular_below, float(period)),
        second_rate,
        settings,
        poles_with_integral if integral else poles,
        groups,
        friction=friction,
        parameters=parameters,
        integral=integral,
        velocity=velocity,
        period=period,
        limits=limits,
    )


def accelerating_law(
    name: str,
    space: TaskSpace,
    joints: Resolution,
    second_rate: Dynamics,
    settings: Mapping[str, Floats],
    make: Callable[..., Gains],
    groups: Sequence[str],
    *,
    friction: Any,
    parameters: Any,
    velocity: Any,
    period: Any,
    limits: Any,
    integral: bool = False,
    force: bool = False,
    notes: tuple[str, ...] = (),
) -> Law:
    """The law that gives the errors this second rate."""
    period, most = float(period), torque_limits(space.joints, limits)
    found = speeds(space.joints, velocity, period)
    loops = {key: value for key, value in space.place.items() if key in ("mode", "near")}
    sums = TaskIntegral(space, period) if integral else None
    parts = Parts()
    frame_motion(parts, space, found)
    shapes = {
        **POSE,
        "A_d": (6,),
        **({} if sums is None else {INTEGRAL: sums.slot.shape}),
        **({"F": (6,)} if force else {}),
    }
    parts.run("acceleration of the frame", shapes, _acceleration(space, second_rate, integral, force))
    joints.add(parts, found.name)
    model = inverse_dynamics(space.robot, wrench="none", friction=friction, parameters=parameters, **loops)
    places = {"q": "q", "qd": found.name, "qdd": "qdd", "tau": "tau_motion" if force else WANTED}
    parts.model(model, "dynamics", places)
    if force:
        held = {"q": "q", "wrench": "F_held", "tau": "tau_force"}
        parts.model(static_torques(space.robot, **space.place), "static", held)
        both = dict.fromkeys(("tau_motion", "tau_force"), (space.joints.count,))
        parts.run("total", both, lambda tau_motion, tau_force: {WANTED: tau_motion + tau_force})

    def gains(**values: Any) -> Gains:
        own = make(**{key: values[key] for key in settings})
        return {**own, **joints.gains(**{key: values[key] for key in joints.settings})}

    names = {**dict.fromkeys(groups, space.suffixes), **joints.groups}
    return law_of_parts(
        name,
        space.joints,
        found,
        (*space.wanted(["T_d", "V_d", "A_d"]), *((WRENCH,) if force else ())),
        parts,
        tuning_of({**settings, **joints.settings}, gains, names, space.joints, found, most, period),
        period=period,
        limits=most,
        state=() if sums is None else (sums.slot,),
        after=() if sums is None else (sums.stage(most),),
        notes=notes,
        options={**space.options, "friction": friction, "parameters": parameters},
    )


def _acceleration(space: TaskSpace, second_rate: Dynamics, integral: bool, force: bool) -> Any:
    """The acceleration the frame shall have [9.35], in the components of the task."""

    def acceleration(T: Any, V: Any, T_d: Any, V_d: Any, A_d: Any, **more: Any) -> dict[str, Any]:
        error = TaskError(space.rows, T, V, T_d, V_d)
        made = {"acceleration": error.acceleration(A_d, second_rate(error, **more))}
        if integral:
            made["error"] = error.e
        return made | ({"F_held": -more["F"]} if force else {})  # on the environment, as ``static_torques`` has it

    return acceleration
