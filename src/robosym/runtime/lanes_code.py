"""Batches of a routine in the lanes of vector registers: when that is worth while, and the calls."""

from __future__ import annotations

import ctypes
import math
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ..codegen.routines.facts import RoutineFacts
from ..program.routine import Each, Kernel, Newton, Repeat, Routine, Run, Stage, When
from ..reals import Floats
from .engine import Engine
from .host import Host
from .lanes_ir import LANES, lanes_module
from .parameters import Parameters
from .python_call import address_of

LINE = 64  # bytes of a line of the cache
VERSIONS = 8  # of a routine, by which of its inputs have a batch axis
UNKNOWN = 100  # turns of a loop whose number a call says
STEPS = 3  # that an iteration usually takes
SELDOM = 0.1  # of the states need what is guarded; in lanes it costs them about what it costs one after the other
SMALL = 10  # operations that a stage costs beside those of its program
PATIENCE = 1_000_000  # operations of a batch for which it pays to compile another version


@dataclass(frozen=True)
class Work:
    """Operations of a call, about: those that lanes do together, of which some in loops, and those that they do one after the
    other (kernels) or that only some states need."""

    together: float = 0.0
    in_loops: float = 0.0
    others: float = 0.0

    def __add__(self, other: Work) -> Work:
        return Work(self.together + other.together, self.in_loops + other.in_loops, self.others + other.others)

    def repeated(self, turns: float) -> Work:
        return Work(self.together * turns, self.together * turns, self.others * turns)

    @property
    def in_lanes(self) -> bool:
        """Whether most of it is programs in loops that run at all states."""
        return self.in_loops > max(self.others, self.together - self.in_loops)


def work(routine: Routine, stages: Sequence[Stage], guarded: bool = False) -> Work:
    total = Work()
    for stage in stages:
        match stage:
            case Run():
                total += Work(stage.program.operations.total)
            case Kernel():
                done = sum(math.prod(routine.shape(name)) ** 1.5 for name in stage.inputs)
                total += Work(done) if stage.name == "solve" else Work(others=done)
            case Repeat():
                turns = UNKNOWN if isinstance(stage.times, str) else stage.times
                if guarded and stage.until is not None:
                    turns = min(STEPS, turns)
                total += work(routine, stage.stages, guarded).repeated(turns)
            case Each():
                total += work(routine, stage.stages, guarded).repeated(routine.shape(stage.array)[0])
            case Newton():
                total += work(routine, stage.stages, guarded).repeated(min(STEPS, stage.steps))
            case When():
                inside = work(routine, (*stage.stages, *stage.otherwise), True)
                total += Work(others=SELDOM * (inside.together + inside.others))
            case _:
                total += Work(SMALL)
    return total


class LanesCode:
    """Calls of a routine at many states. ``compiled`` makes an engine of assembly."""

    def __init__(self, facts: RoutineFacts, host: Host, flags: str, compiled: Callable[[str], Engine]) -> None:
        self.facts, self.host, self.flags, self.compiled = facts, host, flags, compiled
        self.version = lru_cache(VERSIONS)(self._version)

    def _version(self, batched: tuple[bool, ...], sets: bool) -> tuple[Callable[..., None], int, Engine]:
        """The function of a call, the doubles of its heap, and the engine that both need."""
        names = [one.array.name for one, has_axis in zip(self.facts.inputs, batched, strict=True) if has_axis]
        module = lanes_module(self.facts, self.host, names, sets, self.flags)
        owner = self.compiled(module.text)
        kind = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p)
        return kind(owner.address(LANES)), module.heap, owner

    def __call__(
        self,
        arrays: Sequence[tuple[Floats, bool]],
        parameters: Parameters,
        results: Sequence[Floats],
        first: int,
        last: int,
    ) -> None:
        """Fill the results from a state to another; all arrays lie by rows."""
        sets = parameters.batch is not None
        run, size, _ = self.version(tuple(batched for _, batched in arrays), sets)
        words: list[int] = []
        for array, batched in (*arrays, *((a, sets) for a in parameters.arrays), *((a, True) for a in results)):
            words += [address_of(array), math.prod(array.shape[1:]) if batched else 0]
        heap = np.empty(size + LINE // 8)
        run(struct.pack(f"{len(words)}q", *words), first, last, -(-address_of(heap) // LINE) * LINE)


def parts_of(batch: int, width: int, parts: int) -> list[int]:
    """Where each thread begins, in whole groups of lanes, and the end."""
    groups = -(-batch // width)
    return [min(width * (groups * i // parts), batch) for i in range(parts + 1)]
