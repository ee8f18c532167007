"""The Jacobian matrix (SYMORO+ 1997, section 4.1, equations 3 to 5, after Renaud).

rJ = diag(rR_i, rR_i) [1 -L^; 0 1] iJ_j (4): the inner matrix iJ_j (5) refers to the point O_j in the axes of frame i, where
its terms are shortest. L^ moves it from O_j to the point of the target, and rR_i rotates it into the requested axes. Both outer factors
have determinant one: the inner matrix alone determines rank, singularities and inverse.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from ...expr import Expr, expr
from ...generated import Model
from ...generated.checks import Check
from ...generated.declaration import Parallel, declare
from ...generated.documentation import platforms
from ...generated.documentation.arrays import XYZ, by_velocity
from ...generated.documentation.case import Case
from ...generated.documentation.units import SPEED, TWIST, six
from ...program import Array, Graph, Program, Scope, optimised
from ...program.choice import estimate
from ...program.documentation import Described
from ...robot import Robot
from ...spatial.vectors import Vector, cross, plus
from .. import limits
from ..common import graph_of, model, open_tree
from ..request import ALIGNED, Axes, AxesName, axes_named, axes_option, frame_name, target
from ..resolve import BOTH, Near, OfPlatform, Structure, resolve
from ..tool import Tool, tool_pose, with_tool
from ..tree.paths import WORLD, FrameName
from ..tree.state import state_inputs
from .columns import WORLD_ORIGIN, Column, Joints, Lever, Point, about_middle, origins

Output = Literal["product", "factors", "inner"]


@dataclass(frozen=True)
class Middle:
    """An intermediate frame: whose axes the inner matrix is written in, and whose origin it is about."""

    axes: FrameName
    origin: Point


@dataclass(frozen=True)
class Wanted:
    """The Jacobian requested: the target frame, its point, and the frame whose axes the result is in."""

    robot: Robot = field(compare=False)  # with the frame of a tool, where its axes are used
    frame: int
    point: Point
    axes: FrameName
    options: Mapping[str, Any] = field(compare=False)  # what was requested, as a model records it
    symbols: frozenset[str] = field(default=frozenset(), compare=False)  # the parameters of the tool


def _about(case: Case) -> str:
    about = f"Jacobian matrix of {case.frame} {case.axes}"
    if case.option("output", "product") == "product":
        return f"{about}: the velocity is V = J qd"
    if case.option("output") == "inner":
        return f"Inner factor of the {about}"
    return f"Factors of the {about}: diag(R, R) [1 -X; 0 1] J, where X is the matrix of the cross product with L"


def _matrix(case: Case) -> Described:
    about = "velocity of the frame V = J qd"
    if case.option("output", "product") != "product":
        axes, origin = (case.frame_named(case.option(name)) for name in ("intermediate", "origin"))
        about = f"inner Jacobian matrix of the body of {case.frame}, at the origin of {origin}, in the axes of {axes}"
    return by_velocity(case, about, six(SPEED, TWIST))


def _rotation(case: Case) -> Described:
    return Described(f"rotation from the axes of {case.frame_named(case.option('intermediate'))} to those requested")


def _lever_in_words(case: Case) -> Described:
    origin, axes = (case.frame_named(case.option(name)) for name in ("origin", "intermediate"))
    return Described(f"from the origin of {origin} to the point of the target, in the axes of {axes}", XYZ)


@declare(
    title="Jacobian matrix",
    family="kinematic",
    rank=10,
    inputs="q",
    outputs="J",
    about=_about,
    arrays={"J": _matrix, "R": _rotation, "L": _lever_in_words},
    parallel=Parallel("Jacobian matrix of a platform on legs", {"J": platforms.jacobian}, motors=True),
    section="SYMORO+ 1997, section 4.1",
    checks=[Check(lambda task: task.jacobian, frame=True)],
)
def jacobian(
    robot: Robot,
    *,
    frame: FrameName | None = None,
    axes: AxesName = ALIGNED,
    tool: Tool | None = None,
    intermediate: FrameName = "auto",
    origin: FrameName = "auto",
    output: Output = "product",
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
    coordinates: OfPlatform = None,
) -> Model:
    """Jacobian matrix: twist of a frame from the joint velocities.

    For a parallel robot the matrix gives the twist of the platform from the actuator velocities.

    Parameters
    ----------
    robot
        Robot.
    frame
        Target frame, by name or number; by default the tip frame. The tip frame is the end of the kinematic chain.
        Robots with several ends require a frame. Not available for parallel robots, where the target is the moving
        platform.
    axes
        Axes of the linear and angular components: "local-world-aligned", "local", "world" or a frame by name or number.
        "local-world-aligned" (or "mixed"): world axes, at the origin of the target frame. "local" (or "body"): axes of
        the target frame, at its origin. "world" (or "spatial"): world axes, at the point of the body that coincides
        with the world origin. A frame: axes of that frame, at the origin of the target frame; 0 is the base frame. If a
        frame has the name of a convention, pass its number. Not available for parallel robots.
    tool
        Pose of a tool in the target frame [m]: a point (3), x y z qx qy qz qw (7) or a matrix (4, 4). Entries are
        numbers, expressions or text such as "LT/2"; lengths are in metres. The tool replaces the target frame. For a
        parallel robot the target frame is the moving platform. Its axes count with ``axes`` "local" only.
    intermediate
        Frame whose axes the inner matrix is written in, by name or number, or "auto". "auto" takes the cheapest frame
        on the way to the target. With the "product", a named frame is an intermediate step, which usually costs more.
        Not available for parallel robots.
    origin
        Frame whose origin is the reference point of the inner matrix, by name or number, or "auto". "auto" takes the
        cheapest frame on the way to the target. Not available for parallel robots.
    output
        Form of the result: "product" (Jacobian matrix), "factors" (Renaud's factors) or "inner" (inner matrix alone).
        Not available for parallel robots.
    mode
        Closed loops and parallel robots: name of the assembly mode or of the working mode of the legs. None selects the
        mode of the joint positions in the description, otherwise the first mode. Parallel robots: one name for all legs
        ("elbow-"), or names by leg ("leg1 elbow-, leg2 elbow+"). Legs that are not named keep the mode of the
        description.
    near
        Closed loops and parallel robots: joint positions by name [rad, m] that select the nearest mode, in place of its
        name. Closed loops need at least one passive joint among them. Actuated joints that are not named keep the
        position of the description, or zero (the reference position if loops are closed by iteration). Parallel robots:
        positions of leg joints; the others keep the position of the description, or zero.
    structure
        Closed loops: "closed" keeps the loops closed, "tree" opens them at the cut joints. "tree" makes every joint of
        the spanning tree a coordinate, and excludes ``mode`` and ``near``. Parallel robots support "closed" only.
    coordinates
        Parallel robots only: coordinates of the model, "platform" (its pose) or "motors" (actuator positions). None is
        "platform": the model takes the pose of the platform. With "motors" the pose follows from the actuator
        positions, by iteration from the input ``start``.

    Returns
    -------
    Model
        Input ``q``, or ``pose`` of a parallel robot. Outputs:

        - ``J`` (6, nv): linear velocity, then angular velocity; ``twist = J qd``.
        - ``R`` (3, 3), ``L`` (3) and the inner matrix ``J`` with "factors".
        - the inner matrix ``J`` alone with "inner".

        With a floating base its six components come first: linear, then angular, in its own axes. For a parallel robot
        ``J`` (6, actuators) is in the axes of frame 0. Closed-loop and parallel robots: status ``assembled`` is 1 where
        the state is possible, else 0 and the values are NaN. Loops closed by iteration add the input ``start`` and the
        status ``passive`` and ``residual``.

    Notes
    -----
    SYMORO+ 1997, section 4.1, equations 3 to 5, after Renaud: ``rJ = diag(R, R) [1 -L^; 0 1] J``. The inner matrix
    alone determines rank, singularities and inverse. By default the product is written directly in the requested axes,
    which costs less than multiplying the factors.
    """
    resolved = resolve(robot, mode, near, structure, coordinates, tool, BOTH)
    if resolved.parallel:
        from . import of_platform

        resolved.only_of_trees(
            "jacobian",
            frame=(frame, None),
            axes=(axes, ALIGNED),
            intermediate=(intermediate, "auto"),
            origin=(origin, "auto"),
            output=(output, "product"),
        )
        return of_platform.jacobian(resolved)
    robot = resolved.tree
    wanted = asked(robot, frame, axes, tool)
    arm = wanted.robot
    at_once = output == "product" and intermediate == origin == "auto"
    middle = Middle(wanted.axes, wanted.point) if at_once else cheapest_middle(arm, wanted.frame, intermediate, origin)
    program = _product(arm, wanted, middle) if output == "product" else _inner(arm, wanted, middle, output)
    options = {
        **wanted.options,
        **({} if at_once else {"intermediate": middle.axes, "origin": middle.origin.frame}),
        "output": output,
    }
    return resolved.finished(model(robot, "jacobian", program, options, more=wanted.symbols))


def asked(robot: Robot, frame: FrameName | None, axes: AxesName, tool: Tool | None = None) -> Wanted:
    """The target, its point and the axes, from what the user gives."""
    n = target(open_tree(robot), frame)
    named: Axes = axes_named(robot, axes)
    options: dict[str, Any] = {"frame": frame_name(robot, n), "axes": axes_option(robot, named)}
    point, symbols = Point(n), frozenset[str]()
    if tool is not None:
        pose = tool_pose(robot, tool)
        options["tool"], symbols = pose.option, pose.symbols
        point = Point(n, pose.position)
        if pose.rotation is not None and named == "local":
            robot, n = with_tool(robot, n, pose)
            point = Point(n)
    if named == "world":
        return Wanted(robot, n, WORLD_ORIGIN, WORLD, options, symbols)
    return Wanted(robot, n, point, n if named == "local" else WORLD if named == ALIGNED else named, options, symbols)


# --- the intermediate frame -----------------------------------------------------------------------------------------


def middles(robot: Robot, n: int, intermediate: FrameName = "auto", origin: FrameName = "auto") -> list[Middle]:
    """The intermediate frames worth trying for frame n: those on the way to it, or those named."""
    axes = (
        about_middle([0, *robot.path(n)], limits.MOST_MIDDLES)
        if intermediate == "auto"
        else [_known(robot, intermediate, "intermediate")]
    )
    points = (
        about_middle(origins(robot, n), limits.MOST_MIDDLES) if origin == "auto" else [_known(robot, origin, "origin")]
    )
    return [Middle(i, Point(j)) for i in axes for j in points]


def cheapest_middle(robot: Robot, n: int, intermediate: FrameName, origin: FrameName) -> Middle:
    """The one with the cheapest inner matrix."""
    joints = Joints(robot, n, Scope())
    return min(middles(robot, n, intermediate, origin), key=lambda middle: _cost(joints, middle))


def _cost(joints: Joints, middle: Middle) -> int:
    """The operations of an inner matrix as it stands before any pass."""
    levers: tuple[Lever, ...] = ("across", "carried")
    written = (joints.columns(middle.axes, middle.origin, lever) for lever in levers)
    return min(estimate(entry for row in rows_of(one) for entry in row) for one in written)


def _known(robot: Robot, frame: FrameName, field: str) -> FrameName:
    return frame if frame == WORLD else robot.number(frame, field)


# --- the matrix -----------------------------------------------------------------------------------------------------


def rows_of(columns: Sequence[Column]) -> list[list[Expr]]:
    return [[expr(column.entries[i]) for column in columns] for i in range(6)]


def _inner(robot: Robot, wanted: Wanted, middle: Middle, output: Output) -> Program:
    """The inner matrix, with the two other factors if they are requested."""

    def outputs(joints: Joints, lever: Lever) -> list[Array]:
        inner = matrix_of(joints.columns(middle.axes, middle.origin, lever))  # (5)
        if output == "inner":
            return [inner]
        R = joints.orientation(wanted.axes, middle.axes)
        L = _lever(joints, middle, wanted.point)
        rows = [R[column][row] for row in range(3) for column in range(3)]
        return [Array("R", (3, 3), tuple(map(expr, rows))), Array("L", (3,), tuple(map(expr, L))), inner]

    return optimised(*jacobian_graphs(robot, wanted.frame, outputs))


def _product(robot: Robot, wanted: Wanted, middle: Middle) -> Program:
    """The whole matrix."""

    def outputs(joints: Joints, lever: Lever) -> list[Array]:
        inner = joints.columns(middle.axes, middle.origin, lever)  # (5)
        return [matrix_of(_multiplied(joints, inner, middle, wanted, lever == "back"))]  # (4)

    return optimised(*jacobian_graphs(robot, wanted.frame, outputs))


def _multiplied(joints: Joints, inner: Sequence[Column], middle: Middle, wanted: Wanted, back: bool) -> list[Column]:
    """The inner columns at the target's point, in the requested axes."""
    if middle.origin != wanted.point:
        L = _lever(joints, middle, wanted.point)
        # (4), the second factor
        inner = [Column(plus(column.linear, cross(column.angular, L)), column.angular) for column in inner]
    if middle.axes == wanted.axes:
        return list(inner)
    path = joints.path(wanted.axes, middle.axes)

    def turned(vector: Vector, stem: str, k: int) -> Vector:
        return joints.turned(vector, path, stem, back, k)

    # (4), the first factor
    return [Column(turned(c.linear, "VM", k), turned(c.angular, "AM", k)) for k, c in enumerate(inner, 1)]


def _lever(joints: Joints, middle: Middle, point: Point) -> Vector:
    """From the origin of the inner matrix to the target's point, in the axes of the intermediate frame."""
    start, end = (joints.position(one, middle.axes) for one in (middle.origin, point))
    return plus(end, (-start[0], -start[1], -start[2]))


def matrix_of(columns: Sequence[Column]) -> Array:
    rows = rows_of(columns)
    return Array("J", (6, len(columns)), tuple(entry for row in rows for entry in row))


def jacobian_graphs(robot: Robot, n: int, outputs: Callable[[Joints, Lever], list[Array]]) -> list[Graph]:
    """The ways of writing a matrix: every kind of lever worth trying, with and without sums of angles."""
    found = []
    for add_angles in (True, False):
        joints = Joints(robot, n, Scope(), add_angles)
        for lever in joints.levers():
            written = tuple(outputs(joints, lever))
            found.append(graph_of(robot, "jacobian", state_inputs(robot, ("q",)), written, joints.scope.names))
    return found
