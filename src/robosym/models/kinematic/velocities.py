"""Velocities of frames (SYMORO+ 1997, equation 6)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from ...expr import expr
from ...generated import Model
from ...generated.checks import STATE, Check
from ...generated.declaration import Parallel, declare
from ...generated.documentation.arrays import twists
from ...generated.documentation.units import SPEED
from ...program import Array, Program, Scope
from ...robot import Robot
from ...spatial.scalar import Scalar
from ..common import graph_of, model, open_tree
from ..request import ALIGNED, Axes, AxesName, Frames, axes_named, axes_option, frame_name, one_frame, targets
from ..resolve import PLATFORM, Near, OfPlatform, Structure, resolve
from ..tool import Tool, tool_pose, with_tool
from ..tree.moving import Kind, Moving
from ..tree.paths import FrameName
from ..tree.state import state_inputs
from ..tree.velocities import Speed, speeds
from .links import Links, links
from .recursions import SUMS, Way, cheapest, frame_ways, world_ways


@declare(
    title="Velocities of frames",
    family="kinematic",
    rank=60,
    inputs="q, qd",
    outputs="V",
    about=lambda case: f"Velocity of {case.frame} {case.axes}",
    arrays={"V": lambda case: twists(case, SPEED, "velocity: linear, then angular")},
    parallel=Parallel("Speeds of the motors for the velocity of the platform", options=("passive",)),
    parallel_only=("passive",),
    section="SYMORO+ 1997, section 4.2",
    checks=[Check(lambda task: task.twist, STATE, frame=True)],
)
def velocities(
    robot: Robot,
    *,
    frame: FrameName | None = None,
    frames: Frames | None = None,
    axes: AxesName = ALIGNED,
    tool: Tool | None = None,
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
    coordinates: OfPlatform = None,
    passive: bool | None = None,
) -> Model:
    """Twists of one or several frames from the joint velocities.

    The motion of the base that the description prescribes is included. For a parallel robot the model gives the
    actuator velocities from the twist of the platform.

    Parameters
    ----------
    robot
        Robot.
    frame
        Target frame, by name or number; by default the tip frame. The tip frame is the end of the kinematic chain.
        Robots with several ends require a frame. Not available for parallel robots, where the target is the moving
        platform.
    frames
        Several target frames in place of one: a list of names or numbers, or "all". Not available for parallel robots.
    axes
        Axes of the linear and angular components: "local-world-aligned", "local", "world" or a frame by name or number.
        "local-world-aligned" (or "mixed"): world axes, at the origin of the target frame. "local" (or "body"): axes of
        the target frame, at its origin. "world" (or "spatial"): world axes, at the point of the body that coincides
        with the world origin. A frame: axes of that frame, at the origin of the target frame; 0 is the base frame. If a
        frame has the name of a convention, pass its number. Not available for parallel robots.
    tool
        Pose of a tool in the target frame [m]: a point (3), x y z qx qy qz qw (7) or a matrix (4, 4). Entries are
        numbers, expressions or text such as "LT/2"; lengths are in metres. The tool replaces the target frame. For a
        parallel robot the target frame is the moving platform. Its axes count with ``axes`` "local" only. A tool
        requires a single target frame.
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
        "platform", the only choice for this model.
    passive
        Parallel robots only: motion of the passive leg joints as an additional output. The output ``passive`` has their
        velocities.

    Returns
    -------
    Model
        Inputs ``q`` and ``qd``. Output ``V`` (6), or a row for each of several frames: linear velocity [m/s], then
        angular velocity [rad/s]. For a parallel robot the inputs are ``pose`` and ``twist``, and the output is ``qd``
        of the actuators. Closed-loop and parallel robots: status ``assembled`` is 1 where the state is possible, else 0
        and the values are NaN. Loops closed by iteration add the input ``start`` and the status ``passive`` and
        ``residual``.

    Notes
    -----
    SYMORO+ 1997, equation 6.
    """
    resolved = resolve(robot, mode, near, structure, coordinates, tool, PLATFORM)
    resolved.only_of_trees("velocities", frame=(frame, None), frames=(frames, None), axes=(axes, ALIGNED))
    resolved.only_of_platforms(passive=passive)
    if resolved.parallel:
        from . import of_platform

        return of_platform.joint_velocities(resolved, passive or False)
    robot = resolved.tree
    moved = asked_motion(robot, frame, frames, axes, tool)
    chosen = links(moved.robot, moved.frames, constant_speed=True)
    local: list[Way] = [partial(local_velocities, chosen, add_angles=sums, linear_too=too) for sums, too in SUMS]
    program = cheapest_of(moved, "velocities", chosen, "classical", local)
    return resolved.finished(model(robot, "velocities", program, moved.options, more=moved.symbols))


@dataclass(frozen=True)
class AskedMotion:
    """Of which frames the motion is requested, and in whose axes."""

    robot: Robot  # with the frame of a tool
    frames: tuple[int, ...]
    axes: Axes
    options: dict[str, Any]  # what was requested, as a model records it
    symbols: frozenset[str] = frozenset()  # the parameters of the tool


def asked_motion(
    robot: Robot, frame: FrameName | None, frames: Frames | None, axes: AxesName, tool: Tool | None
) -> AskedMotion:
    """From what the user gives."""
    chosen = targets(open_tree(robot), frame, frames)
    named = axes_named(robot, axes)
    options: dict[str, Any] = {"frame": frame_name(robot, chosen[0])}
    if len(chosen) > 1:
        options = {"frames": [frame_name(robot, j) for j in chosen]}
    options["axes"] = axes_option(robot, named)
    if tool is None:
        return AskedMotion(robot, chosen, named, options)
    pose = tool_pose(robot, tool)
    own, n = with_tool(robot, one_frame(robot, chosen), pose)
    return AskedMotion(own, (n,), named, options | {"tool": pose.option}, pose.symbols)


# Of each model what it reads, its output, and what it has of a motion.
WRITTEN: dict[str, tuple[tuple[str, ...], str, Callable[[Moving], Sequence[Scalar]]]] = {
    "velocities": (("q", "qd"), "V", lambda found: found.velocity),
    "accelerations": (("q", "qd", "qdd"), "VD", lambda found: found.acceleration),
    "jdot-qdot": (("q", "qd"), "JDQD", lambda found: found.acceleration),
}


def cheapest_of(moved: AskedMotion, name: str, chosen: Links, kind: Kind, local: Sequence[Way]) -> Program:
    """The cheapest of the recursions that may be, with and without sums of angles; ``local`` ones end in the axes of each frame."""
    robot, axes, ways = moved.robot, moved.axes, local
    if isinstance(axes, int):
        ways = frame_ways(chosen, robot, axes, kind, local)
    elif axes != "local":
        ways = world_ways(chosen, axes, kind)
    state, output, part = WRITTEN[name]
    graphs = []
    for way in ways:
        scope = Scope()
        found = way(scope)
        array = rows(output, [part(found[j]) for j in chosen.asked])
        graphs.append(graph_of(robot, name, state_inputs(robot, state), (array,), scope.names))
    return cheapest(graphs)


def local_velocities(
    chosen: Links, scope: Scope, add_angles: bool = True, linear_too: bool = True
) -> dict[int, Moving]:
    """Equation (6): every frame in its own axes."""
    found = speeds(chosen.tree, scope, Speed(chosen.base.w, chosen.base.v), add_angles, linear_too)
    return {j: Moving(found[j].linear, found[j].angular) for j in chosen.asked}


def rows(name: str, vectors: Sequence[Sequence[Scalar]]) -> Array:
    """Vectors of six as one output: alone, or one a row."""
    shape = (6,) if len(vectors) == 1 else (len(vectors), 6)
    return Array(name, shape, tuple(expr(value) for vector in vectors for value in vector))
