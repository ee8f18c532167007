"""The direct geometric model (SYMORO+ 1997, sections 3.1 and 3.2).

``transform`` gives the matrix between any two frames, ``geometric`` the poses of several frames at once; both with
intermediate variables, multiplied in whichever order costs least for this robot.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any, Literal

from ..arguments import strictly
from ..expr import Expr, expr
from ..generated import Model
from ..program import Array, Graph, Program, Scope, Unmarked, optimised, written_out
from ..robot import Robot, RobotError
from ..robot.problems import Problem
from ..spatial.scalar import Scalar
from ..spatial.screws import from_right
from ..spatial.vectors import AXES, ZERO, Vector
from . import limits
from .common import graph_of, model, open_tree
from .request import Frames, frame_name, one_frame, reference_named, target, targets, truth
from .resolve import Near, OfPlatform, Structure, resolve
from .tool import Mounted, Tool, tool_pose, with_tool
from .tree.paths import WORLD, FrameName, Poses, Way, Ways, motions
from .tree.state import state_inputs

Part = Literal["all", "orientation", "position"]


@strictly
def transform(
    robot: Robot,
    *,
    frame: FrameName | None = None,
    reference: FrameName = 0,
    tool: Tool | None = None,
    part: Part = "all",
    expanded: bool = False,
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
    coordinates: OfPlatform = None,
) -> Model:
    """The homogeneous matrix T of ``frame`` (by default the tip) in the frame ``reference`` (numbers, names, or "world").

    ``tool`` is a pose in the frame (4 x 4, or a point), whose matrix is then given. ``part`` "orientation" gives the
    matrix R alone, "position" the vector P. ``expanded`` writes each element out instead of using intermediate variables:
    to read, not to run.
    """
    resolved = resolve(robot, mode, near, structure, coordinates)
    robot = resolved.tree
    last = WORLD if frame == WORLD else target(open_tree(robot), frame)
    first = reference_named(open_tree(robot), reference)
    options: dict[str, Any] = {"frame": frame_name(robot, last), "reference": frame_name(robot, first)}
    own, end, pose = _with_tool(robot, last, tool)
    ways = {"": Ways(own)(first, end)}
    program = _cheapest(robot, "transform", ways, part, truth(robot, "expanded", expanded))
    options |= _recorded(pose) | {"part": part, "expanded": expanded}
    return resolved.finished(model(robot, "transform", program, options, more=pose.symbols if pose is not None else ()))


@strictly
def geometric(
    robot: Robot,
    *,
    frame: FrameName | None = None,
    frames: Frames | None = None,
    reference: FrameName = 0,
    tool: Tool | None = None,
    part: Part = "all",
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
    coordinates: OfPlatform = None,
) -> Model:
    """The fast geometric model: the pose of ``frame`` (by default the tip) in the frame ``reference``, or the poses of
    several ``frames`` (a list, or "all").

    One frame gives the output T (or R, P); several give T followed by the frame's number. ``tool`` is a pose in the one
    frame (4 x 4, or a point), which is then given instead.
    """
    resolved = resolve(robot, mode, near, structure, coordinates)
    robot = resolved.tree
    chosen = targets(open_tree(robot), frame, frames)
    first = reference_named(robot, reference)
    options: dict[str, Any] = {"frame": frame_name(robot, chosen[0])}
    if len(chosen) > 1:
        options = {"frames": [frame_name(robot, j) for j in chosen]}
    own, ends, pose = robot, list[FrameName](chosen), None
    if tool is not None:
        own, end, pose = _with_tool(robot, one_frame(robot, chosen), tool)
        ends = [end]
    tags = [str(j) for j in chosen] if len(chosen) > 1 else [""]
    between = Ways(own)
    ways = {tag: between(first, end) for tag, end in zip(tags, ends, strict=True)}
    options |= {"reference": frame_name(robot, first), **_recorded(pose), "part": part}
    program = _cheapest(robot, "geometric", ways, part, expanded=False)
    return resolved.finished(model(robot, "geometric", program, options, more=pose.symbols if pose is not None else ()))


def _recorded(pose: Mounted | None) -> dict[str, Any]:
    """What the options of a model say of a tool."""
    return {} if pose is None else {"tool": pose.option}


def _with_tool(robot: Robot, frame: FrameName, tool: Tool | None) -> tuple[Robot, FrameName, Mounted | None]:
    """The robot with the tool mounted, the frame of its pose, and that pose."""
    if tool is None:
        return robot, frame, None
    if isinstance(frame, str):
        raise RobotError([Problem("tool", "the world carries no tool: expected a frame of the robot")], robot.name)
    pose = tool_pose(robot, tool)
    return (*with_tool(robot, frame, pose), pose)


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
    return graph_of(robot, name, state_inputs(robot, ("q",)), outputs, scope.names)


__all__ = ["WORLD", "geometric", "motions", "pose", "transform"]
