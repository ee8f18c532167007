"""The size of a benchmark: full, or small with ``--small``, where the same code runs once on little input.

The small size shows that a benchmark works. Its times mean nothing.
"""

from __future__ import annotations

import importlib.util
import sys
from functools import cache
from typing import TypeVar

T = TypeVar("T")

FLAG = "--small"
SMALL = FLAG in sys.argv[1:]


def sized(full: T, small: T) -> T:
    """The value for the size of this run."""
    return small if SMALL else full


def words() -> list[str]:
    """The arguments of the command line without the option for the size."""
    return [word for word in sys.argv[1:] if word != FLAG]


@cache
def installed(module: str, comparison: str) -> bool:
    """Whether a module is installed; if not, print once what is left out."""
    if importlib.util.find_spec(module) is not None:
        return True
    print(f"{module} is not installed: {comparison} left out")
    return False
