"""Equations with known parameters: random columns of random joints, and noise of which everything is known."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from robosym.identification.estimation.equations import Equations

Floats = NDArray[np.float64]


def random_places(rng: np.random.Generator, joints: int, columns: int) -> tuple[tuple[int, ...], ...]:
    """Each joint has about half of the columns, and every column is in some joint."""
    found = [set(np.flatnonzero(rng.random(columns) < 0.5).tolist()) for _ in range(joints)]
    for column in range(columns):
        found[rng.integers(joints)].add(column)
    return tuple(tuple(sorted(own)) for own in found)


def random_equations(
    rng: np.random.Generator,
    rows: Sequence[int],
    K: Floats,
    places: tuple[tuple[int, ...], ...] | None = None,
    noise: Sequence[float] | None = None,
    rate: float = 100.0,
    recording: str = "",
) -> Equations:
    """D K + noise = tau at ``rate`` samples a second."""
    places = places or random_places(rng, len(rows), len(K))
    columns = tuple(f"k{i}" for i in range(len(K)))
    joints = tuple(f"joint{j}" for j in range(len(rows)))
    values = tuple(rng.normal(size=(m, len(own))) for m, own in zip(rows, places, strict=True))
    sigma = noise or [0.0] * len(rows)
    torques = tuple(
        D @ K[list(own)] + s * rng.normal(size=len(D)) for D, own, s in zip(values, places, sigma, strict=True)
    )
    return Equations(columns, joints, places, values, torques, tuple(np.arange(m) / rate for m in rows), recording)


def autoregressive(rng: np.random.Generator, size: int, a: float) -> Floats:
    """x(t) = a x(t - 1) + white noise, of standard deviation 1."""
    x = rng.normal(size=size)
    x[1:] *= np.sqrt(1 - a * a)
    for i in range(1, size):
        x[i] += a * x[i - 1]
    return x
