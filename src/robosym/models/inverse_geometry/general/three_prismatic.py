"""Three revolute and three prismatic joints in any order: the rotations close alone, then the lengths are linear.

With Ra K1 Rb K2 Rc = K3 (rotations only), the zz element gives joint b: two solutions; a and c follow.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ....robot import PRISMATIC
from .arm import JOINTS, Arm
from .invariants import Floats, joint_motion
from .roots import Starts


@dataclass(frozen=True, eq=False)
class ThreePrismatic:
    """The two solutions of such an arm."""

    arm: Arm

    def starts(self, T: Floats) -> Starts:
        """Joint positions of the poses T (N, 4, 4)."""
        K1, K2, K3 = self._rotations(T)
        p, q, s = self._equation(K1, K2, K3)
        size = np.hypot(p, q)
        cosine = s / (size if size > 1e-12 else 1.0)
        possible = np.abs(cosine) <= 1 + 1e-9
        turn = np.arccos(np.clip(cosine, -1, 1))
        pose = np.tile(np.nonzero(possible)[0], 2)
        b = np.arctan2(q, p) + np.concatenate([turn[possible], -turn[possible]])
        middle = K1 @ joint_motion(0, b)[:, :3, :3] @ K2
        target = K3[pose]
        # Ra middle = K3 Rc^-1: third columns give a, then c.
        a = np.arctan2(target[:, 1, 2], target[:, 0, 2]) - np.arctan2(middle[:, 1, 2], middle[:, 0, 2])
        rest = np.swapaxes(joint_motion(0, a)[:, :3, :3] @ middle, 1, 2) @ target
        c = np.arctan2(rest[:, 1, 0] - rest[:, 0, 1], rest[:, 0, 0] + rest[:, 1, 1])
        joints: Floats = np.zeros((len(pose), JOINTS))
        revolute = [i for i, kind in enumerate(self.arm.kinds) if kind != PRISMATIC]
        joints[:, revolute] = np.column_stack([a, b, c]) * self.arm.signs[revolute]
        return Starts(pose, self._with_lengths(T[pose], joints), np.ones(len(pose), dtype=bool))

    @property
    def hidden(self) -> int:
        """The middle revolute joint (from 0)."""
        return [i for i, kind in enumerate(self.arm.kinds) if kind != PRISMATIC][1]

    def polynomial(self, T: Floats) -> Floats:
        """The coefficients, highest power first, of the polynomial in tan(q/2) of the middle revolute joint."""
        p, q, s = self._equation(*self._rotations(T[None]))
        found = np.array([-p - s[0], 2 * q * self.arm.signs[self.hidden], p - s[0]])
        polynomial: Floats = found / found[np.abs(found).argmax()]
        return polynomial

    @staticmethod
    def _equation(K1: Floats, K2: Floats, K3: Floats) -> tuple[float, float, Floats]:
        """z.(K1 Rb K2 z) = K3zz as p cos b + q sin b = s."""
        left, right = K1[2], K2[:, 2]
        p = left[0] * right[0] + left[1] * right[1]
        q = left[1] * right[0] - left[0] * right[1]
        return float(p), float(q), K3[:, 2, 2] - left[2] * right[2]

    def _rotations(self, T: Floats) -> tuple[Floats, Floats, Floats]:
        """K1, K2, and K3 (N, 3, 3) = K0^T R(T) K4^T."""
        pieces = [self.arm.constants[0, :3, :3]]
        for i, kind in enumerate(self.arm.kinds):
            if kind == PRISMATIC:
                pieces[-1] = pieces[-1] @ self.arm.constants[i + 1, :3, :3]
            else:
                pieces.append(self.arm.constants[i + 1, :3, :3])
        K0, K1, K2, K4 = pieces
        return K1, K2, K0.T @ T[:, :3, :3] @ K4.T

    def _with_lengths(self, T: Floats, q: Floats) -> Floats:
        """The lengths that bring the origin to its place: directions (N, 3, 3) times lengths is what is missing."""
        motion: Floats = np.broadcast_to(self.arm.constants[0], (len(q), 4, 4))
        directions = []
        for i, kind in enumerate(self.arm.kinds):
            if kind == PRISMATIC:
                directions.append(motion[:, :3, 2] * self.arm.signs[i])
            motion = motion @ joint_motion(kind, self.arm.signs[i] * q[:, i]) @ self.arm.constants[i + 1]
        matrix = np.stack(directions, axis=2)
        lengths = np.linalg.pinv(matrix, rcond=1e-12) @ (T[:, :3, 3:] - motion[:, :3, 3:])
        result = q.copy()
        result[:, [i for i, kind in enumerate(self.arm.kinds) if kind == PRISMATIC]] = lengths[:, :, 0]
        return result
