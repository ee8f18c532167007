"""What an arm still misses its pose by, and how its joints move the frame: all that iterations know of its geometry.

Positions x hold angles, and lengths in units of ``size``, the lengths of the arm and of the way to the pose added up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ....expr import Expr, expr, number, step, substitute
from ....program import Program
from ....program.of_arrays import program_of
from ..chain.chain import Chain, given_symbol
from ..chain.pose import MADE, SLACK, defect
from ..chain.task import Task
from .scalars import Entries, absolute, as_steps, cos, cross, dot, maximum, minimum, sin, sqrt

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
    prismatic = [joint.prismatic for joint in chain.joints]
    rows = 3 if task == "position" else 6

    def body(T: Entries, size: Expr, x: Entries) -> dict[str, Any]:
        shorter = step(1 / size)
        unit = step(number(chain.unit) * shorter)
        pieces = [np.array(piece, dtype=object) * np.array([1, 1, 1, unit]) for piece in chain.pieces]
        moved = [
            joint.sign * value + (joint.offset * unit if joint.prismatic else joint.offset)
            for joint, value in zip(chain.joints, x, strict=True)
        ]
        frame, axes, origins = frames(pieces, prismatic, np.array(moved, dtype=object))
        e = as_steps(missing_twist(T[:3] * np.array([1, 1, 1, shorter]), frame)[:rows])
        J = jacobian(prismatic, [joint.sign for joint in chain.joints], frame, axes, origins)[:rows]
        damping = minimum(sqrt(dot(e, e)), MOST_DAMPING) + LEAST_DAMPING
        return {"e": e, "J": J, "frame": frame, "damping": damping}

    return _with_given("closure", chain, {"T": (4, 4), "size": (), "x": (len(chain.joints),)}, body)


# --- of numbers or expressions ---------------------------------------------------------------------------------------


def frames(
    pieces: Sequence[Entries], prismatic: Sequence[bool], moved: Entries
) -> tuple[Entries, list[Entries], list[Entries]]:
    """The pose (..., 3, 4) of A0 J1 A1 ... Jn An with joints that have turned or slid by ``moved`` (..., n), and the
    direction and origin of each joint's axis."""
    frame = np.broadcast_to(pieces[0][:3], (*moved.shape[:-1], 3, 4))
    axes, origins = [], []
    for k, (slides, piece) in enumerate(zip(prismatic, pieces[1:], strict=True)):
        x, y, z, p = (frame[..., i] for i in range(4))
        axes.append(z)
        origins.append(p)
        value = moved[..., k, None]
        if slides:
            p = p + z * value
        else:
            c, s = cos(value), sin(value)
            x, y = x * c + y * s, y * c - x * s
        R = np.stack([x, y, z], axis=-1)
        place = R @ piece[:3, 3] + p
        frame = as_steps(np.concatenate([R @ piece[:3, :3], place[..., None]], axis=-1))
    return frame, axes, origins


def jacobian(
    prismatic: Sequence[bool], signs: Sequence[float], frame: Entries, axes: list[Entries], origins: list[Entries]
) -> Entries:
    """Of the frame's origin and of its turning, by the joints; (..., 6, n)."""
    columns = []
    for slides, sign, axis, origin in zip(prismatic, signs, axes, origins, strict=True):
        moving = axis if slides else cross(axis, frame[..., 3] - origin)
        turning = np.zeros_like(axis) if slides else axis
        columns.append(sign * np.concatenate([moving, turning], axis=-1))
    return np.stack(columns, axis=-1)


def missing_twist(T: Entries, frame: Entries) -> Entries:
    """From one pose to another, (..., 3, 4) both: the way, and the turn to first order; (..., 6)."""
    turn = sum(cross(frame[..., k], T[..., :3, k]) for k in range(3)) / 2
    return np.concatenate([T[..., :3, 3] - frame[..., 3], turn], axis=-1)


# --- programs --------------------------------------------------------------------------------------------------------


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
