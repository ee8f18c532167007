"""Velocities of the frames (SYMORO+ 1997, equation 6)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Literal

from ...expr import expr
from ...generated import Model
from ...program import Array, Graph, Scope
from ...robot import Robot
from ...spatial.scalar import Scalar
from ..common import model, open_tree
from ..tree.moving import Moving
from ..tree.state import state_inputs
from ..tree.velocities import Speed, speeds
from .frames import Convention, ConventionName, FrameName, convention_named
from .links import Links, asked_frames, links
from .recursions import SUMS, Way, cheapest, world_ways


def velocities(
    robot: Robot,
    frames: Sequence[FrameName] | Literal["all", "terminal"] = "all",
    convention: ConventionName = "local",
) -> Model:
    """The twist V (linear, angular) of a frame, or one row for each of several, for given q and qd.

    ``convention`` says of which point and in whose axes (see ``frames.py``). The base's motion counts: the one the
    description gives, or the free base's.
    """
    named = convention_named(open_tree(robot), convention)
    asked = asked_frames(robot, frames)
    chosen = links(robot, asked, constant_speed=True)
    graphs = [_graph(robot, chosen, way) for way in ways(chosen, named)]
    return model(robot, "velocities", cheapest(graphs), {"frames": list(asked), "convention": named})


def _graph(robot: Robot, chosen: Links, way: Way) -> Graph:
    scope = Scope()
    found = way(scope)
    output = rows("V", [found[j].velocity for j in chosen.asked])
    return Graph(f"{robot.name} velocities", state_inputs(robot, ("q", "qd")), (output,), scope.names)


def ways(chosen: Links, convention: Convention) -> list[Way]:
    """The recursions that may cost least, with and without sums of angles."""
    if convention == "local":
        return [partial(local_velocities, chosen, add_angles=sums, linear_too=too) for sums, too in SUMS]
    return world_ways(chosen, convention, "classical")


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
