"""A robot as lines: where its frames are at a state, and the corners between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..brief import one_line
from ..errors import RobosymError
from ..expr import evaluate, expr, free_symbols
from ..models.common import open_tree
from ..models.resolve import tree_of
from ..models.tree.paths import WORLD, motions
from ..options.validate import validated
from ..program import Unmarked
from ..reals import Floats
from ..robot import FIXED, PRISMATIC, Robot
from ..spatial.screws import frame_motions, from_left
from .measures import checked_parameters, one_state


@dataclass(frozen=True, repr=False)
class Skeleton:
    """Robot as lines in the world.

    The lines follow the geometric parameters: along z by b, along x by d, along z by r.

    Attributes
    ----------
    origins
        Origins of the frames, by frame number [m].
    limbs
        Corners (k, 3) from the origin of the parent frame to that of the frame, by frame number [m].
    revolute
        Frames with revolute joints.
    prismatic
        Frames with prismatic joints.
    """

    __repr__ = one_line

    origins: Mapping[int, Floats]
    limbs: Mapping[int, Floats]
    revolute: tuple[int, ...]
    prismatic: tuple[int, ...]


@validated
def skeleton(robot: Robot, q: Any, parameters: Mapping[str, float] | None = None) -> Skeleton:
    """Lines of a robot at one state: the origins of its frames and the links between.

    Closed loops are assembled in their default mode.

    Parameters
    ----------
    robot
        Robot.
    q
        Joint positions [rad or m].
    parameters
        Values of parameters by name, which replace those of the description.

    Returns
    -------
    Skeleton
        Points in the world [m].
    """
    robot = open_tree(tree_of(robot))
    values = _values(robot, q, checked_parameters(robot, parameters))
    if robot.closure is not None and not evaluate([robot.closure.exists], values)[0]:
        raise RobosymError(f"{robot.name}: the closed loops cannot be assembled at this state")
    columns, position = from_left(motions(robot, WORLD, 0), Unmarked())
    poses = {0: (_matrix(evaluate([expr(v) for c in columns for v in c], values)),
                 np.array(evaluate([expr(v) for v in position], values)))}  # fmt: skip
    limbs = {}
    for j in robot.order:
        R, p = poses[robot.frame(j).antecedent]
        chain = frame_motions(evaluate(robot.geometry(j), values), j)
        corners = [p]
        for length in range(1, len(chain) + 1):
            local, reached = from_left(chain[:length], Unmarked())
            corners.append(p + R @ np.array([float(x) for x in reached]))
        poses[j] = (R @ _matrix([x for column in local for x in column]), corners[-1])
        limbs[j] = np.array(corners)
    kinds = {kind: tuple(j for j in robot.order if robot.frame(j).sigma == kind) for kind in (PRISMATIC, FIXED)}
    revolute = tuple(j for j in robot.order if j not in (*kinds[PRISMATIC], *kinds[FIXED]))
    return Skeleton({j: p for j, (_, p) in poses.items()}, limbs, revolute, kinds[PRISMATIC])


def _matrix(by_columns: list[Any]) -> Floats:
    return np.array([float(x) for x in by_columns]).reshape(3, 3).T


def _values(robot: Robot, q: Any, parameters: Mapping[str, float]) -> dict[Any, float]:
    given = one_state(robot, q)
    values: dict[Any, float] = {name: value.number for name, value in robot.values.items()}
    values.update(parameters)
    geometry = [entry for j in robot.order for entry in robot.geometry(j)]
    needed = free_symbols(
        *geometry, *robot.base.location, *([robot.closure.exists] if robot.closure is not None else [])
    )
    missing = [s.name for s in needed if s.kind == "parameter" and s.name not in values]
    if missing:
        raise RobosymError(f"{robot.name}: parameters without a value: {', '.join(missing)}")
    values.update(zip(robot.coordinates, given.tolist(), strict=True))
    return values
