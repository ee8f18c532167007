"""Positions that are found again and again: each once, and how often."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from ...reals import Floats


def distinct(order: Iterable[int], apart: Callable[[list[int], int], Floats]) -> tuple[list[int], list[int]]:
    """The first of all that are the same, in this order, and how many are the same as it. ``apart``: how far those chosen are
    from one more, over the distance within which they are the same."""
    chosen: list[int] = []
    times: list[int] = []
    for k in order:
        distances = apart(chosen, k) if chosen else np.ones(1)
        nearest = int(np.argmin(distances))
        if distances[nearest] < 1:
            times[nearest] += 1
        else:
            chosen.append(int(k))
            times.append(1)
    return chosen, times
