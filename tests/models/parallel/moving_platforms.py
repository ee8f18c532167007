"""Platforms as expressions, with random states at which everything is known in numbers: evaluated together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from models.parallel.random_platforms import random_platform

from robosym.expr import evaluate, expr
from robosym.models.parallel.coordinates import PlatformCoordinates, platform_coordinates
from robosym.models.parallel.kinematics import modes_of
from robosym.models.parallel.states import States, random_states
from robosym.models.parallel.structure import module_of
from robosym.program import Scope
from robosym.robot import Robot

COUNT = 3


@dataclass(frozen=True)
class Moving:
    robot: Robot
    motion: PlatformCoordinates
    states: States

    def numbers(self, entries: Sequence[Any], **more: np.ndarray) -> np.ndarray:
        """Expressions at all states (batch, n); the inertial parameters and gravity have the robot's values."""
        values: dict[Any, Any] = {name: value.number for name, value in self.robot.values.items()}
        values |= self.states.numbers() | more
        found = evaluate([expr(x) for x in entries], values)
        return np.array([np.broadcast_to(np.asarray(x, float), COUNT) for x in found]).T

    def speed(self, j: int) -> np.ndarray:
        return np.asarray(self.states.u[:, 6 + self.states.joints.index(j)])

    def acceleration(self, j: int) -> np.ndarray:
        return np.asarray(self.states.ud[:, 6 + self.states.joints.index(j)])


@cache
def moving(kind: str, seed: int = 4) -> Moving:
    robot, *_ = random_platform(kind, seed)
    branches = modes_of(robot).default
    return Moving(
        robot, platform_coordinates(robot, branches, Scope()), random_states(module_of(robot), branches, COUNT, 5)
    )
