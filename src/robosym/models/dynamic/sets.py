"""Which parameters a model is written in, and which of its inputs are zero unless given."""

from __future__ import annotations

from collections.abc import Mapping

from ...robot import Robot, RobotError
from ...robot.problems import Problem
from ..state import wrench_links


def robot_in(robot: Robot, parameters: str, rotor_inertia: bool = True) -> Robot:
    """The robot itself, or the same robot with its base inertial parameters.

    With ``rotor_inertia`` some rotor inertias join the links' parameters, where they have the same effect.
    """
    if parameters == "standard":
        return robot
    if parameters == "base":
        from .base_parameters import base_parameters

        return base_parameters(robot, rotor_inertia=rotor_inertia).robot
    raise RobotError([Problem("parameters", f"got {parameters!r}, expected 'standard' or 'base'")], robot.name)


def zero_unless_given(robot: Robot, wrench: str) -> Mapping[str, tuple[str, ...]]:
    """The inputs a call may leave out, with the names of their rows: the wrenches, by link."""
    links = wrench_links(robot, wrench)
    return {"wrench": tuple(robot.frame(j).name for j in links)} if links else {}
