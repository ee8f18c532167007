"""Identification: from a recording to the robot's parameters (SYMORO+ 1997, section 6).

``identify(recipe)`` does all of it, ``excite(robot)`` finds a motion to record; ``data`` makes samples of recordings,
``estimation`` parameters of equations; ``output_error`` and ``simulated_instruments`` find parameters by simulation.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .data.recipe import Recipe
from .data.recording import Recording
from .excitation import Excitation, Motion, excite
from .from_recipe import identify
from .result import Identification

if TYPE_CHECKING:
    from .simulated import OutputError, output_error, simulated_instruments

_SIMULATED = (
    "OutputError",
    "output_error",
    "simulated_instruments",
)  # looked up when first used: they need all of simulation

__all__ = [
    "Excitation",
    "Identification",
    "Motion",
    "OutputError",
    "Recipe",
    "Recording",
    "excite",
    "identify",
    "output_error",
    "simulated_instruments",
]


def __getattr__(name: str) -> Any:
    if name in _SIMULATED:
        return getattr(import_module(".simulated", __name__), name)
    raise AttributeError(f"module 'robosym.identification' has no attribute {name!r}")
