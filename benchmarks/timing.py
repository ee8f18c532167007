"""How the benchmarks time: the best of a few runs, for others may use the machine."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from sizes import SMALL

T = TypeVar("T")


def best_of(times: int, work: Callable[[], T]) -> tuple[float, T]:
    """The shortest of a few runs, in seconds, and what was made. One run in the small size."""
    found = [_timed(work) for _ in range(1 if SMALL else times)]
    return min(seconds for seconds, _ in found), found[-1][1]


def _timed(work: Callable[[], T]) -> tuple[float, T]:
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result
