"""The forward dynamic model: accelerations from positions, velocities and torques (SYMORO+ 1997, section 5.5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal, get_args

from ...expr import Expr, expr, sign
from ...generated import Model
from ...program import Array, Graph, Scope, optimised
from ...robot import Robot, RobotError
from ...robot.problems import Problem
from ...spatial.scalar import Scalar
from ..common import model
from . import articulated, factorised
from .bodies import Tree, state_inputs, torque_symbol, tree
from .inverse import Parameters, Wrenches
from .newton_euler import Form
from .pivots import MasslessJoint, Pivots, massless, require_inertia
from .regroup import regrouped
from .sets import robot_in, zero_unless_given

Method = Literal["auto", "articulated-bodies", "factorised"]
Algorithm = Callable[[Sequence[Scalar], Scope, Pivots], list[Scalar]]

# The mean square of the depth of the joints says which method is cheaper: the inertia matrix grows with it, articulated
# bodies do not. A chain of 7 joints has 20, one of 12 has 54; between the two both are built and compared.
SHALLOW, DEEP = 21, 54


def forward_dynamics(
    robot: Robot,
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
    used = robot_in(robot, parameters)
    bodies = _without_accelerations(regrouped(tree(used, wrench)), rotor_inertia)
    drive = _drive(used, bodies, friction)
    graphs = [_graph(used, bodies, drive, one, wrench) for one in _candidates(used, bodies, method)]
    options = {"method": method, "friction": friction, "rotor_inertia": rotor_inertia, "wrench": wrench}
    program = optimised(*graphs)
    return model(used, "forward-dynamics", program, options, parameters, zero_unless_given(used, wrench))


def _without_accelerations(bodies: Tree, rotor: bool) -> Tree:
    still = [replace(body, acceleration=0, rotor=body.rotor if rotor else 0) for body in bodies.bodies]
    return replace(bodies, bodies=tuple(still))


def _drive(robot: Robot, bodies: Tree, friction: bool) -> list[Expr]:
    """The torque of every independent joint, less friction; a dependent joint's friction acts on its master."""
    drive = [torque_symbol(robot, j) for j in robot.moving]
    for body in bodies.bodies if friction else ():
        drag = body.viscous * body.speed + body.coulomb * sign(body.speed)
        drive[body.coordinate] = drive[body.coordinate] - body.ratio * drag
    return drive


# --- which method ----------------------------------------------------------------------------------------------------


def _candidates(robot: Robot, bodies: Tree, method: str) -> list[str]:
    """The methods to build: the one asked for, or those that may be the cheaper for this robot."""
    dependent = [frame.joint.name for frame in robot.frames if frame.joint.mimic is not None]
    if method == "articulated-bodies" and dependent:
        message = f"articulated bodies need free joints, and these follow others: {', '.join(dependent)}"
        raise RobotError([Problem("method", f"{message}; use 'factorised'")], robot.name)
    if method in ("articulated-bodies", "factorised"):
        return [method]
    if method != "auto":
        expected = ", ".join(map(repr, get_args(Method)))
        raise RobotError([Problem("method", f"got {method!r}, expected one of {expected}")], robot.name)
    spread = mean_square_depth(bodies)
    found = ["factorised"] if dependent or spread < DEEP else []
    return found if dependent or spread <= SHALLOW else [*found, "articulated-bodies"]


def mean_square_depth(bodies: Tree) -> float:
    depth = {0: 0}
    for body in bodies.bodies:
        depth[body.j] = depth[body.parent] + 1
    return sum(d * d for d in depth.values()) / max(len(bodies.bodies), 1)


def _algorithm(robot: Robot, bodies: Tree, method: str) -> Algorithm:
    if method == "factorised":
        return lambda drive, scope, pivots: factorised.accelerations(bodies, drive, scope, Form(), pivots)
    ways = articulated.paths(robot, bodies)
    return lambda drive, scope, pivots: articulated.accelerations(bodies, ways, drive, scope, Form(), pivots)


def _graph(robot: Robot, bodies: Tree, drive: Sequence[Expr], method: str, wrench: str) -> Graph:
    scope, pivots = Scope(), Pivots()
    try:
        qdd = _algorithm(robot, bodies, method)(drive, scope, pivots)
    except MasslessJoint as found:
        raise massless(robot, found.j) from None
    require_inertia(robot, pivots.found, factorised.carried_inertias(bodies, Scope()))
    outputs = (Array("qdd", (bodies.n,), tuple(expr(x) for x in qdd)),)
    inputs = state_inputs(robot, ("q", "qd", "tau"), wrench)
    return Graph(f"{robot.name}_forward_dynamics", inputs, outputs, scope.names)
