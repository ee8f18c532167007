"""The joints of a robot as a control law sees them: which have motors, where their entries are, what is measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..expr import VARIABLE, free_symbols, text
from ..models.resolve import as_loops
from ..program.routine import Slot
from ..robot import Robot
from ..robot.joint_entries import require_no_quaternion, speed_entries, speed_frames
from .law import ControlError

BASE_POSITIONS, BASE_SPEEDS = 7, 6  # of a free base, first in q and in qd and tau


@dataclass(frozen=True)
class Joints:
    """Of the n entries of qd of joints that are coordinates, ``driven`` are the places of those with motors. A free base and
    joints without motors get no torque, and what is wanted of these joints is not read."""

    robot: Robot
    names: tuple[str, ...]
    driven: tuple[int, ...]
    flexible: tuple[str, ...]  # their motors and links have positions of their own

    @property
    def count(self) -> int:
        return len(self.names)

    @property
    def suffixes(self) -> tuple[str, ...]:
        """What the gains of the driven joints have after their names: the number of the frame."""
        return tuple(suffixes_of(self.robot)[k] for k in self.driven)

    @property
    def in_q(self) -> int:
        """The place of the first joint in q."""
        return BASE_POSITIONS if self.robot.base.floating else 0

    @property
    def in_qd(self) -> int:
        """The place of the first joint in qd and tau."""
        return BASE_SPEEDS if self.robot.base.floating else 0

    @property
    def free(self) -> tuple[str, ...]:
        """What moves by itself, as ``models.hybrid_dynamics`` names it."""
        driven = {self.names[k] for k in self.driven}
        entries = speed_entries(self.robot)
        loose = tuple(dict.fromkeys(entry.joint for entry in entries if entry.name not in driven))
        return ("base", *loose) if self.robot.base.floating else loose

    def measured(self) -> tuple[Slot, ...]:
        robot, (q, qd) = self.robot, self.measured_names
        about = " of the motors, on the joints' side" if self.flexible else ""
        first = (f"{what} of the base, then " if robot.base.floating else "" for what in ("pose", "speeds"))
        where, speed = first
        return (
            Slot(q, (self.count + self.in_q,), f"measured: {where}positions{about}"),
            Slot(qd, (self.count + self.in_qd,), f"measured: {speed}velocities{about}"),
        )

    @property
    def measured_names(self) -> tuple[str, str]:
        """Of joints driven through springs the motors are measured, as is usual: feedback from the joints would shake them."""
        return ("q_motor", "qd_motor") if self.flexible else ("q", "qd")

    def wanted(self, names: Sequence[str]) -> tuple[Slot, ...]:
        words = {"q_d": "positions", "qd_d": "velocities", "qdd_d": "accelerations"}
        return tuple(Slot(name, (self.count,), f"wanted: {words[name]} of the joints") for name in names)

    def torques(self) -> Slot:
        zeros = [word for word, there in self._without_torque() if there]
        more = f"; zero: {' and '.join(zeros)}" if zeros else ""
        return Slot("tau", (self.count + self.in_qd,), f"what the motors shall do{more}")

    def _without_torque(self) -> tuple[tuple[str, bool], ...]:
        return ("the free base", self.robot.base.floating), ("joints without motors", len(self.driven) < self.count)


def joints_of(robot: Robot, *, springs: bool = False, law: str = "") -> Joints:
    """The joints that a law controls; a parallel robot is taken as closed loops. ``springs`` says that the law knows what to do with joints that are driven through springs;
    else they are refused."""
    if not isinstance(robot, Robot):
        raise ControlError(f"robot: got {robot!r:.60}, expected a Robot (load it first: robosym.load(...))")
    robot = as_loops(robot)
    require_no_quaternion(
        robot, "a control law", "Write it as revolute joints, or simulate it with torque= or without a law."
    )
    entries = speed_entries(robot)
    driven = tuple(k for k, entry in enumerate(entries) if robot.frame(entry.frame).joint.active)
    if not driven:
        raise ControlError(f"{robot.name}: no joint has a motor: there is nothing to control")
    flexible = tuple(robot.frame(j).joint.name for j in robot.flexible)
    if flexible and not springs:
        raise ControlError(
            f"{robot.name}: {law} is for joints that are moved by their motors directly, and {', '.join(flexible)} "
            f"{'is' if len(flexible) == 1 else 'are'} flexible, with a spring between motor and link: expected pid or feed_forward"
        )
    return Joints(robot, tuple(entry.name for entry in entries), driven, flexible)


def suffixes_of(robot: Robot) -> tuple[str, ...]:
    """What the gains of each joint have after their names: the number of the frame, and of the axis where the joint has several."""
    frames = speed_frames(robot)
    counts = [frames[:k].count(j) + 1 for k, j in enumerate(frames)]
    return tuple(f"{j}_{count}" if frames.count(j) > 1 else str(j) for j, count in zip(frames, counts, strict=True))


def require_moving(joints: Joints) -> None:
    """Refuse joints whose velocity or acceleration the description sets to a number: their models do not read what is measured or
    wanted of them, and the law would not act on it."""
    frames = speed_frames(joints.robot)
    for k in joints.driven:
        joint = joints.robot.frame(frames[k]).joint
        for what in ("velocity", "acceleration"):
            given = getattr(joint, what)
            if given is not None and not any(s.level == VARIABLE for s in free_symbols(given)):
                raise ControlError(
                    f"{joints.robot.name}: the description sets the {what} of joint '{joint.name}' to {text(given)}, so that its models do "
                    f"not depend on it: expected a description without that, to control the joint by a model"
                )
