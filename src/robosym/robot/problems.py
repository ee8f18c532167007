"""What is wrong with a description: every problem of a file at once, each naming its place and what was expected."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ..errors import RobosymError


class Problem(NamedTuple):
    """One finding. ``where`` names the field ("frame 3, alpha"); a warning does not stop a robot from loading."""

    where: str
    message: str
    is_warning: bool = False

    def __str__(self) -> str:
        return f"{self.where}: {self.message}" if self.where else self.message


class RobotError(RobosymError):
    """A description that is not a robot, with all its problems."""

    def __init__(self, problems: Iterable[Problem], source: str = "") -> None:
        self.problems = [p for p in problems if not p.is_warning]
        self.source = source
        at = f"{source}: " if source else ""
        shown = self.problems[:MOST_SHOWN]
        more = len(self.problems) - len(shown)
        lines = [f"{at}{problem}" for problem in shown] + ([f"{at}and {more} more problems"] if more else [])
        super().__init__("\n".join(lines))


MOST_SHOWN = 25


class RobotWarning(UserWarning):
    """Something in a description that loads but is probably not meant (a physically impossible inertia)."""
