"""The torques and points of a robot that a motion must keep within bounds, from its compiled models."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from ...expr import free_symbols
from ...models import inverse_dynamics, transform
from ...models.request import frame_name, target
from ...models.resolve import tree_of
from ...models.tool import mounted
from ...robot import Robot, RobotError
from ...robot.problems import Problem
from .checks import Quantity
from .criterion import Numeric
from .limits import OPEN, JointLimits, box_of
from .options import Region


def torque_quantity(
    robot: Robot, limits: JointLimits, parameters: Mapping[str, float], loops: Mapping[str, Any]
) -> tuple[tuple[Quantity, ...], list[str]]:
    """The torques of the joints, by the description's numbers, and what must be said about them."""
    if not np.isfinite(limits.torque).any():
        return (), []
    smooth = Numeric(inverse_dynamics(robot, **loops), parameters)
    whole = Numeric(inverse_dynamics(robot, friction=True, **loops), parameters)
    missing = list(dict.fromkeys([*smooth.missing, *whole.missing]))
    if missing:
        names = ", ".join(missing[:10]) + (f" and {len(missing) - 10} more" if len(missing) > 10 else "")
        if limits.torque_given:
            problem = f"torques cannot be limited: no value for {names}"
            raise RobotError([Problem("torque", problem)], robot.name)
        return (), [f"torque limits of the description not kept, torques are unknown: no value for {names}"]
    units = "N or N m" if len(set(limits.units)) > 1 else ("N" if limits.units[0] == "m" else "N m")
    return (Quantity("torque", limits.joints, units, -limits.torque, limits.torque, smooth, whole),), []


def point_quantities(
    robot: Robot,
    region: Region,
    parameters: Mapping[str, float],
    loops: Mapping[str, Any],
) -> list[Quantity]:
    """The points that stay in the box and above the height."""
    box, frame, tool, all_frames = box_of(robot, region.box), region.frame, region.tool, region.all_frames
    lowest = -math.inf if region.height is None else region.height
    if box is None and lowest == -math.inf:
        if frame is not None or tool is not None or all_frames:
            problem = "says which point stays in a box or above a height, but neither is given: give box or height"
            raise RobotError([Problem("frame", problem)], robot.name)
        return []
    tree = tree_of(robot, **loops)
    numbers = list(tree.order) if all_frames else []
    if not all_frames or frame is not None or tool is not None:
        tree, tip = mounted(tree, target(tree, frame), tool)
        numbers = list(dict.fromkeys([*numbers, tip]))
    pairs = np.array([OPEN] * 3) if box is None else box
    found = []
    for number in numbers:
        model = transform(tree, frame=number, reference="world", part="position")
        if not any(s in tree.coordinates for s in free_symbols(*model.program.roots)):
            continue  # it does not move
        point = Numeric(model, parameters)
        if point.missing:
            problem = f"no value for {', '.join(point.missing[:10])}: where the robot is must be known"
            raise RobotError([Problem("parameters", problem)], robot.name)
        labels = tuple(f"{frame_name(tree, number)}, {axis}" for axis in "xyz")
        if box is not None:
            found.append(Quantity("box", labels, "m", pairs[:, 0], pairs[:, 1], point))
        if lowest > -math.inf:
            lower, upper = np.array([-math.inf, -math.inf, lowest]), np.full(3, math.inf)
            found.append(Quantity("height", labels, "m", lower, upper, point))
    return found
