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

    def as_dict(self) -> dict[str, str]:
        return {"where": self.where, "message": self.message}

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
    """Something in a description that loads but is probably not meant (a physically impossible inertia).

    ``count`` is how many findings one warning stands for.
    """

    def __init__(self, message: str, count: int = 1) -> None:
        super().__init__(message)
        self.count = count


MOST_ALIKE = 3


def gathered(warned: Iterable[Problem]) -> list[tuple[str, int]]:
    """The texts of warnings, each with how many it stands for: many of one kind become one that names a few places.

    Of one kind are those of the same field of several frames that say the same before their numbers.
    """
    kinds: dict[tuple[str, str], list[Problem]] = {}
    for problem in warned:
        field = problem.where.rpartition(", ")[2]
        kinds.setdefault((field, problem.message.partition(":")[0]), []).append(problem)
    texts = []
    for alike in kinds.values():
        if len(alike) <= MOST_ALIKE:
            texts += [(str(problem), 1) for problem in alike]
            continue
        places = ", ".join(problem.where.rpartition(", ")[0] or problem.where for problem in alike[1:MOST_ALIKE])
        texts.append((f"{alike[0]} (and {len(alike) - 1} more of this kind: {places}, ...)", len(alike)))
    return texts
