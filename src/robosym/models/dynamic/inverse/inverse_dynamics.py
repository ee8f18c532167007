"""The inverse dynamic model: torques from positions, velocities and accelerations (SYMORO+ 1997, section 5.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from ....expr import expr
from ....generated import Model
from ....generated.checks import MOVING, Check
from ....generated.declaration import Parallel, declare
from ....generated.documentation import platforms
from ....generated.documentation.case import Case
from ....program import Array, Graph
from ....program.documentation import Described, Entry
from ....robot import FIXED, Robot, RobotError
from ....robot.problems import Problem
from ....spatial.scalar import Scalar
from ... import limits
from ...common import require_standard
from ...inertial_parameters.sets import Parameters
from ...resolve import BOTH, Acting, Near, OfPlatform, Resolved, Structure, resolve
from ...tool import Tool
from ...tree.bodies import Tree
from ...tree.coordinates import Axis, Coordinates
from ...tree.friction import FrictionKind
from ...tree.joint_torques import (
    CLASSICAL,
    METHODS,
    MODERN,
    WITH_REACTIONS,
    Algorithm,
    augmented,
    two_axis_links_first,
)
from ...tree.moving import Kind
from ...tree.rotors import RotorInertia
from ...tree.state import Wrenches
from ..request import Prepared, PreparedPlatform, Request

Method = Literal["auto", "newton-euler", "acceleration-matrix", "augmented-body"]
Legs = Literal[
    "unrolled", "shared", "given"
]  # each written out, one function for those alike, or their positions as inputs
NAME = "inverse-dynamics"
STATE = ("q", "qd", "qdd")


def _through_joints(case: Case) -> Described:
    """Force f and moment m through the joints of all moving links, in their frames."""
    robot, moment = case.robot, case.array == "m"
    what = "moment (about the origin of the frame)" if moment else "force"
    links = [j for j in robot.order if robot.frame(j).sigma != FIXED and j <= robot.n_links]
    rows = tuple(Entry(robot.frame(j).name) for j in links) if len(links) == case.shape[0] else ()
    about = f"{what} through the joint of each link, of the link before on it, in the axes of its own frame"
    return Described(about, rows, tuple(map(Entry, "xyz")), unit="N m" if moment else "N")


@declare(
    title="Inverse dynamic model",
    family="dynamic",
    rank=10,
    inputs="q, qd, qdd, wrench?",
    outputs="tau",
    about="Inverse dynamic model: torques for given positions, speeds and accelerations",
    arrays={"f": _through_joints, "m": _through_joints},
    parallel=Parallel(
        "Inverse dynamic model of a platform on legs",
        {"W": platforms.platform_wrench},
        ("method", "parameters", "friction", "rotor_inertia", "wrench", "forces", "legs"),
        motors=True,
    ),
    parallel_only=("forces", "legs", "tool"),
    gravity=True,
    section="SYMORO+ 1997, section 5.1",
    checks=[
        Check(lambda task: task.torques, MOVING),
        Check(lambda task: task.torques, MOVING, options={"parameters": "base"}, note="base parameters"),
    ],
)
def inverse_dynamics(
    robot: Robot,
    *,
    parameters: Parameters = "standard",
    method: Method = "auto",
    friction: FrictionKind = False,
    rotor_inertia: RotorInertia = True,
    wrench: Wrenches = "terminal",
    kind: Kind = "spatial",
    reactions: bool = False,
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
    coordinates: OfPlatform = None,
    tool: Tool | None = None,
    forces: Acting | None = None,
    legs: Legs | None = None,
) -> Model:
    """Inverse dynamics: joint torques from positions, velocities and accelerations.

    For a parallel robot the model gives the actuator torques from pose, twist and acceleration of the platform. The
    wrench of the platform on the environment is in its axes at its origin.

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
        description. Parallel robots support True and False only.
    wrench
        Links that exert a wrench on the environment: "terminal", "all", "none" or a list of frames by name. Each is a
        row of the input ``wrench`` (k, 6), zero by default. A row is force [N], then moment [N m], in the axes of the
        frame at its origin. "terminal" are the last links of the kinematic chains, "all" every moving link. A listed
        frame can be fixed to a moving link. For a parallel robot "terminal" is the platform.
    kind
        Floating base only: its linear acceleration is "spatial" (rate of the twist) or "classical" (of its origin).
        Robots without a floating base ignore it. Not available for parallel robots.
    reactions
        Force and moment through every joint as additional outputs. They require standard parameters, no closed loops
        and a method other than "augmented-body". Not available for parallel robots.
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
        "platform" gives ``W`` (6), the wrench on the platform that moves it and the legs. It requires platform
        coordinates.
    legs
        Parallel robots only: "unrolled", "shared" (one function for identical legs) or "given" (leg joint positions as
        input). None is "unrolled": the code of every leg is written out. "shared" requires ``forces`` "motors" and a
        wrench "terminal" or "none". "given" adds the input ``legs``, the positions of all leg joints, for example as
        measured. The option requires platform coordinates.

    Returns
    -------
    Model
        Inputs ``q``, ``qd``, ``qdd`` and ``wrench``; for a parallel robot ``pose``, ``twist`` and ``twist_rate`` of the
        platform. Outputs:

        - ``tau``: torques or forces of the independent joints [N m, N]. With a floating base it starts with the wrench
          on the base: force, then moment, in its axes at its origin.
        - ``f`` and ``m`` (links, 3) with ``reactions``: force [N] and moment [N m] that the parent exerts through every
          joint, in its frame.

        Closed-loop and parallel robots: status ``assembled`` is 1 where the state is possible, else 0 and the values
        are NaN. Loops closed by iteration add the input ``start`` and the status ``passive`` and ``residual``.

    Notes
    -----
    SYMORO+ 1997, section 5.1. Parallel robots: Khalil 2010, equation 66.
    """
    resolved = resolve(robot, mode, near, structure, coordinates, tool, BOTH)
    resolved.only_of_trees(NAME, kind=(kind, "spatial"), reactions=(reactions, False))
    resolved.only_of_platforms(tool=tool, forces=forces, legs=legs)
    robot = resolved.tree
    if resolved.parallel:
        return _of_platform(resolved, Request(parameters, friction, rotor_inertia, wrench, method=method), forces, legs)
    if reactions and parameters == "base":
        message = "base parameters keep the torques, not the wrenches inside the joints: use parameters='standard'"
        raise RobotError([Problem("reactions", message)], robot.name)
    if reactions:
        require_standard(robot, "the wrenches inside the joints")
    if reactions and robot.closure is not None:
        message = "the tree alone does not tell what closed loops do to its joints: see constraint_wrenches"
        raise RobotError([Problem("reactions", message)], robot.name)
    asked = Request(parameters, friction, rotor_inertia, wrench, kind).prepare(resolved, on_any_link=reactions)
    if not reactions:  # moving parameters between links keeps the torques, not the wrenches inside the joints
        asked = asked.regrouped
    graphs = [torque_graph(asked, one, reactions) for one in algorithms(robot, method, asked.bodies, reactions)]
    return asked.model(NAME, *graphs, options={"method": method})


def _of_platform(resolved: Resolved, request: Request, forces: Acting | None, legs: Legs | None) -> Model:
    """The motors of a parallel robot (Khalil 2010, equation 66), or the wrench on its platform."""
    robot, acting = resolved.robot, acting_on(resolved, forces)
    if legs == "shared" and acting != "motors":
        raise RobotError([Problem("forces", "got 'platform', expected 'motors' with shared legs")], robot.name)
    if legs is not None and resolved.by_motors:
        raise RobotError([Problem("legs", "is no option in the motors' coordinates")], robot.name)
    asked = replace(request, acting=acting, legs_given=legs == "given").platform(resolved).regrouped
    said = {} if resolved.by_motors else {"forces": acting, "legs": legs or "unrolled"}
    if legs == "shared":
        from ...parallel.shared import Losses, shared_routine

        if asked.wrench not in ("terminal", "none"):
            problem = "with shared legs the wrench is that of the platform: expected 'terminal' or 'none'"
            raise RobotError([Problem("wrench", problem)], robot.name)
        on_legs = {j for leg in asked.platform.legs for j in leg.path.all_frames}
        if symbolic := [robot.frame(j).name for j in asked.pushing if j in on_legs]:
            problem = (
                f"{', '.join(symbolic)}: the wrench is a variable: with shared legs expected numbers or parameters"
            )
            raise RobotError([Problem("wrench", problem)], robot.name)
        pushing = None if asked.wrench == "none" else asked.pushing
        losses = Losses(asked.friction, bool(request.rotor_inertia), pushing)
        routine = shared_routine(asked.platform, asked.algorithms, losses)
        return asked.model(NAME, routine, options={"method": request.method}, more=said)
    return asked.model(NAME, torque_graph(asked, asked.recursion), options={"method": request.method}, more=said)


def acting_on(resolved: Resolved, forces: Acting | None) -> Acting:
    """What the torques of a parallel robot act on: its motors by default."""
    if forces is not None and resolved.by_motors:
        problem = "in the motors' coordinates torques are those of the motors"
        raise RobotError([Problem("forces", problem)], resolved.robot.name)
    return forces or "motors"


# --- which algorithm --------------------------------------------------------------------------------------------------


def recursions(asked: Prepared) -> list[Algorithm]:
    """Those that may be the cheapest; of a parallel robot the one that was chosen for each leg."""
    if isinstance(asked, PreparedPlatform):
        return [asked.recursion]
    return algorithms(asked.resolved.tree, "auto", asked.bodies)


def algorithms(robot: Robot, method: str, bodies: Tree, reactions: bool = False) -> list[Algorithm]:
    """What a method stands for with these bodies: one algorithm, or those that may be the cheapest."""
    if method == "augmented-body" and reactions:
        message = (
            "the augmented-body recursion gives torques only: use another method for the wrenches inside the joints"
        )
        raise RobotError([Problem("method", message)], robot.name)
    if method == "augmented-body" and bodies.free:
        message = "the augmented-body recursion is for a base that stands or has a given motion: use another method"
        raise RobotError([Problem("method", message)], robot.name)
    if reactions:
        return [CLASSICAL if method == "newton-euler" else WITH_REACTIONS]
    if method == "auto":
        n = len(bodies.links)
        plain = robot.structure == "serial" and not any(body.prismatic for body in bodies.bodies)
        every = n <= limits.FEW_BODIES or (n <= limits.SOME_BODIES and not plain)
        if bodies.free:
            return [MODERN, CLASSICAL] if every else [MODERN]
        return [two_axis_links_first, MODERN, CLASSICAL, augmented] if every else [two_axis_links_first]
    return [METHODS[method]]


# --- the torques ------------------------------------------------------------------------------------------------------


def torque_graph(
    asked: Prepared,
    algorithm: Algorithm,
    reactions: bool = False,
    name: str = NAME,
    output: str = "tau",
    state: tuple[str, ...] = STATE,
) -> Graph:
    """tau: the torque of every joint (equation 20), brought back to the coordinates."""
    scope = asked.scope()
    wrenches, found = asked.torques(algorithm, scope)
    outputs = [torque_array(output, asked.coordinates, found)]
    if reactions:
        links = [body for body in asked.bodies.links if body.j <= asked.robot.n_frames]
        for called, part in (("f", 0), ("m", 1)):
            entries = tuple(expr(value) for body in links for value in wrenches[body.j][part])
            outputs.append(Array(called, (len(links), 3), entries))
    return asked.graph(name, state, outputs, scope)


def torque_array(name: str, own: Coordinates, found: Mapping[Axis, Scalar]) -> Array:
    """The torques of the coordinates, from those of the axes. A wrench on the platform of a parallel robot is called W."""
    entries = tuple(map(expr, own.torques(found)))
    return Array(own.torque_name or name, (len(entries),), entries)
