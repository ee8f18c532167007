"""What a robot needs without accelerating: H (Coriolis, centrifugal, gravity, friction, wrenches), and Q (gravity alone).

H is the inverse dynamic model with qdd = 0, written as a model of its own (SYMORO+ 1997, section 5.3.1): whatever the
zeros empty is gone. The inertia of rotors that turn with their joints only never enters it.
"""

from __future__ import annotations

from ....arguments import strictly
from ....generated import Model
from ....generated.checks import STATE, Check
from ....generated.declaration import Parallel, declare
from ....generated.documentation import platforms
from ....generated.documentation.arrays import torques
from ....program import Graph, Scope
from ....robot import Robot
from ....spatial.scalar import Scalar
from ....spatial.vectors import cross, times
from ...common import graph_of
from ...inertial_parameters.sets import Parameters
from ...resolve import BOTH, Acting, Near, OfPlatform, Resolved, Structure, resolve
from ...tool import Tool
from ...tree.bodies import Tree
from ...tree.composite import Composite, composites, linear_momentum, whole_robot
from ...tree.coordinates import BASE_AXES, Axis
from ...tree.deferred import Deferred, at_once, dot
from ...tree.friction import FrictionKind
from ...tree.rotors import RotorInertia
from ...tree.state import Wrenches, state_inputs
from ..request import Prepared, PreparedPlatform, Request
from .inverse_dynamics import acting_on, recursions, torque_array, torque_graph


@declare(
    title="Coriolis, centrifugal and gravity torques",
    family="dynamic",
    rank=40,
    inputs="q, qd, wrench?",
    outputs="H",
    about="Torques without accelerations: centrifugal, Coriolis, gravity and what the options add",
    arrays={"H": torques},
    parallel=Parallel(
        "Forces of the motors of a platform on legs without accelerations",
        {"H": platforms.forces, "W": platforms.platform_wrench},
        ("parameters", "friction", "rotor_inertia", "wrench", "forces"),
        motors=True,
    ),
    parallel_only=("forces", "tool"),
    gravity=True,
    section="SYMORO+ 1997, section 5.3.1",
    checks=[Check(lambda task: task.bias, STATE)],
)
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
    tool: Tool | None = None,
    forces: Acting | None = None,
) -> Model:
    """H of the independent joints for given q and qd, and the wrenches of the links on the environment. The options are those
    of ``inverse_dynamics``."""
    resolved = resolve(robot, mode, near, structure, coordinates, tool, BOTH)
    resolved.only_of_platforms(tool=tool, forces=forces)
    acting = acting_on(resolved, forces)
    request = Request(parameters, friction, rotor_inertia, wrench, order=1, method="auto", acting=acting)
    asked = request.prepare(resolved).regrouped.at_constant_speed
    ways = recursions(asked)
    graphs = [torque_graph(asked, one, name="bias", output="H", state=("q", "qd")) for one in ways]
    return asked.model("bias", *graphs, more=_said(resolved, acting))


def _said(resolved: Resolved, acting: Acting) -> dict[str, str]:
    """What torques of a parallel robot act on, where it may be chosen."""
    return {"forces": acting} if resolved.parallel and not resolved.by_motors else {}


@declare(
    title="Gravity torques",
    family="dynamic",
    rank=50,
    inputs="q",
    outputs="Q",
    about="Torques that hold the robot against gravity, at rest",
    arrays={"Q": torques},
    parallel=Parallel(
        "Forces of the motors that hold a platform and its legs against gravity, at rest",
        {"Q": platforms.forces, "W": platforms.platform_wrench},
        ("parameters", "forces"),
        motors=True,
    ),
    parallel_only=("forces", "tool"),
    gravity=True,
    checks=[Check(lambda task: task.motion.gravity())],
)
def gravity(
    robot: Robot,
    *,
    parameters: Parameters = "standard",
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
    coordinates: OfPlatform = None,
    tool: Tool | None = None,
    forces: Acting | None = None,
) -> Model:
    """Q: the torques that hold the robot against gravity, at rest and with its base at rest. Of a parallel robot those of its
    motors, or with ``forces`` "platform" the wrench on its platform."""
    resolved = resolve(robot, mode, near, structure, coordinates, tool, BOTH)
    resolved.only_of_platforms(tool=tool, forces=forces)
    acting = acting_on(resolved, forces)
    asked = Request(parameters, order=0, method="auto", acting=acting).prepare(resolved).regrouped
    if isinstance(asked, PreparedPlatform):
        return asked.model("gravity", _at_rest(asked), more=_said(resolved, acting))
    return asked.model("gravity", *(_gravity_graph(asked, add_angles) for add_angles in (True, False)))


def _at_rest(asked: PreparedPlatform) -> Graph:
    """The legs and the platform of a parallel robot by their recursions, nothing moving."""
    scope = asked.scope()
    found = {axis: x for bodies in asked.trees for axis, x in asked.recursion(bodies, scope)[1].items()}
    return asked.graph("gravity", ("q",), [torque_array("Q", asked.coordinates, found)], scope)


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
