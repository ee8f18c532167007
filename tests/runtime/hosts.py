"""Descriptions of other processors whose code this one can run, and memory with forbidden pages around it."""

from __future__ import annotations

import ctypes
import mmap
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pytest

from robosym.runtime import engine, machine_code
from robosym.runtime.host import Host, host


def others() -> dict[str, Host]:
    own = host()
    found = {
        f"{lanes} lanes{', fused' * fused}": replace(own, lanes=lanes, fused=fused)
        for lanes in (2, 4, 8)
        for fused in {False, own.fused}
    }
    if own.triple.startswith("x86_64"):  # and the instructions of older processors
        found["sse2"] = replace(own, cpu="x86-64", features="", lanes=2, fused=False)
        if own.lanes >= 4 and own.fused:
            found["avx2"] = replace(own, cpu="haswell", features="", lanes=4, fused=True)
    return found


OTHERS = others()


@contextmanager
def running_on(described: Host) -> Iterator[None]:
    """Programs are compiled for that processor."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "host", lambda: described)
        patch.setattr(machine_code, "host", lambda: described)
        yield


PAGE = mmap.PAGESIZE
can_guard = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="pages are protected by Linux calls here")


@contextmanager
def guarded(size: int, at_end: bool) -> Iterator[np.ndarray]:
    """So many doubles at the end (or the beginning) of pages with forbidden ones on both sides."""
    libc = ctypes.CDLL(None, use_errno=True)
    pages = -(-8 * size // PAGE)
    block = mmap.mmap(-1, (pages + 2) * PAGE)
    start = ctypes.addressof(ctypes.c_char.from_buffer(block))  # also keeps the block from being closed
    forbidden = (start, start + (pages + 1) * PAGE)
    for place in forbidden:
        assert libc.mprotect(ctypes.c_void_p(place), PAGE, 0) == 0
    first = start + PAGE + (pages * PAGE - 8 * size if at_end else 0)
    yield np.ctypeslib.as_array((ctypes.c_double * size).from_address(first))
    for place in forbidden:
        libc.mprotect(ctypes.c_void_p(place), PAGE, 3)
