"""Stages as statements: the walk that every language shares. A language says how it writes each kind of stage."""

from __future__ import annotations

from collections.abc import Sequence

from ...program.routine import Collect, Copy, Each, Fill, Kernel, Newton, Record, Repeat, Run, Stage, Take, When
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
            case Fill():
                return self.fill(stage, depth)
            case Copy():
                return self.copy(stage, depth)
            case Collect():
                return self.collect(stage, depth)
            case Record():
                return self.record(stage, depth)
            case Take():
                return self.take(stage, depth)
            case Each():
                return self.each(stage, depth)
            case Repeat():
                return self.repeat(stage, depth)
            case When():
                return self.when(stage, depth)
            case Newton():
                return self.newton(stage, depth)

    def number(self, value: float) -> str:
        return repr(float(value))

    # What a language writes its own way.

    def run(self, stage: Run, depth: int) -> list[str]:
        raise NotImplementedError

    def kernel(self, stage: Kernel, depth: int) -> list[str]:
        raise NotImplementedError

    def fill(self, stage: Fill, depth: int) -> list[str]:
        raise NotImplementedError

    def copy(self, stage: Copy, depth: int) -> list[str]:
        raise NotImplementedError

    def collect(self, stage: Collect, depth: int) -> list[str]:
        raise NotImplementedError

    def record(self, stage: Record, depth: int) -> list[str]:
        raise NotImplementedError

    def take(self, stage: Take, depth: int) -> list[str]:
        raise NotImplementedError

    def each(self, stage: Each, depth: int) -> list[str]:
        raise NotImplementedError

    def repeat(self, stage: Repeat, depth: int) -> list[str]:
        raise NotImplementedError

    def when(self, stage: When, depth: int) -> list[str]:
        raise NotImplementedError

    def newton(self, stage: Newton, depth: int) -> list[str]:
        raise NotImplementedError
