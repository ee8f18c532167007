"""Robots on floats with a column for each of their inertial parameters, and mechanics in Pinocchio and plain Newton-Euler."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from models.pinocchio_states import Twin
from models.reference import numbers, tree_on_floats
from random_robots import random_robot

from robosym.models.regressors.parameters import Inertial, inertial_parameters
from robosym.models.tree.bodies import Tree, tree
from robosym.robot import Actuator, Robot


@dataclass(frozen=True)
class Sample:
    """A random tree without rotors at a state, on a fixed or a free base."""

    robot: Robot
    own: Inertial
    state: Mapping[str, np.ndarray]

    @cached_property
    def tree(self) -> Tree:
        return self.at(self.state)

    def at(self, state: Mapping[str, np.ndarray]) -> Tree:
        return tree_on_floats(tree(self.robot), self.robot, state)

    @cached_property
    def twin(self) -> Twin:
        return Twin.of_robot(self.robot)

    @cached_property
    def values(self) -> dict[str, float]:
        """Of the parameters, by the names of their columns."""
        return dict(zip(self.own.described, numbers(self.robot, self.own.described.values()), strict=True))

    def on_coordinates(self, bodies: Tree, columns: Mapping[str, Mapping[Any, float]]) -> np.ndarray:
        """What all parameters do together."""
        total: dict[Any, float] = {}
        for name, on_axes in columns.items():
            for axis, x in on_axes.items():
                total[axis] = total.get(axis, 0.0) + x * self.values[name]
        return np.array(bodies.coordinates.torques(total), dtype=float)


def sample(seed: int, free: bool) -> Sample:
    rng = np.random.default_rng([seed, 7])
    robot = random_robot(rng, int(rng.integers(2, 8)))
    robot = robot.replace(frames=tuple(replace(frame, actuator=Actuator()) for frame in robot.frames))
    if free:
        robot = robot.replace(base=replace(robot.base, floating=True, link=robot.frames[0].link))
    own = inertial_parameters(robot, "standard", False, False)
    state = {"q": rng.uniform(-2, 2, robot.nq), **{x: rng.uniform(-2, 2, robot.nv) for x in ("qd", "qdd")}}
    if free:
        state["q"][3:7] /= np.linalg.norm(state["q"][3:7])
    return Sample(robot, own, state)
