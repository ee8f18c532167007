"""A robot as lines: where its frames are at a state, and the corners between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
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
from ..spatial.screws import Motion, Screw, from_left
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
        Joints of several axes are among them.
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
        chain = _numeric(robot.motions(j), values)
        corners = [p]
        for length in range(1, len(chain) + 1):
            local, reached = from_left(chain[:length], Unmarked())
            corners.append(p + R @ np.array([float(x) for x in reached]))
        poses[j] = (R @ _matrix([x for column in local for x in column]), corners[-1])
        limbs[j] = np.array(corners)
    for j, chain_of_joint in robot.chains.items():
        limbs[j] = np.concatenate([limbs[i] for i in (*chain_of_joint.inner, j)])
    links = [j for j in robot.order if j in robot.links]  # without the frames inside of joints
    single = [j for j in links if robot.kind(j) is None]
    kinds = {kind: tuple(j for j in single if robot.frame(j).sigma == kind) for kind in (PRISMATIC, FIXED)}
    revolute = tuple(j for j in links if j not in (*kinds[PRISMATIC], *kinds[FIXED]))
    return Skeleton({j: poses[j][1] for j in (0, *links)}, {j: limbs[j] for j in links}, revolute, kinds[PRISMATIC])


def _numeric(chain: Sequence[Motion], values: Mapping[Any, float]) -> list[Motion]:
    """Motions in numbers."""
    found: list[Motion] = []
    for motion in chain:
        if isinstance(motion, Screw):
            angle, shift = evaluate([expr(motion.angle), expr(motion.shift)], values)
            found.append(replace(motion, angle=angle, shift=shift))
        else:
            entries = evaluate([expr(x) for vector in (*motion.columns, motion.position) for x in vector], values)
            x, y, z, position = (tuple(entries[i : i + 3]) for i in range(0, 12, 3))
            found.append(replace(motion, columns=(x, y, z), position=position))
    return found


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
