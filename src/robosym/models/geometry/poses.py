"""Forward kinematics: the direct geometric model (SYMORO+ 1997, sections 3.1 and 3.2).

``transform`` gives the matrix between any two frames, ``geometric`` the poses of several frames at once. Both use
intermediate variables, multiplied in the order that costs least for the robot.
"""

from __future__ import annotations

from typing import Any

from ...generated import Model
from ...generated.checks import Check
from ...generated.declaration import declare
from ...generated.documentation.arrays import POSE, XYZ
from ...generated.documentation.case import Case
from ...program.documentation import Described
from ...robot import Robot, RobotError
from ...robot.problems import Problem
from ..common import model, open_tree
from ..request import Frames, frame_name, one_frame, reference_named, target, targets
from ..resolve import Near, OfPlatform, Structure, resolve
from ..tool import Mounted, Tool, tool_pose, with_tool
from ..tree.paths import WORLD, FrameName, Ways
from ..tree.poses import Part, pose_program


def _posed(case: Case) -> str:
    """The frame of an output, which several have in their names."""
    stem, number = case.array[:1], case.array[1:]
    frame = case.frame if not number else case.frame_named(int(number))
    return {"T": f"pose of {frame}", "R": f"orientation of {frame}", "P": f"position of the origin of {frame}"}[stem]


def _pose(case: Case) -> Described:
    about = f"{_posed(case)} in {case.reference}"
    if case.array.startswith("T"):
        return Described(f"{about}, as a {POSE}")
    if case.array.startswith("R"):
        return Described(f"{about}: columns are its axes x, y, z")
    return Described(about, XYZ)


def _poses(case: Case) -> str:
    part = {"orientation": "Orientation", "position": "Position"}.get(case.option("part", "all"), "Pose")
    if case.option("frames"):
        return f"{part} of {len(case.option('frames'))} frames in {case.reference}"
    return f"{part} of {case.frame} in {case.reference}"


POSES = dict.fromkeys("TRP", _pose)
IN_THE_WORLD = Check(lambda task: task.pose, frame=True, options={"reference": "world"})


@declare(
    title="Transformation between two frames",
    family="geometric",
    rank=20,
    inputs="q",
    outputs="T",
    about=_poses,
    arrays=POSES,
    section="SYMORO+ 1997, sections 3.1 and 3.2",
    checks=[IN_THE_WORLD],
)
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
    """Homogeneous transformation matrix between two frames.

    Parameters
    ----------
    robot
        Robot.
    frame
        Target frame, by name or number; by default the tip frame. The tip frame is the end of the kinematic chain.
        Robots with several ends require a frame. "world" is possible too, without a tool.
    reference
        Frame in which the pose is expressed, by name or number, or "world"; 0 is the base frame.
    tool
        Pose of a tool in the target frame [m]: a point (3), x y z qx qy qz qw (7) or a matrix (4, 4). Entries are
        numbers, expressions or text such as "LT/2"; lengths are in metres. The tool replaces the target frame.
    part
        Part of the pose: "all" (homogeneous matrix), "orientation" (rotation matrix) or "position" (vector).
    expanded
        Every element written out in full, without intermediate variables: to read, not to run.
    mode
        Closed loops and parallel robots: name of the assembly mode or of the working mode of the legs. None selects the
        mode of the joint positions in the description, otherwise the first mode. This model treats a parallel robot as
        closed loops, whose assembly modes have names of their own.
    near
        Closed loops and parallel robots: joint positions by name [rad, m] that select the nearest mode, in place of its
        name. Closed loops need at least one passive joint among them. Actuated joints that are not named keep the
        position of the description, or zero (the reference position if loops are closed by iteration).
    structure
        Closed loops: "closed" keeps the loops closed, "tree" opens them at the cut joints. "tree" makes every joint of
        the spanning tree a coordinate, and excludes ``mode`` and ``near``.
    coordinates
        Parallel robots only: coordinates of the model, "platform" (its pose) or "motors" (actuator positions). None is
        "motors", the only choice for this model.

    Returns
    -------
    Model
        Input ``q``. The output is the pose of the target frame in the reference frame, [m]:

        - ``T`` (4, 4) for the whole pose;
        - ``R`` (3, 3) for the orientation;
        - ``P`` (3) for the position.

        Closed-loop and parallel robots: status ``assembled`` is 1 where the state is possible, else 0 and the values
        are NaN. Loops closed by iteration add the input ``start`` and the status ``passive`` and ``residual``.

    Notes
    -----
    SYMORO+ 1997, sections 3.1 and 3.2. The factors are multiplied in the order that costs least for the robot.
    """
    resolved = resolve(robot, mode, near, structure, coordinates)
    robot = resolved.tree
    last = WORLD if frame == WORLD else target(open_tree(robot), frame)
    first = reference_named(open_tree(robot), reference)
    options: dict[str, Any] = {"frame": frame_name(robot, last), "reference": frame_name(robot, first)}
    own, end, pose = _with_tool(robot, last, tool)
    ways = {"": Ways(own)(first, end)}
    program = pose_program(robot, "transform", ways, part, expanded)
    options |= _recorded(pose) | {"part": part, "expanded": expanded}
    return resolved.finished(model(robot, "transform", program, options, more=pose.symbols if pose is not None else ()))


