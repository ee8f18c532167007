"""The direct geometric model (SYMORO+ 1997, sections 3.1 and 3.2).

``transform`` gives the matrix between any two frames, ``geometric`` the poses of several frames at once; both with
intermediate variables, multiplied in whichever order costs least for this robot.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Literal

from ..expr import Expr, expr
from ..generated import Model
from ..program import Array, Graph, Program, Scope, Unmarked, optimised, written_out
from ..robot import Robot, RobotError
from ..robot.problems import Problem
from ..spatial.scalar import Scalar
from ..spatial.screws import from_right
from ..spatial.vectors import AXES, ZERO, Vector
from . import limits
from .common import model, open_tree
from .tree.paths import WORLD, Poses, Way, Ways, motions
from .tree.state import state_inputs

Part = Literal["all", "orientation", "position"]


def transform(
    robot: Robot,
    start: int | str = 0,
    end: int | str | None = None,
    part: Part = "all",
    expanded: bool = False,
) -> Model:
    """The homogeneous matrix T of frame ``end`` in frame ``start`` (numbers, names, or "world").

    ``part`` "orientation" gives the matrix R alone, "position" the vector P. ``end`` is the last frame unless told.
    ``expanded`` writes each element out instead of using intermediate variables: to read, not to run.
    """
    open_tree(robot)
    last = len(robot.frames) if end is None else end
    ways = {"": Ways(robot)(start, last)}
    options = {"start": start, "end": last, "part": part, "expanded": expanded}
    return model(robot, "transform", _cheapest(robot, "transform", ways, part, expanded), options)


def geometric(
    robot: Robot,
    frames: Sequence[int | str] | Literal["terminal", "all"] = "terminal",
    start: int | str = 0,
    part: Part = "all",
) -> Model:
    """The fast geometric model: poses of the terminal frames (or of those named, or of all) in frame ``start``.

    One frame gives the output T (or R, P); several give T followed by the frame's number.
    """
    chosen = chosen_frames(open_tree(robot), frames)
    numbers = [str(robot.number(frame)) if frame != WORLD else WORLD for frame in chosen]
    tags = numbers if len(chosen) > 1 else [""]
    between = Ways(robot)
    ways = {tag: between(start, frame) for tag, frame in zip(tags, chosen, strict=True)}
    options = {"frames": list(chosen), "start": start, "part": part}
    return model(robot, "geometric", _cheapest(robot, "geometric", ways, part, expanded=False), options)


def chosen_frames(robot: Robot, frames: Sequence[int | str] | str) -> list[int | str]:
    """Which frames a model is asked for: a list, the terminal ones (nobody's antecedent), or all."""
    if frames == "all":
        return list(range(1, len(robot.frames) + 1))
    if frames == "terminal":
        inner = {frame.antecedent for frame in robot.frames}
        return [j for j in range(1, len(robot.frames) + 1) if j not in inner] or [0]
    listed: list[int | str] = [frames] if isinstance(frames, str) or not isinstance(frames, Iterable) else list(frames)
    if not listed or any(frame is None for frame in listed):
        expected = "expected at least one frame by number or name, 'all' or 'terminal'"
        raise RobotError([Problem("frames", f"got {frames!r}, {expected}")], robot.name)
    return listed


# --- the product -----------------------------------------------------------------------------------------------------


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


def _cheapest(robot: Robot, name: str, ways: dict[str, Way], part: Part, expanded: bool) -> Program:
    """Orientation and position multiplied from either end, with and without sums of angles: the cheapest stays."""
    if part not in ("all", "orientation", "position"):
        raise RobotError([Problem("part", f"got {part!r}, expected 'all', 'orientation' or 'position'")], robot.name)
    ends = ("left", "right") if len(ways) <= limits.MOST_FROM_RIGHT else ("left",)
    orders = list(product(ends, ends)) if part == "all" else [(end, end) for end in ends]
    if expanded:
        return written_out(_graph(robot, name, ways, part, ("left", "left"), True, Unmarked()))
    candidates = [_graph(robot, name, ways, part, order, sums, Scope()) for order in orders for sums in (True, False)]
    return optimised(*candidates)


def _graph(
    robot: Robot,
    name: str,
    ways: dict[str, Way],
    part: Part,
    order: tuple[str, str],
    add_angles: bool,
    scope: Scope,
) -> Graph:
    poses = Poses(scope, add_angles)
    last = {tag: int(tag) if tag.isdigit() else None for tag in ways}
    outputs = tuple(_outputs(tag, part, *pose(way, part, poses, order, last[tag])) for tag, way in ways.items())
    return Graph(f"{robot.name} {name}", state_inputs(robot, ("q",)), outputs, scope.names)


__all__ = ["WORLD", "chosen_frames", "geometric", "motions", "pose", "transform"]
