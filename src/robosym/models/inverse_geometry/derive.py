"""From a robot to the closed form of its inverse geometric model: which chain, which task, which method."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ...brief import brief
from ...program import Program
from ...program.routine import Each, Run, Stage
from ...robot import FIXED, Robot, RobotError
from ...robot.problems import Problem
from ..geometric import WORLD
from ..request import target
from .chain import Chain, chain_of
from .closed_form import closed_form
from .equations import Task
from .plan import Plan, plan_of
from .samples import forward, samples

Method = Literal["auto", "pieper", "paul", "general"]
LEAST_ROOM = 8


@dataclass(frozen=True, repr=False)
class ClosedForm:
    """A derived closed form: the plan for people, the program for machines, and the choices of each row of Q."""

    chain: Chain
    task: Task
    plan: Plan
    program: Program
    choices: tuple[tuple[int, ...], ...]
    swivel: bool = False  # the second input is a swivel angle

    def __repr__(self) -> str:
        return brief(f"closed form of {self.chain.robot.name!r:.42}: {self.task}, {len(self.choices)} branches")

    @property
    def most(self) -> int:
        """How many solutions are kept: those of all branches; a special pose may have more positions to show, one of each
        self-motion among them."""
        return len(self.choices) if self.swivel else max(LEAST_ROOM, 2 * len(self.choices))

    def candidates(self, refine: tuple[Stage, ...]) -> tuple[Stage, ...]:
        """The stages that make every branch a candidate for the pose Y, and run ``refine`` on each."""
        names = {"T": "Y", "Q": "rows", "valid": "rows_valid", "doubtful": "rows_doubtful"}
        return (Run(self.program, names), Each("rows", "row", refine))


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
    if task in ("pose", "position"):
        return task  # type: ignore[return-value]
    if task != "auto":
        problem = f"got {task!r}, expected 'auto', 'pose' or 'position'"
        raise RobotError([Problem("task", problem)], chain.robot.name)
    n = len(chain.joints)
    return "position" if n <= 3 and position_rank(chain) == n else "pose"


def position_rank(chain: Chain) -> int:
    """How many directions the end can move in: by differences at a random position."""
    sample = samples(chain, 1, seed=3)[0]
    step = 1e-6
    columns = []
    for k in range(len(chain.joints)):
        ends = [
            forward(chain, sample.numbers, [x + s * step * (i == k) for i, x in enumerate(sample.q)])[:3, 3]
            for s in (1, -1)
        ]
        columns.append((ends[0] - ends[1]) / (2 * step))
    return int(np.linalg.matrix_rank(np.array(columns), tol=1e-6))


def derive(chain: Chain, task: str = "auto", method: str = "auto") -> ClosedForm:
    """The closed form of a chain; NoClosedFormError if the method finds none."""
    chosen = task_for(chain, task)
    plan = plan_of(chain, chosen, quartics=method != "paul")
    program, choices = closed_form(plan, f"{chain.robot.name} inverse-geometric")
    return ClosedForm(chain, chosen, plan, program, tuple(choices))
