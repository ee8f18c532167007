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
    """Forward dynamics: joint accelerations from positions, velocities and torques.

    A joint that moves no inertia raises ``RobotError``. With flexible joints the motors have positions of their own, as
    in ``flexible_joint_forward_dynamics``.

    Parameters
    ----------
    robot
        Robot.
    parameters
        Set of inertial parameters: "standard" or the smaller "base" (minimal) set. Both sets give the same torques.
    method
        Algorithm: "articulated-bodies" (linear cost), "factorised" (inertia matrix) or "auto" (fewest operations).
        "articulated-bodies" needs no inertia matrix, and its cost grows linearly with the number of joints. It requires
        joints that do not depend on others, and rotors of single joints. "factorised" solves ``A qdd = tau - H`` with
        the zeros of the tree. Not available for parallel robots.
    friction
        Joint friction of the description: False (excluded), True (included) or "smooth" (its smooth variant). "smooth"
        replaces the sign of the velocity by a hyperbolic tangent. It requires a width in the description of every joint
        whose friction jumps.
    rotor_inertia
        Rotor inertias of the motors: False (excluded), True (included) or "gyroscopic" (with gyroscopic torques).
        "gyroscopic" adds the torques of rotors that moving links carry along, and requires motor axes in the
        description. Parallel robots support True and False only. With flexible joints only True is possible.
    wrench
        Links that exert a wrench on the environment: "terminal", "all", "none" or a list of frames by name. Each is a
        row of the input ``wrench`` (k, 6), zero by default. A row is force [N], then moment [N m], in the axes of the
        frame at its origin. "terminal" are the last links of the kinematic chains, "all" every moving link. A listed
        frame can be fixed to a moving link. For a parallel robot "terminal" is the platform.
    kind
        Floating base only: its linear acceleration is "spatial" (rate of the twist) or "classical" (of its origin).
        Robots without a floating base ignore it. Not available for parallel robots.
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
        positions, by iteration from the input ``start``. With flexible joints the robot is treated as closed loops, and
        "motors" is the only choice.
    tool
        Parallel robots only: tool pose on the platform [m], a point (3), x y z qx qy qz qw (7) or a matrix (4, 4).
        Entries are numbers, expressions or text such as "LT/2"; lengths are in metres. Motion and wrench of the
        platform are then given for the tool.

    Returns
    -------
    Model
        Inputs ``q``, ``qd``, ``tau`` and ``wrench``; for a parallel robot ``pose`` and ``twist`` of the platform and
        ``tau`` of the actuators. With flexible joints ``q_motor`` and ``qd_motor`` too. Outputs:

        - ``qdd`` (nv): accelerations of the independent joints [rad/s^2, m/s^2]. A floating base comes first, with the
          acceleration that ``kind`` selects.
        - ``qdd_motor`` with flexible joints: accelerations of the motors.
        - ``twist_rate`` (6) of a parallel robot: acceleration of the platform in the axes of frame 0; ``qdd`` of the
          actuators with ``coordinates`` "motors".

        With a floating base ``tau`` starts with the wrench on the base. Closed-loop and parallel robots: status
        ``assembled`` is 1 where the state is possible, else 0 and the values are NaN. Loops closed by iteration add the
        input ``start`` and the status ``passive`` and ``residual``.
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
