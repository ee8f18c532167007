"""Which joint is hidden and which are eliminated first: the loop of six joints, entered anywhere, in either sense.

With the pose as one more constant, the closure J1 C1 J2 C2 ... J6 C6 = 1 is a loop (C6 = A7 T^-1 A1). Relabelled, it is
cut as J3 C3 J4 C4 J5 C5 J6 = C2^-1 J2^-1 C1^-1 J1^-1 C6^-1, and only the axis line of joint 6 is compared, which joint 6
does not move: joints 1, 2 are eliminated linearly, joint 3 is hidden in the coefficients, 4 and 5 are the unknowns.
The pose is kept on the left, so that everything on the right is computed once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ....robot import PRISMATIC
from ..special_poses.scalars import Entries, kind_of
from .arm import JOINTS, Arm
from .invariants import Floats

Tensor = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Labelling:
    """``order[i]`` is the arm's joint (from 0) with label i + 1; the pose is in the gap after label ``place``."""

    order: tuple[int, ...]
    reverse: bool
    place: int
    lifted: int | None  # 0 or 1: whether the equations are multiplied by joint 4's or joint 5's half-angle

    @property
    def hidden(self) -> int:
        """The joint (from 0) that the eigenvalues give."""
        return self.order[2]

    def gaps(self, constants: Floats) -> list[Floats | None]:
        """C1 to C6; None where the pose goes."""
        after: list[Floats | None] = [*constants[1:JOINTS], None]
        if not self.reverse:
            return [after[j] for j in self.order]
        found = [after[self.order[(i + 1) % JOINTS]] for i in range(JOINTS)]
        return [None if gap is None else inverse(gap) for gap in found]

    def gap_of_pose(self, X: Entries) -> Entries:
        """The constant matrix that stands for the poses (..., 4, 4) of an arm without base and tool."""
        return X if self.reverse else inverse(X)

    def kinds(self, arm: Arm) -> list[int]:
        """The kinds of joints 1 to 6, as labelled."""
        return [arm.kinds[j] for j in self.order]


def labellings(kinds: Sequence[int]) -> Iterator[Labelling]:
    """Every labelling the elimination can use: joints 3 and 6 revolute, the pose after 3, 4 or 5."""
    for place in (5, 4, 3):
        for reverse in (False, True):
            last = 0 if reverse else JOINTS - 1  # the joint before the pose
            step = -1 if reverse else 1
            order = tuple((last + step * (label - place)) % JOINTS for label in range(1, JOINTS + 1))
            if PRISMATIC in (kinds[order[2]], kinds[order[5]]):
                continue
            for lifted in _lifts([kinds[j] for j in order]):
                yield Labelling(order, reverse, place, lifted)


def _lifts(kinds: Sequence[int]) -> tuple[int | None, ...]:
    """Two prismatic joints leave so few monomials that the equations suffice, or only the revolute one is lifted."""
    left = [kinds[3] == PRISMATIC, kinds[4] == PRISMATIC]
    if sum(kinds) < 2:
        return (0, 1)
    return (left.index(False),) if sum(left) == 1 else (None,)


def inverse(motion: Entries) -> Entries:
    """The inverse of rigid motions (..., 4, 4)."""
    result = np.zeros(motion.shape, dtype=kind_of(motion))
    R = np.swapaxes(motion[..., :3, :3], -1, -2)
    result[..., :3, :3] = R
    result[..., :3, 3] = -(R @ motion[..., :3, 3:])[..., 0]
    result[..., 3, 3] = 1
    return result
