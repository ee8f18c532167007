"""Arms of every class that has a closed form, and what is asked of every solution of theirs."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from models.inverse_geometry.robots import (
    Floats,
    Solved,
    gantry,
    inner_spherical,
    pieper,
    skew_gantry,
    solved,
    spherical_shoulder,
    three_parallel,
    with_slides,
)
from sweeps import many

POSES = many(60)
RESIDUAL = 1e-10
# How far a found position may be from the one that made the pose: its own accuracy times what the pose amplifies it by.
FOUND = 1e-6
# Rows nearer than this are the same solution.
SAME = 1e-6

ARMS: dict[str, Callable[[], Solved]] = {
    **{name: lambda name=name: solved(name) for name in ("puma560", "rx90", "stanford", "scara", "ur5")},  # type: ignore[misc]
    "planar-2r": lambda: solved("planar-2r"),
    "planar-3r": lambda: solved("planar-3r"),
    "gantry": lambda: solved(gantry()),
    "skew-gantry": lambda: solved(skew_gantry(1)),
    "shoulder-1": lambda: solved(spherical_shoulder(1)),
    "inner-1": lambda: solved(inner_spherical(1)),
    "panda": lambda: solved("panda", given=[7]),
    "panda-given-4": lambda: solved("panda", given=["panda_joint4"]),
    **{f"pieper-{k}": lambda k=k: solved(pieper(k)) for k in (1, 2)},  # type: ignore[misc]
    **{f"three-parallel-{k}": lambda k=k: solved(three_parallel(k)) for k in (1, 2)},  # type: ignore[misc]
    **{
        "slides-" + "".join(map(str, k)): lambda k=k: solved(with_slides(1, k))  # type: ignore[misc]
        for k in ((1,), (2,), (1, 2), (1, 3), (2, 3))
    },
}

# Solutions at a pose well within reach.
COUNTS = {"puma560": 8, "rx90": 8, "stanford": 8, "scara": 2, "ur5": 8, "planar-2r": 2, "planar-3r": 2, "gantry": 2}


@cache
def arm(name: str) -> Solved:
    return ARMS[name]()


def counted(bad: Any, worst: float, what: str) -> str:
    places = np.flatnonzero(bad)
    return f"{len(places)} poses {what}, by {worst:.1e} at most; the first: {places[:5].tolist()}"


def check(
    S: Solved, q: Floats, found: bool = True, residual: float = RESIDUAL, **options: Any
) -> tuple[Floats, Any, Any]:
    """All that is always asked: right, once, and (unless the pose is singular) with the position that made the pose."""
    T = S.poses(q, **options)
    Q, valid, free = S.solve(T, q, **options)
    misses = np.where(valid, S.misses(Q, T, q, **options), 0).max(axis=1)
    assert (misses < residual).all(), counted(misses >= residual, misses.max(), "missed")
    pairs = S.closest_pair(Q, valid)
    assert (pairs > SAME).all(), counted(pairs <= SAME, pairs.min(), "with one solution twice")
    if found:
        nearest = S.nearest(Q, valid, q)
        assert (nearest < FOUND).all(), counted(nearest >= FOUND, nearest.max(), "without the position that made them")
    return Q, valid, free
