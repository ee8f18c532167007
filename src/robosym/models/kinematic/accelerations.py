"""Accelerations of frames, and dJ/dt qd (SYMORO+ 1997, equations 8 to 10 and section 4.4)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ...generated import Model
from ...generated.checks import MOVING, STATE, Check
from ...generated.declaration import Parallel, declare
from ...generated.documentation.arrays import twists
from ...generated.documentation.case import Case
from ...generated.documentation.units import ACCELERATION
from ...program.documentation import Described
from ...robot import Robot
from ...spatial.scalar import is_zero
from ..common import model
from ..request import ALIGNED, AxesName, Frames
from ..resolve import PLATFORM, Near, OfPlatform, Structure, resolve
from ..tool import Tool
from ..tree.bodies import Body
from ..tree.moving import Kind
from ..tree.paths import FrameName
from .links import Links, kind_named, links
from .recursions import SUMS, Way, outward_accelerations, outward_twists
from .velocities import asked_motion, cheapest_of


def _described(case: Case) -> Described:
    kind = "classical acceleration (of the point itself)"
    if case.option("kind") == "spatial":
        kind = "spatial acceleration (the rate of the twist)"
    return twists(case, ACCELERATION, f"{kind}: linear, then angular")


@declare(
    title="Accelerations of frames",
    family="kinematic",
    rank=70,
    inputs="q, qd, qdd",
    outputs="VD",
    about=lambda case: f"Acceleration of {case.frame} {case.axes}",
    arrays={"VD": _described},
    parallel=Parallel("Accelerations of the motors for the motion of the platform", options=("passive",)),
    parallel_only=("passive",),
    section="SYMORO+ 1997, section 4.3",
    checks=[Check(lambda task: task.acceleration, MOVING, frame=True)],
)
def accelerations(
    robot: Robot,
    *,
    frame: FrameName | None = None,
    frames: Frames | None = None,
    axes: AxesName = ALIGNED,
    tool: Tool | None = None,
    kind: Kind = "classical",
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
    coordinates: OfPlatform = None,
    passive: bool | None = None,
) -> Model:
    """Accelerations of one or several frames from the joint motion.

    The model is kinematic: gravity does not enter. For a parallel robot it gives the actuator accelerations from the
    motion of the platform.

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
    kind
        Linear acceleration: "classical" (of the frame origin) or "spatial" (rate of the twist). "classical" is what an
        observer sees; "spatial" is the rate of the six components of the twist. The angular part is the same. With
        ``axes`` "world" both refer to the point of the body that passes the world origin. "classical" is then the
        acceleration of that point, "spatial" the rate of the velocity at that place. Not available for parallel robots.
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
        accelerations.

    Returns
    -------
    Model
        Inputs ``q``, ``qd`` and ``qdd``; ``qdd`` of a floating base is the rate of its ``qd``. Output ``VD`` (6), or a
        row for each of several frames: linear acceleration [m/s^2], then angular acceleration [rad/s^2]. For a parallel
        robot the inputs are ``pose``, ``twist`` and ``twist_rate``, and the output is ``qdd`` of the actuators.
        Closed-loop and parallel robots: status ``assembled`` is 1 where the state is possible, else 0 and the values
        are NaN. Loops closed by iteration add the input ``start`` and the status ``passive`` and ``residual``.

    Notes
    -----
    SYMORO+ 1997, equations 8 to 10. ``VD = J qdd + JDQD`` with ``jdot_qdot`` of the same options. "classical" is
    Pinocchio's getFrameClassicalAcceleration, "spatial" its getFrameAcceleration.
    """
    resolved = resolve(robot, mode, near, structure, coordinates, tool, PLATFORM)
    resolved.only_of_trees(
        "accelerations", frame=(frame, None), frames=(frames, None), axes=(axes, ALIGNED), kind=(kind, "classical")
    )
    resolved.only_of_platforms(passive=passive)
    if resolved.parallel:
        from . import of_platform

        return of_platform.joint_accelerations(resolved, passive or False)
    robot = resolved.tree
    moved, meant = asked_motion(robot, frame, frames, axes, tool), kind_named(robot, kind)
    chosen = links(moved.robot, moved.frames)
    program = cheapest_of(moved, "accelerations", chosen, meant, local_ways(chosen, meant))
    return resolved.finished(
        model(robot, "accelerations", program, moved.options | {"kind": meant}, more=moved.symbols)
    )


@declare(
    title="Acceleration at constant speeds",
    family="kinematic",
    rank=80,
    inputs="q, qd",
    outputs="JDQD",
    about=lambda case: f"What the acceleration of {case.frame} {case.axes} is without qdd: VD = J qdd + JDQD",
    arrays={"JDQD": _described},
    section="SYMORO+ 1997, section 4.4",
    checks=[Check(lambda task: task.drift, STATE, frame=True)],
)
def jdot_qdot(
    robot: Robot,
    *,
    frame: FrameName | None = None,
    axes: AxesName = ALIGNED,
    tool: Tool | None = None,
    kind: Kind = "classical",
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
    coordinates: OfPlatform = None,
) -> Model:
    """Acceleration of a frame without joint accelerations: dJ/dt qd.

    A prescribed acceleration of the base is included.

    Parameters
    ----------
    robot
        Robot.
    frame
        Target frame, by name or number; by default the tip frame. The tip frame is the end of the kinematic chain.
        Robots with several ends require a frame.
    axes
        Axes of the linear and angular components: "local-world-aligned", "local", "world" or a frame by name or number.
        "local-world-aligned" (or "mixed"): world axes, at the origin of the target frame. "local" (or "body"): axes of
        the target frame, at its origin. "world" (or "spatial"): world axes, at the point of the body that coincides
        with the world origin. A frame: axes of that frame, at the origin of the target frame; 0 is the base frame. If a
        frame has the name of a convention, pass its number.
    tool
        Pose of a tool in the target frame [m]: a point (3), x y z qx qy qz qw (7) or a matrix (4, 4). Entries are
        numbers, expressions or text such as "LT/2"; lengths are in metres. The tool replaces the target frame. Its axes
        count with ``axes`` "local" only.
    kind
        Linear acceleration: "classical" (of the frame origin) or "spatial" (rate of the twist). "classical" is what an
        observer sees; "spatial" is the rate of the six components of the twist. The angular part is the same. With
        ``axes`` "world" both refer to the point of the body that passes the world origin. "classical" is then the
        acceleration of that point, "spatial" the rate of the velocity at that place.
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
        Inputs ``q`` and ``qd``. Output ``JDQD`` (6): linear [m/s^2], then angular [rad/s^2]. Closed-loop and parallel
        robots: status ``assembled`` is 1 where the state is possible, else 0 and the values are NaN. Loops closed by
        iteration add the input ``start`` and the status ``passive`` and ``residual``.

    Notes
    -----
    SYMORO+ 1997, section 4.4. The acceleration of the frame is ``J qdd + JDQD``. The result is ``dJ/dt qd`` in these
    cases: "classical" with "local-world-aligned" axes, and "spatial" with "local" or "world" axes. It is then
    Pinocchio's getFrameJacobianTimeVariation times ``qd``.
    """
    resolved = resolve(robot, mode, near, structure, coordinates)
    robot = resolved.tree
    moved, meant = asked_motion(robot, frame, None, axes, tool), kind_named(robot, kind)
    chosen = links(moved.robot, moved.frames, constant_speed=True)
    program = cheapest_of(moved, "jdot-qdot", chosen, meant, local_ways(chosen, meant))
    return resolved.finished(model(robot, "jdot-qdot", program, moved.options | {"kind": meant}, more=moved.symbols))


def local_ways(chosen: Links, kind: Kind) -> list[Way]:
    """Those that end in the axes of each frame."""
    if kind == "spatial":
        return [partial(outward_twists, chosen, add_angles=sums, linear_too=too) for sums, too in SUMS]
    bodies = chosen.tree.bodies
    return [
        partial(outward_accelerations, chosen, add_angles=add_angles, from_wd=from_wd)
        for from_wd in ({body.j for body in bodies}, _tips(bodies), ())
        for add_angles in (True, False)
    ]


def _tips(bodies: Sequence[Body]) -> set[int]:
    """The links that carry no other one away from their origins, directly or not: there no U is needed."""
    far: set[int] = set()
    for body in reversed(bodies):
        if body.j in far or not all(is_zero(x) for x in (*body.arm, body.slide)):
            far.add(body.parent)
    return {body.j for body in bodies} - far
