"""A tool on a platform: the pose and the twist of every model become those of the tool.

The frame of the platform is put where the tool is, and what was fixed to it, its mass and the seats of its legs, is carried by a
fixed frame at the inverse pose: with E the tool in the platform, T_tool = T_platform E. No model of platforms needs to know of tools.
"""

from __future__ import annotations

from dataclasses import replace

from ...caches import Kept
from ...expr import VARIABLE, Expr, expr, number
from ...robot import Link, Robot
from ...spatial.vectors import dot
from ..tool import Mounted, Tool, tool_pose, with_tool

_PLACED: Kept[Robot] = Kept()  # by the pose of the tool

ZERO = number(0)
BODY = "platform_body"  # the name of what the platform was


def tool_on_platform(robot: Robot, tool: Tool | None) -> tuple[Robot, dict[str, object]]:
    """The robot whose platform is placed by its tool, and what the options of a model record."""
    if tool is None:
        return robot, {}
    pose = tool_pose(robot, tool)
    found = _PLACED.of(robot, (pose.position, pose.rotation), lambda: _placed_by(robot, pose))
    return found, {"tool": pose.option}


def _placed_by(robot: Robot, pose: Mounted) -> Robot:
    p = robot.platforms[0].frame
    n = len(robot.frames)
    made, body = with_tool(robot, p, _inverse(pose))
    frames = list(made.frames)
    for j, frame in enumerate(robot.frames, 1):
        if frame.antecedent == p:
            frames[j - 1] = replace(frame, antecedent=body)
    taken = {frame.name for frame in robot.frames}
    names = [name for k in range(1, 10000) if (name := BODY if k == 1 else f"{BODY}{k}") not in taken]
    for j in range(n, body):
        frames[j] = replace(frames[j], name=names[body - 1 - j])
    own = robot.frame(p).link
    constant, symbolic = _parted(own.wrench)
    frames[body - 1] = replace(frames[body - 1], link=replace(own, wrench=constant))
    frames[p - 1] = replace(frames[p - 1], link=replace(Link(), wrench=symbolic))
    return made.replace(frames=tuple(frames))


def _parted(wrench: tuple[Expr, ...]) -> tuple[tuple[Expr, ...], tuple[Expr, ...]]:
    """The constants of a wrench, which act where the platform was, and the symbols, which are inputs at the tool."""
    constant = tuple(ZERO if x.level == VARIABLE else x for x in wrench)
    symbolic = tuple(x if x.level == VARIABLE else ZERO for x in wrench)
    return constant, symbolic


def _inverse(pose: Mounted) -> Mounted:
    """R^T, -R^T p."""
    if pose.rotation is None:
        x, y, z = pose.position
        return Mounted((-x, -y, -z))
    (a, b, c), (d, e, f), (g, h, i) = pose.rotation
    columns = ((a, d, g), (b, e, h), (c, f, i))
    x, y, z = (expr(-dot(column, pose.position)) for column in columns)
    return Mounted((x, y, z), columns)
