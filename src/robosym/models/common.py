"""What every model needs: its input arrays and the ``Model`` around its program."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from ..generated import Model
from ..program import Array, Program
from ..program.derived import Derived
from ..robot import Robot


def coordinates_input(robot: Robot) -> Array:
    """The input array q, all coordinates of the robot in order."""
    return Array("q", (robot.nq,), robot.coordinates)


def model(
    robot: Robot,
    name: str,
    program: Program,
    options: Mapping[str, Any],
    parameters: str = "standard",
    optional: Mapping[str, tuple[str, ...]] | None = None,
) -> Model:
    """A program with the robot's default values and its provenance.

    ``optional`` names the inputs that are zero unless given, and what their rows are called.
    """
    needed = {symbol.name for symbol in program.parameters}
    values = {key: value.number for key, value in robot.values.items() if key in needed}
    derived = follows(robot, needed)
    return Model(name, robot.name, program, values, dict(options), parameters, dict(optional or {}), derived)


def follows(robot: Robot, needed: Collection[str]) -> Derived:
    """How the parameters of a model follow from those of the robot, and which values are not possible."""
    source = robot.regrouping
    if source is None and not robot.limited:
        return Derived()
    values = {**robot.values, **source.values} if source is not None else robot.values
    numbers = {key: value.number for key, value in values.items()}
    made = {key: one for key, one in source.expressions.items() if key in needed} if source is not None else {}
    return Derived(made, numbers, source.pivots if source is not None else (), robot.limited)
