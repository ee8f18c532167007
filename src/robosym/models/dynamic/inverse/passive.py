"""``passive_dynamics``: the torques of passivity-based control (Slotine and Li 1987), tau = A(q) a + C(q, qd) v + Q(q).

C is the matrix of Christoffel symbols, that of ``coriolis``: A-dot - 2 C is skew-symmetric, so that with the reference speeds v,
their rates a and s = qd - v the closed loop A ds/dt + C s + K s = 0 gives away the energy 1/2 s^T A s. C is never built: these are the
recursions of inverse dynamics, with the products of speeds as ``tree/reference.py`` has them. What acts in one joint alone acts at
the reference speed: friction Fv v + Fs sign(v), dampers, rotors Ia a.
"""

from __future__ import annotations

from ....arguments import strictly
from ....expr import Expr, expr
from ....generated import Model
from ....program import Graph, optimised
from ....robot import Robot
from ...common import graph_of, model
from ...inertial_parameters.sets import Parameters, robot_in
from ...resolve import Near, OfPlatform, Structure, resolve
from ...tree.bodies import tree
from ...tree.coordinates import Axis
from ...tree.friction import FrictionKind, friction_asked
from ...tree.reference import PairScope, Referred, reference_inputs, referred
from ...tree.regrouping import regrouped
from ...tree.rotors import RotorInertia, rotors_asked, with_spinning_rotors
from ...tree.state import Wrenches, zero_unless_given
from .inverse_dynamics import Algorithm, actuator_torque, algorithms, torque_array


@strictly
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
    robot = resolved.tree
    friction_asked(robot, friction)
    rotors_asked(robot, rotor_inertia)
    used = robot_in(robot, parameters, rotor_inertia)
    motion = referred(regrouped(with_spinning_rotors(used, tree(used, wrench), rotor_inertia)))
    graphs = [
        _graph(used, motion, one, friction, bool(rotor_inertia), wrench)
        for one in algorithms(robot, "auto", motion.paired)
    ]
    options = {"friction": friction, "rotor_inertia": rotor_inertia, "wrench": wrench}
    optional = zero_unless_given(used, wrench)
    return resolved.finished(
        model(used, "passive-dynamics", optimised(*graphs), options, parameters, optional, described=robot)
    )


def _graph(
    robot: Robot, motion: Referred, algorithm: Algorithm, friction: FrictionKind, rotor: bool, wrench: str
) -> Graph:
    scope = PairScope()
    _, gammas = algorithm(motion.paired, scope)
    reference = motion.reference
    in_joints: dict[Axis, Expr] = {
        body.j: actuator_torque(reference, body, friction, rotor) for body in reference.bodies
    }
    found = {axis: expr(gamma) + in_joints.get(axis, 0) for axis, gamma in gammas.items()}
    tau = torque_array("tau", reference.coordinates, found)
    return graph_of(robot, "passive-dynamics", reference_inputs(robot, wrench), (tau,), scope.names)
