"""The pose of a frame in another: the product of the motions between them, multiplied in the order that costs least."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Literal

from ...expr import Expr, expr
from ...program import Array, Graph, Program, Scope, Unmarked, optimised, written_out
from ...robot import Robot
from ...spatial.scalar import Scalar
from ...spatial.screws import from_right
from ...spatial.vectors import AXES, ZERO, Vector
from .. import limits
from ..common import graph_of
from .paths import Poses, Way
from .state import state_inputs

Part = Literal["all", "orientation", "position"]


def pose(
    way: Way, part: Part, poses: Poses, order: tuple[str, str] = ("left", "left"), of: int | None = None
) -> tuple[tuple[Vector, Vector, Vector], Vector]:
    """Orientation (by columns) and position of the last frame of a way in the first, on any scalars.

    ``order`` says from which end each of the two is multiplied; ``of`` is the last frame, where there are several.
    """
    columns, position = AXES, ZERO
    scope, add_angles = poses.scope, poses.add_angles
    if part != "position" and order[0] == "right":
        s, n, a = (from_right(way, AXES[i], False, scope, "sna"[i] + "I", add_angles, of) for i in range(3))
        columns = (s, n, a)
    if part != "orientation" and order[1] == "right":
        position = from_right(way, ZERO, True, scope, "PI", add_angles, of)
    if "left" in order:
        running, reached = poses(way)
        columns = running if order[0] == "left" else columns
        position = reached if order[1] == "left" else position
    return columns, position


def _outputs(tag: str, part: Part, columns: tuple[Vector, Vector, Vector], position: Vector) -> Array:
    rows = [[column[i] for column in columns] for i in range(3)]
    if part == "orientation":
        return Array(f"R{tag}", (3, 3), _entries(rows))
    if part == "position":
        return Array(f"P{tag}", (3,), _entries([position]))
    return Array(
        f"T{tag}", (4, 4), _entries([*[[*row, p] for row, p in zip(rows, position, strict=True)], [0, 0, 0, 1]])
    )


def _entries(rows: Sequence[Sequence[Scalar]]) -> tuple[Expr, ...]:
    return tuple(expr(value) for row in rows for value in row)


def pose_program(
    robot: Robot, name: str, ways: Mapping[str, Way], part: Part = "all", expanded: bool = False
) -> Program:
    """The poses at the ends of ways, by what follows T, R or P in the names of the outputs: orientation and position multiplied from
    either end, with and without sums of angles; the cheapest stays."""
    ends = ("left", "right") if len(ways) <= limits.MOST_FROM_RIGHT else ("left",)
    orders = list(product(ends, ends)) if part == "all" else [(end, end) for end in ends]
    if expanded:
        return written_out(_graph(robot, name, ways, part, ("left", "left"), True, Unmarked()))
    candidates = [_graph(robot, name, ways, part, order, sums, Scope()) for order in orders for sums in (True, False)]
    return optimised(*candidates)


def _graph(
    robot: Robot,
    name: str,
    ways: Mapping[str, Way],
    part: Part,
    order: tuple[str, str],
    add_angles: bool,
    scope: Scope,
) -> Graph:
    products = Poses(scope, add_angles)
    last = {tag: int(tag) if tag.isdigit() else None for tag in ways}
    outputs = tuple(_outputs(tag, part, *pose(way, part, products, order, last[tag])) for tag, way in ways.items())
    return graph_of(robot, name, state_inputs(robot, ("q",)), outputs, scope.names)
