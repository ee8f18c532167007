"""How much work something is, without a clock: a busy machine counts the same calls as an idle one."""

from __future__ import annotations

import cProfile
import gc
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
