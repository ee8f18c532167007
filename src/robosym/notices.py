"""What is said beside results: warnings, which are logged too and can be had as values, and progress.

Everything is logged under "robosym" (``logging``), which has no handler of its own: ``logging.basicConfig(level="INFO")`` shows it.
Warnings still reach the user by ``warnings``, unless whoever asked for them collects them.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

LOG = logging.getLogger("robosym")
LOG.addHandler(logging.NullHandler())

_collected: ContextVar[list[Warning] | None] = ContextVar("robosym_warnings", default=None)


def warn(warning: Warning, stacklevel: int = 2) -> None:
    """Warn as ``warnings.warn`` does, and in the log."""
    LOG.warning("%s", warning)
    collected = _collected.get()
    if collected is None:
        warnings.warn(warning, stacklevel=stacklevel + 1)
    else:
        collected.append(warning)


@contextmanager
def collected() -> Iterator[list[Warning]]:
    """The warnings from within, as a list, in this thread alone."""
    found: list[Warning] = []
    token = _collected.set(found)
    try:
        yield found
    finally:
        _collected.reset(token)
