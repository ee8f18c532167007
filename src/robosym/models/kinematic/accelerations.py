"""Accelerations of the frames, and dJ/dt qd (SYMORO+ 1997, equations 8 to 10 and section 4.4)."""

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
from ..request import ALIGNED, AxesName, Frames, truths
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
    """The acceleration VD (linear, angular) of ``frame`` (by default the tip), or one row for each of several ``frames``
    (a list, or "all"), for given q, qd and qdd; with ``jdot_qdot`` of the same options it is J qdd + JDQD.

    ``axes`` and ``tool`` are those of ``jacobian``. ``kind`` "classical" is the acceleration of the frame's origin as an
    observer sees it (Pinocchio's getFrameClassicalAcceleration), "spatial" the rate of the twist (getFrameAcceleration);
    the angular part is the same. With ``axes`` "world" both are of the point of the body that is passing the world's
    origin: the classical one is that point's own acceleration, the spatial one the rate of the velocity met at that place.

    Kinematics only: gravity does not enter. The qdd of a free base are the rates of its qd.
    """
    resolved = resolve(robot, mode, near, structure, coordinates, tool, PLATFORM)
    resolved.only_of_trees(
        "accelerations", frame=(frame, None), frames=(frames, None), axes=(axes, ALIGNED), kind=(kind, "classical")
    )
    resolved.only_of_platforms(passive=passive)
    if resolved.parallel:
        from . import of_platform

        truths(resolved.robot, passive=passive or False)
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
    """JDQD, what is left of the acceleration of a frame when qdd = 0: the acceleration is J qdd + JDQD.

    The classical one in the axes "local-world-aligned" and the spatial ones in "local" and "world" are dJ/dt qd of the
    Jacobian matrix in those axes (Pinocchio's getFrameJacobianTimeVariation times qd). The acceleration of a base whose
    motion is given counts here. ``frame``, ``axes`` and ``tool`` are those of ``jacobian``.
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
