"""What the stages of a routine read and write, and what a turn of a loop takes over from the turns before it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from .routine import Each, Emit, Kernel, Newton, Run, Stage, When


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
            case Emit():
                yield from ((stage.values, False), (stage.where, False))
            case Each():
                yield from ((name, False) for name in (stage.array, stage.count) if name is not None)
                yield stage.row, True
                yield from uses(stage.stages)
            case When():
                yield stage.condition, False
                yield from uses(stage.stages)
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


def surely_written(stages: Sequence[Stage]) -> frozenset[str]:
    """What is written whatever happens."""
    return _flow(stages, frozenset())[1]


def taken_over(stages: Sequence[Stage]) -> frozenset[str]:
    """What is read, or may be, as it was before the stages."""
    return _flow(stages, frozenset())[0]


def _flow(stages: Sequence[Stage], made: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
    """What is read before it is surely written, and what has surely been written, ``made`` before."""
    found: set[str] = set()
    for stage in stages:
        match stage:
            case Each():
                found |= {stage.array, stage.count or stage.array} - made
                found |= _flow(stage.stages, made | {stage.row})[0]
            case When():
                found |= {stage.condition} - made
                found |= _flow(stage.stages, made)[0]
            case Newton():  # one step is always made
                found |= {stage.unknown} - made
                inside, made = _flow(stage.stages, made)
                found |= inside | ({stage.correction} - made)
                made |= {stage.unknown}
            case _:
                found |= {name for name, writes in uses([stage]) if not writes} - made
                made |= written([stage])
    return frozenset(found), made
