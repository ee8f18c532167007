"""A joint kind that no reference has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from robosym.expr import cos, expr, sin
from robosym.robot.joints import Entry, JointKind, Step
from robosym.spatial.scalar import Scalar


@dataclass(frozen=True)
class Sine(JointKind):
    """A slider whose displacement is sin q."""

    name = "sine"
    positions = (Entry("", "angle"),)
    speeds = positions

    def steps(self, q: Sequence[Scalar], qd: Sequence[Scalar]) -> tuple[Step, ...]:
        x = expr(q[0])
        return (Step(True, sin(x), ((0, cos(x)),), ((0, -sin(x) * expr(qd[0])),)),)
