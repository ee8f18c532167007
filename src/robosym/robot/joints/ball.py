"""Ball joint: any rotation about a point."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...spatial.rotations import quaternion_columns, quaternion_rates
from ...spatial.scalar import Scalar
from ...spatial.screws import Motion, Rigid
from ...spatial.vectors import ZERO
from .kind import Entry, JointKind, Step, about_next

QUATERNION = (
    Entry("qx", "quaternion"),
    Entry("qy", "quaternion"),
    Entry("qz", "quaternion"),
    Entry("qw", "quaternion", 1.0),
)
MOVING_AXES = "in the axes that the joint moves"
ANGULAR = tuple(Entry(name, "angle") for name in ("wx", "wy", "wz"))


@dataclass(frozen=True)
class Ball(JointKind):
    """Ball joint: q is the unit quaternion x, y, z, w of the link, qd its angular velocity in its own axes."""

    name = "ball"
    positions = QUATERNION
    speeds = ANGULAR
    speed_axes = MOVING_AXES

    def placement(self, q: Sequence[Scalar]) -> tuple[Motion, ...]:
        x, y, z, w = q
        return (Rigid(quaternion_columns(x, y, z, w), ZERO),)

    def steps(self, q: Sequence[Scalar], qd: Sequence[Scalar]) -> tuple[Step, ...]:
        return turning(qd)

    def rates(self, q: Sequence[Scalar], qd: Sequence[Scalar]) -> tuple[Scalar, ...]:
        return quaternion_rates(q, qd)


def turning(w: Sequence[Scalar], start: int = 0) -> tuple[Step, ...]:
    """Revolute joints about x, y and z, at zero, whose speeds are the angular velocity w of the link in its own axes.

    A chain of three joints with these speeds and constant w accelerates by (wy wz, -wx wz, wx wy), as its second and third axis
    turn with the joints before them. The angular acceleration of the link is the rate of w, so dG/dt takes that away. ``start`` is
    the place of wx in qd.
    """
    _, wy, wz = w
    x, y, z = start, start + 1, start + 2
    return (
        about_next(False, 0, ((x, 1),), ((y, -wz),)),
        about_next(False, 0, ((y, 1),), ((x, wz),)),
        about_next(False, 0, ((z, 1),), ((x, -wy),)),
    )
