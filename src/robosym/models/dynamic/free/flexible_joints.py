"""Flexible joints: springs between the motors and the links, so that both have positions of their own.

Khalil, course 2014, equations 7.34 and 7.35, with q_M the positions of the rotors on the joint side, s the torque of the
springs on the joints (spring = {stiffness, damping, rest}) and F_M the friction of the motor shafts:

    A qdd + C qd + Q + s + friction + k (q - q_M) + d (qd - qd_M) = 0,
    Ia qdd_M + F_M(qd_M) - k (q - q_M) - d (qd - qd_M) = tau.

k and d are the flexibility of the drive. A rotor does not move with the link: A does not contain its inertia, and the friction of the
joint does not contain the friction of its shaft. A joint without flexibility has its motor at the joint itself.
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
    """Forward dynamics of a robot with flexible joints.

    Springs connect the motors to the links, so that both have positions of their own. Positions and velocities of the
    motors are on the joint side of the transmission.

    Parameters
    ----------
    robot
        Robot with flexible joints.
    parameters
        Set of inertial parameters: "standard" or the smaller "base" (minimal) set. Both sets give the same torques.
    friction
        Joint friction of the description: False (excluded), True (included) or "smooth" (its smooth variant). "smooth"
        replaces the sign of the velocity by a hyperbolic tangent. It requires a width in the description of every joint
        whose friction jumps. Joint friction acts on the link, friction of the motor shaft on the rotor.
    wrench
        Links that exert a wrench on the environment: "terminal", "all", "none" or a list of frames by name. Each is a
        row of the input ``wrench`` (k, 6), zero by default. A row is force [N], then moment [N m], in the axes of the
        frame at its origin. "terminal" are the last links of the kinematic chains, "all" every moving link. A listed
        frame can be fixed to a moving link.
    mode
        Closed loops and parallel robots: name of the assembly mode or of the working mode of the legs. None selects the
        mode of the joint positions in the description, otherwise the first mode. This model treats a parallel robot as
        closed loops, whose assembly modes have names of their own.
    near
        Closed loops and parallel robots: joint positions by name [rad, m] that select the nearest mode, in place of its
        name. Closed loops need at least one passive joint among them. Actuated joints that are not named keep the
        position of the description, or zero (the reference position if loops are closed by iteration).
    structure
        Closed loops: "closed" keeps the loops closed, "tree" opens them at the cut joints. "tree" makes every joint of
        the spanning tree a coordinate, and excludes ``mode`` and ``near``.
    coordinates
        Parallel robots only: coordinates of the model, "platform" (its pose) or "motors" (actuator positions). None is
        "motors", the only choice for this model.

    Returns
    -------
    Model
        Inputs ``q``, ``qd``, ``q_motor``, ``qd_motor``, the motor torques ``tau`` [N m, N] and ``wrench``. Entries of
        ``q_motor`` and ``qd_motor`` of rigid joints are not read; their rotors move with the joints. Outputs:

        - ``qdd`` (nv): accelerations of the links [rad/s^2, m/s^2].
        - ``qdd_motor``: accelerations of the rotors.

        A floating base comes first in ``q``, ``qd``, ``qdd`` and ``tau``, and has no motor. Closed-loop and parallel
        robots: status ``assembled`` is 1 where the state is possible, else 0 and the values are NaN. Loops closed by
        iteration add the input ``start`` and the status ``passive`` and ``residual``.

    Notes
    -----
    Khalil, course 2014, equations 7.34 and 7.35.
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
    """Inverse dynamics of a robot with flexible joints.

    The model computes the motor positions and torques with which the links have a given motion.

    Parameters
    ----------
    robot
        Robot with flexible joints.
    parameters
        Set of inertial parameters: "standard" or the smaller "base" (minimal) set. Both sets give the same torques.
    friction
        Joint friction of the description: False (excluded), True (included) or "smooth" (its smooth variant). "smooth"
        replaces the sign of the velocity by a hyperbolic tangent. It requires a width in the description of every joint
        whose friction jumps. Joint friction acts on the link, friction of the motor shaft on the rotor.
    wrench
        Links that exert a wrench on the environment: "terminal", "all", "none" or a list of frames by name. Each is a
        row of the input ``wrench`` (k, 6), zero by default. A row is force [N], then moment [N m], in the axes of the
        frame at its origin. "terminal" are the last links of the kinematic chains, "all" every moving link. A listed
        frame can be fixed to a moving link.
    mode
        Closed loops and parallel robots: name of the assembly mode or of the working mode of the legs. None selects the
        mode of the joint positions in the description, otherwise the first mode. This model treats a parallel robot as
        closed loops, whose assembly modes have names of their own.
    near
        Closed loops and parallel robots: joint positions by name [rad, m] that select the nearest mode, in place of its
        name. Closed loops need at least one passive joint among them. Actuated joints that are not named keep the
        position of the description, or zero (the reference position if loops are closed by iteration).
    structure
        Closed loops: "closed" keeps the loops closed, "tree" opens them at the cut joints. "tree" makes every joint of
        the spanning tree a coordinate, and excludes ``mode`` and ``near``.
    coordinates
        Parallel robots only: coordinates of the model, "platform" (its pose) or "motors" (actuator positions). None is
        "motors", the only choice for this model.

    Returns
    -------
    Model
        Inputs ``q``, ``qd`` and ``qdd`` of the links, ``qd_motor`` and ``qdd_motor`` of the rotors, and ``wrench``.
        Entries of ``qd_motor`` and ``qdd_motor`` of rigid joints are not read. Outputs:

        - ``q_motor``: positions of the motors on the joint side [rad, m].
        - ``tau`` (nv): torques of the motors [N m, N]; with a floating base the wrench on it comes first.

        Closed-loop and parallel robots: status ``assembled`` is 1 where the state is possible, else 0 and the values
        are NaN. Loops closed by iteration add the input ``start`` and the status ``passive`` and ``residual``.

    Notes
    -----
    Khalil, course 2014, equations 7.35a and 7.35b.
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
