"""A tool's tip: a point fixed to the target frame, given as numbers or expressions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from numbers import Real
from typing import cast

from ...expr import VARIABLE, Expr, ExprError, free_symbols, number, parse
from ...robot import Robot, RobotError
from ...robot.problems import Problem
from .columns import Point

Tool = Sequence[float | str | Expr]


def tool_point(robot: Robot, n: int, tool: Tool | None) -> Point:
    """The origin of frame n, or the point given in its axes: three numbers or expressions of parameters ("LT/2")."""
    if tool is None:
        return Point(n)
    # Only what has an order: the keys of a mapping would pass for names of lengths.
    if isinstance(tool, (str, Mapping, Set)) or not hasattr(tool, "__len__") or len(tool) != 3:
        raise RobotError([Problem("tool", f"got {tool!r}, expected three coordinates such as (0, 0, 0.1)")], robot.name)
    x, y, z = (_coordinate(robot, f"tool {i}", value) for i, value in enumerate(tool, 1))
    return Point(n, (x, y, z))


def _coordinate(robot: Robot, where: str, value: float | str | Expr) -> Expr:
    try:
        if isinstance(value, str):
            found = parse(value)
        elif isinstance(value, Expr):
            found = value
        elif isinstance(value, Real) and not isinstance(value, bool):
            found = number(cast(float, value))
        else:
            raise ExprError(f"expected a number or an expression as text, got {value!r}")
    except ExprError as error:
        raise RobotError([Problem(where, str(error))], robot.name) from error
    taken = {symbol.name for symbol in robot.coordinates}
    moving = found.level == VARIABLE or any(symbol.name in taken for symbol in free_symbols(found))
    if moving:
        raise RobotError([Problem(where, f"'{found}' moves: a tool's point is fixed in its frame")], robot.name)
    return found
