"""The square part of a Jacobian matrix: which velocities move the target, and which components of its twist are requested."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from ...expr import Expr, evaluate
from ...expr.generic import negligible
from ...robot import FIXED, Robot, RobotError
from ...robot.problems import Problem
from ..places import place
from ..tree.bodies import root
from ..tree.coordinates import BASE_AXES, coordinates

Row = Literal["vx", "vy", "vz", "wx", "wy", "wz"]
ROWS: tuple[Row, ...] = ("vx", "vy", "vz", "wx", "wy", "wz")

Rows = Sequence[Sequence[Expr]]


def moved_by(robot: Robot, n: int) -> tuple[int, ...]:
    """The places in qd of the velocities that move frame n: of the base's own joint, and of those on the way."""
    own = coordinates(robot)
    base = [axis for axis, _ in zip(BASE_AXES, root(robot, own).kind.axes, strict=False)]
    return own.places([*base, *(k for k in robot.path(n) if robot.frame(k).sigma != FIXED)])


def velocity_names(robot: Robot) -> tuple[str, ...]:
    """What each entry of qd is called: the free base's components, then the joints."""
    return coordinates(robot).names


def rows_named(robot: Robot, rows: Iterable[Row] | None) -> tuple[int, ...]:
    """The places of the rows named, in the order of the names; by default all six."""
    if rows is None:
        return tuple(range(len(ROWS)))
    listed = [rows] if isinstance(rows, str) or not isinstance(rows, Iterable) else list(rows)
    places = [ROWS.index(row) for row in listed if isinstance(row, str) and row in ROWS]
    if not places or len(places) < len(listed) or len(set(places)) < len(places):
        got = listed if isinstance(rows, Iterable) else rows
        problem = f"got {got!r}, expected different ones of {', '.join(ROWS)}"
        raise RobotError([Problem("rows", problem)], robot.name)
    return tuple(places)


def task_rows(robot: Robot, rows: Iterable[Row] | None, matrix: Rows) -> tuple[int, ...]:
    """The places of the requested rows; by default the first independent ones, at most one a column."""
    named = rows_named(robot, rows)
    if not matrix[0]:
        raise RobotError([Problem("frame", "no joint moves this frame: expected one that moves")], robot.name)
    if rows is None:
        return _independent(at_random(robot, matrix, range(len(matrix))))
    if len(named) > len(matrix[0]):
        problem = f"{len(named)} rows are more than the {len(matrix[0])} velocities that move the frame"
        raise RobotError([Problem("rows", problem)], robot.name)
    return tuple(sorted(named))


def at_random(robot: Robot, matrix: Rows, rows: Sequence[int]) -> list[list[float]]:
    """Rows of a Jacobian matrix at a random position, with the robot's values and random ones for those it lacks: a rank
    lower there is lower everywhere. ``rows`` says which of the six they are; the unit of length does not matter."""
    flat = [entry for row in matrix for entry in row]
    found = iter(evaluate(flat, place(robot, flat)))
    return _without_unit([[float(next(found)) for _ in row] for row in matrix], rows)


def _without_unit(numbers: list[list[float]], rows: Sequence[int]) -> list[list[float]]:
    """The linear and the angular rows over the largest entry of each half."""
    largest = [
        max((abs(x) for i, row in zip(rows, numbers, strict=True) if i // 3 == half for x in row), default=0.0)
        for half in (0, 1)
    ]
    return [[x / (largest[i // 3] or 1.0) for x in row] for i, row in zip(rows, numbers, strict=True)]


def _independent(numbers: Sequence[Sequence[float]]) -> tuple[int, ...]:
    """Row by row, those that the ones before cannot make up (Gram and Schmidt on numbers)."""
    kept: list[int] = []
    basis: list[list[float]] = []
    for i, row in enumerate(numbers):
        rest = list(row)
        for one in basis:
            part = sum(a * b for a, b in zip(one, rest, strict=True))
            rest = [b - part * a for a, b in zip(one, rest, strict=True)]
        size = sum(x * x for x in rest) ** 0.5
        if not negligible(size):
            kept.append(i)
            basis.append([x / size for x in rest])
    return tuple(kept)
