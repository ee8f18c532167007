"""Which inertial parameters a model is written in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from ...robot import Robot, RobotError
from ...robot.problems import Problem
from ..common import require_own_rotors
from ..tree.rotors import RotorInertia

Parameters = Literal["standard", "base"]


def robot_in(robot: Robot, parameters: str, rotor_inertia: RotorInertia = True) -> Robot:
    """The robot itself, or the same robot with its base inertial parameters.

    With ``rotor_inertia`` some rotor inertias join the links' parameters, where they have the same effect: they cannot be
    left out of a robot that is written in such parameters already, nor spin on their own ("gyroscopic").
    """
    apart = rotor_inertia is not True
    if apart:
        require_own_rotors(robot)
    if parameters == "standard":
        return robot
    if parameters == "base":
        from .base_parameters import base_parameters

        return base_parameters(robot, rotor_inertia=not apart).robot
    raise RobotError([Problem("parameters", f"got {parameters!r}, expected 'standard' or 'base'")], robot.name)


def platform_in(robot: Robot, parameters: str, rotor_inertia: bool, choice: Mapping[str, Any]) -> Robot:
    """The same of a parallel robot in a working mode, which ``choice`` names."""
    if not rotor_inertia:
        require_own_rotors(robot)
    if parameters == "base":
        from .base_parameters import base_parameters

        return base_parameters(robot, rotor_inertia=rotor_inertia, **choice).robot
    return robot_in(robot, parameters, rotor_inertia)
