"""From a chain to its closed form: the plan, then the program."""

from __future__ import annotations

from dataclasses import dataclass

from ....brief import brief
from ....program import Program
from ..chain.chain import Chain
from ..chain.task import Task, task_for
from .plan import Plan, plan_of
from .program import closed_form

LEAST_ROOM = 8


@dataclass(frozen=True, repr=False)
class ClosedForm:
    """A derived closed form: the plan to be read, the program to be run, and the choices of each row of Q."""

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


def derive(chain: Chain, task: str = "auto", method: str = "auto") -> ClosedForm:
    """The closed form of a chain; NoClosedFormError if the method finds none."""
    chosen = task_for(chain, task)
    plan = plan_of(chain, chosen, quartics=method != "paul")
    program, choices = closed_form(plan, "closed form")
    return ClosedForm(chain, chosen, plan, program, tuple(choices))
