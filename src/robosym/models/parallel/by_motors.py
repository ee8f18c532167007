"""Models of a platform in the coordinates of its motors: first the pose, by iteration from a pose near it, then the model there.

The input ``start`` is the pose where the iteration begins, by default that of the description; the outputs ``pose`` (the start of
the next call), ``residual`` and ``assembled`` say what was found. Where nothing was, no output is a number.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...expr import Expr, expr, variable
from ...generated import Model
from ...program import Array, optimised
from ...program.routine import Fill, Routine, Run, Slot, When
from ...robot import Robot, RobotError
from ...robot.problems import Problem
from ...spatial.scalar import Scalar
from ...spatial.vectors import apply
from ..common import ASSEMBLED
from ..tree.bodies import halves
from .choice import ways_for
from .demand import Demand
from .direct_geometry import START, model_of, renamed_start
from .driven import motor_drifts, moved_by_motors
from .dynamics import motor_torques
from .forward import accelerated
from .inertia import inertia_at_platform
from .kinematics import Kinematics, kinematics, modes_of
from .matrices import energies, inertia_of_motors, without_carried
from .newton import FOUND, PREFIX, iteration
from .notes import home_pose, notes_of
from .platform_body import WRENCH_ON_ENVIRONMENT
from .pose import POSE, pose_symbols
from .torques import demanded

OPEN = f"{PREFIX}open"
ABOUT = {
    "qd": "speeds of the motors",
    "qdd": "accelerations of the motors",
    "tau": "forces and torques of the motors",
    "wrench": "force and moment of the platform on the environment, about its origin, in its axes",
}
DEFAULTS: dict[str, Any] = {"method": "auto", "friction": False, "rotor_inertia": True, "wrench": "terminal"}
OPTIONS = {
    "inverse_dynamics": ("method", "friction", "rotor_inertia", "wrench"),
    "bias": ("friction", "rotor_inertia", "wrench"),
    "gravity": (),
    "forward_dynamics": ("friction", "rotor_inertia", "wrench"),
    "inertia_matrix": ("rotor_inertia",),
    "energy": ("rotor_inertia",),
    "jacobian": (),
    "static_torques": (),
}


@dataclass(frozen=True)
class _Driven:
    """A platform at a pose that its motors have brought it to."""

    motion: Kinematics  # at rest
    demand: Demand
    ways: Mapping[object, str]

    def symbols(self, stem: str) -> tuple[Expr, ...]:
        return tuple(variable(f"{stem}{j}") for j in self.motion.module.motors)

    def moving(self, accelerating: bool | None = None) -> Kinematics:
        """With the speeds of the motors, and their accelerations: given, or zero."""
        qdd: Sequence[Scalar] | None = None
        if accelerating is not None:
            qdd = self.symbols("qdd") if accelerating else [0] * len(self.motion.module.motors)
        return moved_by_motors(self.motion, self.symbols("qd"), qdd)

    def torques(self, motion: Kinematics) -> list[Scalar]:
        return list(motor_torques(motion, self.demand, self.ways).values())


def _forward(one: _Driven) -> list[Array]:
    """qdd = M twist_rate + drift."""
    motion = one.moving()
    rate = accelerated(motion, replace(one.demand, order=1), one.ways, one.symbols("tau"))
    drift = motor_drifts(motion)
    found = []
    for j, late in zip(motion.module.motors, drift, strict=True):
        rows = motion.motor_rows[j]
        found.append(late + sum((x * rate[k] for x, k in zip(rows, motion.space.places, strict=True)), 0))
    return [_vector("qdd", found)]


def _inertia(one: _Driven) -> list[Array]:
    A, free = inertia_at_platform(one.motion, one.demand.rotor), one.motion.space.places
    rows = inertia_of_motors(one.motion, [[A[i][k] for k in free] for i in free])
    return [Array("A", (len(rows),) * 2, tuple(expr(x) for row in rows for x in row))]


def _jacobian(one: _Driven) -> list[Array]:
    m = len(one.motion.module.motors)
    found = one.motion.twist_from([[int(i == k) for k in range(m)] for i in range(m)])
    rows: list[Sequence[Scalar]] = [[0] * m for _ in range(6)]
    for place, row in zip(one.motion.space.places, found, strict=True):
        rows[place] = row
    return [Array("J", (6, m), tuple(expr(x) for row in rows for x in row))]


def _energy(one: _Driven) -> list[Array]:
    found = energies(one.moving(), one.demand.rotor)
    return [Array(name, (1,), (expr(value),)) for name, value in found.items()]


def _static(one: _Driven) -> list[Array]:
    force, moment = halves(list(WRENCH_ON_ENVIRONMENT))
    R = one.motion.state.columns
    found = one.motion.to_motors([*apply(R, force), *apply(R, moment)])
    return [_vector("tau", [found[j] for j in one.motion.module.motors])]


# What each model takes beside q, the order of the motion its legs are written for, and how it is made.
MODELS: dict[str, tuple[tuple[str, ...], int, Callable[[_Driven], list[Array]]]] = {
    "inverse_dynamics": (("qd", "qdd"), 2, lambda one: [_vector("tau", one.torques(one.moving(True)))]),
    "bias": (("qd",), 2, lambda one: [_vector("H", one.torques(one.moving(False)))]),
    "gravity": ((), 0, lambda one: [_vector("Q", one.torques(one.motion))]),
    "forward_dynamics": (("qd", "tau"), 1, _forward),
    "inertia_matrix": ((), 0, _inertia),
    "energy": (("qd",), 1, _energy),
    "jacobian": ((), 0, _jacobian),
    "static_torques": ((), 0, _static),
}


def _vector(name: str, entries: Sequence[Scalar]) -> Array:
    return Array(name, (len(entries),), tuple(map(expr, entries)))


def by_motors(name: str, robot: Robot, args: tuple[Any, ...], options: dict[str, Any]) -> Model:
    """The model of this name, from the positions of the motors."""
    mode, near = options.pop("mode", None), options.pop("near", None)
    options = {key: value for key, value in options.items() if (key, value) != ("parameters", "standard")}
    unknown = [key for key in options if key not in OPTIONS[name]]
    if unknown or args:
        there = ", ".join((*OPTIONS[name], "mode", "near"))
        problem = f"is no option of {name} in the motors' coordinates (there are {there})"
        raise RobotError([Problem(unknown[0] if unknown else "arguments", problem)], robot.name)
    asked = {**DEFAULTS, **options}
    taken, order, make = MODELS[name]
    wrench = asked["wrench"] if "wrench" in OPTIONS[name] else "none"
    rotor = asked["rotor_inertia"] if name != "gravity" else False
    demand = demanded(robot, order, asked["method"], asked["friction"], rotor, wrench)
    branches = modes_of(robot).named(mode, near)
    found, stages, judged = iteration(robot, branches)
    without_carried(found)
    ways = ways_for(robot, branches, demand)
    motion = kinematics(robot, branches, found.scope, 0, ways.seen_from)
    own = _Driven(motion, demand, ways.algorithms)
    outputs = make(own)
    inputs = [Array(one, (len(motion.module.motors),), own.symbols(one)) for one in taken]
    if demand.wrench:
        inputs.append(Array("wrench", (1, 6), WRENCH_ON_ENVIRONMENT))
    if name == "static_torques":
        inputs.append(Array("wrench", (6,), WRENCH_ON_ENVIRONMENT))
    label = name.replace("_", "-")
    program = optimised(motion.graph(label, [Array(POSE, (7,), pose_symbols), *inputs], outputs)).replace(name=label)
    results = [Slot(array.name, array.shape) for array in outputs]
    nothing = [Fill(slot.name, slot.shape, math.nan) for slot in (*results, Slot(POSE, (7,)))]
    routine = Routine(
        f"{robot.name} {label}",
        (
            Slot("q", (len(motion.module.motors),), "positions of the motors"),
            *(Slot(array.name, array.shape, ABOUT.get(array.name, "")) for array in inputs),
            Slot(START, (7,), "the pose where the iteration begins: the one found last, or near"),
        ),
        (
            *results,
            Slot(POSE, (7,), "x y z qx qy qz qw of the platform in frame 0, as found"),
            Slot("residual", (), "what is left of the positions of the motors, lengths over the size of the robot"),
            Slot(ASSEMBLED, (), "1 where the platform was found there, else 0"),
        ),
        (
            *renamed_start(stages),
            Run(judged, {POSE: FOUND, "pose_found": POSE}),
            Run(program),
            When(OPEN, tuple(nothing)),
        ),
        (f"{robot.name} {label} from its motors, by iteration", *notes_of(motion)),
    )
    chosen = {key: asked[key] for key in OPTIONS[name]} | {"coordinates": "motors", "mode": motion.mode}
    made = model_of(motion, label, routine, chosen, home_pose(motion))
    optional = {"wrench": (robot.frame(motion.module.platform.frame).name,)} if demand.wrench else {}
    return replace(made, optional=optional)
