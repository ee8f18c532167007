"""What a law in task space controls: a frame of the robot or a tool on it, which components of its pose, and the
joints that move it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from ..models import jacobian
from ..models.kinematic.task import ROWS, Row
from ..models.resolve import Near, resolve
from ..models.tool import Tool
from ..models.tree.paths import FrameName
from ..program.routine import Slot
from ..reals import Floats
from ..robot import Robot
from .joints import Joints, joints_of
from .law import ControlError
from .parts import every_joint_driven
from .samples import samples
from .task_error import COMPONENTS

Task = Literal["pose", "position", "orientation", "planar"] | Sequence[Row]
TASKS: dict[str, tuple[int, ...]] = {
    "pose": (0, 1, 2, 3, 4, 5),
    "position": (0, 1, 2),
    "orientation": (3, 4, 5),
    "planar": (0, 1, 5),
}
RANK = 1e-9  # a singular value this much below the largest is zero
WANTED = {
    "T_d": Slot("T_d", (4, 4), "wanted: the pose of the frame in the world"),
    "V_d": Slot("V_d", (6,), "wanted: the velocity of its origin, then its angular velocity, in the axes of the world"),
    "A_d": Slot("A_d", (6,), "wanted: the rates of V_d"),
}


@dataclass(frozen=True)
class TaskSpace:
    """``rows`` are the components that are controlled, of vx vy vz wx wy wz; ``place`` the options that say of which
    frame."""

    robot: Robot
    joints: Joints
    rows: tuple[int, ...]
    place: dict[str, Any]
    sampled: Floats  # the Jacobian matrix at some positions, six rows
    valued: bool  # whether that was with the robot's own values
    named: dict[str, Any]  # frame and tool, as the options of a model record them

    @property
    def names(self) -> list[Row]:
        return [ROWS[i] for i in self.rows]

    @property
    def suffixes(self) -> tuple[str, ...]:
        """What the gains of the components have after their names."""
        return tuple(COMPONENTS[i] for i in self.rows)

    @cached_property
    def samples(self) -> Floats:
        """The rows in question of the Jacobian matrix at some positions."""
        return self.sampled[:, list(self.rows)]

    @cached_property
    def rank(self) -> int:
        """How many of the components the joints can move at once."""
        return max(_rank(J) for J in self.samples)

    @property
    def free(self) -> int:
        """How many motions of the joints leave the components as they are, where the rank is full."""
        return self.joints.count - self.rank

    def wanted(self, names: Sequence[str]) -> tuple[Slot, ...]:
        return tuple(WANTED[name] for name in names)

    @property
    def options(self) -> dict[str, Any]:
        """As the options of a model record them."""
        return {**self.named, "task": list(self.names)}


def task_space(
    robot: Robot,
    law: str,
    frame: FrameName | None,
    tool: Tool | None,
    task: Task | None,
    mode: str | None = None,
    near: Near = None,
) -> TaskSpace:
    """By default the components that the joints can make: of the orientation all that they can, or none."""
    joints = every_joint_driven(joints_of(robot, law=law), law)
    robot = joints.robot
    place: dict[str, Any] = {"frame": frame, "tool": tool, **resolve(robot, mode, near).choice}
    named = None if task is None else _named(task)
    model = jacobian(robot, **place)
    sampled, valued = samples(model, "J")
    if not sampled.any():
        raise ControlError(f"{robot.name}: frame: no joint moves it: expected one that moves")
    rows = _possible(sampled) if named is None else named
    said = {key: model.options[key] for key in ("frame", "tool") if key in model.options}
    return TaskSpace(robot, joints, rows, place, sampled, valued, said)


def _named(task: Any) -> tuple[int, ...]:
    expected = f"expected {', '.join(map(repr, TASKS))}, or different ones of {', '.join(ROWS)}"
    if isinstance(task, str) and task in TASKS:
        return TASKS[task]
    listed = [task] if isinstance(task, str) else list(task) if isinstance(task, Sequence) else []
    places = sorted({ROWS.index(row) for row in listed if isinstance(row, str) and row in ROWS})
    if not places or len(places) != len(listed):
        raise ControlError(f"task: got {task!r:.60}, {expected}")
    return tuple(places)


# --- what the joints can do ----------------------------------------------------------------------------------------------


def _rank(J: Floats) -> int:
    s = np.linalg.svd(J, compute_uv=False)
    return int((s > RANK * s[0]).sum()) if s[0] > 0 else 0


def _possible(samples: Floats) -> tuple[int, ...]:
    """The first rows that are independent of those before; of the orientation as many as its rank, or none: a
    rotation vector in part means little while the rest of it turns as it likes."""
    scale = np.abs(samples).max(axis=(0, 2), keepdims=True)
    samples = samples / np.where(scale > 0, scale, 1.0)
    rows: list[int] = []
    for i in range(6):
        if max(_rank(J[[*rows, i]]) for J in samples) > len(rows):
            rows.append(i)
    turning = max(_rank(J[3:]) for J in samples)
    linear = [i for i in rows if i < 3]
    return tuple(rows if len(rows) - len(linear) == turning or not linear else linear)
