"""Arms with more joints than a pose determines, numerically: one position at a time, from a seed, then along the null space.

Newton's steps of least norm lead from the seed to a position that makes the pose; the way that is
left to a posture, projected onto the null space of the Jacobian matrix, then moves the joints with the frame at rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....brief import brief
from ....errors import RobosymError
from ...common import numbers_given
from ..chain.chain import Chain
from ..chain.task import Task
from .forward_geometry import Forward
from .pose_input import as_poses, checked, numbers
from .result import OUT_OF_REACH, REACHABLE, Result
from .selection import Ranges

Floats = NDArray[np.float64]

MADE = 1e-10  # what a solution may miss its pose by
RESTARTS = 24  # from random positions, where the seed leads nowhere
ROUNDS, SHARE, STILL = 100, 0.5, 1e-10  # steps along the null space, how much of the way each takes, when it is over
RANK = 1e-8  # singular values below this share of the largest are zero: at any position, not at a generic one


@dataclass(frozen=True, eq=False, repr=False)
class RedundantArm:
    """``solver(T, seed=q0, posture=q1)``: the position reached from q0, then as near to q1 as the pose allows."""

    chain: Chain
    frame: int
    reference: int | str
    task: Task
    method: str = "numeric"

    @property
    def joint_names(self) -> tuple[str, ...]:
        return tuple(joint.name for joint in self.chain.joints)

    def __repr__(self) -> str:
        return brief(f"redundant arm {self.chain.robot.name!r:.42}: {', '.join(self.joint_names)}")

    def __call__(
        self,
        T: Any,
        seed: Any = None,
        posture: Any = None,
        parameters: Mapping[str, float] | None = None,
        normalise: bool = False,
    ) -> Result:
        """One solution. Without a seed the search starts at the posture, or at zero."""
        pose = checked(as_poses(T, False, self.task == "position", normalise))[0]
        wish = self._position("posture", posture)
        start = self._position("seed", seed)
        if start is None:
            start = wish if wish is not None else np.zeros(len(self.chain.joints))
        arm = self._forward.at(None, numbers_given(self.chain.robot, parameters))
        found = self._reached(arm, pose, start)
        if arm.residuals(found[None], pose, self._columns)[0] > MADE:
            distances, angles = arm.misses(found[None], pose)
            left = float(distances[0]), float(angles[0])
            return Result(np.zeros((0, len(start))), OUT_OF_REACH, self.joint_names, find_missed=partial(_same, left))
        if wish is not None:
            found = self._towards(arm, pose, found, wish)
        turned = Ranges.of(self.chain).turned(found[None], start)
        return Result(turned, REACHABLE, self.joint_names)

    def _reached(self, arm: Forward, T: Floats, start: Floats) -> Floats:
        """From the seed, or else from the first of some random positions that leads to the pose; the best if none does."""
        draw = np.random.default_rng(0)
        best, least = start, np.inf
        for k in range(RESTARTS + 1):
            q = start if k == 0 else draw.uniform(-np.pi, np.pi, len(start))
            q = arm.polished(arm.approached(T, q[None], self._columns)[0], T, self._columns)
            miss = float(arm.residuals(q[None], T, self._columns)[0])
            if miss < least:
                best, least = q, miss
            if least < MADE:
                break
        return best

    def _towards(self, arm: Forward, T: Floats, q: Floats, wish: Floats) -> Floats:
        """Along the null space to where no motion in it comes nearer to the posture."""
        turning = np.array([not joint.prismatic for joint in self.chain.joints])
        for _ in range(ROUNDS):
            way = wish - q
            way[turning] = (way[turning] + np.pi) % (2 * np.pi) - np.pi
            J = arm.jacobian(q, T, self._columns)
            _, sizes, rows = np.linalg.svd(J)
            null = rows[int((sizes > RANK * sizes[0]).sum()) :]
            step = SHARE * null.T @ (null @ way)
            step *= min(1.0, 0.3 / max(float(np.abs(step).max()), 1e-300))
            moved = arm.polished(q + step, T, self._columns)
            if np.abs(step).max() < STILL or arm.residuals(moved[None], T, self._columns)[0] > MADE:
                break
            q = moved
        return q

    @cached_property
    def _forward(self) -> Forward:
        return Forward(self.chain, self.frame, self.reference)

    @property
    def _columns(self) -> slice:
        return slice(0, 4) if self.task == "pose" else slice(3, 4)

    def _position(self, name: str, given: Any) -> Floats | None:
        if given is None:
            return None
        found = numbers(name, given)
        if found.shape != (len(self.chain.joints),):
            names = ", ".join(self.joint_names)
            raise RobosymError(f"{name}: got shape {found.shape}, expected a number for each of {names}")
        return found


def _same(left: tuple[float, float]) -> tuple[float, float]:
    return left
