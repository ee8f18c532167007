"""Robots for a page: which there are, what is wrong with a description, and what one is."""

from __future__ import annotations

from typing import Any

from ..checking import check
from ..errors import RobosymError
from ..library import catalogue, is_built_in, load
from ..models import models_of
from ..robot import Robot, RobotError


def built_in_robots() -> list[dict[str, Any]]:
    """Name, joints, structure and description of every built-in robot."""
    return catalogue()


def checked_robot(text: str = "", format: str | None = None, name: str = "", floating: bool = False) -> dict[str, Any]:
    """A description read and checked: the robot, warnings and notes; or an error with all its problems."""
    if name:
        if not is_built_in(name):
            raise RobosymError(f"there is no built-in robot {name!r:.60}")
        return {"robot": robot_view(load(name, floating=floating)), "warnings": [], "notes": []}
    found = check(text.encode(), format=format, floating=floating)
    if found.robot is None or found.problems:
        raise RobotError(found.problems, found.source)
    return {"robot": robot_view(found.robot), "warnings": list(found.warnings), "notes": list(found.notes)}


def robot_view(robot: Robot) -> dict[str, Any]:
    """What stands beside its name."""
    return {
        "name": robot.name,
        "description": robot.description,
        "structure": robot.structure,
        "floating": robot.base.floating,
        "joints": list(robot.joint_names),
        "nq": robot.nq,
        "nv": robot.nv,
        "models": models_of(robot),
    }
