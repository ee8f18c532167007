"""The models, one file each: functions from a robot to a ``Model``.

``MODELS`` lists them under the kebab-case names of the command line.
"""

from __future__ import annotations

from collections.abc import Callable

from ..generated import Model
from .geometric import geometric, transform

MODELS: dict[str, Callable[..., Model]] = {
    "transform": transform,
    "geometric": geometric,
}


__all__ = ["MODELS", "geometric", "transform"]
