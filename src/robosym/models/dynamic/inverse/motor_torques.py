"""``motor_torques``: what the motors of a robot have to give, the inverse dynamic model on their side of the transmission.

tau_m = J^T Gamma (Khalil, course 2014, equation 7.33), with Gamma of ``inverse_dynamics``: the rotors are in it as
J^-T Jm J^-1 qdd, which is Jm qdd_m here; on links that turn, on request, Jm (qdd_m + a . wd) (``tree/rotors.py``).
"""

from __future__ import annotations

from dataclasses import replace

from ....arguments import strictly
from ....expr import step
from ....generated import Model
from ....program import Graph, optimised
from ....robot import Robot
from ...common import model
from ...inertial_parameters.sets import Parameters, robot_in
from ...resolve import Near, OfPlatform, Structure, resolve
from ...tree.bodies import tree
from ...tree.drives import Transmission, motor_arrays, transmission_of
from ...tree.friction import FrictionKind, friction_asked
from ...tree.moving import Kind
from ...tree.regrouping import regrouped
from ...tree.rotors import RotorInertia, rotors_asked, with_spinning_rotors
from ...tree.state import Wrenches, zero_unless_given
from .inverse_dynamics import Method, algorithms, torque_graph


@strictly
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
    """tau_m, the torques of the motors, for given q, qd, qdd; their currents i where the motors have torque constants, and the
    inputs u of the amplifiers where these have gains. The options are those of ``inverse_dynamics``.
    """
    resolved = resolve(robot, mode, near, structure, coordinates)
    robot = resolved.tree
    friction_asked(robot, friction)
    rotors_asked(robot, rotor_inertia)
    used = robot_in(robot, parameters, rotor_inertia)
    bodies = regrouped(with_spinning_rotors(used, tree(used, wrench).accelerating(used, kind), rotor_inertia))
    drive, rotor = transmission_of(used), bool(rotor_inertia)
    graphs = [
        _of_motors(used, torque_graph(used, bodies, one, friction=friction, rotor=rotor, wrench=wrench), drive)
        for one in algorithms(robot, method, bodies)
    ]
    options = {
        "method": method,
        "friction": friction,
        "rotor_inertia": rotor_inertia,
        "wrench": wrench,
        **bodies.kind_of_base,
    }
    optional = zero_unless_given(used, wrench)
    return resolved.finished(
        model(used, "motor-torques", optimised(*graphs), options, parameters, optional, described=robot)
    )


def _of_motors(robot: Robot, graph: Graph, drive: Transmission) -> Graph:
    """The torques of the joints brought to the motors; a free base has none."""
    tau, *others = graph.outputs
    joints = tau.entries[len(tau.entries) - len(robot.moving) :]
    found = motor_arrays(robot, drive, [step(x) for x in joints])
    return replace(graph, name=f"{robot.name} motor-torques", outputs=(*found, *others))
