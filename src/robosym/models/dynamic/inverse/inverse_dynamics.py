"""The inverse dynamic model: torques from positions, velocities and accelerations (SYMORO+ 1997, section 5.1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, get_args

from ....arguments import strictly
from ....expr import Expr, expr
from ....generated import Model
from ....program import Array, Graph, Scope
from ....robot import Robot, RobotError
from ....robot.problems import Problem
from ....spatial.scalar import Scalar
from ....spatial.wrenches import Wrench
from ... import limits
from ...common import graph_of, require_standard
from ...inertial_parameters.sets import Parameters
from ...parallel.doors import or_of_platform
from ...request import truths
from ...resolve import Near, OfPlatform, Structure, resolve
from ...tree.bodies import Body, Tree
from ...tree.coordinates import Axis, Coordinates
from ...tree.friction import FrictionKind, joint_friction
from ...tree.motion import Recursion, motions
from ...tree.moving import Kind
from ...tree.rotors import RotorInertia
from ...tree.state import Wrenches, state_inputs
from ...tree.wrenches import on_axes, torques
from ..request import Prepared, Request
from .augmented_body import augmented_torques
from .two_axis_links import taken_out

Method = Literal["auto", "newton-euler", "acceleration-matrix", "augmented-body"]


@strictly
@or_of_platform
def inverse_dynamics(
    robot: Robot,
    *,
    parameters: Parameters = "standard",
    method: Method = "auto",
    friction: FrictionKind = False,
    rotor_inertia: RotorInertia = True,
    wrench: Wrenches = "terminal",
    kind: Kind = "spatial",
    reactions: bool = False,
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
    coordinates: OfPlatform = None,
) -> Model:
    """tau of the independent joints for given q, qd, qdd, and the wrenches on the environment. Of a free base
    the wrench that acts on it comes first, force and moment in its axes at its origin.

    ``parameters`` "base" writes the model in the base inertial parameters. ``friction`` adds that of the description, "smooth"
    its smooth variant; ``rotor_inertia`` the rotors' Ia qdd, "gyroscopic" also what those with an axis do as moving links carry
    them along. ``wrench`` says what may push on the environment, with a row each of the input of this name, zero by default: the
    "terminal" links, "all", "none", or a list of frames by name, fixed ones too. ``kind`` is that of the acceleration of a free base:
    "spatial", the rates of its speeds, or "classical", that of its origin. ``reactions`` adds the outputs f and m: force and moment through every joint, in its frame.
    """
    resolved = resolve(robot, mode, near, structure, coordinates)
    robot = resolved.tree
    if reactions and parameters == "base":
        message = "base parameters keep the torques, not the wrenches inside the joints: use parameters='standard'"
        raise RobotError([Problem("reactions", message)], robot.name)
    if reactions:
        require_standard(robot, "the wrenches inside the joints")
    if reactions and robot.closure is not None:
        message = "the tree alone does not tell what closed loops do to its joints: see constraint_wrenches"
        raise RobotError([Problem("reactions", message)], robot.name)
    truths(robot, reactions=reactions)
    asked = Request(parameters, friction, rotor_inertia, wrench, kind).prepare(resolved, on_any_link=reactions)
    if not reactions:  # moving parameters between links keeps the torques, not the wrenches inside the joints
        asked = asked.regrouped
    graphs = [torque_graph(asked, one, reactions) for one in algorithms(robot, method, asked.bodies, reactions)]
    return asked.model("inverse-dynamics", *graphs, options={"method": method})


# --- which algorithm --------------------------------------------------------------------------------------------------

# The wrench through every joint (where the algorithm has them) and the torque of every axis, without the motor's own.
Found = tuple[Mapping[int, Wrench], Mapping[Axis, Scalar]]
Algorithm = Callable[[Tree, Scope], Found]


def newton_euler(recursion: Recursion) -> Algorithm:
    """The recursion over all links, written in one way."""

    def found(bodies: Tree, scope: Scope) -> Found:
        joints = torques(bodies, motions(bodies, scope, recursion), scope, recursion)
        wrenches = {body.j: joints[body.j][0] for body in bodies.bodies}
        return wrenches, on_axes(joints)

    return found


def two_axis_links_first(bodies: Tree, scope: Scope) -> Found:
    """The links that two axes move in closed form, the recursion over the others."""
    others, extra = taken_out(bodies, scope)
    _, found = MODERN(others, scope)
    return {}, {axis: gamma + extra.get(axis, 0) for axis, gamma in found.items()}


def augmented(bodies: Tree, scope: Scope) -> Found:
    """Renaud's recursion."""
    return {}, dict(augmented_torques(bodies, scope).items())


