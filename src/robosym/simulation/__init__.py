"""Robots that move under control laws, compiled whole; and what their runs say, in numbers, words, files, pictures and pages."""

from __future__ import annotations

from .files import Saved, read
from .plant import SimulationError
from .result import Run, Runs
from .simulator import simulate
from .sweep import sweep

__all__ = ["Run", "Runs", "Saved", "SimulationError", "read", "simulate", "sweep"]
