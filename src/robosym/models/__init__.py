"""The models, one file each: functions from a robot to a ``Model``.

``MODELS`` lists them under the kebab-case names of the command line.
"""

from __future__ import annotations

from collections.abc import Callable

from ..errors import RobosymError
from ..generated import Model
from .geometric import geometric, transform

MODELS: dict[str, Callable[..., Model]] = {
    "transform": transform,
    "geometric": geometric,
}


def by_name(name: str) -> Callable[..., Model]:
    """The model function of a kebab-case name."""
    if name not in MODELS:
        raise RobosymError(f"there is no model '{name}' (models: {', '.join(MODELS)})")
    return MODELS[name]


__all__ = ["MODELS", "by_name", "geometric", "transform"]