CLASSICAL = newton_euler(Recursion(classical=True, add_angles=False, add_angles_back=False))
MODERN = newton_euler(Recursion())
# The wrench inside a joint needs its moment in one piece.
WITH_REACTIONS = newton_euler(Recursion(add_angles_back=False))
METHODS = {"newton-euler": CLASSICAL, "acceleration-matrix": MODERN, "augmented-body": augmented}


def algorithms(robot: Robot, method: str, bodies: Tree, reactions: bool = False) -> list[Algorithm]:
    """What a method stands for with these bodies: one algorithm, or those that may be the cheapest."""
    if method == "augmented-body" and reactions:
        message = (
            "the augmented-body recursion gives torques only: use another method for the wrenches inside the joints"
        )
        raise RobotError([Problem("method", message)], robot.name)
    if method == "augmented-body" and bodies.free:
        message = "the augmented-body recursion is for a base that stands or has a given motion: use another method"
        raise RobotError([Problem("method", message)], robot.name)
    if method not in get_args(Method):
        raise RobotError([Problem("method", f"got {method!r}, expected {', '.join(get_args(Method))}")], robot.name)
    if reactions:
        return [CLASSICAL if method == "newton-euler" else WITH_REACTIONS]
    if method == "auto":
        n = len(bodies.links)
        plain = robot.structure == "serial" and not any(body.prismatic for body in bodies.bodies)
        every = n <= limits.FEW_BODIES or (n <= limits.SOME_BODIES and not plain)
        if bodies.free:
            return [MODERN, CLASSICAL] if every else [MODERN]
        return [two_axis_links_first, MODERN, CLASSICAL, augmented] if every else [two_axis_links_first]
    return [METHODS[method]]


# --- the torques ------------------------------------------------------------------------------------------------------


def torque_graph(asked: Prepared, algorithm: Algorithm, reactions: bool = False) -> Graph:
    """tau: the torque of every joint (equation 20), brought back to the coordinates."""
    bodies, scope = asked.bodies, Scope()
    wrenches, gammas = algorithm(bodies, scope)
    found = dict(gammas) | {b.j: expr(gammas[b.j]) + actuator_torque(bodies, b, asked.friction) for b in bodies.bodies}
    outputs = [torque_array("tau", bodies.coordinates, found)]
    if reactions:
        for name, part in (("f", 0), ("m", 1)):
            entries = tuple(expr(value) for body in bodies.links for value in wrenches[body.j][part])
            outputs.append(Array(name, (len(bodies.links), 3), entries))
    inputs = state_inputs(asked.robot, ("q", "qd", "qdd"), asked.wrench)
    return graph_of(asked.robot, "inverse-dynamics", inputs, tuple(outputs), scope.names)


def torque_array(name: str, own: Coordinates, found: Mapping[Axis, Scalar]) -> Array:
    """The torques of the coordinates, from those of the axes."""
    return Array(name, (own.nv,), tuple(map(expr, own.torques(found))))


def actuator_torque(bodies: Tree, body: Body, friction: FrictionKind, rotor: bool = True) -> Expr:
    """What the motor spends on itself: Ia qdd + Fv qd + Fs sign(qd), the last terms of equation (20); and on the spring of
    the joint."""
    total = expr(body.spring.torque)
    if rotor:
        total = total + bodies.rotor_torque(body)
    return total + joint_friction(bodies, body, friction) if friction else total