@declare(
    title="Direct geometric model",
    family="geometric",
    rank=10,
    inputs="q",
    outputs="T",
    about=_poses,
    arrays=POSES,
    section="SYMORO+ 1997, sections 3.1 and 3.2",
    checks=[IN_THE_WORLD],
)
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
    """Forward kinematics (direct geometric model): pose of one or several frames.

    Parameters
    ----------
    robot
        Robot.
    frame
        Target frame, by name or number; by default the tip frame. The tip frame is the end of the kinematic chain.
        Robots with several ends require a frame.
    frames
        Several target frames in place of one: a list of names or numbers, or "all".
    reference
        Frame in which the pose is expressed, by name or number, or "world"; 0 is the base frame.
    tool
        Pose of a tool in the target frame [m]: a point (3), x y z qx qy qz qw (7) or a matrix (4, 4). Entries are
        numbers, expressions or text such as "LT/2"; lengths are in metres. The tool replaces the target frame. A tool
        requires a single target frame.
    part
        Part of the pose: "all" (homogeneous matrix), "orientation" (rotation matrix) or "position" (vector).
    mode
        Closed loops and parallel robots: name of the assembly mode or of the working mode of the legs. None selects the
        mode of the joint positions in the description, otherwise the first mode. This model treats a parallel robot as
        closed loops, whose assembly modes have names of their own.
    near
        Closed loops and parallel robots: joint positions by name [rad, m] that select the nearest mode, in place of its
        name. Closed loops need at least one passive joint among them. Actuated joints that are not named keep the
        position of the description, or zero (the reference position if loops are closed by iteration).
    structure
        Closed loops: "closed" keeps the loops closed, "tree" opens them at the cut joints. "tree" makes every joint of
        the spanning tree a coordinate, and excludes ``mode`` and ``near``.
    coordinates
        Parallel robots only: coordinates of the model, "platform" (its pose) or "motors" (actuator positions). None is
        "motors", the only choice for this model.

    Returns
    -------
    Model
        Input ``q``. One frame gives ``T`` (4, 4), ``R`` (3, 3) or ``P`` (3) [m], as ``part`` selects. Several frames
        give one such output each, with the number of the frame after the letter (``T3``). Closed-loop and parallel
        robots: status ``assembled`` is 1 where the state is possible, else 0 and the values are NaN. Loops closed by
        iteration add the input ``start`` and the status ``passive`` and ``residual``.

    Notes
    -----
    SYMORO+ 1997, sections 3.1 and 3.2. Frames share their intermediate variables.
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
    program = pose_program(robot, "geometric", ways, part, expanded=False)
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
