"""Robots for a page: which there are, what is wrong with a description, and what one is."""

from __future__ import annotations

from typing import Any

from ..brief import listed
from ..checking import Checked, check
from ..errors import RobosymError
from ..expr import free_symbols
from ..library import catalogue, is_built_in, load
from ..library.new import KINDS, inside_quotes, template
from ..models import models_of
from ..robot import Robot, RobotError
from ..robot.checks import missing_values

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
    found = _checked(text, format, floating, loops)
    if found.robot is None or found.problems:
        raise RobotError(found.problems, found.source)
    return {"robot": robot_view(found.robot), "warnings": list(found.warnings), "notes": list(found.notes)}


def checked_text(text: str, format: str | None = None, floating: bool = False, loops: str = "") -> dict[str, Any]:
    """The same of a text that may be no robot yet: its problems are in the answer, and are no error."""
    found = _checked(text, format, floating, loops)
    return {
        "robot": None if found.robot is None or found.problems else robot_view(found.robot),
        "problems": [one.as_dict() for one in found.problems],
        "warnings": list(found.warnings),
        "notes": list(found.notes),
    }


def _checked(text: str, format: str | None, floating: bool, loops: str) -> Checked:
    return check(text.encode(), format=format, floating=floating, loops=loops.encode() if loops else None)


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
        "undrawn": _undrawn(robot),
    }


def _undrawn(robot: Robot) -> str:
    """Why the robot cannot be drawn: symbols of its geometry that have no value."""
    followed = [frame.joint.mimic for frame in robot.frames if frame.joint.mimic is not None]
    entries = [*robot.base.location, *(entry for frame in robot.frames for entry in frame.geometry)]
    entries += [entry for one in followed for entry in (one.ratio, one.offset)]
    symbols = dict.fromkeys(symbol for entry in entries for symbol in free_symbols(entry))
    missing = missing_values(robot, symbols)
    return f"its geometry has symbols without a number: {listed(missing, 6)}" if missing else ""


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
