"""The inertia matrix A from composite links (SYMORO+ 1997, equations 27 to 38).

Column j is the wrench that a unit acceleration of joint j takes from everything it carries, on the axes of the joints that
carry it. Joints on different branches share no entry.
"""

from __future__ import annotations

from dataclasses import replace

from ....expr import expr
from ....generated import Model
from ....generated.checks import Check
from ....generated.declaration import Parallel, declare
from ....generated.documentation import platforms
from ....generated.documentation.arrays import inertia
from ....program import Array, Graph, Scope
from ....program.choice import estimate
from ....robot import Robot, RobotError
from ....robot.problems import Problem
from ...common import graph_of
from ...inertial_parameters.sets import Parameters
from ...resolve import BOTH, Acting, Near, OfPlatform, Resolved, Structure, resolve
from ...tool import Tool
from ...tree.bodies import Tree
from ...tree.inertia_entries import Entries, MatrixRoute, entries_in, forms, projected, with_rotors
from ...tree.rotors import RotorInertia
from ...tree.state import state_inputs
from ..request import Prepared, Request


@declare(
    title="Inertia matrix",
    family="dynamic",
    rank=30,
    inputs="q",
    outputs="A",
    about="Inertia matrix",
    arrays={"A": inertia},
    parallel=Parallel(
        "Inertia matrix of a platform on legs",
        {"A": platforms.inertia},
        ("parameters", "rotor_inertia", "of"),
        motors=True,
    ),
    parallel_only=("of", "tool"),
    section="SYMORO+ 1997, section 5.3.2",
    checks=[Check(lambda task: task.motion.inertia)],
)
def inertia_matrix(
    robot: Robot,
    *,
    parameters: Parameters = "standard",
    rotor_inertia: RotorInertia = True,
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
    coordinates: OfPlatform = None,
    tool: Tool | None = None,
    of: Acting | None = None,
) -> Model:
    """A (nv x nv), symmetric, of the independent joints, after the six axes of a free base; ``rotor_inertia`` adds Ia on the
    diagonal, and what couples the motors of several joints beside it; "gyroscopic" what couples rotors with the links too.

    Of a parallel robot: A (6 x 6) of the wrench W = A twist_rate on the platform, beside the bias, with rows and columns of zeros
    for components that are never free; ``of`` "motors" gives it in the motors' coordinates, tau = A qdd: J^T A J.
    """
    resolved = resolve(robot, mode, near, structure, coordinates, tool, BOTH)
    resolved.only_of_platforms(tool=tool, of=of)
    if resolved.parallel:
        return _of_platform(resolved, Request(parameters, rotor_inertia=rotor_inertia, order=0), of)
    asked = Request(parameters, rotor_inertia=rotor_inertia).prepare(resolved).regrouped
    graphs = [inertia_graph(asked.robot, asked.bodies, route) for route in forms(asked.bodies)]
    return asked.model("inertia-matrix", *graphs)


def _of_platform(resolved: Resolved, request: Request, of: Acting | None) -> Model:
    if of not in (None, "platform", "motors"):
        raise RobotError([Problem("of", f"got {of!r:.40}, expected 'platform' or 'motors'")], resolved.robot.name)
    if of == "platform" and resolved.by_motors:
        raise RobotError([Problem("of", "in the motors' coordinates the matrix is theirs")], resolved.robot.name)
    acting: Acting = "motors" if resolved.by_motors else of or "platform"
    asked = replace(request, acting=acting).platform(resolved).of_known_bodies.regrouped
    scope = asked.scope()
    rows = asked.coordinates.full(entries_of(asked, scope))
    output = Array("A", (len(rows), len(rows)), tuple(expr(x) for row in rows for x in row))
    said = {} if resolved.by_motors else {"of": acting}
    return asked.model("inertia-matrix", asked.graph("inertia-matrix", ("q",), [output], scope), more=said)


def entries_of(asked: Prepared, scope: Scope) -> Entries:
    """The entries of all axes with the rotors, each tree by the route that costs least."""
    found: Entries = {}
    for bodies in asked.trees:
        ways = [with_rotors(bodies, entries_in(route, bodies, scope)) for route in forms(bodies)]
        costs = [estimate(map(expr, way.values())) for way in ways]
        found |= ways[costs.index(min(costs))]
    return found


def inertia_graph(robot: Robot, bodies: Tree, route: MatrixRoute) -> Graph:
    """The matrix, written by one route."""
    scope = Scope()
    found = entries_in(route, bodies, scope)
    outputs = (Array("A", (bodies.coordinates.nv,) * 2, projected(bodies, found)),)
    return graph_of(robot, "inertia-matrix", state_inputs(robot, ("q",)), outputs, scope.names)
