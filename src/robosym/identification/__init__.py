"""Identification: from a recording to the robot's parameters (SYMORO+ 1997, section 6).

``identify(recipe)`` does all of it, ``excite(robot)`` finds a motion to record; ``data`` makes samples of recordings,
``estimation`` parameters of equations.
"""

from .data.recipe import Recipe
from .data.recording import Recording
from .excitation import Excitation, Motion, excite
from .from_recipe import identify
from .result import Identification

__all__ = ["Excitation", "Identification", "Motion", "Recipe", "Recording", "excite", "identify"]
