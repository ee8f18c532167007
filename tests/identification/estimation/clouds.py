"""Bodies as clouds of points: inertial parameters by their definition."""

from __future__ import annotations

import numpy as np


def cloud_parameters(points: np.ndarray, masses: np.ndarray) -> np.ndarray:
    """XX XY XZ YY YZ ZZ MX MY MZ M about the origin: J = sum m (p.p I - p p^T), so XY = -sum m x y."""
    J = sum((m * (p @ p * np.eye(3) - np.outer(p, p)) for p, m in zip(points, masses, strict=True)), np.zeros((3, 3)))
    return np.array([J[0, 0], J[0, 1], J[0, 2], J[1, 1], J[1, 2], J[2, 2], *(masses @ points), masses.sum()])


def random_body(rng: np.random.Generator, mass: float, size: float) -> np.ndarray:
    """A cloud of points around a random centre."""
    masses = rng.random(12)
    points = size * (rng.normal(size=3) + rng.normal(size=(12, 3)) / 2)
    return cloud_parameters(points, masses * mass / masses.sum())
