"""Flexible joints: springs between the motors and the links, so that both have positions of their own.

Khalil, course 2014, equations 7.34 and 7.35, with q_M the positions of the rotors on the joints' side, s the torque of the
springs on the joints (spring = {stiffness, damping, rest}) and F_M the friction of the motors' shafts:

    A qdd + C qd + Q + s + friction + k (q - q_M) + d (qd - qd_M) = 0,
    Ia qdd_M + F_M(qd_M) - k (q - q_M) - d (qd - qd_M) = tau.

k and d are the flexibility of the drive. A rotor does not move with the link: its inertia is not in A, and the friction of its
shaft is not among that of the joint. A joint without flexibility has its motor at the joint itself.
"""

from __future__ import annotations

from dataclasses import replace

from ....expr import expr
from ....generated import Model
from ....generated.checks import Check, joined
from ....generated.declaration import declare
from ....generated.documentation.arrays import torques
from ....generated.documentation.case import Case
from ....program import Array, Graph
from ....program.documentation import Described
from ....robot import Robot
from ...common import vector
from ...inertial_parameters.sets import Parameters
from ...resolve import Near, OfPlatform, Structure, resolve
from ...tree.flexible import Drives, motor_symbols, with_drives
from ...tree.friction import FrictionKind
from ...tree.state import Wrenches
from ..forward.forward_dynamics import two_mass_model
from ..inverse.inverse_dynamics import algorithms, torque_graph
from ..request import Request

FORWARD, INVERSE = "flexible-joint-forward-dynamics", "flexible-joint-inverse-dynamics"


def _motor_torques(case: Case) -> Described:
    return torques(case, "of the motors, on the side of their joints, of the")


def _has_flexible_joints(robot: Robot) -> bool:
    return bool(robot.flexible)


@declare(
    title="Direct dynamics with flexible joints",
    family="dynamic",
    rank=150,
    inputs="q, qd, q_motor, qd_motor, tau, wrench?",
    outputs="qdd, qdd_motor",
    about="Accelerations of links and motors of flexible joints, for given torques of the motors",
    arrays={"tau": _motor_torques},
    available=_has_flexible_joints,
    gravity=True,
    section="Khalil 2010, section 6.2",
    checks=[
        Check(
            lambda task: task.flexible.forward,
            ("q", "qd", "q_motor", "qd_motor", "tau"),
            value=joined("qdd", "qdd_motor"),
            tolerance=1e-6,
            flexible=True,
        )
    ],
)
def flexible_joint_forward_dynamics(
    robot: Robot,
    *,
    parameters: Parameters = "standard",
    friction: FrictionKind = False,
    wrench: Wrenches = "terminal",
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
    coordinates: OfPlatform = None,
) -> Model:
    """qdd of the links and qdd_motor of the rotors, for given q, qd, q_motor, qd_motor and the torques tau of the motors.

    ``friction`` of a joint acts on its link, that of the motor's shaft on its rotor. Entries of q_motor and qd_motor of joints
    that are not flexible are not read, and their rotors move with them. A free base comes first in q, qd, qdd and tau, and has
    no motor.
    """
    resolved = resolve(robot, mode, near, structure, coordinates)
    return two_mass_model(resolved, FORWARD, Request(parameters, friction, None, wrench, "spatial"))


@declare(
    title="Inverse dynamics with flexible joints",
    family="dynamic",
    rank=160,
    inputs="q, qd, qdd, qd_motor, qdd_motor, wrench?",
    outputs="q_motor, tau",
    about="Positions and torques of the motors of flexible joints that make the links accelerate as given",
    arrays={"tau": _motor_torques},
    available=_has_flexible_joints,
    gravity=True,
    section="Khalil 2010, section 6.3",
    checks=[
        Check(
            lambda task: task.flexible.inverse,
            ("q", "qd", "qdd", "qd_motor", "qdd_motor"),
            value=joined("q_motor", "tau"),
            flexible=True,
        )
    ],
)
def flexible_joint_inverse_dynamics(
    robot: Robot,
    *,
    parameters: Parameters = "standard",
    friction: FrictionKind = False,
    wrench: Wrenches = "terminal",
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
    coordinates: OfPlatform = None,
) -> Model:
    """q_motor, where the motors have to be for the links to accelerate with qdd, and tau of the motors, for given q, qd, qdd
    of the links and qd_motor, qdd_motor of the rotors.

    Entries of qd_motor and qdd_motor of joints that are not flexible are not read. The other options are those of
    ``flexible_joint_forward_dynamics``.
    """
    resolved = resolve(robot, mode, near, structure, coordinates)
    asked = Request(parameters, friction, None, wrench).prepare(resolved, rotors_apart=True).regrouped
    drives = with_drives(asked.robot, asked.bodies)
    flexible = replace(asked, bodies=drives.bodies)
    ways = algorithms(resolved.tree, "auto", drives.bodies)
    graphs = [_solved_for_motors(drives, torque_graph(flexible, way), asked.friction) for way in ways]
    return asked.model(INVERSE, *graphs)


def _solved_for_motors(drives: Drives, graph: Graph, friction: FrictionKind) -> Graph:
    """[7.35a] for the stretch of the springs, [7.35b] for the torques of the motors."""
    gamma, *status = graph.outputs
    qdd = motor_symbols(drives.robot, "qddm")
    own = drives.bodies.coordinates
    positions, torques = list(own.q[own.nq - len(drives.q) :]), list(gamma.entries)
    for place, drive in drives.flexible.items():
        k = place - drives.first
        # gamma = -(k (q - q_M) + d (qd - qd_M)) moves the link.
        damped = drive.spring.damping * drive.spring.rate
        positions[k] = expr(own.position(drive.j) + (gamma.entries[place] + damped) / drive.spring.stiffness)
        torques[place] = expr(gamma.entries[place] + drive.rotor * qdd[k] + drive.friction(friction))
    outputs = (vector("q_motor", positions), Array("tau", gamma.shape, tuple(torques)), *status)
    inputs = [replace(array, rate=None) for array in graph.inputs]
    at = next(k for k, array in enumerate(inputs) if array.name == "qdd") + 1
    inputs[at:at] = [vector("qd_motor", drives.qd), vector("qdd_motor", qdd)]
    return replace(graph, name=f"{drives.robot.name} {INVERSE}", inputs=tuple(inputs), outputs=outputs)
