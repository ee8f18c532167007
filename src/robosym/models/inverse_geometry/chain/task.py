"""From a robot to the closed form of its inverse geometric model: which chain, which task, which method."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np

from ....reals import Floats
from ....robot import FIXED, Robot, RobotError
from ....robot.problems import Problem
from ....spatial.ranks import rank
from ...request import target
from ...tree.paths import WORLD
from .chain import Chain, chain_of
from .random_positions import forward, samples

Task = Literal["pose", "position", "orientation"]  # which part of T is requested
TaskName = Literal["auto", "pose", "position"]


def chain_for(
    robot: Robot, frame: int | str | None = None, base: int | str = 0, given: Sequence[str | int] = ()
) -> Chain:
    """The chain from the base to the frame, with some joints (by joint or frame name, or frame number) given."""
    n = target(robot, frame)  # also of a closed loop: the way to the frame is solved
    if base != WORLD and robot.number(base, "reference") != 0:
        raise RobotError([Problem("reference", f"got {base!r}, expected 0 (the base) or 'world'")], robot.name)
    return chain_of(robot, n, base if base == WORLD else 0, [joint_frame(robot, n, one) for one in given])


def joint_frame(robot: Robot, n: int, joint: str | int) -> int:
    """The frame of a joint on the way to frame n."""
    path = [j for j in robot.path(n) if robot.frame(j).sigma != FIXED]
    for j in path:
        if joint in (j, robot.frame(j).joint.name, robot.frame(j).name):
            return j
    names = ", ".join(robot.frame(j).joint.name for j in path)
    raise RobotError([Problem("given", f"no joint {joint!r} moves the frame (joints: {names})")], robot.name)


def task_for(chain: Chain, task: str) -> Task:
    """The whole pose; or its position alone, for an arm whose joints the position determines."""
    return requested_task(chain.robot, task, len(chain.joints), lambda: position_rank(chain))


def requested_task(robot: Robot, task: str, joints: int, rank_of_position: Callable[[], int]) -> Task:
    """The task named; "auto" is the position alone where it determines so few joints."""
    if task in ("pose", "position"):
        return task  # type: ignore[return-value]
    if task != "auto":
        problem = f"got {task!r}, expected 'auto', 'pose' or 'position'"
        raise RobotError([Problem("task", problem)], robot.name)
    return "position" if joints <= 3 and rank_of_position() == joints else "pose"


def position_rank(chain: Chain) -> int:
    """How many directions the end can move in."""
    return rank(position_slopes(chain), 1e-6)


def position_slopes(chain: Chain) -> Floats:
    """How the end moves with each joint (n, 3): by differences at a random position."""
    sample = samples(chain, 1, seed=3)[0]
    step = 1e-6  # which leaves an error of some 1e-10: the tolerance of what is computed exactly is too fine here
    columns = []
    for k in range(len(chain.joints)):
        ends = [
            forward(chain, sample.numbers, [x + s * step * (i == k) for i, x in enumerate(sample.q)])[:3, 3]
            for s in (1, -1)
        ]
        columns.append((ends[0] - ends[1]) / (2 * step))
    return np.array(columns)
