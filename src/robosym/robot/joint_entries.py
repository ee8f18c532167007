"""The entries of q and qd that belong to the joints of a robot, without those of a floating base: one for each axis of a joint.

A revolute, prismatic or screw joint has one entry, which has the name of the joint. Entries of other kinds have the name of the joint
and a suffix: "hip qx", "hip qy" ... among the positions of a ball joint, "hip wx" ... among its speeds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .joints.kind import Unit
from .problems import Problem, RobotError
from .robot import Robot


@dataclass(frozen=True)
class JointEntry:
    """An entry of a vector of the joints: its frame, joint, name and unit, and its value in the neutral position."""

    frame: int
    joint: str
    suffix: str
    unit: Unit
    neutral: float = 0.0

    @property
    def name(self) -> str:
        """Name of the entry, for people."""
        return f"{self.joint} {self.suffix}" if self.suffix else self.joint

    @property
    def column(self) -> str:
        """Name of the entry in a table."""
        return f"{self.joint}_{self.suffix}" if self.suffix else self.joint

    @property
    def label(self) -> str:
        """The unit of a position."""
        return {"angle": "rad", "length": "m", "quaternion": "quaternion"}[self.unit]

    @property
    def slides(self) -> bool:
        """Whether it is measured in metres or newtons."""
        return self.unit == "length"


def position_entries(robot: Robot) -> tuple[JointEntry, ...]:
    """Entries of q, in order."""
    return tuple(_entries(robot, positions=True))


def speed_entries(robot: Robot) -> tuple[JointEntry, ...]:
    """Entries of qd, qdd and tau, in order."""
    return tuple(_entries(robot, positions=False))


def speed_names(robot: Robot) -> tuple[str, ...]:
    """Names of the entries of qd, qdd and tau."""
    return tuple(entry.name for entry in speed_entries(robot))


def _entries(robot: Robot, positions: bool) -> Iterator[JointEntry]:
    for block in robot.blocks:
        if block.frame:
            for entry in block.positions if positions else block.speeds:
                yield JointEntry(block.frame, block.joint, entry.suffix, entry.unit, entry.neutral)


def places_by_name(entries: Sequence[JointEntry]) -> dict[str, tuple[int, ...]]:
    """The places of the entries, by the name of an entry or of a joint."""
    places: dict[str, tuple[int, ...]] = {entry.name: (k,) for k, entry in enumerate(entries)}
    for entry in entries:
        places[entry.joint] = tuple(k for k, other in enumerate(entries) if other.frame == entry.frame)
    return places


def quaternions(robot: Robot) -> dict[str, int]:
    """The place in q of every quaternion, by what it turns."""
    turning = [block for block in robot.blocks if block.kind is not None and block.kind.quaternion is not None]
    return {
        f"'{block.joint}'" if block.frame else "the base": block.q.start + block.kind.quaternion
        for block in turning
        if block.kind is not None and block.kind.quaternion is not None
    }


def turning_joints(robot: Robot) -> tuple[str, ...]:
    """The joints with a quaternion among their positions."""
    kinds = ((robot.frame(j).joint.name, robot.kind(j)) for j in robot.moving)
    return tuple(name for name, kind in kinds if kind is not None and kind.quaternion is not None)


def require_single_axes(robot: Robot, subject: str) -> None:
    """Raise an error for ``subject`` where a joint has several axes."""
    for j in robot.moving:
        kind = robot.kind(j)
        if kind is not None and kind.nv > 1:
            name = robot.frame(j).joint.name
            problem = (
                f"'{name}' is a {kind.name} joint, for which {subject} is not supported: expected joints of one axis. "
                "Write it as revolute and prismatic joints."
            )
            raise RobotError([Problem(f"frame {j}, sigma", problem)], robot.name)


def speed_frames(robot: Robot) -> tuple[int, ...]:
    """The frame of the joint of each entry of qd, qdd and tau."""
    return tuple(entry.frame for entry in speed_entries(robot))


def require_no_quaternion(robot: Robot, subject: str, fix: str) -> None:
    """Raise an error for ``subject`` where a joint has a quaternion among its positions."""
    for name in turning_joints(robot):
        j = next(j for j in robot.moving if robot.frame(j).joint.name == name)
        kind = robot.kind(j)
        assert kind is not None
        problem = (
            f"'{name}' is a {kind.name} joint, for which {subject} is not supported: expected joints whose velocities are "
            f"the rates of their positions. {fix}"
        )
        raise RobotError([Problem(f"frame {j}, sigma", problem)], robot.name)
