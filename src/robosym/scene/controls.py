"""What a person moves: joints that are driven, the pose of a free base, the pose of a platform."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from typing import Any

from ..reals import Floats
from ..robot import PRISMATIC, Robot
from ..robot.blocks import JointBlock
from ..robot.joints.kind import Entry
from ..robot.parts import Limits

POSE = ("x", "y", "z", "roll", "pitch", "yaw")  # of a body: R = Rz(yaw) Ry(pitch) Rx(roll)
KINDS = {"angle": "revolute", "length": "prismatic"}  # of joints, by the units of their positions
TURN = "theta"  # of a platform that turns about one axis only


@dataclass(frozen=True)
class Control:
    """A number that is given to the modules, in the order of the scene."""

    name: str
    label: str
    group: str  # "joint", "base" or "platform"
    kind: str  # "revolute", "prismatic"; of a pose "angle", "length"
    lower: float | None = None
    upper: float | None = None
    at: float = 0.0

    @property
    def unit(self) -> str:
        return "m" if self.kind in ("prismatic", "length") else "rad"

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "unit": self.unit}

    def allows(self, value: float) -> bool:
        low = -math.inf if self.lower is None else self.lower
        high = math.inf if self.upper is None else self.upper
        return low <= value <= high


def joint_control(robot: Robot, j: int) -> Control:
    """Of a joint that has a coordinate: it begins where the description says, else at zero if that is within its limits."""
    frame = robot.frame(j)
    joint, limits = frame.joint, frame.joint.limits
    kind = "prismatic" if frame.sigma == PRISMATIC else "revolute"
    at = within(limits, joint.position if joint.position is not None else 0.0)
    return Control(joint.name, joint.name, "joint", kind, limits.lower, limits.upper, at)


def joint_controls(robot: Robot, block: JointBlock) -> tuple[Control, ...]:
    """One control for a joint with one position. A joint with several axes has one for each; a quaternion has three angles."""
    if len(block.positions) == 1 and not block.positions[0].suffix:
        one = joint_control(robot, block.frame)
        return (one if block.kind is None else replace(one, kind=KINDS[block.positions[0].unit]),)
    return tuple(
        Control(f"{block.joint} {name}", f"{block.joint} {name}", "joint", KINDS[unit])
        for entry in block.positions
        for name, unit in _components(entry)
    )


def _components(entry: Entry) -> tuple[tuple[str, str], ...]:
    """The controls of an entry of q by name and unit: the last entry of a quaternion stands for its three angles."""
    if entry.unit != "quaternion":
        return ((entry.suffix, entry.unit),)
    return tuple((name, "angle") for name in POSE[3:]) if entry.neutral else ()


def pose_control(group: str, component: int, at: float = 0.0, label: str | None = None) -> Control:
    """Of a component of a pose: three lengths, three angles."""
    label = label or POSE[component]
    return Control(f"{group}_{label}", label, group, "length" if component < 3 else "angle", at=float(at))


def within(limits: Limits, value: float) -> float:
    """The value if it is allowed; else the middle of the range, or the only end there is."""
    low, high = limits.lower, limits.upper
    if (low is None or value >= low) and (high is None or value <= high):
        return value
    if low is not None and high is not None:
        return (low + high) / 2
    return low if low is not None else high if high is not None else value


def roll_pitch_yaw(R: Floats) -> tuple[float, float, float]:
    """The angles of a rotation; at pitch +-90 degrees, where they are not unique, the roll is zero.

    Near there roll and yaw turn about nearly the same axis: the yaw is that of what remains without the roll.
    """
    level = math.hypot(R[0, 0], R[1, 0])
    roll = math.atan2(R[2, 1], R[2, 2]) if level > 1e-12 else 0.0
    c, s = math.cos(roll), math.sin(roll)
    yaw = math.atan2(s * R[0, 2] - c * R[0, 1], c * R[1, 1] - s * R[1, 2])
    return roll, math.atan2(-R[2, 0], level), yaw
