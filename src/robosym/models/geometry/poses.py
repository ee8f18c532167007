"""The direct geometric model (SYMORO+ 1997, sections 3.1 and 3.2).

``transform`` gives the matrix between any two frames, ``geometric`` the poses of several frames at once; both with
intermediate variables, multiplied in whichever order costs least for this robot.
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
from ..request import Frames, frame_name, one_frame, reference_named, target, targets, truth
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
    program = pose_program(robot, "transform", ways, part, truth(robot, "expanded", expanded))
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
