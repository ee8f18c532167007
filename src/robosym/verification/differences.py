"""Steps in time and in coordinates by which the reference is differentiated and integrated."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .mechanism import Floats

STEP = 1e-5  # of finite differences
DT = 0.01  # of one step of integration


def slopes(function: Callable[[Floats], Floats], y: Floats, step: float = STEP) -> Floats:
    """Central differences, a column for each entry of y."""
    steps = step * np.eye(len(y))
    return np.array([(function(y + one) - function(y - one)) / (2 * step) for one in steps]).T


def runge_kutta(rate: Callable[[Floats], Floats], y: Floats, dt: float = DT) -> Floats:
    """One step of the classical method of fourth order."""
    k1 = rate(y)
    k2 = rate(y + dt / 2 * k1)
    k3 = rate(y + dt / 2 * k2)
    k4 = rate(y + dt * k3)
    return np.asarray(y + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4))
