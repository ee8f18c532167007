"""Planar joint: any motion in a plane."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...spatial.scalar import Scalar
from ...spatial.screws import Motion, Screw
from .kind import QUARTER, Entry, JointKind, Step, about_next


@dataclass(frozen=True)
class Planar(JointKind):
    """Planar joint: q is x, y and the angle about z, in the axes before the joint."""

    name = "planar"
    positions = (Entry("x", "length"), Entry("y", "length"), Entry("angle", "angle"))
    speeds = positions
    speed_axes = "in the axes before the joint"

    def steps(self, q: Sequence[Scalar], qd: Sequence[Scalar]) -> tuple[Step, ...]:
        x, y, angle = q
        return (
            about_next(True, x, ((0, 1),)),
            about_next(True, y, ((1, 1),)),
            about_next(False, angle, ((2, 1),)),
        )


def shifts(x: Scalar, y: Scalar, z: Scalar) -> tuple[Motion, ...]:
    """A translation as screws about z and x."""
    return (Screw("z", 0, z), Screw("x", 0, x), Screw("z", QUARTER, 0), Screw("x", 0, y), Screw("z", -QUARTER, 0))
