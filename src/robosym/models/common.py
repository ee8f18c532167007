"""What every model needs: a robot it is true of, its input arrays, and the ``Model`` around its program."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from ..errors import RobosymError
from ..generated import Model
from ..program import Program
from ..program.derived import Derived
from ..robot import Robot, RobotError
from ..robot.problems import Problem


def open_tree(robot: Robot) -> Robot:
    """The robot, if it is one and has no closed loop.

    The frames of a robot with loops are those of the tree that is left when its cut joints are open. Its joints are not
    independent, so what a model says of that tree at any q is not true of the robot.
    """
    if not isinstance(robot, Robot):
        raise RobotError([Problem("robot", f"got {robot!r:.60}, expected a Robot (load it first: robosym.load(...))")])
    if robot.loops:
        raise RobotError([Problem("", LOOPS)], robot.name)
    return robot


LOOPS = (
    "has closed loops: their models are not available yet, and those of the tree would ignore that the loops close "
    "(loading, showing, checking and converting work; robot.replace(loops=0) is the tree with its cut joints left open)"
)


def model(
    robot: Robot,
    name: str,
    program: Program,
    options: Mapping[str, Any],
    parameter_set: str = "standard",
    optional: Mapping[str, tuple[str, ...]] | None = None,
    described: Robot | None = None,
    more: Collection[str] = (),
) -> Model:
    """A program with the robot's default values and its provenance.

    ``described`` is the robot as it was given, where ``robot`` is the same in base parameters; ``more`` are parameters
    beside the robot's that may be given, such as a tool's. ``optional`` names the inputs that are zero by default, and what their rows are called.
    """
    needed = {symbol.name for symbol in program.parameter_symbols}
    values = {key: value.number for key, value in robot.values.items() if key in needed}
    derived = follows(robot, needed)
    given = dict(optional or {})
    known = robot.parameter_names | frozenset(more)
    return Model(
        name,
        described or robot,
        program,
        values,
        dict(options),
        parameter_set,
        optional=given,
        derived=derived,
        known=known,
    )


def follows(robot: Robot, needed: Collection[str]) -> Derived:
    """How the parameters of a model follow from those of the robot, and which values are not possible."""
    source = robot.regrouping
    if source is None and not robot.limited:
        return Derived()
    values = {**robot.values, **source.values} if source is not None else robot.values
    numbers = {key: value.number for key, value in values.items()}
    made = {key: one for key, one in source.expressions.items() if key in needed} if source is not None else {}
    return Derived(made, numbers, source.pivots if source is not None else (), robot.limited)


def numbers_given(robot: Robot, parameters: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Parameters a caller gives: names of the robot's, used or not, and finite numbers (or one for each state)."""
    from ..reals import finite_array

    if parameters is None:
        return None
    if not isinstance(parameters, Mapping):
        raise RobosymError("parameters: expected a mapping from names to numbers, such as {'D3': 0.45}")
    unknown = [name for name in parameters if name not in robot.parameter_names]
    if unknown:
        raise RobosymError(f"{robot.name} has no parameter {', '.join(map(repr, unknown))}")
    return {name: finite_array(f"parameter '{name}'", value)[()] for name, value in parameters.items()}
