"""``inverse_geometric``: the front door, for arms and for robots with closed loops."""

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
from ..inverse_geometry.choice import of_an_arm, requested, solver_of
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
            "Q": platforms.solutions,
            "valid": platforms.solutions,
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
    method: str = "auto",
    task: str = "auto",
    given: Sequence[str | int] | str = (),
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
    coordinates: OfPlatform = None,
) -> InverseGeometric:
    """The inverse geometric model of ``frame`` (by default the tip), whose pose is given in ``reference``: 0 or
    "world". ``tool`` is a pose in the frame (4 x 4, or a point), which then stands for the frame's.

    ``method`` "paul" uses equations of Paul's types only; "pieper" requires three axes that meet or are parallel, or three
    prismatic joints; "general" solves any six joints numerically; "auto" takes a closed form, else the general method.
    ``task`` is "pose", "position", or "auto": the position alone if that determines the joints. The joints ``given`` have a
    known position at each call; for seven joints with a spherical shoulder and wrist ``given="swivel"`` takes the angle of
    the elbow about their line.

    Of a robot with closed loops the solutions are those of one assembly mode, and their columns are its driven joints. Of a parallel
    robot they are positions of the motors, in every working mode of the legs; ``mode`` or ``near`` say which comes first.
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
    own, end, base = requested(robot, frame, reference, tool, method)
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
