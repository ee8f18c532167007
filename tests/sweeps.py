"""How much of a sweep runs: ``ROBOSYM_SWEEP=10 pytest ...`` makes every random one ten times as long, and all others complete."""

from __future__ import annotations

import os
from collections.abc import Iterable
from itertools import product
from typing import Any

SWEEP = int(os.environ.get("ROBOSYM_SWEEP", "1"))  # a factor everywhere: no other file reads the variable


def many(count: int) -> int:
    """The number of random draws of a sweep that has ``count`` of them by default."""
    return count * SWEEP


def crossed(*axes: Iterable[Any], every: int) -> list[tuple[Any, ...]]:
    """One in so many combinations of these, such that each value still meets every so many-th of the others: all of them in a longer
    sweep. The places of a combination add up to a multiple of ``every``, as in a Latin square."""
    lists = [list(axis) for axis in axes]
    every = every if len(lists) < 2 or every < 2 else 2 * every  # of pairs there are many: half as many are enough
    places = product(*(range(len(one)) for one in lists))
    kept = (at for at in places if SWEEP > 1 or sum(at) % every == 0)
    return [tuple(one[k] for one, k in zip(lists, at, strict=True)) for at in kept]


def some(values: Iterable[Any], every: int) -> list[Any]:
    """One in so many of these: all of them in a longer sweep."""
    return [one for (one,) in crossed(values, every=every)]
