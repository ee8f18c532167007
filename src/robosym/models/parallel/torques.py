"""Forces of the motors from the motion of the platform: inverse dynamics, bias, gravity (Khalil 2010, equation 66)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal, get_args

from ...expr import expr
from ...generated import Model
from ...program import Array, optimised
from ...robot import Robot, RobotError
from ...robot.problems import Problem
from ..common import model
from ..loops.structure import variable_of
from ..tree.friction import FrictionKind, friction_asked
from .choice import motion_for
from .demand import Demand
from .dynamics import motor_torques, on_the_platform
from .kinematics import Kinematics, modes_of
from .notes import with_notes
from .platform_body import WRENCH_ON_ENVIRONMENT, carried_by
from .pose import state_arrays
from .status import status_array

Near = Mapping[str, float] | None
Legs = Literal[
    "unrolled", "shared", "given"
]  # each written out, one function for those alike, or their positions as inputs
Forces = Literal["motors", "platform"]  # of the motors, or the wrench on the platform that does the same
STATES = (("pose",), ("pose", "twist"), ("pose", "twist", "twist_rate"))
Q_STATES = (("q",), ("q", "qd"), ("q", "qd", "qdd"))


def inverse_dynamics(
    robot: Robot,
    *,
    method: str = "auto",
    friction: FrictionKind = False,
    rotor_inertia: bool = True,
    wrench: str = "terminal",
    forces: Forces = "motors",
    legs: Legs = "unrolled",
    mode: str | None = None,
    near: Near = None,
) -> Model:
    """tau of the motors for the pose, twist and twist_rate of the platform, and the wrench it exerts on the environment
    (force and moment in its axes at its origin, zero by default). ``forces`` "platform" gives W, the wrench on the platform
    that moves it and its legs: the dynamic model in its own coordinates. ``legs`` "shared" writes one function for all legs alike,
    called for each of them; "given" takes the positions of all leg joints as an input beside the pose, as where they are measured."""
    if legs not in get_args(Legs):
        raise RobotError([Problem("legs", f"got {legs!r:.40}, expected {', '.join(get_args(Legs))}")], robot.name)
    demand = demanded(robot, 2, method, friction, rotor_inertia, wrench)
    if legs == "shared":
        if forces != "motors":
            raise RobotError([Problem("forces", "got 'platform', expected 'motors' with shared legs")], robot.name)
        return _shared(robot, demand, mode, near)
    demand = replace(demand, legs_given=legs == "given")
    return _torques(robot, "inverse-dynamics", "tau", demand, forces, mode, near)


def _shared(robot: Robot, demand: Demand, mode: str | None, near: Near) -> Model:
    from .shared import shared_routine

    branches = modes_of(robot).named(mode, near)
    motion, ways = motion_for(robot, branches, demand)
    routine = shared_routine(motion, demand, ways)
    used = {symbol.name for symbol in routine.parameter_symbols}
    values = {key: value.number for key, value in robot.values.items() if key in used}
    options = _options(demand, "motors", motion.mode) | {"legs": "shared"}
    made = Model("inverse-dynamics", robot, routine, values, options, optional=_optional(motion, demand))
    return with_notes(replace(made, known=robot.parameter_names), motion)


def bias(
    robot: Robot,
    *,
    friction: FrictionKind = False,
    rotor_inertia: bool = True,
    wrench: str = "terminal",
    forces: Forces = "motors",
    mode: str | None = None,
    near: Near = None,
) -> Model:
    """H: the same without acceleration of the platform."""
    demand = demanded(robot, 1, "auto", friction, rotor_inertia, wrench)
    return _torques(robot, "bias", "H", demand, forces, mode, near)


def gravity(robot: Robot, *, forces: Forces = "motors", mode: str | None = None, near: Near = None) -> Model:
    """Q: the forces of the motors that hold the platform and its legs against gravity."""
    return _torques(robot, "gravity", "Q", Demand(0, rotor=False), forces, mode, near)


def demanded(robot: Robot, order: int, method: str, friction: Any, rotor: Any, wrench: str) -> Demand:
    """What the options ask for, checked."""
    friction_asked(robot, friction)
    if not isinstance(rotor, bool):
        problem = f"got {rotor!r:.40}, expected True or False (gyroscopic rotors are not modelled on legs)"
        raise RobotError([Problem("rotor_inertia", problem)], robot.name)
    if not isinstance(wrench, str) or wrench not in ("terminal", "none"):
        expected = (
            "expected 'terminal' (that of the platform) or 'none'; models of robot.closed_loops() take names of frames"
        )
        raise RobotError([Problem("wrench", f"got {wrench!r:.40}, {expected}")], robot.name)
    return Demand(order, friction, rotor, wrench == "terminal", method)


def _torques(robot: Robot, name: str, output: str, demand: Demand, forces: str, mode: str | None, near: Near) -> Model:
    if forces not in ("motors", "platform"):
        raise RobotError([Problem("forces", f"got {forces!r:.40}, expected 'motors' or 'platform'")], robot.name)
    modes = modes_of(robot)
    branches = modes.named(mode, near)
    motion, ways = motion_for(robot, branches, demand)
    if forces == "motors":
        found = motor_torques(motion, demand, ways)
        array = Array(output, (len(found),), tuple(map(expr, found.values())))
    else:
        array = Array("W", (6,), tuple(map(expr, _free(motion, on_the_platform(motion, demand, ways)))))
    graph = motion.graph(name, inputs_of(motion, demand), (array, *status_array(motion)))
    options = _options(demand, forces, motion.mode)
    made = model(robot, name, optimised(graph), options, optional=_optional(motion, demand))
    return with_notes(made, motion)


def _options(demand: Demand, forces: str, mode: str) -> dict[str, Any]:
    if demand.order == 0:
        return {"forces": forces, "mode": mode}
    return {
        "method": demand.method,
        "friction": demand.friction,
        "rotor_inertia": demand.rotor,
        "wrench": "terminal" if demand.wrench else "none",
        "forces": forces,
        "legs": "given" if demand.legs_given else "unrolled",
        "mode": mode,
    }


def _optional(motion: Kinematics, demand: Demand) -> dict[str, tuple[str, ...]]:
    """The wrench is zero unless it is given."""
    name = motion.module.robot.frame(motion.module.platform.frame).name
    return {"wrench": (name,)} if demand.wrench else {}


def _free(motion: Kinematics, wrench: list[Any]) -> list[Any]:
    """Along directions in which the platform never moves a wrench does nothing: it is zero."""
    return [x if k in motion.space.places else 0 for k, x in enumerate(wrench)]


def inputs_of(motion: Kinematics, demand: Demand) -> list[Array]:
    """The state of the platform, that of joints on it, and its wrench."""
    found = state_arrays(STATES[demand.order])
    if demand.legs_given:
        robot, joints = motion.module.robot, motion.module.joints
        found.append(Array("legs", (len(joints),), tuple(variable_of(robot, j) for j in joints)))
    found += carried_by(motion).arrays(motion.module.robot, Q_STATES[demand.order])
    if demand.wrench:
        found.append(Array("wrench", (1, 6), WRENCH_ON_ENVIRONMENT))
    return found
