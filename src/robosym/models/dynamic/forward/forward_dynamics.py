"""The forward dynamic model: accelerations from torques and the state (SYMORO+ 1997, sections 5.3 and 5.4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal, get_args

from ....arguments import strictly
from ....expr import Expr, expr
from ....generated import Model
from ....program import Array, Graph, Scope, optimised
from ....robot import Robot, RobotError
from ....robot.problems import Problem
from ....spatial.scalar import Scalar
from ... import limits
from ...common import graph_of, model
from ...inertial_parameters.sets import Parameters, robot_in
from ...parallel.doors import or_of_platform
from ...resolve import Near, OfPlatform, Structure, resolve
from ...tree.bodies import Tree, tree
from ...tree.chains import longest_chain
from ...tree.flexible import motor_accelerations, with_drives, with_motors
from ...tree.friction import FrictionKind, friction_asked, joint_friction
from ...tree.moving import Kind
from ...tree.regrouping import regrouped
from ...tree.rotors import RotorInertia, rotors_asked, with_spinning_rotors
from ...tree.state import Wrenches, state_inputs, zero_unless_given
from ..coefficients.inertia_matrix import MatrixRoute
from . import articulated_bodies as articulated
from . import factorised
from .pivots import MasslessJointError, Pivots, massless, require_inertia

Method = Literal["auto", "articulated-bodies", "factorised"]
Algorithm = Callable[[Sequence[Scalar], Scope, Pivots], list[Scalar]]

# The way of writing A that is the cheapest together with H; where joints follow others another one may be.
MATRIX_ROUTE = MatrixRoute(meet=False)
MEETING = MatrixRoute(meet=True)


@strictly
@or_of_platform
def forward_dynamics(
    robot: Robot,
    *,
    parameters: Parameters = "standard",
    method: Method = "auto",
    friction: FrictionKind = False,
    rotor_inertia: RotorInertia = True,
    wrench: Wrenches = "terminal",
    kind: Kind = "spatial",
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
    coordinates: OfPlatform = None,
) -> Model:
    """qdd of the independent joints for given q, qd, tau, and the wrenches of the links on the environment. Of a free base
    the rates of its six speeds come first, and tau begins with the wrench that acts on it. Where joints are flexible q_motor
    and qd_motor are given too, and qdd_motor is found: ``flexible_joint_forward_dynamics``.

    ``method`` "articulated-bodies" needs no inertia matrix, and its cost grows linearly with the joints; "factorised"
    solves A qdd = tau - H with the zeros of the tree; "auto" keeps the cheaper. The other options are those of
    ``inverse_dynamics``. A joint that moves no inertia is refused.
    """
    resolved = resolve(robot, mode, near, structure, coordinates)
    robot = resolved.tree
    friction_asked(robot, friction)
    rotors_asked(robot, rotor_inertia)
    if robot.flexible:
        if rotor_inertia is not True:
            problem = f"got {rotor_inertia!r}, expected True: a flexible joint is a rotor and a link with a spring between them"
            raise RobotError([Problem("rotor_inertia", problem)], robot.name)
        return resolved.finished(two_mass_model(robot, "forward-dynamics", parameters, friction, wrench, method, kind))
    used = robot_in(robot, parameters, rotor_inertia)
    bodies = with_spinning_rotors(used, tree(used, wrench).accelerating(used, kind), rotor_inertia)
    bodies = regrouped(bodies).at_constant_speed()
    bodies = bodies if rotor_inertia else bodies.without_rotors()
    graphs = acceleration_graphs(used, bodies, bodies.coordinates.tau, method, friction, wrench)
    options = {
        "method": method,
        "friction": friction,
        "rotor_inertia": rotor_inertia,
        "wrench": wrench,
        **bodies.kind_of_base,
    }
    program = optimised(*graphs)
    return resolved.finished(
        model(used, "forward-dynamics", program, options, parameters, zero_unless_given(used, wrench), described=robot)
    )


def two_mass_model(
    robot: Robot,
    name: str,
    parameters: Parameters,
    friction: FrictionKind,
    wrench: Wrenches,
    method: Method = "auto",
    kind: Kind = "spatial",
) -> Model:
    """qdd of the links and qdd_motor of the rotors of a robot with flexible joints, for given q, qd, q_motor, qd_motor, tau."""
    friction_asked(robot, friction)
    used = robot_in(robot, parameters, rotor_inertia=False)  # the rotors stay apart from the links
    bodies = regrouped(tree(used, wrench).accelerating(used, kind)).at_constant_speed()
    drives = with_drives(used, bodies)
    motors = motor_accelerations(drives, friction)
    links = acceleration_graphs(used, drives.bodies, drives.tau, method, friction, wrench)
    graphs = [with_motors(drives, replace(graph, name=f"{used.name} {name}"), motors) for graph in links]
    options = {"method": method, "friction": friction, "wrench": wrench, **bodies.kind_of_base}
    return model(used, name, optimised(*graphs), options, parameters, zero_unless_given(used, wrench), described=robot)


def acceleration_graphs(
    robot: Robot, bodies: Tree, tau: Sequence[Expr], method: str, friction: FrictionKind, wrench: str
) -> list[Graph]:
    """qdd from torques of the coordinates, in the ways of a method. The tree has no joint accelerations."""
    taken = bodies.coordinates.torques(losses(bodies, friction))
    drive = [one - expr(loss) for one, loss in zip(tau, taken, strict=True)]
    pivots = Pivots()
    ways = [way for one in _candidates(robot, bodies, method) for way in _algorithms(robot, bodies, one)]
    graphs = [_graph(robot, drive, way, wrench, pivots) for way in ways]
    carried = factorised.carried_inertias(bodies, Scope())
    require_inertia(robot, pivots.found, dict(zip(bodies.coordinates.owners, carried, strict=True)))
    return graphs


def losses(bodies: Tree, friction: FrictionKind) -> dict[int, Expr]:
    """What springs, and friction if it is requested, take of the torque of every joint."""
    return {
        body.j: expr(body.spring.torque) + (joint_friction(bodies, body, friction) if friction else 0)
        for body in bodies.bodies
    }


# --- which method ----------------------------------------------------------------------------------------------------


def _candidates(robot: Robot, bodies: Tree, method: str) -> list[str]:
    """The methods to build: the one requested, or those that may be the cheaper for this robot."""
    tied = not bodies.coordinates.independent
    if method == "articulated-bodies" and len(bodies.links) < len(bodies.bodies):
        message = "articulated bodies need free joints, and rotors that links carry along follow these"
        raise RobotError([Problem("method", f"{message}; use 'factorised'")], robot.name)
    if method == "articulated-bodies" and tied:
        owners = bodies.coordinates.owners
        names = ", ".join(robot.frame(body.j).joint.name for body in bodies.bodies if body.j not in owners)
        message = f"articulated bodies need free joints, and these follow others: {names}"
        raise RobotError([Problem("method", f"{message}; use 'factorised'")], robot.name)
    if method == "articulated-bodies" and bodies.coupled:
        message = "articulated bodies need a rotor for each joint alone, and some of these are coupled"
        raise RobotError([Problem("method", f"{message}; use 'factorised'")], robot.name)
    if method in ("articulated-bodies", "factorised"):
        return [method]
    if method != "auto":
        expected = ", ".join(map(repr, get_args(Method)))
        raise RobotError([Problem("method", f"got {method!r}, expected one of {expected}")], robot.name)
    if tied or bodies.coupled:
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
        raise massless(robot, found.axis) from None
    outputs = (Array("qdd", (len(qdd),), tuple(expr(x) for x in qdd)),)
    inputs = state_inputs(robot, ("q", "qd", "tau"), wrench)
    return graph_of(robot, "forward-dynamics", inputs, outputs, scope.names)
