"""Universal joint: rotations about two axes at right angles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...spatial.scalar import Scalar
from .kind import QUARTER, Entry, JointKind, Step


@dataclass(frozen=True)
class Universal(JointKind):
    """Universal joint: q is the angle about z, then the angle about the axis that a quarter turn about x brings z to."""

    name = "universal"
    positions = (Entry("1", "angle"), Entry("2", "angle"))
    speeds = positions

    def steps(self, q: Sequence[Scalar], qd: Sequence[Scalar]) -> tuple[Step, ...]:
        return (Step(False, q[0], ((0, 1),)), Step(False, q[1], ((1, 1),), alpha=QUARTER))
