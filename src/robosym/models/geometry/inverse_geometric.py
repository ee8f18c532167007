"""``inverse_geometric``: inverse kinematics of serial and tree robots, closed loops and parallel robots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from ...generated.declaration import Parallel, declare
from ...generated.documentation import platforms
from ...generated.documentation.arrays import POSE, flag, named_joints, number
from ...generated.documentation.case import Case
from ...generated.documentation.units import POSITION, of_joints
from ...program.documentation import Described, Entry
from ...robot import Robot, RobotError
from ...robot.problems import Problem
from ..inverse_geometry.chain.task import TaskName
from ..inverse_geometry.choice import Method, of_an_arm, requested, solver_of
from ..inverse_geometry.solver.inverse_geometric import InverseGeometric
from ..loops.inverse.motors import following
from ..loops.inverse.route import route_of
from ..loops.inverse.solver import through_loops
from ..request import frame_name, target
from ..resolve import NO_CLOSED_FORM, PLATFORM, Near, OfPlatform, Structure, resolve
from ..tool import Tool, tool_pose
from ..tree.paths import FrameName


def _solved(case: Case, about: str) -> Described:
    """The joints of the solutions."""
    joints = named_joints(case, "joint_names", POSITION)
    return Described(about, joints if len(joints) == case.size else ())


def _given(case: Case) -> tuple[Entry, ...]:
    joints = {one.name: one for one in of_joints(case.robot, POSITION)}
    return tuple(joints.get(str(name), Entry(str(name), "rad")) for name in case.option("given") or ())


def _of_legs(case: Case) -> Described:
    rows = tuple(Entry(f"mode {k}") for k in range(case.shape[0]))
    columns = platforms.motors(case, POSITION, case.shape[1])
    columns = columns if len(columns) == case.shape[1] else ()
    if case.array == "Q":
        return Described("positions of the motors, in working mode k of their leg in row k", rows, columns)
    plain = tuple(Entry(one.name) for one in columns)
    return Described("1 where the leg reaches the platform in this mode, by its forward geometry", rows, plain)


@declare(
    title="Inverse geometric model",
    family="geometric",
    rank=30,
    inputs="T, seed?, seeded?, limits?",
    outputs="solutions, count, status",
    about=lambda case: f"All positions of the joints that bring {case.frame} to a pose in {case.reference}",
    arrays={
        "T": lambda case: Described(f"pose of {case.frame} in {case.reference}, as a {POSE}"),
        "given": lambda case: Described("positions of the joints that are known, or the swivel angle", _given(case)),
        "seed": lambda case: _solved(
            case, "a position, to which solutions are compared; of a self-motion the nearest is given"
        ),
        "seeded": flag("1: the solutions nearest to the seed come first; 0: the seed is no more than a reference"),
        "limits": lambda case: Described(
            "least (row 1) and greatest (row 2) positions allowed; beyond 1e9: none",
            (Entry("least"), Entry("greatest")),
            _solved(case, "").rows,
        ),
        "passive_limits": lambda case: Described(
            "least (row 1) and greatest (row 2) positions of passive joints allowed, rad or m; beyond 1e9: none"
        ),
        "solutions": lambda case: Described("a row for each solution, zero after the last", (), _solved(case, "").rows),
        "count": number("number of solutions"),
        "status": flag("1 reachable, 2 singular: a joint may move, 3 outside limits, 0 out of reach, -1 T is no pose"),
    },
    parallel=Parallel(
        "Positions of the motors of a platform on legs, in every working mode of each leg, from its pose",
        {
            "T": lambda case: Described(f"pose of the platform in frame 0, as a {POSE}"),
            "Q": _of_legs,
            "valid": _of_legs,
            "doubtful": flag("1 where the program cannot tell whether a leg reaches the platform, else 0"),
        },
    ),
    section="SYMORO+ 1997, section 3.3",
)
def inverse_geometric(
    robot: Robot,
    *,
    frame: FrameName | None = None,
    reference: FrameName = 0,
    tool: Tool | None = None,
    method: Method = "auto",
    task: TaskName = "auto",
    given: Sequence[str | int] | str = (),
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
    coordinates: OfPlatform = None,
) -> InverseGeometric:
    """Inverse kinematics (inverse geometric model): joint positions from a pose.

    The model returns all solutions of a pose, in closed form where one exists.

    For a robot with closed loops the solutions belong to one assembly mode, and their columns are the actuated joints.
    For a parallel robot they are actuator positions in every working mode of the legs. Loops that are closed by
    iteration raise ``RobotError``.

    Parameters
    ----------
    robot
        Robot.
    frame
        Target frame, by name or number; by default the tip frame. The tip frame is the end of the kinematic chain.
        Robots with several ends require a frame. Not available for parallel robots, where the target is the moving
        platform.
    reference
        Frame in which the pose is given: 0 (the base frame) or "world". With a floating base only 0 is possible. Not
        available for parallel robots, whose reference is frame 0.
    tool
        Pose of a tool in the target frame [m]: a point (3), x y z qx qy qz qw (7) or a matrix (4, 4). Entries are
        numbers, expressions or text such as "LT/2"; lengths are in metres. The tool replaces the target frame. For a
        parallel robot the target frame is the moving platform.
    method
        Solution method: "paul", "pieper", "general" or "auto" (closed form if possible, otherwise general). "paul" uses
        the equation types of Paul only. "pieper" requires three consecutive axes that intersect or are parallel, or
        three prismatic joints. "general" solves robots with six joints numerically. Not available for parallel robots.
    task
        Part of the pose that is solved for: "pose", "position" or "auto". "auto" solves for the position alone if it
        determines all joints (three at most), otherwise for the pose. Not available for parallel robots.
    given
        Joints with a prescribed position at each call, by joint name, frame name or frame number; or "swivel".
        Redundant robots require them; ``inverse_geometric_redundant`` solves without. "swivel" is for seven joints with
        a spherical shoulder and wrist. It prescribes the angle of the elbow about the line from shoulder to wrist.
        Closed loops: actuated joints only. Not available for parallel robots.
    mode
        Closed loops and parallel robots: name of the assembly mode or of the working mode of the legs. None selects the
        mode of the joint positions in the description, otherwise the first mode. Parallel robots: one name for all legs
        ("elbow-"), or names by leg ("leg1 elbow-, leg2 elbow+"). Legs that are not named keep the mode of the
        description. For a parallel robot it determines which solution comes first.
    near
        Closed loops and parallel robots: joint positions by name [rad, m] that select the nearest mode, in place of its
        name. Closed loops need at least one passive joint among them. Actuated joints that are not named keep the
        position of the description, or zero (the reference position if loops are closed by iteration). Parallel robots:
        positions of leg joints; the others keep the position of the description, or zero. For a parallel robot it
        determines which solution comes first.
    structure
        Closed loops: "closed" keeps the loops closed, "tree" opens them at the cut joints. "tree" makes every joint of
        the spanning tree a coordinate, and excludes ``mode`` and ``near``. Parallel robots support "closed" only.
    coordinates
        Parallel robots only: coordinates of the model, "platform" (its pose) or "motors" (actuator positions). None is
        "platform", the only choice for this model.

    Returns
    -------
    InverseGeometric
        Callable model; positions are in [rad, m].

        - ``solver(T)``: all solutions of a pose (4, 4).
        - ``solver.batch(Ts)``: all solutions of many poses.
        - ``solver.nearest(T, q)``: the solution nearest to a configuration.

        For a parallel robot the result is a ``PlatformInverse``.

    Notes
    -----
    SYMORO+ 1997, section 3.3.
    """
    resolved = resolve(robot, mode, near, structure, coordinates, tool, PLATFORM)
    resolved.only_of_trees(
        "inverse-geometric",
        frame=(frame, None),
        reference=(reference, 0),
        method=(method, "auto"),
        task=(task, "auto"),
        given=(tuple(given), ()),
    )
    robot = resolved.tree
    if resolved.parallel:
        from ..parallel.inverse_geometry import platform_inverse

        made_of_legs = platform_inverse(
            resolved.robot, resolved.legs
        )  # a PlatformInverse, which has solutions of its own
        return cast(InverseGeometric, resolved.finished(made_of_legs))
    if not isinstance(robot, Robot) or robot.closure is None:
        return resolved.finished(
            _with_tool(of_an_arm(robot, frame, reference, tool, method, task, given), robot, frame, tool)
        )
    if given in ("swivel", ["swivel"], ("swivel",)):
        raise RobotError(
            [Problem("given", "'swivel' is for arms without closed loops: give a driven joint")], robot.name
        )
    if robot.closure.found:
        raise RobotError(
            [Problem("loops", f"{NO_CLOSED_FORM}: its inverse geometric model is not available")], robot.name
        )
    own, end, base = requested(robot, frame, reference, tool)
    route = route_of(own, end, base, task, [given] if isinstance(given, (str, int)) else given)
    plan = following(route)
    made = through_loops(route, plan, solver_of(route.chain, route.end, base, route.task, method))
    return resolved.finished(_with_tool(made, robot, frame, tool))


def _with_tool(made: InverseGeometric, robot: Robot, frame: FrameName | None, tool: Tool | None) -> InverseGeometric:
    """With the tool among its options, and the frame it is mounted on."""
    if tool is None:
        return made
    said = {"tool": tool_pose(robot, tool).option, "mounted_on": frame_name(robot, target(robot, frame))}
    return replace(made, options={**made.options, **said})
