"""The entries of q and qd by joint: places, names and units."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .joints.free import Free
from .joints.kind import Entry, JointKind
from .parts import PRISMATIC

if TYPE_CHECKING:
    from .robot import Robot

TURNS, SLIDES = (Entry("", "angle"),), (Entry("", "length"),)


@dataclass(frozen=True)
class JointBlock:
    """The entries of one joint, or of a floating base: ``frame`` is 0 then, and the entries are those of a free joint.

    ``kind`` is None for a revolute and a prismatic joint, which have one entry without a suffix.
    """

    frame: int
    joint: str
    kind: JointKind | None
    q: slice
    qd: slice
    positions: tuple[Entry, ...]
    speeds: tuple[Entry, ...]

    def names(self, entries: tuple[Entry, ...], separator: str = " ") -> tuple[str, ...]:
        """The name of each entry: that of the joint, and the suffix where the entry has one."""
        return tuple(f"{self.joint}{separator}{entry.suffix}" if entry.suffix else self.joint for entry in entries)

    @property
    def position_names(self) -> tuple[str, ...]:
        return self.names(self.positions)

    @property
    def speed_names(self) -> tuple[str, ...]:
        """The names of the entries of qd, qdd and tau."""
        return self.names(self.speeds)


def entries_of(robot: Robot, j: int) -> tuple[tuple[Entry, ...], tuple[Entry, ...]]:
    """The entries of q and of qd that the joint of frame j has, whether it is a coordinate or follows others."""
    kind = robot.kind(j)
    if kind is not None:
        return kind.positions, kind.speeds
    single = SLIDES if robot.frame(j).sigma == PRISMATIC else TURNS
    return single, single


def joint_blocks(robot: Robot) -> tuple[JointBlock, ...]:
    """The floating base, if the robot has one, and the joints in the order of q."""
    return tuple(_blocks(robot))


def _blocks(robot: Robot) -> Iterator[JointBlock]:
    nq = nv = 0
    for j in (0, *robot.moving) if robot.base.floating else robot.moving:
        kind = robot.kind(j) if j else Free()
        positions, speeds = entries_of(robot, j) if j else (Free.positions, Free.speeds)
        name = robot.frame(j).joint.name if j else "base"
        q, qd = slice(nq, nq + len(positions)), slice(nv, nv + len(speeds))
        yield JointBlock(j, name, kind, q, qd, positions, speeds)
        nq, nv = q.stop, qd.stop


def neutral(robot: Robot) -> tuple[float, ...]:
    """q at rest: zero, and the identity for each quaternion."""
    return tuple(entry.neutral for block in robot.blocks for entry in block.positions)
