"""Pictures of numbers: arrays in, a matplotlib figure out. No robotics here, and no matplotlib until one is drawn."""

from __future__ import annotations

from .arm import Arm
from .canvas import FORMATS, picture_format, save
from .ellipsoids import Shape, ellipsoids_figure
from .slices import area_figure, slices_figure
from .workspace import workspace_figure

__all__ = [
    "FORMATS",
    "Arm",
    "Shape",
    "area_figure",
    "ellipsoids_figure",
    "picture_format",
    "save",
    "slices_figure",
    "workspace_figure",
]
