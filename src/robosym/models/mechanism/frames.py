"""How all frames of a robot move, in numbers, for many states at once: from one that moves by itself outwards.

A motion is six numbers of that frame, the velocity of its origin and its angular velocity, then the speeds of the joints. Everything
is in the axes of frame 0, which is at rest unless it is the one that moves by itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ...expr import Expr
from ...reals import Floats
from ...robot import Robot
from ...spatial.floats import shifted_twists
from .chain import Chain, geometry_of
from .newton import Truths


@dataclass(frozen=True)
class MovingFrame:
    """A frame in N states: its pose, its twists (N, 6, k) by the motions of a basis, linear at its origin before angular; its angular
    velocity and acceleration, and the acceleration of its origin."""

    T: Floats  # (N, 4, 4)
    twists: Floats
    w: Floats  # (N, 3)
    wd: Floats
    a: Floats

    def twists_at(self, place: Floats) -> Floats:
        """Its twists at the origins and in the axes of frames (N, 4, 4) that are fixed to it."""
        R = np.swapaxes(place[:, :3, :3], 1, 2)
        linear, angular = np.split(shifted_twists(self.twists, place[:, :3, 3] - self.T[:, :3, 3]), 2, axis=1)
        return np.concatenate([R @ linear, R @ angular], axis=1)


@dataclass(frozen=True)
class Linkage:
    """Frames that stand on each other. ``root`` is the frame that moves by itself: a platform, or the base."""

    frames: tuple[int, ...]  # antecedent before successor, without the root
    antecedents: tuple[int, ...]
    joints: tuple[int, ...]  # the frames of the joints, as positions have them
    chain: Chain
    root: int = 0
    placements: Mapping[int, Floats] = field(
        default_factory=dict
    )  # (N, 4, 4): of frames that joints of several axes place

    @property
    def sliding(self) -> Truths:
        """Which joints turn no frame."""
        return np.asarray((self.chain.slope[:, 0] == 0).all(axis=0))

    def moving(self, T: Floats, x: Floats, motions: Floats, u: Floats, ud: Floats) -> dict[int, MovingFrame]:
        """All frames at poses (N, 4, 4) of the root and positions (N, n) of the joints, with a basis (N, 6 + n, k) of motions, and
        the motion (N, 6 + n) and its rate. The rate of the root's velocity is the acceleration of its origin."""
        still = np.zeros((len(T), 3))
        at_rest = MovingFrame(np.broadcast_to(np.eye(4), T.shape), np.zeros_like(motions[:, :6]), still, still, still)
        found = {0: at_rest, self.root: MovingFrame(T, motions[:, :6], u[:, 3:6], ud[:, 3:6], ud[:, :3])}
        steps = self.chain.steps(x)
        along = np.concatenate([motions, u[:, :, None], ud[:, :, None]], axis=2)[:, 6:]
        along = np.einsum("fcn,bnk->fcbk", self.chain.slope, along)  # about z and along z, for each frame
        for step, (turn, slide), j, i in zip(
            np.moveaxis(steps, 1, 0), along, self.frames, self.antecedents, strict=True
        ):
            placed = step @ self.placements[j] if j in self.placements else step
            found[j] = _next(found[i], placed, turn, slide)
        return found


def _next(i: MovingFrame, step: Floats, turn: Floats, slide: Floats) -> MovingFrame:
    """A frame from its antecedent; ``turn`` and ``slide`` (N, k + 2) are about and along its z: by the basis, speeds, their rates."""
    T = i.T @ step
    z, arm = T[:, :3, 2], T[:, :3, 3] - i.T[:, :3, 3]
    twists = shifted_twists(i.twists, arm)
    twists[:, :3] += z[:, :, None] * slide[:, None, :-2]
    twists[:, 3:] += z[:, :, None] * turn[:, None, :-2]
    spin, way = turn[:, -2, None] * z, slide[:, -2, None] * z
    return MovingFrame(
        T,
        twists,
        i.w + spin,
        i.wd + turn[:, -1, None] * z + np.cross(i.w, spin),
        i.a + np.cross(i.wd, arm) + np.cross(i.w, np.cross(i.w, arm) + 2 * way) + slide[:, -1, None] * z,
    )


def linkage_of(
    robot: Robot,
    frames: Sequence[int],
    joints: Sequence[int],
    values: Mapping[Expr, float],
    root: int = 0,
    placements: Mapping[int, Floats] | None = None,
) -> Linkage:
    """These frames, antecedent before successor, by the positions of these joints; ``values`` has a number for every parameter."""
    geometry = geometry_of(robot, {j: robot.frame(j).geometry for j in frames}, joints, values)
    antecedents = tuple(robot.frame(j).antecedent for j in frames)
    return Linkage(tuple(frames), antecedents, tuple(joints), geometry.chain(frames), root, placements or {})
