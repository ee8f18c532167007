"""``passive_dynamics``: the torques of passivity-based control (Slotine and Li 1987), tau = A(q) a + C(q, qd) v + Q(q).

C is the matrix of Christoffel symbols, that of ``coriolis``: A-dot - 2 C is skew-symmetric, so that with the reference speeds v,
their rates a and s = qd - v the closed loop A ds/dt + C s + K s = 0 gives away the energy 1/2 s^T A s. C is never built: these are the
recursions of inverse dynamics, with the products of speeds as ``tree/reference.py`` has them. What acts in one joint alone acts at
the reference speed: friction Fv v + Fs sign(v), dampers, rotors Ia a.
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
    """tau = A(q) a + C(q, qd) v + Q(q) for given q, qd, the reference speeds v and their rates a, and the wrenches of the links on
    the environment: with v = qd and a = qdd the inverse dynamic model, whose options these are.

    C is that of ``coriolis``. ``friction`` and dampers are those at the speeds v. Of a free base v begins with its linear and angular
    velocity in its own axes, and a with the rates of these.
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
