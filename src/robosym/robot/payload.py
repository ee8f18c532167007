"""A payload: a mass in a place of a link, as symbols with values, so that it can be given, varied and changed later."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..expr import Expr, parameter
from .parts import Link, Value
from .problems import Problem, RobotError

if TYPE_CHECKING:
    from .robot import Robot

AXES = ("x", "y", "z")


def with_payload(
    robot: Robot, frame: int | str, mass: float = 0.0, position: Sequence[float] = (0.0, 0.0, 0.0), name: str = "load"
) -> Robot:
    """The robot with a point mass on the link of a frame, at a ``position`` in its axes.

    Its mass is the parameter ``name``, its place ``name_x``, ``name_y`` and ``name_z``; all have these values until others are given.
    """
    if robot.regrouping is not None:
        problem = "the robot is written in base parameters, which hold the links together: expected standard ones"
        raise RobotError([Problem("payload", problem)], robot.name)
    j = robot.number(frame, "payload")
    where = [f"{name}_{axis}" for axis in AXES]
    values = dict(zip((name, *where), (mass, *_three(robot, position)), strict=True))
    taken = [one for one in values if one in robot.parameter_names]
    if taken:
        problem = f"the robot has a parameter {', '.join(map(repr, taken))} already: give the payload another name"
        raise RobotError([Problem("payload", problem)], robot.name)
    for key, value in values.items():
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
            raise RobotError([Problem(f"payload {key}", f"got {value!r:.40}, expected a number")], robot.name)
    m, (x, y, z) = parameter(name), [parameter(one) for one in where]
    more = {key: Value(float(value), "kg" if key == name else "m", "payload") for key, value in values.items()}
    if j == 0:
        base = replace(robot.base, link=_loaded(robot.base.link, m, x, y, z))
        return robot.replace(base=base, values={**robot.values, **more})
    frames = list(robot.frames)
    frames[j - 1] = replace(frames[j - 1], link=_loaded(frames[j - 1].link, m, x, y, z))
    return robot.replace(frames=tuple(frames), values={**robot.values, **more})


def _three(robot: Robot, position: Any) -> list[Any]:
    found = list(position) if isinstance(position, Sequence) or hasattr(position, "tolist") else []
    if len(found) != 3:
        raise RobotError([Problem("payload position", f"got {position!r:.40}, expected three numbers")], robot.name)
    return [float(one) if isinstance(one, (int, float)) or hasattr(one, "item") else one for one in found]


def _loaded(link: Link, m: Expr, x: Expr, y: Expr, z: Expr) -> Link:
    """With the ten parameters of a point mass about the frame's origin added; XY = -int xy dm."""
    added = {
        "XX": m * (y * y + z * z),
        "XY": -m * x * y,
        "XZ": -m * x * z,
        "YY": m * (x * x + z * z),
        "YZ": -m * y * z,
        "ZZ": m * (x * x + y * y),
        "MX": m * x,
        "MY": m * y,
        "MZ": m * z,
        "M": m,
    }
    return replace(link, **{key: getattr(link, key) + entry for key, entry in added.items()})
