"""``motor_torques``: the inverse dynamic model on the motor side of the transmission.

tau_m = J^T Gamma (Khalil, course 2014, equation 7.33), with Gamma from ``inverse_dynamics``. Gamma contains the rotors as
J^-T Jm J^-1 qdd, which is Jm qdd_m here; on rotating links, as an option, Jm (qdd_m + a . wd) (``tree/rotors.py``).
"""

from __future__ import annotations

from dataclasses import replace

from ....expr import step
from ....generated import Model
from ....generated.declaration import declare
from ....program import Graph
from ....robot import Robot
from ....robot.joint_entries import require_single_axes
from ...inertial_parameters.sets import Parameters
from ...resolve import Near, OfPlatform, Structure, resolve
from ...tree.drives import Transmission, motor_arrays, transmission_of
from ...tree.friction import FrictionKind
from ...tree.moving import Kind
from ...tree.rotors import RotorInertia
from ...tree.state import Wrenches
from ..request import Request
from ..transmission import DRIVES, NOT_IN_REFERENCE
from .inverse_dynamics import Method, algorithms, torque_graph


@declare(
    title="Torques of the motors",
    family="dynamic",
    rank=100,
    inputs="q, qd, qdd, wrench?",
    outputs="tau_m",
    about="Torques of the motors for given positions, speeds and accelerations of the joints",
    arrays=DRIVES,
    gravity=True,
    unchecked=NOT_IN_REFERENCE,
    section="Khalil, course 2014, section 7.3.7",
)
def motor_torques(
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
    """Inverse dynamics on the motor side: torques, currents and amplifier inputs.

    Parameters
    ----------
    robot
        Robot.
    parameters
        Set of inertial parameters: "standard" or the smaller "base" (minimal) set. Both sets give the same torques.
    method
        Recursive algorithm: "newton-euler", "acceleration-matrix", "augmented-body" or "auto" (fewest operations).
        "newton-euler" is the classical recursion. "acceleration-matrix" propagates the matrix of angular acceleration
        and squared angular velocity. "augmented-body" is Renaud's recursion, and does not support a floating base.
    friction
        Joint friction of the description: False (excluded), True (included) or "smooth" (its smooth variant). "smooth"
        replaces the sign of the velocity by a hyperbolic tangent. It requires a width in the description of every joint
        whose friction jumps.
    rotor_inertia
        Rotor inertias of the motors: False (excluded), True (included) or "gyroscopic" (with gyroscopic torques).
        "gyroscopic" adds the torques of rotors that moving links carry along, and requires motor axes in the
        description.
    wrench
        Links that exert a wrench on the environment: "terminal", "all", "none" or a list of frames by name. Each is a
        row of the input ``wrench`` (k, 6), zero by default. A row is force [N], then moment [N m], in the axes of the
        frame at its origin. "terminal" are the last links of the kinematic chains, "all" every moving link. A listed
        frame can be fixed to a moving link.
    kind
        Floating base only: its linear acceleration is "spatial" (rate of the twist) or "classical" (of its origin).
        Robots without a floating base ignore it.
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
        Inputs ``q``, ``qd``, ``qdd`` and ``wrench``. Outputs, without a floating base:

        - ``tau_m``: torques of the motors [N m, N].
        - ``i``: currents, where the motors have torque constants.
        - ``u``: inputs of the amplifiers, where these have gains.

        Closed-loop and parallel robots: status ``assembled`` is 1 where the state is possible, else 0 and the values
        are NaN. Loops closed by iteration add the input ``start`` and the status ``passive`` and ``residual``.

    Notes
    -----
    ``tau_m = J^T Gamma`` (Khalil, course 2014, equation 7.33) with the joint torques Gamma of ``inverse_dynamics``.
    """
    resolved = resolve(robot, mode, near, structure, coordinates)
    require_single_axes(resolved.robot, "the torques of motors")
    asked = Request(parameters, friction, rotor_inertia, wrench, kind).prepare(resolved).regrouped
    drive = transmission_of(asked.robot)
    ways = algorithms(resolved.tree, method, asked.bodies)
    graphs = [_of_motors(asked.robot, torque_graph(asked, one), drive) for one in ways]
    return asked.model("motor-torques", *graphs, options={"method": method})


def _of_motors(robot: Robot, graph: Graph, drive: Transmission) -> Graph:
    """The torques of the joints brought to the motors; a free base has none."""
    tau, *others = graph.outputs
    joints = tau.entries[len(tau.entries) - len(robot.moving) :]
    found = motor_arrays(robot, drive, [step(x) for x in joints])
    return replace(graph, name=f"{robot.name} motor-torques", outputs=(*found, *others))
