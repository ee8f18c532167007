"""How much work something is, without a clock: a busy machine counts the same calls as an idle one."""

from __future__ import annotations

import cProfile
import gc
import time
from collections.abc import Callable


def calls(run: Callable[[], object]) -> int:
    """How many functions are called, Python's and C's. The collector rests: what it clears is the work of others."""
    profile, collects = cProfile.Profile(), gc.isenabled()
    gc.disable()
    profile.enable()
    try:
        run()
    finally:
        profile.disable()
        if collects:
            gc.enable()
    return sum(entry.callcount for entry in profile.getstats())


def slowdown(prepare: Callable[[int], Callable[[], object]], size: int, times: int = 4, tries: int = 3) -> float:
    """How much longer something of so many times the size takes, for work that is hidden inside single calls.

    The two are taken in turn, each as the best of several tries, in the processor time of this process: what else the
    machine does slows both.
    """

    def seconds(n: int) -> float:
        run = prepare(n)
        begin = time.process_time()
        run()
        return time.process_time() - begin

    pairs = [(seconds(size), seconds(times * size)) for _ in range(tries)]
    return min(large for _, large in pairs) / min(small for small, _ in pairs)
