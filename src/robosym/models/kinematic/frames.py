"""What every kinematic model asks: a target frame, and in whose axes the answer is wanted."""

from __future__ import annotations

from typing import Literal, TypeVar

from ...robot import Robot, RobotError
from ...robot.problems import Problem
from ..tree.paths import WORLD
from ..tree.paths import FrameName as FrameName

# The three ways of writing the velocity of a frame (Pinocchio's names):
#   local                in the axes of the frame, of its origin: the body twist
#   world                in the axes of the world, of the point that passes the world's origin: the spatial twist
#   local-world-aligned  in the axes of the world, of the frame's origin: the textbooks' 0J, "mixed"
Convention = Literal["local", "world", "local-world-aligned"]
CONVENTIONS: tuple[Convention, ...] = ("local", "world", "local-world-aligned")
# What others call them; capitals and underscores make no difference (LOCAL_WORLD_ALIGNED).
ALIASES: dict[str, Convention] = {"body": "local", "spatial": "world", "mixed": "local-world-aligned"}
ConventionName = Convention | str

T = TypeVar("T")


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


def convention_named(robot: Robot, convention: ConventionName) -> Convention:
    """The convention a person means, by its name or by one of the others in use."""
    known: dict[str, Convention] = ALIASES | {name: name for name in CONVENTIONS}
    word = convention.lower().replace("_", "-") if isinstance(convention, str) else ""
    if word not in known:
        expected = "expected 'local', 'world' or 'local-world-aligned' (or 'body', 'spatial', 'mixed')"
        raise RobotError([Problem("convention", f"got {convention!r}, {expected}")], robot.name)
    return known[word]


def truth(robot: Robot, name: str, value: object) -> bool:
    """An option that is True or False: a word such as "no" would count as true."""
    if isinstance(value, bool):
        return value
    raise RobotError([Problem(name, f"got {value!r}, expected True or False")], robot.name)


def about_middle(frames: list[T], most: int) -> list[T]:
    """Of more frames on a way than ``most``, those about its middle, where both ends are near."""
    left = max(0, (len(frames) - most) // 2)
    return frames[left : left + most]
