"""The regressor of the standard parameters in numbers, at random states."""

from __future__ import annotations

import numpy as np

from robosym.models.inertial_parameters.numeric import Batches
from robosym.models.resolve import resolve
from robosym.robot import Robot


def regressor(
    robot: Robot, *, rotor_inertia: bool = True, seed: int = 0, samples: int | None = None
) -> tuple[list[str], np.ndarray]:
    """Names of the standard parameters and W: rows state by state, a row for every torque. By default there are several times as many
    rows as columns."""
    rows = Batches(resolve(robot).tree, rotor_inertia)
    return rows.names, rows.rows(seed, rows.samples if samples is None else samples)
