"""Which models there are of a platform on legs, by the names of the model functions, and who makes them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import wraps
from importlib import import_module
from typing import Any, TypeVar

from ...generated import Model
from ...program.choice import uncollected
from ...robot import Robot, RobotError
from ...robot.problems import Problem
from ..common import require_robot
from ..resolve import hybrid_as_loops

# Where each is.
WHERE = {
    "inverse_geometric": "inverse_geometry",
    "direct_geometric": "direct_geometry",
    "jacobian": "jacobians",
    "jacobian_inverse": "jacobians",
    "velocities": "jacobians",
    "accelerations": "jacobians",
    "static_torques": "jacobians",
    "inverse_dynamics": "torques",
    "bias": "torques",
    "gravity": "torques",
    "forward_dynamics": "forward",
    "inertia_matrix": "matrices",
    "energy": "matrices",
    "regressor": "regressor",
    "base_parameters": "base_parameters",
    "base_parameters_model": "base_parameters",
}
OF_MOTION = ("forward_dynamics", "energy")  # those of the state, which has the motors of flexible joints in it
# Those that can be written in the coordinates of the motors.
BY_MOTORS = (
    "inverse_dynamics",
    "bias",
    "gravity",
    "forward_dynamics",
    "inertia_matrix",
    "energy",
    "jacobian",
    "static_torques",
)


Made = TypeVar("Made")


def or_of_platform(function: Callable[..., Made]) -> Callable[..., Made]:
    """The same function, for a platform on legs too."""

    @wraps(function)
    def of_any(robot: Robot, *args: Any, **options: Any) -> Made:
        require_robot(robot)
        read = hybrid_as_loops(robot)
        if not read.platforms:
            return function(robot, *args, **options)
        made: Made = of_platform(function.__name__, read, args, {**options})
        return made

    return of_any


@uncollected()
def of_platform(name: str, robot: Robot, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """The model of this name, from the pose of the platform or, with ``coordinates`` "motors", from its motors; with a ``tool`` on
    the platform, its pose and its twist are those of the tool."""
    if name not in WHERE:
        known = ", ".join(WHERE)
        problem = (
            f"{name} is not there for a platform on legs (there are {known}); as closed loops the robot has every model, in "
            "the motors' coordinates: robot.closed_loops()"
        )
        raise RobotError([Problem("platform", problem)], robot.name)
    if robot.flexible and name in OF_MOTION:
        joints = ", ".join(robot.frame(j).joint.name for j in robot.flexible)
        problem = (
            f"{joints}: flexible joints, whose motors have positions of their own, which {name} of a platform on legs does not "
            "have; as closed loops the robot has it: robot.closed_loops()"
        )
        raise RobotError([Problem("joints", problem)], robot.name)
    coordinates = options.pop("coordinates", None) or "platform"
    if options.pop("structure", "closed") != "closed":
        raise RobotError([Problem("structure", "a platform on legs has no tree: expected 'closed'")], robot.name)
    if coordinates not in ("platform", "motors"):
        problem = f"got {coordinates!r:.40}, expected 'platform' or 'motors'"
        raise RobotError([Problem("coordinates", problem)], robot.name)
    from .tool import tool_on_platform

    robot, said = tool_on_platform(robot, options.pop("tool", None))
    make = _by_motors if coordinates == "motors" else _made
    made = make(name, robot, args, options)
    return replace(made, options={**made.options, **said}) if said and isinstance(made, Model) else made


def _made(name: str, robot: Robot, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
    function: Callable[..., Any] = getattr(import_module(f".{WHERE[name]}", __package__), name)
    known = inspect.signature(function).parameters
    if "parameters" in options and "parameters" not in known and options["parameters"] == "standard":
        options = {key: value for key, value in options.items() if key != "parameters"}
    unknown = [key for key in options if key not in known]
    if unknown:
        there = ", ".join(key for key in known if key != "robot")
        problem = f"is no option of {name} for a platform on legs (there are {there})"
        raise RobotError([Problem(unknown[0], problem)], robot.name)
    return function(robot, *args, **options)


def _by_motors(name: str, robot: Robot, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
    if name not in BY_MOTORS:
        problem = f"got 'motors', which {name} does not have (there are {', '.join(BY_MOTORS)})"
        raise RobotError([Problem("coordinates", problem)], robot.name)
    from .by_motors import by_motors

    return by_motors(name, robot, args, options)


def names_of(robot: Robot, every: Sequence[str]) -> list[str]:
    """The models of a platform on legs, by their names on the command line."""
    missing = OF_MOTION if robot.flexible else ()
    return [name for name in every if (own := name.replace("-", "_")) in WHERE and own not in missing]
