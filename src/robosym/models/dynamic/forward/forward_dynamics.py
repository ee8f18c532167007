"""The forward dynamic model: accelerations from torques and the state (SYMORO+ 1997, sections 5.3 and 5.4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal, get_args

from ....expr import Expr, expr
from ....generated import Model
from ....generated.checks import PUSHED, Check, joined
from ....generated.declaration import Parallel, declare
from ....program import Array, Graph, Scope
from ....robot import Robot, RobotError
from ....robot.problems import Problem
from ....spatial.scalar import Scalar
from ... import limits
from ...common import graph_of
from ...inertial_parameters.sets import Parameters
from ...resolve import BOTH, Near, OfPlatform, Resolved, Structure, resolve
from ...tool import Tool
from ...tree.bodies import Tree
from ...tree.chains import longest_chain
from ...tree.flexible import motor_accelerations, with_drives, with_motors
from ...tree.friction import FrictionKind, joint_friction
from ...tree.inertia_entries import MatrixRoute
from ...tree.moving import Kind
from ...tree.rotors import RotorInertia, rotors_asked
from ...tree.state import Wrenches, state_inputs
from ..request import Prepared, Request
from . import articulated_bodies as articulated
from . import factorised
from .of_platform import platform_model
from .pivots import MasslessJointError, Pivots, massless, require_inertia

Method = Literal["auto", "articulated-bodies", "factorised"]
Algorithm = Callable[[Sequence[Scalar], Scope, Pivots], list[Scalar]]

# The way of writing A that is the cheapest together with H; where joints follow others another one may be.
MATRIX_ROUTE = MatrixRoute(meet=False)
MEETING = MatrixRoute(meet=True)


@declare(
    title="Direct dynamic model",
    family="dynamic",
    rank=20,
    inputs="q, qd, tau, wrench?",
    outputs="qdd",
    about="Forward dynamic model: accelerations for given positions, speeds and torques",
    parallel=Parallel(
        "Forward dynamic model of a platform on legs",
        options=("parameters", "friction", "rotor_inertia", "wrench"),
        motors=True,
        flexible=False,
    ),
    parallel_only=("tool",),
    gravity=True,
    rotors=True,
    section="SYMORO+ 1997, sections 5.3 and 5.4",
    checks=[
        Check(lambda task: task.forward, PUSHED, tolerance=1e-6),
        Check(
            lambda task: task.flexible.forward,
            ("q", "qd", "q_motor", "qd_motor", "tau"),
            value=joined("qdd", "qdd_motor"),
            tolerance=1e-6,
            flexible=True,
        ),
    ],
)
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
    tool: Tool | None = None,
) -> Model:
    """qdd of the independent joints for given q, qd, tau, and the wrenches of the links on the environment. Of a free base
    the rates of its six speeds come first, and tau begins with the wrench that acts on it. Where joints are flexible q_motor
    and qd_motor are given too, and qdd_motor is found: ``flexible_joint_forward_dynamics``.

    ``method`` "articulated-bodies" needs no inertia matrix, and its cost grows linearly with the joints; "factorised"
    solves A qdd = tau - H with the zeros of the tree; "auto" keeps the cheaper. The other options are those of
    ``inverse_dynamics``. A joint that moves no inertia is refused.

    Of a parallel robot: twist_rate of the platform for its pose and twist, tau of the motors, and the wrench that it exerts on the
    environment; or qdd of the motors in their ``coordinates``.
    """
    resolved = resolve(robot, mode, near, structure, coordinates, tool, () if robot.flexible else BOTH)
    resolved.only_of_trees("forward-dynamics", kind=(kind, "spatial"), method=(method, "auto"))
    resolved.only_of_platforms(tool=tool)
    robot = resolved.tree
    if resolved.parallel:
        asked = Request(parameters, friction, rotor_inertia, wrench, order=1, method="auto", acting="platform")
        return platform_model(asked.platform(resolved).of_known_bodies.regrouped)
    if robot.flexible:
        if rotor_inertia is not True:
            rotors_asked(robot, rotor_inertia)
            problem = f"got {rotor_inertia!r}, expected True: a flexible joint is a rotor and a link with a spring between them"
            raise RobotError([Problem("rotor_inertia", problem)], robot.name)
        return two_mass_model(resolved, "forward-dynamics", Request(parameters, friction, None, wrench, kind), method)
    one = Request(parameters, friction, rotor_inertia, wrench, kind).prepare(resolved).regrouped.at_constant_speed
    graphs = acceleration_graphs(one, one.bodies.coordinates.tau, method)
    return one.model("forward-dynamics", *graphs, options={"method": method})


def two_mass_model(resolved: Resolved, name: str, request: Request, method: Method = "auto") -> Model:
    """qdd of the links and qdd_motor of the rotors of a robot with flexible joints, for given q, qd, q_motor, qd_motor, tau."""
    asked = request.prepare(resolved, rotors_apart=True).regrouped.at_constant_speed
    drives = with_drives(asked.robot, asked.bodies)
    motors = motor_accelerations(drives, asked.friction)
    links = acceleration_graphs(replace(asked, bodies=drives.bodies), drives.tau, method)
    graphs = [with_motors(drives, replace(graph, name=f"{asked.robot.name} {name}"), motors) for graph in links]
    return asked.model(name, *graphs, options={"method": method})


def acceleration_graphs(asked: Prepared, tau: Sequence[Expr], method: str) -> list[Graph]:
    """qdd from torques of the coordinates, in the ways of a method. The tree has no joint accelerations."""
    robot, bodies = asked.robot, asked.bodies
    taken = bodies.coordinates.torques(losses(bodies, asked.friction))
    drive = [one - expr(loss) for one, loss in zip(tau, taken, strict=True)]
    pivots = Pivots()
    ways = [way for one in _candidates(robot, bodies, method) for way in _algorithms(robot, bodies, one)]
    graphs = [_graph(robot, drive, way, asked.wrench, pivots) for way in ways]
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
    return sum(d * d for d in bodies.depths.values()) / max(len(bodies.bodies), 1)


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


def _graph(robot: Robot, drive: Sequence[Expr], algorithm: Algorithm, wrench: Wrenches, pivots: Pivots) -> Graph:
    scope = Scope()
    try:
        qdd = algorithm(drive, scope, pivots)
    except MasslessJointError as found:
        raise massless(robot, found.axis) from None
    outputs = (Array("qdd", (len(qdd),), tuple(expr(x) for x in qdd)),)
    inputs = state_inputs(robot, ("q", "qd", "tau"), wrench)
    return graph_of(robot, "forward-dynamics", inputs, outputs, scope.names)
