"""What a robot needs without accelerating: H (Coriolis, centrifugal, gravity, friction, wrenches), and Q (gravity alone).

H is the inverse dynamic model with qdd = 0, written as a model of its own (SYMORO+ 1997, section 5.3.1): whatever the
zeros empty is gone. The inertia of rotors that turn with their joints only never enters it.
"""

from __future__ import annotations

from dataclasses import replace

from ....arguments import strictly
from ....generated import Model
from ....program import Graph, Scope
from ....robot import Robot
from ....spatial.scalar import Scalar
from ....spatial.vectors import cross, times
from ...common import graph_of
from ...inertial_parameters.sets import Parameters
from ...parallel.doors import or_of_platform
from ...resolve import Near, OfPlatform, Structure, resolve
from ...tree.bodies import Tree
from ...tree.composite import Composite, composites, linear_momentum, whole_robot
from ...tree.coordinates import BASE_AXES, Axis
from ...tree.deferred import Deferred, at_once, dot
from ...tree.friction import FrictionKind
from ...tree.rotors import RotorInertia
from ...tree.state import Wrenches, state_inputs
from ..request import Prepared, Request
from .inverse_dynamics import algorithms, torque_array, torque_graph


@strictly
@or_of_platform
def bias(
    robot: Robot,
    *,
    parameters: Parameters = "standard",
    friction: FrictionKind = False,
    rotor_inertia: RotorInertia = True,
    wrench: Wrenches = "terminal",
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
    coordinates: OfPlatform = None,
) -> Model:
    """H of the independent joints for given q and qd, and the wrenches of the links on the environment. The options are those
    of ``inverse_dynamics``."""
    resolved = resolve(robot, mode, near, structure, coordinates)
    asked = Request(parameters, friction, rotor_inertia, wrench).prepare(resolved).regrouped.at_constant_speed
    ways = algorithms(resolved.tree, "auto", asked.bodies)
    return asked.model("bias", *(_as_bias(asked, torque_graph(asked, one)) for one in ways))


def _as_bias(asked: Prepared, graph: Graph) -> Graph:
    inputs = state_inputs(asked.robot, ("q", "qd"), asked.wrench)
    outputs = (replace(graph.outputs[0], name="H"), *graph.outputs[1:])
    return replace(graph, name=f"{asked.robot.name} bias", inputs=inputs, outputs=outputs)


@strictly
@or_of_platform
def gravity(
    robot: Robot,
    *,
    parameters: Parameters = "standard",
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
    coordinates: OfPlatform = None,
) -> Model:
    """Q: the torques that hold the robot against gravity, at rest and with its base at rest."""
    resolved = resolve(robot, mode, near, structure, coordinates)
    asked = Request(parameters).prepare(resolved).regrouped
    return asked.model("gravity", *(_gravity_graph(asked, add_angles) for add_angles in (True, False)))


@strictly
def holding_torques(
    robot: Robot,
    *,
    parameters: Parameters = "standard",
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
    coordinates: OfPlatform = None,
) -> Model:
    """Q as in ``gravity``, with what the springs on the joints add: the torques of the robot at rest."""
    resolved = resolve(robot, mode, near, structure, coordinates)
    asked = Request(parameters).prepare(resolved).regrouped
    return asked.model("gravity", *(_gravity_graph(asked, add_angles, springs=True) for add_angles in (True, False)))


def _gravity_graph(asked: Prepared, add_angles: bool, springs: bool = False) -> Graph:
    bodies, scope = asked.bodies, Scope()
    found = gravity_torques(bodies, composites(bodies, scope, add_angles), scope)
    for body in bodies.bodies if springs else ():
        found[body.j] = found[body.j] + body.spring.stiffness * body.spring.stretch
    output = torque_array("Q", bodies.coordinates, found)
    return graph_of(asked.robot, "gravity", state_inputs(asked.robot, ("q",)), (output,), scope.names)


def gravity_torques(bodies: Tree, links: dict[int, Composite], scope: Scope) -> dict[Axis, Scalar]:
    """Q of every joint: the composite's weight on its axis, -g . (z x MS), or -g . z M for a prismatic joint; of a free base
    the weight of the whole robot, -M g and -MS x g.

    It is dU/dq_j of the potential energy (Khalil, course 2014, equations 7.8 and 7.25b).
    """
    g: dict[int, Deferred] = {0: at_once(bodies.gravity)}
    found: dict[Axis, Scalar] = {}
    if bodies.free:
        whole = whole_robot(bodies, links, scope)
        up = times(-1, bodies.gravity)
        found |= zip(BASE_AXES, (*times(whole.mass, up), *cross(whole.moment, up)), strict=True)
    for body in bodies.bodies:
        here = g[body.parent]
        if body.rotation_before:
            here = at_once(scope.vector("G", body.j, here.into(body.rotation_before).vector))
        here = g[body.j] = here.turned(-body.turn)
        found[body.j] = -dot(here, linear_momentum(body, links[body.j]))
    return found
