"""Robots for a page: which there are, what is wrong with a description, and what one is."""

from __future__ import annotations

from typing import Any

from ..checking import check
from ..errors import RobosymError
from ..library import catalogue, is_built_in, load
from ..library.new import KINDS, inside_quotes, template
from ..models import models_of
from ..robot import Robot, RobotError

BLANK = "blank"


def built_in_robots() -> list[dict[str, Any]]:
    """Name, joints, structure and description of every built-in robot."""
    return catalogue()


def checked_robot(
    text: str = "", format: str | None = None, name: str = "", floating: bool = False, loops: str = ""
) -> dict[str, Any]:
    """A description read and checked: the robot, warnings and notes; or an error with all its problems."""
    if name:
        if not is_built_in(name):
            raise RobosymError(f"there is no built-in robot {name!r:.60}")
        return {"robot": robot_view(load(name, floating=floating)), "warnings": [], "notes": []}
    found = check(text.encode(), format=format, floating=floating, loops=loops.encode() if loops else None)
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


def templates() -> list[dict[str, str]]:
    """What a new robot may begin as."""
    return [
        {"kind": BLANK, "words": "one joint, and all else to be written"},
        *({"kind": k, "words": w} for k, w in KINDS.items()),
    ]


def new_robot(kind: str, name: str) -> str:
    """The TOML text of a robot to begin with."""
    name = name.strip() or "robot"
    if kind == BLANK:
        return f'name = "{inside_quotes(name)}"\ngravity = [0, 0, -9.81]\n\n[[frame]]\nantecedent = 0\n'
    return template(kind, name)
