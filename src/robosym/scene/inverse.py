"""``inverse_module``: the controls that bring the tip to a pose, in JavaScript.

By the inverse geometric model of the arm, all solutions; of a redundant arm with one of its joints held. Where there is no such
model, by iteration from where the robot is. Of a platform its pose is what is controlled.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..models.geometry.inverse_geometric import inverse_geometric
from ..models.inverse_geometry import InverseGeometric
from ..options.validate import validated
from ..program.numeric import in_numbers
from ..robot import FIXED, Robot, RobotError
from .controls import Control
from .data import reach_of
from .direct import direct_data
from .measures import jacobian_parts
from .mechanism import Mechanism, mechanism_of
from .modules import json_text, module_text

MOST_SPARE = 1  # joints more than a pose determines, of which one is held; arms with more are solved by iteration
UNREACHABLE = "the tip cannot be brought to this pose"
NOT_FOUND = "no position near this one was found that brings the tip to this pose"
NOT_ON_PLATFORM = "the tip does not stand on the platform, whose pose is what is controlled"
NOTHING_MOVES = "no joint moves the tip"


@validated
def inverse_module(robot: Robot, *, frame: int | str | None = None, mode: str | None = None) -> str:
    """An ES module with ``solve(T, x)``: the values of the controls that bring the tip to a pose of the world, nearest to x first,
    each checked by forward geometry. Where there is nothing to solve ``solve`` is null, and ``reason`` says why."""
    made = mechanism_of(robot, frame, mode)
    if made.of_platform:
        return _of_platform(made)
    path = [j for j in made.robot.path(made.tip) if made.robot.frame(j).sigma != FIXED]
    if not path or not made.robot.moving:
        return _nothing(NOTHING_MOVES)
    solver = _solver(made, mode)
    return _by_iteration(made, mode) if solver is None else _closed_form(made, solver)


def _nothing(reason: str) -> str:
    return f"export const solve = null;\nexport const reason = {json_text(reason)};\n"


def _facts(made: Mechanism) -> dict[str, Any]:
    """What all ways of solving need beside the geometry."""
    unit = reach_of(made)
    scales = [unit if control.unit == "m" else 1.0 for control in made.controls]
    base = made.poses([control.at for control in made.controls])[0]
    more = {"base": base.ravel().tolist(), "positionOnly": False, "unreachable": UNREACHABLE}
    return {"tip": made.tip, "unit": unit, "scales": scales, **more}


def _limits(controls: list[Control]) -> list[list[float | None]]:
    return [[control.lower for control in controls], [control.upper for control in controls]]


# --- arms --------------------------------------------------------------------------------------------------------------


def _solver(made: Mechanism, mode: str | None) -> InverseGeometric | None:
    """The model of the arm as it stands on its base; of a redundant one with a joint given: the last that leaves a closed form."""
    robot = made.robot
    if made.start is not None:
        return None
    fixed = robot.replace(base=replace(robot.base, floating=False)) if robot.base.floating else robot
    chosen: dict[str, Any] = {"frame": made.tip, **({} if mode is None else {"mode": mode})}
    try:
        return inverse_geometric(fixed, **chosen)
    except RobotError:
        joints = [j for j in robot.path(made.tip) if j in robot.moving]
    if len(joints) != 6 + MOST_SPARE:
        return None
    for j in reversed(joints):
        try:
            return inverse_geometric(fixed, **chosen, given=[robot.frame(j).joint.name])
        except RobotError:
            continue
    return None


def _closed_form(made: Mechanism, solver: InverseGeometric) -> str:
    places = {control.name: k for k, control in enumerate(made.controls) if control.group == "joint"}
    solved = [places[name] for name in solver.joint_names]
    data = direct_data(made) | _facts(made)
    data |= {"solved": solved, "given": [places[name] for name in solver.given]}
    data |= {"limits": _limits([made.controls[k] for k in solved]), "positionOnly": solver.task == "position"}
    functions = {"geometry": made.geometry, "inverse": in_numbers(solver.code, solver.numbers())}
    return module_text(("direct", "inverse", "closed_form"), data, functions)


def _by_iteration(made: Mechanism, mode: str | None) -> str:
    data, functions, sampled = jacobian_parts(made, mode)
    if sampled is None or not sampled.rank:
        return _nothing(NOTHING_MOVES)
    data |= _facts(made) | {"positionOnly": sampled.position_only, "unreachable": NOT_FOUND, "exact": False}
    data |= {"limits": _limits([control for control in made.controls if control.group == "joint"]), "singular": []}
    return module_text(("direct", "jacobian", "measures", "inverse", "by_iteration"), data, functions)


# --- platforms ---------------------------------------------------------------------------------------------------------


def _of_platform(made: Mechanism) -> str:
    robot = made.robot
    moved = robot.platforms[0].frame
    path = robot.path(made.tip)
    if moved not in path or any(robot.frame(j).sigma != FIXED for j in path[path.index(moved) + 1 :]):
        return _nothing(NOT_ON_PLATFORM)
    x = [control.at for control in made.controls]
    poses = made.poses(x)
    joints = [robot.frame(j).joint for j in robot.moving]
    limits = [[one.limits.lower, one.limits.upper, one.name] for one in joints]
    data = direct_data(made) | _facts(made)
    data |= {"moved": moved, "free": list(made.free), "motors": limits}
    data |= {"mounted": (np.linalg.inv(poses[moved]) @ poses[made.tip]).ravel().tolist()}
    data |= {"stands": made.stands.T.ravel().tolist()}
    return module_text(("direct", "inverse", "of_platform"), data, {"geometry": made.geometry})
