"""The forward dynamic model: accelerations from torques and the state (SYMORO+ 1997, sections 5.3 and 5.4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, get_args

from ....expr import Expr, expr
from ....generated import Model
from ....program import Array, Graph, Scope, optimised
from ....robot import Robot, RobotError
from ....robot.problems import Problem
from ....spatial.scalar import Scalar
from ... import limits
from ...closing import closing
from ...common import graph_of, model
from ...inertial_parameters.sets import Parameters, robot_in
from ...request import truths
from ...tree.bodies import Tree, tree
from ...tree.chains import longest_chain
from ...tree.regrouping import regrouped
from ...tree.state import Wrenches, state_inputs, zero_unless_given
from ..coefficients.inertia_matrix import MatrixRoute
from ..inverse.inverse_dynamics import friction_torque
from . import articulated_bodies as articulated
from . import factorised
from .pivots import MasslessJointError, Pivots, massless, require_inertia

Method = Literal["auto", "articulated-bodies", "factorised"]
Algorithm = Callable[[Sequence[Scalar], Scope, Pivots], list[Scalar]]

# The way of writing A that is the cheapest together with H; where joints follow others another one may be.
MATRIX_ROUTE = MatrixRoute(meet=False)
MEETING = MatrixRoute(meet=True)


@closing
def forward_dynamics(
    robot: Robot,
    *,
    parameters: Parameters = "standard",
    method: Method = "auto",
    friction: bool = False,
    rotor_inertia: bool = True,
    wrench: Wrenches = "terminal",
) -> Model:
    """qdd of the independent joints for given q, qd, tau, and the wrenches of the links on the environment.

    ``method`` "articulated-bodies" needs no inertia matrix, and its cost grows linearly with the joints; "factorised"
    solves A qdd = tau - H with the zeros of the tree; "auto" keeps the cheaper. The other options are those of
    ``inverse_dynamics``. A joint that moves no inertia is refused.
    """
    truths(robot, friction=friction, rotor_inertia=rotor_inertia)
    used = robot_in(robot, parameters, rotor_inertia)
    bodies = regrouped(tree(used, wrench)).at_constant_speed()
    bodies = bodies if rotor_inertia else bodies.without_rotors()
    drive = _drive(bodies, friction)
    pivots = Pivots()
    ways = [way for one in _candidates(used, bodies, method) for way in _algorithms(used, bodies, one)]
    graphs = [_graph(used, drive, way, wrench, pivots) for way in ways]
    require_inertia(used, pivots.found, factorised.carried_inertias(bodies, Scope()))
    options = {"method": method, "friction": friction, "rotor_inertia": rotor_inertia, "wrench": wrench}
    program = optimised(*graphs)
    return model(
        used, "forward-dynamics", program, options, parameters, zero_unless_given(used, wrench), described=robot
    )


def _drive(bodies: Tree, friction: bool) -> list[Expr]:
    """tau, less friction."""
    own = bodies.coordinates
    if not friction:
        return list(own.tau)
    taken = own.torques({body.j: friction_torque(body) for body in bodies.bodies})
    return [tau - loss for tau, loss in zip(own.tau, taken, strict=True)]


# --- which method ----------------------------------------------------------------------------------------------------


def _candidates(robot: Robot, bodies: Tree, method: str) -> list[str]:
    """The methods to build: the one requested, or those that may be the cheaper for this robot."""
    tied = not bodies.coordinates.independent
    if method == "articulated-bodies" and tied:
        owners = bodies.coordinates.owners
        names = ", ".join(robot.frame(body.j).joint.name for body in bodies.bodies if body.j not in owners)
        message = f"articulated bodies need free joints, and these follow others: {names}"
        raise RobotError([Problem("method", f"{message}; use 'factorised'")], robot.name)
    if method in ("articulated-bodies", "factorised"):
        return [method]
    if method != "auto":
        expected = ", ".join(map(repr, get_args(Method)))
        raise RobotError([Problem("method", f"got {method!r}, expected one of {expected}")], robot.name)
    if tied:
        return ["factorised"]
    return ["articulated-bodies"] if mean_square_depth(bodies) > limits.DEEP else ["factorised", "articulated-bodies"]


def mean_square_depth(bodies: Tree) -> float:
    depth = {0: 0}
    for body in bodies.bodies:
        depth[body.j] = depth[body.parent] + 1
    return sum(d * d for d in depth.values()) / max(len(bodies.bodies), 1)


def _algorithms(robot: Robot, bodies: Tree, method: str) -> list[Algorithm]:
    """The ways of writing a method that are worth trying."""
    if method == "factorised":
        short = longest_chain(bodies) <= limits.LONGEST_TO_MEET
        tied = not bodies.coordinates.independent
        return [_factorised(bodies, route) for route in ([MATRIX_ROUTE, MEETING] if tied and short else [MATRIX_ROUTE])]
    ways = articulated.paths(robot, bodies)
    return [lambda drive, scope, pivots: articulated.accelerations(bodies, ways, drive, scope, pivots)]


def _factorised(bodies: Tree, route: MatrixRoute) -> Algorithm:
    return lambda drive, scope, pivots: factorised.accelerations(bodies, drive, scope, route, pivots)


def _graph(robot: Robot, drive: Sequence[Expr], algorithm: Algorithm, wrench: str, pivots: Pivots) -> Graph:
    scope = Scope()
    try:
        qdd = algorithm(drive, scope, pivots)
    except MasslessJointError as found:
        raise massless(robot, found.j) from None
    outputs = (Array("qdd", (len(qdd),), tuple(expr(x) for x in qdd)),)
    inputs = state_inputs(robot, ("q", "qd", "tau"), wrench)
    return graph_of(robot, "forward-dynamics", inputs, outputs, scope.names)
