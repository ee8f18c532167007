"""Inputs at which a model of a platform can be tried: a pose that all legs reach, a twist and its rate that they allow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...reals import Floats
from ...robot import Robot, RobotError, Value
from ...spatial.floats import pose_rows
from .kinematics import modes_of
from .pose import POSE, TWIST, TWIST_RATE
from .states import States, random_states
from .structure import module_of

LEGS = "legs"  # the positions of all leg joints, where they are an input


@dataclass(frozen=True)
class Drawing:
    """Draws inputs of these names that belong together. What is random for itself, a wrench or the speeds of the motors, is
    left to the model."""

    robot: Robot
    branches: tuple[int, ...]
    names: tuple[str, ...]

    def __call__(self, random: np.random.Generator, parameters: Mapping[str, float] | None = None) -> dict[str, Any]:
        """With these numbers for the parameters of the robot; nothing, if the platform is not reached with them."""
        try:
            states = self._states(int(random.integers(2**31)), parameters or {})
        except RobotError:
            return {}
        motors = [states.joints.index(j) for j in states.module.motors]
        found: dict[str, Floats] = {
            POSE: pose_rows(states.T[0]),
            TWIST: states.u[0, :6],
            TWIST_RATE: states.ud[0, :6],
            "T": states.T[0],
            LEGS: states.x[0, : len(states.mechanism.joints)],
            "q": states.x[0, motors],
        }
        return {name: found[name] for name in self.names}

    def _states(self, seed: int, parameters: Mapping[str, float]) -> States:
        return random_states(module_of(with_numbers(self.robot, parameters)), self.branches, 1, seed)


def drawing_for(robot: Robot, mode: str, names: Sequence[str]) -> Drawing:
    """For a model in a working mode."""
    return Drawing(robot, modes_of(robot).named(mode, None), tuple(names))


def with_numbers(robot: Robot, parameters: Mapping[str, float]) -> Robot:
    """The robot with these values where it has others or none; the robot itself where they are its own."""
    known = {symbol.name for symbol in robot.parameter_symbols}
    values = robot.values
    changed = {
        name: replace(values[name], number=float(x)) if name in values else Value(float(x))
        for name, x in parameters.items()
        if name in known and (name not in values or values[name].number != float(x))
    }
    return robot.replace(values={**values, **changed}) if changed else robot
