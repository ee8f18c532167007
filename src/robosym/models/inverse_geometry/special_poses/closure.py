"""What an arm still misses its pose by, and how its joints move the frame: all that iterations know of its geometry.

Positions x hold angles, and lengths in units of ``size``, the lengths of the arm and of the way to the pose added up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ....expr import Expr, absolute, cos, expr, maximum, minimum, number, sin, sqrt, step, substitute
from ....program import Program
from ..chain.chain import Chain, given_symbol
from ..chain.pose import MADE, SLACK, defect
from ..chain.task import Task
from .expression_arrays import Entries, as_steps, cross, dot, program_of

LEAST_DAMPING, MOST_DAMPING = 1e-8, 0.3  # that of a direction that rounding decides on


def measures(chain: Chain, task: Task) -> Program:
    """The size of the arm with the pose, and what a solution may miss the pose by: as much as T misses a rotation."""

    def body(T: Entries) -> dict[str, Any]:
        lengths = [absolute(x) * number(chain.unit) for x in chain.lengths]
        size = sum(lengths + [absolute(x) for x in T[:3, 3]], number(0 if lengths else 1))
        slack = SLACK * defect(T[:3].tolist()) if task == "pose" else number(0)
        tolerance = MADE + slack
        return {"size": maximum(size, 1e-300), "tolerance": tolerance, "seed_tolerance": tolerance / 100}

    return _with_given("measures", chain, {"T": (4, 4)}, body)


def closure(chain: Chain, task: Task) -> Program:
    """The twist ``e`` that is missing at x, the Jacobian matrix ``J``, the pose ``frame`` of the arm in units of its size,
    and the ``damping`` for a step from there: of the size of the error."""

    def body(T: Entries, size: Expr, x: Entries) -> dict[str, Any]:
        shorter = step(1 / size)
        frame, axes, origins = _frames(chain, shorter, x)
        J = _jacobian(chain, frame, axes, origins)
        e = T[:3, 3] * shorter - frame[:, 3]
        if task == "position":
            J = J[:3]
        else:
            turn = sum((cross(frame[:, k], T[:3, k]) for k in range(3)), np.zeros(3, dtype=int)) * number(0.5)
            e = np.concatenate([e, turn])
        e = as_steps(e)
        return {"e": e, "J": J, "frame": frame, "damping": minimum(sqrt(dot(e, e)), MOST_DAMPING) + LEAST_DAMPING}

    return _with_given("closure", chain, {"T": (4, 4), "size": (), "x": (len(chain.joints),)}, body)


def _frames(chain: Chain, shorter: Expr, x: Entries) -> tuple[Entries, list[Entries], list[Entries]]:
    """The pose of the arm in units of its size, and the direction and origin of each joint's axis."""
    shorter = step(number(chain.unit) * shorter)
    pieces = [np.array(rows, dtype=object) for rows in chain.pieces]

    def scaled(rows: Entries) -> Entries:
        return np.column_stack([rows[:, :3], rows[:, 3] * shorter])

    frame, axes, origins = scaled(pieces[0]), [], []
    for joint, value, piece in zip(chain.joints, x, pieces[1:], strict=True):
        axes.append(frame[:, 2])
        origins.append(frame[:, 3])
        R, p = frame[:, :3], frame[:, 3]
        moved = joint.sign * value + (joint.offset * shorter if joint.prismatic else joint.offset)
        if joint.prismatic:
            p = p + R[:, 2] * moved
        else:
            c, s = cos(moved), sin(moved)
            R = np.column_stack([R[:, 0] * c + R[:, 1] * s, R[:, 1] * c - R[:, 0] * s, R[:, 2]])
        after = scaled(piece)
        made = np.column_stack([R @ after[:, :3], R @ after[:, 3] + p])
        frame = as_steps(made.ravel()).reshape(3, 4)
    return frame, axes, origins


def _jacobian(chain: Chain, frame: Entries, axes: list[Entries], origins: list[Entries]) -> Entries:
    """Of the frame's origin and of its turning, by the joints; (6, n)."""
    columns = []
    for joint, axis, origin in zip(chain.joints, axes, origins, strict=True):
        moving = axis if joint.prismatic else cross(axis, frame[:, 3] - origin)
        turning = [0, 0, 0] if joint.prismatic else axis
        columns.append([joint.sign * entry for entry in (*moving, *turning)])
    return np.array(columns, dtype=object).T


def _with_given(
    name: str, chain: Chain, inputs: Mapping[str, tuple[int, ...]], body: Callable[..., Mapping[str, Any]]
) -> Program:
    """A program of the arm's geometry, with one more input for the joints given, if there are any."""
    if not chain.given:
        return program_of(name, inputs, body)
    symbols = [given_symbol(j) for j in chain.given]

    def made(given: Entries, **others: Any) -> Mapping[str, Any]:
        known = dict(zip(symbols, given.tolist(), strict=True))
        found = {}
        for key, value in body(**others).items():
            array = np.asarray(value, dtype=object)
            entries = substitute([expr(x) for x in array.ravel()], known)
            found[key] = np.array([*entries, None], dtype=object)[:-1].reshape(array.shape)
        return found

    return program_of(name, {**inputs, "given": (len(symbols),)}, made)
