"""The distance between an arm and a pose out of its reach."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .forward_geometry import Forward

Floats = NDArray[np.float64]

STARTS = 8  # of the search for the nearest an arm comes to a pose
HELD_WITHIN = 1e-3  # rad: the orientation counts as held


def missed(forward: Forward, branches: Floats, T: Floats, columns: slice) -> tuple[float, float]:
    """In m and rad, from the nearest of the branches of a closed form, or from random positions if there are none."""
    rows = branches[np.isfinite(branches).all(axis=1)]
    if not len(rows):
        rows = (
            np.random.default_rng(0).uniform(-1.5, 1.5, (STARTS, len(forward.columns.joints))) * forward.columns.units
        )
    apart = forward.misses(rows, T)[0]
    rows, apart = rows[np.isfinite(apart)], apart[np.isfinite(apart)]
    if not len(rows):  # closed loops that do not close at any of them
        return math.nan, math.nan
    nearest = rows[np.argsort(apart)[:STARTS]]
    rows = np.vstack([rows, forward.approached(T, nearest, columns)])
    distances, angles = forward.misses(rows, T)
    if columns.start == 3:
        angles = np.zeros(len(rows))
    angles[angles < HELD_WITHIN] = 0.0
    best = np.lexsort((distances, np.round(angles, 4)))[0]
    return float(distances[best]), float(angles[best])
