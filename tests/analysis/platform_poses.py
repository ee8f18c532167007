"""Poses of platforms as they are given: x y z qx qy qz qw."""

from __future__ import annotations

import numpy as np


def about_z(angle: float, p: tuple[float, float, float]) -> list[float]:
    return [*p, 0.0, 0.0, float(np.sin(angle / 2)), float(np.cos(angle / 2))]
