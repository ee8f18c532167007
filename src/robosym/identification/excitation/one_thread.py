"""Small matrices on one thread: threads that wait for one another cost far more than they help, most of all on a busy machine."""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import scipy

NAMES = ("scipy_openblas_{}_num_threads64_", "scipy_openblas_{}_num_threads", "openblas_{}_num_threads")


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """The linear algebra of NumPy and SciPy uses one thread inside, where it is the OpenBLAS that comes with them; else nothing
    changes."""
    before = [(put, get()) for get, put in _openblas()]
    for put, _ in before:
        put(1)
    try:
        yield
    finally:
        for put, threads in before:
            put(threads)


@cache
def _openblas() -> list[tuple[Any, Any]]:
    """The functions that say and set the number of threads, of each library."""
    return [found for package in (np, scipy) if (found := _threads_of(Path(str(package.__file__)).parent)) is not None]


def _threads_of(root: Path) -> tuple[Any, Any] | None:
    for path in sorted([*root.parent.glob(f"{root.name}.libs/*openblas*"), *root.glob(".dylibs/*openblas*")]):
        with contextlib.suppress(OSError):
            library = ctypes.CDLL(str(path))
            for name in NAMES:
                if hasattr(library, name.format("set")):
                    return getattr(library, name.format("get")), getattr(library, name.format("set"))
    return None
