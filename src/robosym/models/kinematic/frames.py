"""What every kinematic model asks of a robot: an open tree, a target frame, and in whose axes the answer is wanted."""

from __future__ import annotations

from typing import Literal

from ...robot import Robot, RobotError
from ...robot.problems import Problem
from ..geometric import WORLD

# The three ways of writing the velocity of a frame (Pinocchio's names):
#   local                in the axes of the frame, of its origin: the body twist
#   world                in the axes of the world, of the point that passes the world's origin: the spatial twist
#   local-world-aligned  in the axes of the world, of the frame's origin: the textbooks' 0J, "mixed"
Convention = Literal["local", "world", "local-world-aligned"]
CONVENTIONS: tuple[Convention, ...] = ("local", "world", "local-world-aligned")

FrameName = int | str


def open_tree(robot: Robot) -> Robot:
    """The robot, if it has no closed loop."""
    if robot.loops:
        problem = "has closed loops: their kinematic models are not available yet"
        raise RobotError([Problem("", problem)], robot.name)
    return robot


def target(robot: Robot, frame: FrameName | None) -> int:
    """The number of the frame a model is about: the only terminal one unless told."""
    if frame == WORLD:
        raise RobotError([Problem("frame", "the world does not move: expected a frame of the robot")], robot.name)
    if frame is not None:
        return robot.number(frame)
    inner = {one.antecedent for one in robot.frames}
    tips = [j for j in range(1, len(robot.frames) + 1) if j not in inner]
    if len(tips) == 1:
        return tips[0]
    names = ", ".join(f"'{robot.frame(j).name}'" for j in tips[:12])
    raise RobotError([Problem("frame", f"has {len(tips)} terminal frames: say which frame ({names})")], robot.name)


def convention_named(robot: Robot, convention: str) -> Convention:
    for known in CONVENTIONS:
        if convention == known:
            return known
    expected = "expected 'local', 'world' or 'local-world-aligned'"
    raise RobotError([Problem("convention", f"got {convention!r}, {expected}")], robot.name)
