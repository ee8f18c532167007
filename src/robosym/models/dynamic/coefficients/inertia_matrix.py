"""The inertia matrix A from composite links (SYMORO+ 1997, equations 27 to 38).

Column j is the wrench that a unit acceleration of joint j takes from everything it carries, on the axes of the joints that
carry it. Joints on different branches share no entry.
"""

from __future__ import annotations

from ....arguments import strictly
from ....generated import Model
from ....program import Array, Graph, Scope
from ....robot import Robot
from ...common import graph_of
from ...inertial_parameters.sets import Parameters
from ...parallel.doors import or_of_platform
from ...resolve import Near, OfPlatform, Structure, resolve
from ...tree.bodies import Tree
from ...tree.inertia_entries import MatrixRoute, entries_in, forms, projected
from ...tree.rotors import RotorInertia
from ...tree.state import state_inputs
from ..request import Request


@strictly
@or_of_platform
def inertia_matrix(
    robot: Robot,
    *,
    parameters: Parameters = "standard",
    rotor_inertia: RotorInertia = True,
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
    coordinates: OfPlatform = None,
) -> Model:
    """A (nv x nv), symmetric, of the independent joints, after the six axes of a free base; ``rotor_inertia`` adds Ia on the
    diagonal, and what couples the motors of several joints beside it; "gyroscopic" what couples rotors with the links too."""
    resolved = resolve(robot, mode, near, structure, coordinates)
    asked = Request(parameters, rotor_inertia=rotor_inertia).prepare(resolved).regrouped
    graphs = [inertia_graph(asked.robot, asked.bodies, route) for route in forms(asked.bodies)]
    return asked.model("inertia-matrix", *graphs)


def inertia_graph(robot: Robot, bodies: Tree, route: MatrixRoute) -> Graph:
    """The matrix, written by one route."""
    scope = Scope()
    found = entries_in(route, bodies, scope)
    outputs = (Array("A", (bodies.coordinates.nv,) * 2, projected(bodies, found)),)
    return graph_of(robot, "inertia-matrix", state_inputs(robot, ("q",)), outputs, scope.names)
