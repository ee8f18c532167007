"""Free joint: any motion of a link with respect to the one before it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...spatial.rotations import quaternion_columns, quaternion_rates
from ...spatial.scalar import Scalar
from ...spatial.screws import Motion, Rigid
from ...spatial.vectors import ZERO, apply
from .ball import ANGULAR, MOVING_AXES, QUATERNION, turning
from .kind import Entry, JointKind, Step, about_next
from .planar import shifts


@dataclass(frozen=True)
class Free(JointKind):
    """Free joint: q is the position x, y, z of the link in the axes before the joint and its unit quaternion x, y, z, w; qd its
    velocity and its angular velocity, both in its own axes."""

    name = "floating"  # "free" is the sigma of a platform, which only its legs hold
    positions = (*(Entry(name, "length") for name in ("x", "y", "z")), *QUATERNION)
    speeds = (*(Entry(name, "length") for name in ("vx", "vy", "vz")), *ANGULAR)
    speed_axes = MOVING_AXES

    def placement(self, q: Sequence[Scalar]) -> tuple[Motion, ...]:
        px, py, pz, x, y, z, w = q
        return (*shifts(px, py, pz), Rigid(quaternion_columns(x, y, z, w), ZERO))

    def steps(self, q: Sequence[Scalar], qd: Sequence[Scalar]) -> tuple[Step, ...]:
        """The axes of the slides do not turn with the link, whose velocity v does: dG/dt of them is w x."""
        wx, wy, wz = qd[3:]
        return (
            about_next(True, 0, ((0, 1),), ((1, -wz), (2, wy))),
            about_next(True, 0, ((1, 1),), ((0, wz), (2, -wx))),
            about_next(True, 0, ((2, 1),), ((0, -wy), (1, wx))),
            *turning(qd[3:], 3),
        )

    def rates(self, q: Sequence[Scalar], qd: Sequence[Scalar]) -> tuple[Scalar, ...]:
        x, y, z, w = q[3:]
        velocity = apply(quaternion_columns(x, y, z, w), (qd[0], qd[1], qd[2]))
        return (*velocity, *quaternion_rates(q[3:], qd[3:]))
