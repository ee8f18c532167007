"""Computed torque control in task space, "resolved acceleration" (Khalil, course 2014, section 9.4.3; Luh, Walker and
Paul 1980)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..arguments import judged
from ..models import inverse_dynamics, static_torques
from ..models.inertial_parameters.sets import Parameters
from ..models.resolve import Near
from ..models.tool import Tool
from ..models.tree.friction import FrictionKind
from ..models.tree.paths import FrameName
from ..program.routine import Slot
from ..reals import Floats
from ..robot import Robot
from .assembly import WANTED, period_of
from .computed_torque import poles, poles_with_integral, positive
from .integral import INTEGRAL
from .law import ControlError, Gains, Law, setting
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


@judged
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
    period: float = 1e-3,
    limits: TauLimits = True,
    parameters: Parameters = "standard",
    mode: str | None = None,
    near: Near = None,
) -> Law:
    """Gamma = A J^-1 (w - Jdot qd) + H [9.33], w such that e'' + Kd e' + Kp e = 0 [9.36], with Kp = bandwidth^2 and
    Kd = 2 damping bandwidth.

    e is the error of the position in world axes and the rotation vector of the error of the orientation, both exactly
    so: about a fixed axis and by the angle of that error if the gains of the rotations are equal, at any error below
    half a turn. ``task`` and gains for each component are those of ``task_pid``. (Of some components of a rotation
    alone: where the others are none, as those a SCARA robot makes about the vertical.)

    Joints that are left over go to the position ``rest`` (by default that of the description, or the middle of their
    limits) with the bandwidth ``posture``, without moving the frame. Near singularities, where the pseudo-inverse of
    the Jacobian matrix is larger than 1 / ``singular_below``, accelerations are damped with up to
    ``singular_damping`` and [9.36] does not hold (``redundancy.py``); by default both are 5 % of the best the robot
    has. ``singular_damping=0``: no damping, nor a bound of torques.
    """
    space = task_space(robot, "resolved_acceleration", frame, tool, task, mode, near)
    count = len(space.rows)
    settings = {"bandwidth": setting("bandwidth", bandwidth, count), "damping": setting("damping", damping, count)}
    for name, values in settings.items():
        positive(name, values)
    if not isinstance(integral, bool):
        raise ControlError(f"integral: got {integral!r:.40}, expected True or False")

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
        resolution(space, posture, rest, singular_damping, singular_below, period_of(period)),
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
    period, most = period_of(period), torque_limits(space.joints, limits)
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
