"""Solvers of built-in robots, each derived and compiled once for all files, and their poses."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

import robosym
from robosym.models import inverse_geometric, transform
from robosym.models.inverse_geometry import InverseGeometric
from robosym.runtime import CompiledFunction


@cache
def solver_of(name: str) -> InverseGeometric:
    return inverse_geometric(robosym.load(name))


@cache
def direct_of(name: str) -> CompiledFunction:
    return transform(robosym.load(name)).compile()


def pose_of(name: str, q: Any) -> Any:
    return direct_of(name)(q=np.asarray(q, dtype=float))


def has(solutions: Any, q: Any, within: float = 1e-8) -> bool:
    """Whether a position is among the solutions, angles up to whole turns."""
    apart = (np.asarray(solutions) - q + math.pi) % (2 * math.pi) - math.pi
    return bool((np.abs(apart).max(axis=1) < within).any())
