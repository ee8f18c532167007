"""Closures in numbers: ends of chains that must coincide, around loops or where legs carry a platform.

For each pair of ends the residual is the difference of their origins and the rotation vector from one to the other, in base
axes; it vanishes only where they coincide. Its slopes are differences of twists, exact where the pair is closed, and
everywhere in the gradient of the squared residual.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...reals import Floats
from ...spatial.floats import nearest_rotations, placed, quaternion_rotations, rotation_vectors, shifted_twists
from .chain import Chain
from .newton import POSE, Reached, newton


@dataclass(frozen=True)
class Pair:
    """Two ends that coincide when closed: that of a chain, and that of another chain or a seat (4, 4) in the platform."""

    chain: Chain
    other: Chain | Floats
    in_a_point: bool = False

    def equations(self, x: Floats) -> tuple[Floats, Floats]:
        """The residuals (N, 3 or 6) of states, and their slopes."""
        joints = x if isinstance(self.other, Chain) else x[:, POSE:]
        E, twist = self.chain.end(joints)
        if isinstance(self.other, Chain):
            S, other = self.other.end(joints)
            slope = twist - other
        else:
            S, other = on_platform(x, self.other)
            slope = np.concatenate([-other, twist], axis=2)
        gap = E[:, :3, 3] - S[:, :3, 3]
        if self.in_a_point:
            return gap, slope[:, :3]
        turn = rotation_vectors(E[:, :3, :3] @ np.swapaxes(S[:, :3, :3], 1, 2))
        return np.concatenate([gap, turn], axis=1), slope


def on_platform(x: Floats, seat: Floats) -> tuple[Floats, Floats]:
    """The pose (N, 4, 4) of a seat in states with a pose, and its twist (N, 6, 6) by that of the platform."""
    S = pose_matrices(x) @ seat
    return S, shifted_twists(np.tile(np.eye(6), (len(x), 1, 1)), S[:, :3, 3] - x[:, 9:POSE])


@dataclass(frozen=True)
class Closure:
    """All pairs of ends of a robot; lengths and positions of prismatic joints are over its size."""

    pairs: tuple[Pair, ...]

    def equations(self, x: Floats) -> tuple[Floats, Floats]:
        """The residuals of all pairs, and their slopes."""
        parts = [pair.equations(x) for pair in self.pairs]
        rest, slopes = (
            zip(*parts, strict=True) if parts else ([np.zeros((len(x), 0))], [np.zeros((len(x), 0, x.shape[1]))])
        )
        return np.concatenate(rest, axis=1), np.concatenate(slopes, axis=1)

    def residual(self, x: Floats) -> Floats:
        """The norms of the residuals."""
        return np.asarray(np.linalg.norm(self.equations(x)[0], axis=1))

    def closed_from(self, x: Floats, free: Sequence[int] | slice = slice(None)) -> Reached:
        """By Newton's iteration from each state."""
        return newton(self.equations, x, free)


# --- states with a pose -----------------------------------------------------------------------------------------------


def states_of(T: Floats, joints: Floats) -> Floats:
    """Rows of rotation, position and joint positions, from poses (N, 4, 4)."""
    return np.concatenate([T[:, :3, :3].reshape(-1, 9), T[:, :3, 3], joints], axis=1)


def pose_matrices(x: Floats) -> Floats:
    """The poses (N, 4, 4) of states."""
    return placed(x[:, :9].reshape(-1, 3, 3), x[:, 9:POSE])


def orthonormal_poses(x: Floats) -> Floats:
    """The same, with rotations that are orthonormal to the last digit."""
    T = pose_matrices(x)
    if len(x):
        T[:, :3, :3] = nearest_rotations(T[:, :3, :3])
    return T


def random_states(draw: np.random.Generator, count: int, reach: float, spans: Floats) -> Floats:
    """Any orientation, a position within a cube of half the side ``reach``, and joints within ``spans`` to either side."""
    q = draw.normal(size=(count, 4))
    position = reach * draw.uniform(-1, 1, size=(count, 3))
    joints = draw.uniform(-1, 1, size=(count, len(spans))) * spans
    return np.concatenate([quaternion_rotations(q[:, [1, 2, 3, 0]]).reshape(-1, 9), position, joints], axis=1)
