"""Long curves with as many points as can be seen: of each stretch its least and its largest value, so that no peak is lost."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .arm import Points

MOST_POINTS = 3000


def kept(values: Points, most: int = MOST_POINTS) -> NDArray[np.intp]:
    """The places of the points to draw, ascending, about ``most`` of them; the first, the last, and the edges of every gap."""
    count = len(values)
    if count <= max(most, 2):
        return np.arange(count)
    there = np.isfinite(values)
    edges = np.flatnonzero(there[1:] != there[:-1])
    chosen: list[Any] = [[0, count - 1], edges[:most], edges[:most] + 1]
    for part in np.array_split(np.arange(count), max(1, most // 2)):
        own = part[there[part]]
        if len(own):
            chosen.append([own[np.argmin(values[own])], own[np.argmax(values[own])]])
    return np.unique(np.concatenate(chosen))
