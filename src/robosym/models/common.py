"""What every model needs: its input arrays and the ``Model`` around its program."""

from __future__ import annotations

from collections.abc import Mapping
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
    derived = Derived()
    if robot.regrouping is not None:
        made = {key: one for key, one in robot.regrouping.expressions.items() if key in needed}
        known = {key: value.number for key, value in robot.regrouping.values.items()}
        derived = Derived(made, known, robot.regrouping.pivots)
    return Model(name, robot.name, program, values, dict(options), parameters, dict(optional or {}), derived)
