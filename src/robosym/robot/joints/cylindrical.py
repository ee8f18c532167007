"""Cylindrical joint: a rotation about an axis and a translation along it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...spatial.scalar import Scalar
from .kind import Entry, JointKind, Step


@dataclass(frozen=True)
class Cylindrical(JointKind):
    """Cylindrical joint: q is the angle about z and the displacement along z."""

    name = "cylindrical"
    positions = (Entry("angle", "angle"), Entry("shift", "length"))
    speeds = positions

    def steps(self, q: Sequence[Scalar], qd: Sequence[Scalar]) -> tuple[Step, ...]:
        angle, shift = q
        return (Step(False, angle, ((0, 1),)), Step(True, shift, ((1, 1),)))
