"""Three revolute and three prismatic joints in any order: the rotations close alone, then the lengths are linear.

With Ra K1 Rb K2 Rc = K3 (rotations only), the zz element gives joint b: two solutions; a and c follow. Written for poses
(..., 4, 4) of numbers and for expressions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ....robot import PRISMATIC
from ..special_poses.closure import frames
from ..special_poses.scalars import Entries, absolute, atan2, constants, kind_of, maximum, sqrt
from .arm import JOINTS, Arm
from .invariants import Floats, joint_motion


class Equation(NamedTuple):
    """p cos b + q sin b = s."""

    p: float
    q: float
    s: Any


@dataclass(frozen=True, eq=False)
class ThreePrismatic:
    """The two solutions of such an arm, which is reduced."""

    arm: Arm

    @property
    def prismatic(self) -> list[bool]:
        return [kind == PRISMATIC for kind in self.arm.kinds]

    @property
    def revolute(self) -> list[int]:
        """The three revolute joints (from 0)."""
        return [i for i, slides in enumerate(self.prismatic) if not slides]

    @property
    def hidden(self) -> int:
        """The middle revolute joint (from 0)."""
        return self.revolute[1]

    def equation(self, X: Entries) -> Equation:
        """z.(K1 Rb K2 z) = K3zz, for joint b."""
        K1, K2 = self._between()
        left, right = K1[2], K2[:, 2]
        p = left[0] * right[0] + left[1] * right[1]
        q = left[1] * right[0] - left[0] * right[1]
        return Equation(float(p), float(q), self._wanted(X)[..., 2, 2] - float(left[2] * right[2]))

    def angles(self, X: Entries) -> tuple[Entries, Any]:
        """What joints a, b and c turn by, (..., 2, 3), and whether they can: where they nearly can, as far as they can."""
        p, q, s = self.equation(X)
        size = float(np.hypot(p, q))
        cosine = s / (size if size > 1e-12 else 1.0)
        turn = atan2(sqrt(maximum(1 - cosine * cosine, 0.0)), cosine)
        found = [self._others(X, float(np.arctan2(q, p)) + sign * turn) for sign in (1, -1)]
        return np.stack(found, axis=-2), absolute(cosine) <= 1 + 1e-9

    def _others(self, X: Entries, b: Any) -> Entries:
        """Ra middle = K3 Rc^-1: third columns give a, then c."""
        K1, K2 = (constants(K, X) for K in self._between())
        middle = K1 @ joint_motion(0, b)[..., :3, :3] @ K2
        wanted = self._wanted(X)
        a = atan2(wanted[..., 1, 2], wanted[..., 0, 2]) - atan2(middle[..., 1, 2], middle[..., 0, 2])
        rest = np.swapaxes(joint_motion(0, a)[..., :3, :3] @ middle, -1, -2) @ wanted
        c = atan2(rest[..., 1, 0] - rest[..., 0, 1], rest[..., 0, 0] + rest[..., 1, 1])
        return np.stack([a, b, c], axis=-1)

    def lengths_equation(self, X: Entries, angles: Entries) -> tuple[Entries, Entries]:
        """The directions of the slides (..., 3, 3), by columns, and the way they have to go together (..., 3)."""
        moved = np.zeros((*angles.shape[:-1], JOINTS), dtype=kind_of(angles))
        moved[..., self.revolute] = angles
        frame, axes, _ = frames([constants(A, X) for A in self.arm.constants], self.prismatic, moved)
        directions = [axis for axis, slides in zip(axes, self.prismatic, strict=True) if slides]
        return np.stack(directions, axis=-1), X[..., :3, 3] - frame[..., 3]

    def joints(self, angles: Entries, lengths: Entries) -> Entries:
        """The positions (..., 6) of the joints that have turned and slid so far."""
        moved = np.zeros((*angles.shape[:-1], JOINTS), dtype=kind_of(angles))
        moved[..., self.revolute] = angles
        moved[..., self.prismatic] = lengths
        return np.asarray(moved * self.arm.signs.astype(int))

    def polynomial(self, X: Floats) -> Floats:
        """The coefficients, highest power first, of the polynomial in tan(q/2) of the middle revolute joint."""
        p, q, s = self.equation(X)
        found = np.array([-p - s, 2 * q * self.arm.signs[self.hidden], p - s])
        polynomial: Floats = found / found[np.abs(found).argmax()]
        return polynomial

    def _pieces(self) -> list[Floats]:
        """The constant rotations before, between and after the revolute joints."""
        pieces = [self.arm.constants[0, :3, :3]]
        for constant, slides in zip(self.arm.constants[1:, :3, :3], self.prismatic, strict=True):
            if slides:
                pieces[-1] = pieces[-1] @ constant
            else:
                pieces.append(constant)
        return pieces

    def _between(self) -> list[Floats]:
        """K1 and K2."""
        return self._pieces()[1:3]

    def _wanted(self, X: Entries) -> Entries:
        """K3 = K0^T R(X) K4^T."""
        first, _, _, last = (constants(K, X) for K in self._pieces())
        return first.T @ X[..., :3, :3] @ last.T
