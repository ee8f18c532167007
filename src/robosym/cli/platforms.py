"""Platforms of a robot and the legs that carry them, for people and as plain data."""

from __future__ import annotations

from typing import Any

from ..robot import FIXED, Leg, Platform, Robot
from .tables import table

LETTERS = "RP"  # by sigma


def on_legs(robot: Robot) -> bool:
    """Whether the robot has models from the pose of its platform: one platform on a base at rest, legs without loops."""
    from ..models.parallel.structure import is_hybrid

    return bool(robot.platforms) and not is_hybrid(robot)


def platforms_as_list(robot: Robot) -> list[dict[str, Any]]:
    return [_platform(robot, one) for one in robot.platforms]


def _platform(robot: Robot, platform: Platform) -> dict[str, Any]:
    base = robot.frame(platform.frame).antecedent
    return {
        "frame": platform.frame,
        "name": robot.frame(platform.frame).name,
        "base": robot.frame(base).name if base else robot.base.name,
        "legs": [_leg(robot, leg, base) for leg in platform.legs],
    }


def _leg(robot: Robot, leg: Leg, base: int) -> dict[str, Any]:
    path = robot.path(leg.end)
    frames = path[path.index(base) + 1 :] if base else path
    moving = [j for j in frames if robot.frame(j).sigma != FIXED]
    return {
        "name": leg.name,
        "frames": list(frames),
        "joints": _letters(robot, moving),
        "driven": [robot.frame(j).joint.name for j in moving if j in robot.moving],
        "end": leg.end,
        "seat": leg.seat,
        "joint": leg.joint,
    }


def _letters(robot: Robot, moving: list[int]) -> str:
    """The joints from the base on, R and P; those with a motor are marked."""
    return " ".join(LETTERS[robot.frame(j).sigma] + ("*" if j in robot.moving else "") for j in moving)


def show_platforms(robot: Robot) -> None:
    """A table for each platform, with a row for each of its legs."""
    for platform in platforms_as_list(robot):
        rows = [
            [
                leg["name"],
                leg["joints"],
                ", ".join(leg["driven"]) or "-",
                _frame(robot, leg["end"]),
                leg["joint"],
                _frame(robot, leg["seat"]),
            ]
            for leg in platform["legs"]
        ]
        title = f"legs of '{platform['name']}' (frame {platform['frame']}) on '{platform['base']}'; * has a motor"
        table(["leg", "joints", "driven", "end", "joined", "seat"], rows, title)


def _frame(robot: Robot, j: int) -> str:
    return f"{j} {robot.frame(j).name}"
