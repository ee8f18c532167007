"""What the stages of a routine read and write."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from .routine import Collect, Copy, Each, Fill, Kernel, Newton, Record, Repeat, Run, Stage, Take, When


def uses(stages: Sequence[Stage]) -> Iterator[tuple[str, bool]]:
    """The arrays that stages read (False) and write (True), in their order."""
    for stage in stages:
        match stage:
            case Run():
                yield from ((stage.place(array), False) for array in stage.program.inputs)
                yield from ((stage.place(array), True) for array in stage.program.outputs)
            case Kernel():
                yield from ((name, False) for name in stage.inputs)
                yield from ((name, True) for name in stage.outputs)
            case Fill():
                yield stage.array, True
            case Copy():
                yield from ((stage.source, False), (stage.target, True))
            case Collect():
                yield from ((name, False) for name in (stage.values, stage.where, stage.into, stage.count))
                yield from ((stage.into, True), (stage.count, True))
            case Record():
                yield from ((name, False) for name in (stage.array, stage.turn, stage.into))
                yield stage.into, True
            case Take():
                yield from ((stage.array, False), (stage.turn, False), (stage.row, True))
            case Each():
                yield from ((name, False) for name in (stage.array, stage.count) if name is not None)
                yield stage.row, True
                yield from uses(stage.stages)
            case Repeat():
                yield from ((name, False) for name in (stage.times,) if isinstance(name, str))
                yield from ((name, True) for name in (stage.turn,) if name is not None)
                yield from uses(stage.stages)
                yield from ((name, False) for name in (stage.until,) if name is not None)
            case When():
                yield stage.condition, False
                yield from uses(stage.stages)
                yield from uses(stage.otherwise)
            case Newton():
                yield stage.unknown, False
                yield from uses(stage.stages)
                yield stage.correction, False
                yield stage.unknown, True


def reads(stages: Sequence[Stage]) -> Counter[str]:
    """How many times the stages read each array, as they are written."""
    return Counter(name for name, writes in uses(stages) if not writes)


def written(stages: Sequence[Stage]) -> frozenset[str]:
    return frozenset(name for name, writes in uses(stages) if writes)
