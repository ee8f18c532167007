"""Where a robot comes from: a file, by its name alone, or the library; and whether it was changed since.

What is read knows the robot that it was read as, so that a robot that was changed in Python is never taken for that of its file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .robot import Robot


@dataclass(frozen=True)
class Origin:
    """In words, and the robot that was there then."""

    words: str
    robot: Robot


def coming_from(robot: Robot, words: str) -> Robot:
    """The robot with this origin."""
    return robot.replace(origin=Origin(words, robot.replace(origin=None)))


def base_name(path: str) -> str:
    """The name of a file without its folders, of whatever system: where it lies is nobody's business."""
    return re.split(r"[/\\]", path)[-1]


def derived(before: Robot, after: Robot, words: str) -> Robot:
    """The robot that was made from another by what ``words`` say: it has the same origin, with these words."""
    return coming_from(after, f"{origin_of(before)}, {words}") if before.origin is not None else after


def origin_of(robot: Robot) -> str:
    """In words, for people: never the path of a file."""
    if robot.origin is None:
        return "made in Python"
    same = robot.origin.robot == robot
    return robot.origin.words if same else f"{robot.origin.words}, changed in Python since it was read"
