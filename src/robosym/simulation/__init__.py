"""Robots that move under control laws, compiled whole; and what their runs say, in numbers, words, files, pictures and pages."""

from __future__ import annotations

from .files import Saved, read
from .options import Integration, Loads, Sensing
from .plant import SimulationError
from .result import Run, Runs
from .simulator import simulate
from .sweep import sweep

__all__ = [
    "Integration",
    "Loads",
    "Run",
    "Runs",
    "Saved",
    "Sensing",
    "SimulationError",
    "read",
    "simulate",
    "sweep",
]
