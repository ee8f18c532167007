"""Torques without joint accelerations: the bias H (Coriolis, centrifugal, gravity, friction, wrenches) and the gravity vector Q.

H is the inverse dynamic model with qdd = 0, written as a model of its own (SYMORO+ 1997, section 5.3.1) without the terms that
vanish. The inertia of rotors that turn with their joints only never enters it.
"""

from __future__ import annotations

from ....generated import Model
from ....generated.checks import STATE, Check
from ....generated.declaration import Parallel, declare
from ....generated.documentation import platforms
from ....generated.documentation.arrays import torques
from ....options.validate import validated
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
    """Bias vector: Coriolis, centrifugal, gravity, friction and wrench torques.

    The bias (nonlinear effects) is the inverse dynamics without joint accelerations.

    Parameters
    ----------
    robot
        Robot.
    parameters
        Set of inertial parameters: "standard" or the smaller "base" (minimal) set. Both sets give the same torques.
    friction
        Joint friction of the description: False (excluded), True (included) or "smooth" (its smooth variant). "smooth"
        replaces the sign of the velocity by a hyperbolic tangent. It requires a width in the description of every joint
        whose friction jumps.
    rotor_inertia
        Rotor inertias of the motors: False (excluded), True (included) or "gyroscopic" (with gyroscopic torques).
        "gyroscopic" adds the torques of rotors that moving links carry along, and requires motor axes in the
        description. Parallel robots support True and False only.
    wrench
        Links that exert a wrench on the environment: "terminal", "all", "none" or a list of frames by name. Each is a
        row of the input ``wrench`` (k, 6), zero by default. A row is force [N], then moment [N m], in the axes of the
        frame at its origin. "terminal" are the last links of the kinematic chains, "all" every moving link. A listed
        frame can be fixed to a moving link. For a parallel robot "terminal" is the platform.
    mode
        Closed loops and parallel robots: name of the assembly mode or of the working mode of the legs. None selects the
        mode of the joint positions in the description, otherwise the first mode. Parallel robots: one name for all legs
        ("elbow-"), or names by leg ("leg1 elbow-, leg2 elbow+"). Legs that are not named keep the mode of the
        description.
    near
        Closed loops and parallel robots: joint positions by name [rad, m] that select the nearest mode, in place of its
        name. Closed loops need at least one passive joint among them. Actuated joints that are not named keep the
        position of the description, or zero (the reference position if loops are closed by iteration). Parallel robots:
        positions of leg joints; the others keep the position of the description, or zero.
    structure
        Closed loops: "closed" keeps the loops closed, "tree" opens them at the cut joints. "tree" makes every joint of
        the spanning tree a coordinate, and excludes ``mode`` and ``near``. Parallel robots support "closed" only.
    coordinates
        Parallel robots only: coordinates of the model, "platform" (its pose) or "motors" (actuator positions). None is
        "platform": the model takes the pose of the platform. With "motors" the pose follows from the actuator
        positions, by iteration from the input ``start``.
    tool
        Parallel robots only: tool pose on the platform [m], a point (3), x y z qx qy qz qw (7) or a matrix (4, 4).
        Entries are numbers, expressions or text such as "LT/2"; lengths are in metres. Motion and wrench of the
        platform are then given for the tool.
    forces
        Parallel robots only: "motors" gives actuator torques, "platform" the wrench on the platform. None is "motors".
        "platform" gives the output ``W`` (6), and requires platform coordinates.

    Returns
    -------
    Model
        Inputs ``q``, ``qd`` and ``wrench``, or ``pose`` and ``twist`` in place of ``q`` and ``qd`` for a parallel
        robot. Output ``H`` (nv) of the independent joints [N m, N]. With a floating base it starts with the wrench on
        the base: force, then moment, in its axes at its origin. Closed-loop and parallel robots: status ``assembled``
        is 1 where the state is possible, else 0 and the values are NaN. Loops closed by iteration add the input
        ``start`` and the status ``passive`` and ``residual``.

    Notes
    -----
    SYMORO+ 1997, section 5.3.1. The inertia of rotors that turn with their joints only has no effect.
    """
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
    """Gravity vector: torques that hold the robot at rest against gravity.

    The base is at rest too. The torques of springs are not included.

    Parameters
    ----------
    robot
        Robot.
    parameters
        Set of inertial parameters: "standard" or the smaller "base" (minimal) set. Both sets give the same torques.
    mode
        Closed loops and parallel robots: name of the assembly mode or of the working mode of the legs. None selects the
        mode of the joint positions in the description, otherwise the first mode. Parallel robots: one name for all legs
        ("elbow-"), or names by leg ("leg1 elbow-, leg2 elbow+"). Legs that are not named keep the mode of the
        description.
    near
        Closed loops and parallel robots: joint positions by name [rad, m] that select the nearest mode, in place of its
        name. Closed loops need at least one passive joint among them. Actuated joints that are not named keep the
        position of the description, or zero (the reference position if loops are closed by iteration). Parallel robots:
        positions of leg joints; the others keep the position of the description, or zero.
    structure
        Closed loops: "closed" keeps the loops closed, "tree" opens them at the cut joints. "tree" makes every joint of
        the spanning tree a coordinate, and excludes ``mode`` and ``near``. Parallel robots support "closed" only.
    coordinates
        Parallel robots only: coordinates of the model, "platform" (its pose) or "motors" (actuator positions). None is
        "platform": the model takes the pose of the platform. With "motors" the pose follows from the actuator
        positions, by iteration from the input ``start``.
    tool
        Parallel robots only: tool pose on the platform [m], a point (3), x y z qx qy qz qw (7) or a matrix (4, 4).
        Entries are numbers, expressions or text such as "LT/2"; lengths are in metres. Pose and wrench of the platform
        are then given for the tool.
    forces
        Parallel robots only: "motors" gives actuator torques, "platform" the wrench on the platform. None is "motors".
        "platform" gives the output ``W`` (6), and requires platform coordinates.

    Returns
    -------
    Model
        Input ``q``, or ``pose`` of a parallel robot. Output ``Q`` (nv) [N m, N]. With a floating base it starts with
        the wrench on the base: force, then moment, in its axes at its origin. Closed-loop and parallel robots: status
        ``assembled`` is 1 where the state is possible, else 0 and the values are NaN. Loops closed by iteration add the
        input ``start`` and the status ``passive`` and ``residual``.

    Notes
    -----
    Khalil, course 2014, equations 7.8 and 7.25b.
    """
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


@validated
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
