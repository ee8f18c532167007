"""Elastic drives: springs between the motors and the joints, so that both have positions of their own.

Khalil, course 2014, equations 7.34 and 7.35, with q_M the positions of the rotors on the joints' side:

    A qdd + C qd + Q + k (q - q_M) + friction = 0,        Ia qdd_M - k (q - q_M) = tau.

The stiffness of a joint is that of its drive here, damping acts on qd - qd_M, and rest is q - q_M without a torque. A rotor does
not move with the link, so its inertia is not in A; a joint without stiffness has its motor at the joint itself, as ever, and
a spring at a joint without a motor stays one between its links.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ....expr import Expr, expr, number, variable
from ....generated import Model
from ....program import Array, Graph, optimised
from ....robot import Robot, RobotError
from ....robot.problems import Problem
from ...closing import closing
from ...common import model
from ...inertial_parameters.sets import Parameters, robot_in
from ...tree.bodies import Body, Spring, Tree, tree
from ...tree.drives import vector
from ...tree.friction import FrictionKind, friction_asked
from ...tree.regrouping import regrouped
from ...tree.state import Wrenches, zero_unless_given
from ..forward.forward_dynamics import acceleration_graphs
from ..inverse.inverse_dynamics import algorithms, torque_graph


@dataclass(frozen=True)
class Drives:
    """A tree whose elastic joints are moved by springs from their motors, and the positions and speeds of these."""

    robot: Robot
    bodies: Tree
    q: Sequence[Expr]
    qd: Sequence[Expr]
    elastic: dict[int, Body]  # by the place of the joint in the coordinates

    @property
    def first(self) -> int:
        """The place of the first joint: after a free base."""
        return self.bodies.coordinates.nv - len(self.robot.moving)


def with_drives(robot: Robot, bodies: Tree) -> Drives:
    """The springs between motors and joints, and no rotors on the links that these move."""
    count = len(robot.moving)
    q, qd = ([variable(f"{name}{k}") for k in range(1, count + 1)] for name in ("qm", "qdm"))
    first = bodies.coordinates.nv - count
    owners = bodies.coordinates.owners
    elastic: dict[int, Body] = {}
    links = []
    for body in bodies.bodies:
        joint = robot.frame(body.j).joint
        if body.j in owners and joint.active and joint.stiffness is not None:
            if expr(body.spring.stiffness).is_zero:
                problem = (
                    "its drive is elastic, and the stiffness is 0: expected another number, or none for a rigid drive"
                )
                raise RobotError([Problem(f"joint '{joint.name}'", problem)], robot.name)
            place = owners.index(body.j)
            k = place - first
            spring = replace(body.spring, stretch=body.spring.stretch - q[k], rate=body.spring.rate - qd[k])
            elastic[place] = replace(body, spring=spring)
            links.append(replace(elastic[place], rotor=number(0)))
        else:
            links.append(body)
    if not elastic:
        raise RobotError([Problem("joints", "none has a stiffness: no drive is elastic")], robot.name)
    for joint in (robot.frame(j).joint for pair, _ in bodies.coupled for j in pair):
        if joint.stiffness is not None:
            problem = "its drive is elastic and coupled with others: an elastic drive moves one joint"
            raise RobotError([Problem(f"joint '{joint.name}'", problem)], robot.name)
    return Drives(robot, replace(bodies, bodies=tuple(links)), q, qd, elastic)


@closing
def elastic_drive_forward_dynamics(
    robot: Robot, *, parameters: Parameters = "standard", friction: FrictionKind = False, wrench: Wrenches = "terminal"
) -> Model:
    """qdd of the links and qdd_motor of the rotors, for given q, qd, q_motor, qd_motor and the torques tau of the motors.

    ``friction`` acts at the joints. Entries of q_motor and qd_motor of joints without stiffness are not read, and their
    rotors move with them. A free base comes first in q, qd, qdd and tau, and has no motor.
    """
    friction_asked(robot, friction)
    used = robot_in(robot, parameters, rotor_inertia=False)  # the rotors stay apart from the links
    own = with_drives(used, regrouped(tree(used, wrench)).at_constant_speed())
    _require_rotors(own)
    tau = [number(0) if k in own.elastic else x for k, x in enumerate(own.bodies.coordinates.tau)]
    graphs = [with_motors(own, graph) for graph in acceleration_graphs(used, own.bodies, tau, "auto", friction, wrench)]
    options = {"friction": friction, "wrench": wrench}
    optional = zero_unless_given(used, wrench)
    name = "elastic-drive-forward-dynamics"
    return model(used, name, optimised(*graphs), options, parameters, optional, described=robot)


def _require_rotors(own: Drives) -> None:
    for body in own.elastic.values():
        if expr(body.rotor).is_zero:
            name = own.robot.frame(body.j).joint.name
            problem = "its drive is elastic, and the rotor needs an inertia Ia to accelerate"
            raise RobotError([Problem(f"joint '{name}'", problem)], own.robot.name)


def with_motors(own: Drives, graph: Graph) -> Graph:
    """With the rotors, [7.35b]."""
    tau, (qdd, *status) = own.bodies.coordinates.tau, graph.outputs
    entries = []
    for k in range(own.first, len(qdd.entries)):
        body = own.elastic.get(k)
        entries.append(qdd.entries[k] if body is None else expr((tau[k] + body.spring.torque) / body.rotor))
    found = vector("qdd_motor", entries)
    inputs = []
    for array in graph.inputs:
        inputs += [replace(array, rate=None)] if array.name != "tau" else [*_positions(own), array]
    name = f"{own.robot.name} elastic-drive-forward-dynamics"
    return replace(graph, name=name, inputs=tuple(inputs), outputs=(qdd, found, *status))


def _positions(own: Drives) -> list[Array]:
    return [vector("q_motor", own.q), vector("qd_motor", own.qd)]


@closing
def elastic_drive_inverse_dynamics(
    robot: Robot, *, parameters: Parameters = "standard", friction: FrictionKind = False, wrench: Wrenches = "terminal"
) -> Model:
    """q_motor, where the motors have to be for the links to accelerate with qdd, and tau of the motors, for given q, qd, qdd
    of the links and qd_motor, qdd_motor of the rotors.

    Entries of qd_motor and qdd_motor of joints without stiffness are not read. The other options are those of
    ``elastic_drive_forward_dynamics``.
    """
    friction_asked(robot, friction)
    used = robot_in(robot, parameters, rotor_inertia=False)  # the rotors stay apart from the links
    own = with_drives(used, regrouped(tree(used, wrench)))
    still = replace(own, bodies=_without_springs(own))
    graphs = [
        _with_springs(still, torque_graph(used, still.bodies, one, friction=friction, wrench=wrench))
        for one in algorithms(robot, "auto", still.bodies)
    ]
    options = {"friction": friction, "wrench": wrench}
    optional = zero_unless_given(used, wrench)
    name = "elastic-drive-inverse-dynamics"
    return model(used, name, optimised(*graphs), options, parameters, optional, described=robot)


def _without_springs(own: Drives) -> Tree:
    """The springs of the drives are what is solved for."""
    moved = {body.j for body in own.elastic.values()}
    bodies = own.bodies.bodies
    made = tuple(replace(body, spring=Spring()) if body.j in moved else body for body in bodies)
    return replace(own.bodies, bodies=made)


def _with_springs(own: Drives, graph: Graph) -> Graph:
    """[7.35a] for the stretch of the springs, [7.35b] for the torques of the motors."""
    gamma, *status = graph.outputs
    qdd = [variable(f"qddm{k}") for k in range(1, len(own.q) + 1)]
    places, torques = [], list(gamma.entries)
    for k in range(own.first, len(gamma.entries)):
        body = own.elastic.get(k)
        position = own.bodies.coordinates.q[k + own.bodies.coordinates.nq - own.bodies.coordinates.nv]
        if body is None:
            places.append(position)
            continue
        # gamma = -(k (q - q_M - rest) + d (qd - qd_M)); body.spring.stretch has -q_M in it.
        unmoved = expr(body.spring.stretch + own.q[k - own.first])
        damped = expr(body.spring.damping * body.spring.rate)
        places.append(expr(unmoved + (gamma.entries[k] + damped) / body.spring.stiffness))
        torques[k] = expr(gamma.entries[k] + body.rotor * qdd[k - own.first])
    outputs = (vector("q_motor", places), Array("tau", gamma.shape, tuple(torques)), *status)
    inputs = [replace(array, rate=None) for array in graph.inputs]
    at = next(k for k, array in enumerate(inputs) if array.name == "qdd") + 1
    inputs[at:at] = [vector("qd_motor", own.qd), vector("qdd_motor", qdd)]
    name = f"{own.robot.name} elastic-drive-inverse-dynamics"
    return replace(graph, name=name, inputs=tuple(inputs), outputs=outputs)
