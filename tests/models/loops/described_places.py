"""Robots with loops at the position of their description, in plain matrices: nothing of the loops' own modules is used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from models.reference import dh_matrix

from robosym.expr import Expr, evaluate
from robosym.robot import Robot
from robosym.spatial.screws import Motion, Rigid


def values_at(robot: Robot, at: Mapping[str, float] | None = None) -> dict[Expr, float]:
    """A number for every symbol: the robot's own values and the described positions, or others by the names of joints."""
    found = {s: robot.values[s.name].number for s in robot.parameter_symbols if s.name in robot.values}
    for frame in robot.frames:
        if frame.joint.variable is not None:
            found[frame.joint.variable] = (at or {}).get(frame.joint.name, frame.joint.position or 0.0)
    return found


def frame_matrix(robot: Robot, j: int, values: Mapping[Expr, float]) -> np.ndarray:
    """A frame seen from its antecedent."""
    return dh_matrix(*(float(x) for x in evaluate(list(robot.geometry(j)), values)))


def place(robot: Robot, j: int, values: Mapping[Expr, float]) -> np.ndarray:
    """A frame in frame 0."""
    T = np.eye(4)
    while j:
        T, j = frame_matrix(robot, j, values) @ T, robot.frame(j).antecedent
    return T


def opening(robot: Robot, values: Mapping[Expr, float]) -> float:
    """By how much the loops are open: the largest entry of the difference of both frames of a cut joint."""
    cuts = range(robot.n_links + 1, robot.n_links + robot.loops + 1)
    return max(float(np.abs(place(robot, k, values) - place(robot, k + robot.loops, values)).max()) for k in cuts)


def motions_matrix(motions: Iterable[Motion], values: Mapping[Expr, float]) -> np.ndarray:
    """The product of motions."""
    T = np.eye(4)
    for motion in motions:
        if isinstance(motion, Rigid):
            entries = [x for column in (*motion.columns, motion.position) for x in column]
            columns = np.array([float(x) for x in evaluate(entries, values)]).reshape(4, 3)
            one = np.eye(4)
            one[:3] = columns.T
        else:
            angle, shift = (float(x) for x in evaluate([motion.angle, motion.shift], values))
            one = dh_matrix(0, 0, angle, shift, 0, 0) if motion.axis == "x" else dh_matrix(0, 0, 0, 0, angle, shift)
        T = T @ one
    return T
