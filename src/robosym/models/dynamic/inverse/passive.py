"""``passive_dynamics``: the torques of passivity-based control (Slotine and Li 1987), tau = A(q) a + C(q, qd) v + Q(q).

C is the matrix of Christoffel symbols, as in ``coriolis``: A-dot - 2 C is skew-symmetric. With the reference velocities v, their
rates a and s = qd - v, the closed loop A ds/dt + C s + K s = 0 dissipates the energy 1/2 s^T A s. C is never computed: the recursions
belong to the inverse dynamics, with the products of velocities from ``tree/reference.py``. Torques of one joint alone act at the
reference velocity: friction Fv v + Fs sign(v), dampers, rotors Ia a.
"""

from __future__ import annotations

from ....expr import Expr, expr
from ....generated import Model
from ....generated.checks import Check
from ....generated.declaration import declare
from ....generated.documentation.arrays import REFERENCE_MOTION
from ....program import Graph
from ....robot import Robot
from ...common import graph_of
from ...inertial_parameters.sets import Parameters
from ...resolve import Near, OfPlatform, Structure, resolve
from ...tree.coordinates import Axis
from ...tree.friction import FrictionKind
from ...tree.joint_torques import Algorithm, actuator_torque
from ...tree.reference import PairScope, Referred, reference_inputs, referred
from ...tree.rotors import RotorInertia
from ...tree.state import Wrenches
from ..request import Prepared, Request
from .inverse_dynamics import algorithms, torque_array


@declare(
    title="Passive inverse dynamics",
    family="dynamic",
    rank=120,
    inputs="q, qd, v, a, wrench?",
    outputs="tau",
    about="tau = A(q) a + C(q, qd) v + Q(q): torques for reference speeds and their rates",
    arrays=REFERENCE_MOTION,
    gravity=True,
    checks=[Check(lambda task: task.torques, ("q", "qd", "v", "a"), note="v = qd, a = qdd")],
)
def passive_dynamics(
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
    """Torques of passivity-based control from a reference velocity.

    With the reference velocity v = qd and the reference acceleration a = qdd the result is the inverse dynamics.

    Parameters
    ----------
    robot
        Robot.
    parameters
        Set of inertial parameters: "standard" or the smaller "base" (minimal) set. Both sets give the same torques.
    friction
        Joint friction of the description: False (excluded), True (included) or "smooth" (its smooth variant). "smooth"
        replaces the sign of the velocity by a hyperbolic tangent. It requires a width in the description of every joint
        whose friction jumps. Friction and dampers act at the reference velocity.
    rotor_inertia
        Rotor inertias of the motors: False (excluded), True (included) or "gyroscopic" (with gyroscopic torques).
        "gyroscopic" adds the torques of rotors that moving links carry along, and requires motor axes in the
        description.
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
        Inputs ``q``, ``qd``, the reference velocity ``v``, its rate ``a`` and ``wrench``. Output ``tau`` (nv) [N m, N].
        With a floating base ``v`` starts with its linear and angular velocity in its own axes, ``a`` with the rates of
        these. Closed-loop and parallel robots: status ``assembled`` is 1 where the state is possible, else 0 and the
        values are NaN. Loops closed by iteration add the input ``start`` and the status ``passive`` and ``residual``.

    Notes
    -----
    ``tau = A(q) a + C(q, qd) v + Q(q)`` (Slotine and Li 1987), with the matrix C of ``coriolis``.
    """
    resolved = resolve(robot, mode, near, structure, coordinates)
    asked = Request(parameters, friction, rotor_inertia, wrench).prepare(resolved).regrouped
    motion = referred(asked.bodies)
    ways = algorithms(resolved.tree, "auto", motion.paired)
    return asked.model("passive-dynamics", *(_graph(asked, motion, one) for one in ways))


def _graph(asked: Prepared, motion: Referred, algorithm: Algorithm) -> Graph:
    scope = PairScope()
    _, gammas = algorithm(motion.paired, scope)
    reference = motion.reference
    in_joints: dict[Axis, Expr] = {b.j: actuator_torque(reference, b, asked.friction) for b in reference.bodies}
    found = {axis: expr(gamma) + in_joints.get(axis, 0) for axis, gamma in gammas.items()}
    tau = torque_array("tau", reference.coordinates, found)
    inputs = reference_inputs(asked.robot, asked.wrench)
    return graph_of(asked.robot, "passive-dynamics", inputs, (tau,), scope.names)
