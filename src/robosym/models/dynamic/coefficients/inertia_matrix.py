"""The inertia matrix A from composite links (SYMORO+ 1997, equations 27 to 38).

Column j holds the wrench that a unit acceleration of joint j requires for all links it carries, projected on the axes of the joints
that carry it. Joints on different branches share no entry.
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
    """Inertia (mass) matrix A.

    For a parallel robot the matrix relates the wrench on the platform to its acceleration, beside the bias: ``W = A
    twist_rate``.

    Parameters
    ----------
    robot
        Robot.
    parameters
        Set of inertial parameters: "standard" or the smaller "base" (minimal) set. Both sets give the same torques.
    rotor_inertia
        Rotor inertias of the motors: False (excluded), True (included) or "gyroscopic" (with gyroscopic torques).
        "gyroscopic" adds the torques of rotors that moving links carry along, and requires motor axes in the
        description. Parallel robots support True and False only. True adds Ia to the diagonal, and the coupling terms
        of motors that move several joints.
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
        "platform": the model takes the pose of the platform. With "motors" the pose follows from the actuator
        positions, by iteration from the input ``start``.
    tool
        Parallel robots only: tool pose on the platform [m], a point (3), x y z qx qy qz qw (7) or a matrix (4, 4).
        Entries are numbers, expressions or text such as "LT/2"; lengths are in metres. The matrix then refers to the
        twist of the tool.
    of
        Parallel robots only: inertia matrix of the "platform" (6 x 6) or of the "motors" (``J^T A J``, ``tau = A
        qdd``). None is "platform", or "motors" in the coordinates "motors".

    Returns
    -------
    Model
        Input ``q``, or ``pose`` of a parallel robot. Output ``A`` (nv, nv), symmetric. With a floating base its six
        components come first: linear, then angular, in its own axes. For a parallel robot ``A`` is (6, 6) in the axes
        of frame 0. Components of the twist that are never free have zero rows and columns. Closed-loop and parallel
        robots: status ``assembled`` is 1 where the state is possible, else 0 and the values are NaN. Loops closed by
        iteration add the input ``start`` and the status ``passive`` and ``residual``.

    Notes
    -----
    SYMORO+ 1997, equations 27 to 38.
    """
    resolved = resolve(robot, mode, near, structure, coordinates, tool, BOTH)
    resolved.only_of_platforms(tool=tool, of=of)
    if resolved.parallel:
        return _of_platform(resolved, Request(parameters, rotor_inertia=rotor_inertia, order=0), of)
    asked = Request(parameters, rotor_inertia=rotor_inertia).prepare(resolved).regrouped
    graphs = [inertia_graph(asked.robot, asked.bodies, route) for route in forms(asked.bodies)]
    return asked.model("inertia-matrix", *graphs)


def _of_platform(resolved: Resolved, request: Request, of: Acting | None) -> Model:
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
