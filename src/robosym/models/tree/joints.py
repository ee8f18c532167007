"""The kinds of joints, by the motions they allow: a joint is its axes, unit twists in the frame it moves.

A revolute joint has one axis, a prismatic one too, a rigid one none; a free base is a joint with six, between the world and
frame 0. Its position takes seven numbers, of which a time derivative is not the speed: ``free_rates`` gives their rates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...spatial.rotations import quaternion_columns, quaternion_rates
from ...spatial.scalar import Scalar
from ...spatial.screws import Rigid
from ...spatial.vectors import AXES, ZERO, Vector, apply

Twist = tuple[Vector, Vector]  # linear, angular


@dataclass(frozen=True)
class JointKind:
    """A name, and the unit twists of the joint's axes: velocity of the origin and angular velocity, in the moved frame."""

    name: str
    axes: tuple[Twist, ...]


REVOLUTE = JointKind("revolute", ((ZERO, AXES[2]),))
PRISMATIC = JointKind("prismatic", ((AXES[2], ZERO),))
RIGID = JointKind("rigid", ())
FREE = JointKind("free", (*((axis, ZERO) for axis in AXES), *((ZERO, axis) for axis in AXES)))


def free_motion(q: Sequence[Scalar]) -> Rigid:
    """Where a free joint stands: position and unit quaternion (x y z, qx qy qz qw)."""
    x, y, z, a, b, c, w = q
    return Rigid(quaternion_columns(a, b, c, w), (x, y, z))


def free_rates(q: Sequence[Scalar], qd: Sequence[Scalar]) -> tuple[Scalar, ...]:
    """The time derivatives of the seven numbers: R v, and half the product of the quaternion with the angular velocity."""
    _, _, _, a, b, c, w = q
    vx, vy, vz, *angular = qd
    return (*apply(quaternion_columns(a, b, c, w), (vx, vy, vz)), *quaternion_rates(q[3:], angular))
