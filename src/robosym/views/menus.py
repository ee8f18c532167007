"""The models of a robot under the menus of the web app, each with its title and the controls of its options."""

from __future__ import annotations

from typing import Any

from ..generated.declaration import FAMILIES
from ..models import models_of
from ..models.catalogue import declaration_of
from ..robot import Robot
from .controls import controls


def menus(robot: Robot) -> list[dict[str, Any]]:
    """Menu by menu the models that the robot has: name, title, what it gives, options."""
    there = [declaration_of(name) for name in models_of(robot)]
    return [
        {
            "menu": family,
            "models": [
                {
                    "name": one.name,
                    "title": one.title,
                    "gives": one.summary.removesuffix("."),
                    "options": controls(robot, one.name),
                }
                for one in there
                if one.family == family
            ],
        }
        for family in FAMILIES
    ]
