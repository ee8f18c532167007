"""Small matrices on one thread: threads that wait for one another cost far more than they help, most of all on a busy machine."""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

NAMES = ("scipy_openblas_{}_num_threads64_", "scipy_openblas_{}_num_threads", "openblas_{}_num_threads")


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """NumPy's linear algebra uses one thread inside, where it is an OpenBLAS that comes with NumPy; else nothing changes."""
    found = _openblas()
    if found is None:
        yield
        return
    get, put = found
    before = get()
    put(1)
    try:
        yield
    finally:
        put(before)


@cache
def _openblas() -> tuple[Any, Any] | None:
    """The functions that say and set the number of threads."""
    root = Path(np.__file__).parent
    for path in sorted([*root.parent.glob("numpy.libs/*openblas*"), *root.glob(".dylibs/*openblas*")]):
        with contextlib.suppress(OSError):
            library = ctypes.CDLL(str(path))
            for name in NAMES:
                if hasattr(library, name.format("set")):
                    return getattr(library, name.format("get")), getattr(library, name.format("set"))
    return None
