"""The general inverse geometric model: every solution of any six-joint arm."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from ....errors import RobosymError
from ....program.routine import Stage
from ....reals import real_array
from ....robot import Robot
from ...tree.paths import WORLD
from ..chain.chain import Chain, chain_of
from .arm import arm_of, symbols_of, terminal
from .invariants import Floats
from .plan import Plan
from .stages import general_stages

FEW = 8  # sets of parameters that are remembered

Made = TypeVar("Made")


class GeneralSolver:
    """All inverse geometric solutions of a serial arm with six moving joints (Raghavan and Roth 1993).

    ``frame`` is the tip by default, ``base`` 0 or "world". The set-up is done when it is first needed, and again
    when the geometry's parameters change.
    """

    def __init__(self, robot: Robot, frame: int | str | None = None, base: int | str = 0) -> None:
        self.robot = robot
        self.frame = terminal(robot, frame)
        self.base = base
        self.symbols = symbols_of(robot, self.frame, base)
        self._plans: dict[tuple[float, ...], Plan] = {}

    @cached_property
    def chain(self) -> Chain:
        return chain_of(self.robot, self.frame, self.base if self.base == WORLD else 0)

    def stages(self, parameters: Mapping[str, Any] | None = None) -> tuple[Stage, ...]:
        """The stages that solve a pose (``general_stages``), set up for these parameters."""
        return general_stages(self.plan(parameters), self.chain)

    def plan(self, parameters: Mapping[str, Any] | None = None) -> Plan:
        """The set-up for these parameters; made when first needed."""

        def made() -> Plan:
            return Plan.of(arm_of(self.robot, self.frame, self.base, self.numbers(parameters)))

        return remembered(self._plans, self.key(parameters), made)

    def key(self, parameters: Mapping[str, Any] | None = None) -> tuple[float, ...]:
        """The numbers on which the stages depend."""
        return tuple(self.numbers(parameters).values())

    def numbers(self, parameters: Mapping[str, Any] | None = None) -> dict[str, float]:
        """The numbers of the geometry's symbols: the robot's own, or those given."""
        given = dict(parameters or {})
        unknown = [name for name in given if name not in {symbol.name for symbol in self.robot.parameter_symbols}]
        if unknown:
            raise RobosymError(f"{self.robot.name} has no parameter {', '.join(map(repr, unknown))}")
        values: dict[str, Any] = {key: value.number for key, value in self.robot.values.items()} | given
        missing = [name for name in self.symbols if name not in values]
        if missing:
            raise RobosymError(f"{self.robot.name}: parameters without a value: {', '.join(missing)}")
        found = {}
        for name in self.symbols:
            if np.ndim(values[name]):
                problem = (
                    f"got shape {np.shape(values[name])}, expected a number: the general method takes one for all poses"
                )
                raise RobosymError(f"parameter '{name}': {problem}")
            try:
                found[name] = float(values[name])
            except (TypeError, ValueError):
                raise RobosymError(f"parameter '{name}': expected a number, got {values[name]!r}") from None
        return found

    def characteristic_polynomial(self, T: Any, parameters: Mapping[str, Any] | None = None) -> tuple[int, Floats]:
        """The polynomial in x = tan(q/2) of one joint whose roots are the solutions at this pose: the joint's number
        (from 1) and the coefficients, highest power first, the largest being 1."""
        plan = self.plan(parameters)
        pose = plan.reduced(_pose(T))
        if not plan.strategy.regular:
            raise RobosymError(
                f"{self.robot.name}: every elimination degenerates for this geometry (axes that meet or are parallel): "
                "it has no characteristic polynomial of the general method"
            )
        method = plan.strategy.always[0]
        return method.hidden + 1, method.polynomial(pose)


def remembered(known: dict[tuple[float, ...], Made], key: tuple[float, ...], make: Callable[[], Made]) -> Made:
    """What is known for these numbers, or is made now; only the last few are kept."""
    if key not in known:
        made = make()
        if len(known) >= FEW:
            known.pop(next(iter(known)))
        known[key] = made
    return known[key]


def _pose(T: Any) -> Floats:
    """One pose (4, 4), finite."""
    pose = real_array("T", T)
    if pose.shape == (1, 4, 4):
        pose = pose[0]
    if pose.shape != (4, 4):
        raise RobosymError(f"the characteristic polynomial is of one pose: got shape {pose.shape}, expected (4, 4)")
    if not np.isfinite(pose).all():
        raise RobosymError("the pose has an entry that is not finite")
    R = pose[:3, :3]
    if np.abs(R.T @ R - np.eye(3)).max() > 1e-3 or np.linalg.det(R) < 0 or np.abs(pose[3] - [0, 0, 0, 1]).max() > 1e-6:
        raise RobosymError("the pose is not a homogeneous matrix of a rotation and a position")
    return pose
