"""The joints of a closed mechanism in numbers: positions in rad and m, and the units in which iterations have them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...expr import Expr
from ...reals import Floats
from ...robot import PRISMATIC, Robot
from .chain import variable_of
from .newton import Truths


@dataclass(frozen=True)
class Joints:
    """``values`` has a number for every parameter of the geometry; ``joints`` are the frames whose joints may move."""

    robot: Robot
    values: Mapping[Expr, float]
    joints: tuple[int, ...]

    @property
    def size(self) -> float:
        """What lengths are measured with."""
        raise NotImplementedError

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(self.robot.frame(j).joint.name for j in self.joints)

    @cached_property
    def turning(self) -> Truths:
        return np.array([self.robot.frame(j).sigma != PRISMATIC for j in self.joints], bool)

    @cached_property
    def units(self) -> Floats:
        """Of the joints: one, or the size."""
        return np.where(self.turning, 1.0, self.size)

    @cached_property
    def described(self) -> Floats:
        """The positions in the description; zero where it says nothing."""
        return np.array([self.robot.frame(j).joint.position or 0.0 for j in self.joints])

    def places(self, frames: Collection[int]) -> list[int]:
        """Of the joints of these frames among all joints."""
        return [self.joints.index(j) for j in frames]

    def variable(self, j: int) -> Expr:
        return variable_of(self.robot, j)

    def values_at(self, x: Floats) -> dict[Expr, float]:
        """Numbers for the parameters and the positions of the joints."""
        return {**self.values, **dict(zip(map(self.variable, self.joints), x.tolist(), strict=True))}
