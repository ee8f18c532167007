"""Chains of frames in numbers: poses of all frames and the twist of the end, for many positions of the joints at once."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...errors import RobosymError
from ...expr import Expr, evaluate
from ...reals import Floats
from ...robot import PRISMATIC, Robot
from ...spatial.floats import screws

LENGTHS = [1, 3, 5]  # b, d, r among the geometric parameters
TINY = 1e-13  # a slope that is rounding
LINEAR = 1e-9  # how far theta and r may be from linear


@dataclass(frozen=True)
class Chain:
    """Frame k is before[k], then turned by theta and moved by r along z; (theta, r) = slope x + level."""

    before: Floats  # (f, 4, 4)
    slope: Floats  # (f, 2, n)
    level: Floats  # (f, 2)

    def steps(self, x: Floats) -> Floats:
        """The poses (N, f, 4, 4) of the frames in those before them, at positions (N, n)."""
        theta, r = np.moveaxis(np.einsum("fkn,bn->bfk", self.slope, x) + self.level, -1, 0)
        return np.asarray(self.before @ screws(theta, r, 2))

    def frames(self, x: Floats) -> Floats:
        """The poses (N, f, 4, 4) of the frames at positions (N, n)."""
        local = self.steps(x)
        poses = np.empty_like(local)
        T = np.broadcast_to(np.eye(4), (len(x), 4, 4))
        for k in range(local.shape[1]):
            poses[:, k] = T = T @ local[:, k]
        return poses

    def end(self, x: Floats) -> tuple[Floats, Floats]:
        """The pose (N, 4, 4) of the end, and its twist (N, 6, n) by the joint velocities: linear at its origin, angular."""
        if not len(self.before):
            return np.tile(np.eye(4), (len(x), 1, 1)), np.zeros((len(x), 6, x.shape[1]))
        T = self.frames(x)
        z, arms = T[:, :, :3, 2], T[:, -1:, :3, 3] - T[:, :, :3, 3]
        lever, z = np.swapaxes(np.cross(z, arms), 1, 2), np.swapaxes(z, 1, 2)
        return T[:, -1], np.concatenate([lever @ self.slope[:, 0] + z @ self.slope[:, 1], z @ self.slope[:, 0]], axis=1)


@dataclass(frozen=True)
class Geometry:
    """The frames of a robot in numbers: gamma, b, alpha, d, theta, r with the ``joints`` at zero, and the slopes of theta and
    r by their positions."""

    joints: tuple[int, ...]
    sliding: tuple[bool, ...]
    rows: Mapping[int, Floats]  # (6,)
    slopes: Mapping[int, Floats]  # (2, n)

    def length(self, frames: Collection[int]) -> float:
        """All lengths of these frames together."""
        return float(sum(np.abs(self.rows[j][LENGTHS]).sum() for j in frames))

    def chain(self, frames: Sequence[int], size: float = 1.0) -> Chain:
        """These frames one after the other, lengths and positions of prismatic joints over ``size``."""
        rows = np.array([self.rows[j] for j in frames]).reshape(-1, 6)
        rows[:, LENGTHS] /= size
        slope = np.array([self.slopes[j] for j in frames]).reshape(-1, 2, len(self.joints))
        sliding = np.array(self.sliding, bool)
        slope[:, 0, sliding] *= size
        slope[:, 1, ~sliding] /= size
        before = screws(rows[:, 0], rows[:, 1], 2) @ screws(rows[:, 2], rows[:, 3], 0)
        return Chain(before, slope, rows[:, 4:])

    def still(self, frames: Sequence[int], size: float = 1.0) -> Floats:
        """The pose (4, 4) of the last of these frames, if joints in them are at zero."""
        return np.asarray(self.chain(frames, size).end(np.zeros((1, len(self.joints))))[0][0])


def geometry_of(
    robot: Robot, entries: Mapping[int, Sequence[Expr]], joints: Sequence[int], values: Mapping[Expr, float]
) -> Geometry:
    """``entries``: gamma, b, alpha, d, theta, r of frames. ``values`` has a number for each of their symbols but the positions
    of these joints."""
    n = len(joints)
    variables = [variable_of(robot, j) for j in joints]
    samples = np.vstack([np.zeros(n), np.eye(n), np.linspace(0.3, 1.7, n)])
    numbers = evaluate(
        [x for row in entries.values() for x in row], {**values, **dict(zip(variables, samples.T, strict=True))}
    )
    table = np.array([np.broadcast_to(x, n + 2) for x in numbers], dtype=float).reshape(-1, 6, n + 2)
    if not np.isfinite(table).all():
        raise RobosymError(f"{robot.name}: its geometry has no value with these parameters")
    level = table[:, :, 0]
    slopes = table[:, 4:, 1:-1] - level[:, 4:, None]
    slopes = np.where(np.abs(slopes) < TINY, 0.0, slopes)
    if np.abs(table[:, 4:, -1] - level[:, 4:] - slopes @ samples[-1]).max(initial=0.0) > LINEAR:
        raise RobosymError(f"{robot.name}: expected theta and r to be linear in the positions of the joints")
    return Geometry(
        tuple(joints),
        tuple(robot.frame(j).sigma == PRISMATIC for j in joints),
        dict(zip(entries, level, strict=True)),
        dict(zip(entries, slopes, strict=True)),
    )


def variable_of(robot: Robot, j: int) -> Expr:
    """The position symbol of a joint that moves."""
    own = robot.frame(j).joint.variable
    if own is None:
        raise RobosymError(f"{robot.name}: joint '{robot.frame(j).joint.name}' has no variable")
    return own
