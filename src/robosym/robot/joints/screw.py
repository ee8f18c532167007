"""Screw joint: a rotation about an axis with a translation along it in proportion."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...expr import Expr, pi
from ...spatial.scalar import Scalar
from .kind import Entry, JointKind, Step


@dataclass(frozen=True)
class Screw(JointKind):
    """Screw joint: q is the angle about z. ``pitch`` is the displacement along z in one turn [m], positive for a right-hand thread."""

    pitch: Expr

    name = "screw"
    positions = (Entry("", "angle"),)
    speeds = positions

    def steps(self, q: Sequence[Scalar], qd: Sequence[Scalar]) -> tuple[Step, ...]:
        lead = self.pitch / (2 * pi)  # per radian
        return (Step(True, lead * q[0], ((0, lead),)), Step(False, q[0], ((0, 1),)))

    def problems(self) -> Iterator[tuple[str, str]]:
        if self.pitch.is_zero:
            yield "pitch", "expected a displacement in one turn that is not zero (a revolute joint has none)"
