"""The models of a robot under the menus of the web app, each with its title and the controls of its options."""

from __future__ import annotations

from typing import Any

from ..generated.declaration import FAMILIES, Declaration
from ..models import models_of
from ..models.catalogue import declaration_of
from ..robot import Robot
from .controls import controls


def menus(robot: Robot) -> list[dict[str, Any]]:
    """Menu by menu the models that the robot has: name, title, what it gives, options."""
    declarations = [declaration_of(name) for name in models_of(robot)]
    return [
        {"menu": family, "models": [_entry(robot, one) for one in declarations if one.family == family]}
        for family in FAMILIES
    ]


def _entry(robot: Robot, declared: Declaration) -> dict[str, Any]:
    gives, options = declared.summary.removesuffix("."), controls(robot, declared.name)
    return {"name": declared.name, "title": declared.title, "gives": gives, "options": options}
