"""``motor_torques``: what the motors of a robot have to give, the inverse dynamic model on their side of the transmission.

tau_m = J^T Gamma (Khalil, course 2014, equation 7.33), with Gamma of ``inverse_dynamics``: the rotors are in it as
J^-T Jm J^-1 qdd, which is Jm qdd_m here; on links that turn, on request, Jm (qdd_m + a . wd) (``tree/rotors.py``).
"""

from __future__ import annotations

from dataclasses import replace

from ....expr import step
from ....generated import Model
from ....generated.declaration import declare
from ....program import Graph
from ....robot import Robot
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
    """tau_m, the torques of the motors, for given q, qd, qdd; their currents i where the motors have torque constants, and the
    inputs u of the amplifiers where these have gains. The options are those of ``inverse_dynamics``.
    """
    resolved = resolve(robot, mode, near, structure, coordinates)
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
