"""A tool as fixed frames at the end of an arm: what follows then needs to know nothing of it."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from ...errors import RobosymError
from ...expr import Expr, expr, number, pi
from ...expr.parse import parse
from ...robot import FIXED, Frame, Joint, Robot, RobotError
from ...robot.problems import Problem
from .solver.pose_input import as_poses

EXACT = 1e-12  # an angle this near to a multiple of 45 degrees is one


def with_tool(robot: Robot, frame: int, tool: Any) -> tuple[Robot, int]:
    """The robot with the frame of a tool, and its number. The tool is a place (three numbers or expressions) or a pose."""
    rotation: tuple[float, float, float] = (0.0, 0.0, 0.0)
    if isinstance(tool, (list, tuple, np.ndarray)) and np.shape(tool) == (3,):
        place = [_expression(robot, x) for x in tool]
    else:
        try:
            T = as_poses(tool, batched=False)[0]
        except RobosymError as error:
            problem = f"expected a place [x, y, z] or a pose (4, 4); {str(error)[3:]}"
            raise RobotError([Problem("tool", problem)], robot.name) from error
        place, rotation = [expr(float(x)) for x in T[:3, 3]], _angles(T[:3, :3])
    for fields in _frames(place, rotation):
        k = len(robot.frames) + 1
        added = Frame(_unused(robot, "tool"), frame, Joint(f"tool_mount{k}"), FIXED, **fields)
        robot, frame = replace(robot, frames=(*robot.frames, added)), k
    return robot, frame


def _frames(place: list[Expr], rotation: tuple[float, float, float]) -> list[dict[str, Any]]:
    """Tx Tz, then Ty = Rz(pi/2) Tx Rz(-pi/2), then Rz Rx Rz; what is zero is left out."""
    x, y, z = place
    gamma, alpha, theta = (_angle(a) for a in rotation)
    found: list[dict[str, Any]] = [{"d": x, "b": z}]
    if not y.is_zero:
        found.append({"gamma": pi / 2, "d": y, "theta": -pi / 2})
    if any(not a.is_zero for a in (gamma, alpha, theta)):
        found.append({"gamma": gamma, "alpha": alpha, "theta": theta})
    return found


def _expression(robot: Robot, x: Any) -> Expr:
    if isinstance(x, str):
        return parse(x)
    if isinstance(x, Expr) or (isinstance(x, int | float | np.floating | np.integer) and math.isfinite(x)):
        return expr(x if isinstance(x, Expr) else float(x))
    raise RobotError([Problem("tool", f"got {x!r}, expected a number or an expression")], robot.name)


def _angles(R: Any) -> tuple[float, float, float]:
    """gamma, alpha, theta with R = Rz(gamma) Rx(alpha) Rz(theta)."""
    sine = math.hypot(R[0, 2], R[1, 2])
    if sine < EXACT:
        turn = math.atan2(R[1, 0], R[0, 0])
        return (0.0, 0.0, turn) if R[2, 2] > 0 else (turn, math.pi, 0.0)
    return math.atan2(R[0, 2], -R[1, 2]), math.atan2(sine, R[2, 2]), math.atan2(R[2, 0], R[2, 1])


def _angle(a: float) -> Expr:
    steps = round(a / (math.pi / 4))
    return pi * number(steps) / 4 if abs(a - steps * math.pi / 4) < EXACT else expr(a)


def _unused(robot: Robot, name: str) -> str:
    taken = {one.name for one in robot.frames} | {robot.base.name}
    return name if name not in taken else next(f"{name}{k}" for k in range(2, 10000) if f"{name}{k}" not in taken)
