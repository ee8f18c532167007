"""Stages as statements: the walk that every language shares. A language says how it writes each kind of stage."""

from __future__ import annotations

from collections.abc import Sequence

from ...program.routine import COUNT, Each, Emit, Kernel, Newton, Run, Stage, When
from .facts import RoutineFacts


class StagePrinter:
    """``depth`` is how many levels of indentation a statement stands in."""

    indent = "    "

    def __init__(self, facts: RoutineFacts) -> None:
        self.facts = facts

    def all(self, stages: Sequence[Stage], depth: int) -> list[str]:
        return [line for stage in stages for line in self.one(stage, depth)]

    def one(self, stage: Stage, depth: int) -> list[str]:
        match stage:
            case Run():
                return self.run(stage, depth)
            case Kernel():
                return self.kernel(stage, depth)
            case Emit():
                return self.emit(stage, depth)
            case Each():
                return self.each(stage, depth)
            case When():
                return self.when(stage, depth)
            case Newton():
                return self.newton(stage, depth)

    def counted(self, names: Sequence[str | None], depth: int) -> list[str]:
        """What puts the number of solutions so far into its slot, if that is among the names to be read."""
        return [self.indent * depth + self.count()] if COUNT in names else []

    def same(self, stage: Emit) -> str:
        """What two solutions may differ by and be one, as the last argument of the function that keeps them."""
        return self.number(self.facts.routine.tolerance(stage))

    # What a language writes its own way.

    def number(self, value: float) -> str:
        return repr(value)

    def count(self) -> str:
        """The statement that puts the number of solutions, as a real number, into the slot ``count``."""
        raise NotImplementedError

    def run(self, stage: Run, depth: int) -> list[str]:
        raise NotImplementedError

    def kernel(self, stage: Kernel, depth: int) -> list[str]:
        raise NotImplementedError

    def emit(self, stage: Emit, depth: int) -> list[str]:
        raise NotImplementedError

    def each(self, stage: Each, depth: int) -> list[str]:
        raise NotImplementedError

    def when(self, stage: When, depth: int) -> list[str]:
        raise NotImplementedError

    def newton(self, stage: Newton, depth: int) -> list[str]:
        raise NotImplementedError
