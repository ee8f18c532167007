"""Accelerations of the frames, and dJ/dt qd (SYMORO+ 1997, equations 8 to 10 and section 4.4)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Literal

from ...generated import Model
from ...program import Graph, Program, Scope
from ...robot import Robot
from ...spatial.scalar import is_zero
from ..common import model, open_tree
from ..tree.bodies import Body
from ..tree.moving import Kind
from ..tree.state import state_inputs
from .frames import Convention, ConventionName, FrameName, convention_named, target
from .links import Links, asked_frames, kind_named, links
from .recursions import SUMS, Way, cheapest, outward_accelerations, outward_twists, world_ways
from .velocities import rows


def accelerations(
    robot: Robot,
    frames: Sequence[FrameName] | Literal["all", "terminal"] = "all",
    convention: ConventionName = "local",
    kind: Kind = "classical",
) -> Model:
    """The acceleration VD (linear, angular) of a frame, or one row for each of several, for given q, qd and qdd.

    ``kind`` "classical" is the acceleration of the frame's origin as an observer sees it (Pinocchio's
    getFrameClassicalAcceleration), "spatial" the rate of the twist (getFrameAcceleration); the angular part is the same.
    With ``convention`` "world" both are of the point of the body that is passing the world's origin: the classical one is
    that point's own acceleration, the spatial one the rate of the velocity met at that place.

    Kinematics only: gravity does not enter. The qdd of a free base are the rates of its qd.
    """
    named, meant = convention_named(open_tree(robot), convention), kind_named(robot, kind)
    asked = asked_frames(robot, frames)
    program = _program(robot, "accelerations", links(robot, asked), named, meant)
    return model(robot, "accelerations", program, {"frames": list(asked), "convention": named, "kind": meant})


def jdot_qdot(
    robot: Robot,
    frame: FrameName | None = None,
    convention: ConventionName = "local-world-aligned",
    kind: Kind = "classical",
) -> Model:
    """JDQD, what is left of the acceleration of a frame when qdd = 0: the acceleration is J qdd + JDQD.

    The classical one in the convention "local-world-aligned" and the spatial ones in "local" and "world" are dJ/dt qd of
    the Jacobian matrix in that convention (Pinocchio's getFrameJacobianTimeVariation times qd). The acceleration of a
    base whose motion is given counts here. ``frame`` is the only terminal one unless told.
    """
    named, meant = convention_named(open_tree(robot), convention), kind_named(robot, kind)
    n = target(robot, frame)
    program = _program(robot, "jdot-qdot", links(robot, [n], constant_speed=True), named, meant)
    return model(robot, "jdot-qdot", program, {"frame": n, "convention": named, "kind": meant})


def _program(robot: Robot, name: str, chosen: Links, convention: Convention, kind: Kind) -> Program:
    """The cheapest of the recursions."""
    inputs, output = (("q", "qd"), "JDQD") if name == "jdot-qdot" else (("q", "qd", "qdd"), "VD")
    graphs = []
    for way in ways(chosen, convention, kind):
        scope = Scope()
        found = way(scope)
        array = rows(output, [found[j].acceleration for j in chosen.asked])
        graphs.append(Graph(f"{robot.name} {name}", state_inputs(robot, inputs), (array,), scope.names))
    return cheapest(graphs)


def ways(chosen: Links, convention: Convention, kind: Kind) -> list[Way]:
    """The recursions that may cost least, with and without sums of angles."""
    if convention != "local":
        return world_ways(chosen, convention, kind)
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
