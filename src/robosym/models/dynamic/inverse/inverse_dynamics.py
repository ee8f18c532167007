"""The inverse dynamic model: torques from positions, velocities and accelerations (SYMORO+ 1997, section 5.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal, get_args

from ....expr import expr
from ....generated import Model
from ....generated.checks import MOVING, Check
from ....generated.declaration import Parallel, declare
from ....generated.documentation import platforms
from ....generated.documentation.arrays import reactions
from ....program import Array, Graph
from ....robot import Robot, RobotError
from ....robot.problems import Problem
from ....spatial.scalar import Scalar
from ... import limits
from ...common import require_standard
from ...inertial_parameters.sets import Parameters
from ...request import truths
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


@declare(
    title="Inverse dynamic model",
    family="dynamic",
    rank=10,
    inputs="q, qd, qdd, wrench?",
    outputs="tau",
    about="Inverse dynamic model: torques for given positions, speeds and accelerations",
    arrays={"f": reactions, "m": reactions},
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
    """tau of the independent joints for given q, qd, qdd, and the wrenches on the environment. Of a free base
    the wrench that acts on it comes first, force and moment in its axes at its origin.

    ``parameters`` "base" writes the model in the base inertial parameters. ``friction`` adds that of the description, "smooth"
    its smooth variant; ``rotor_inertia`` the rotors' Ia qdd, "gyroscopic" also what those with an axis do as moving links carry
    them along. ``wrench`` says what may push on the environment, with a row each of the input of this name, zero by default: the
    "terminal" links, "all", "none", or a list of frames by name, fixed ones too. ``kind`` is that of the acceleration of a free base:
    "spatial", the rates of its speeds, or "classical", that of its origin. ``reactions`` adds the outputs f and m: force and moment through every joint, in its frame.

    Of a parallel robot: tau of the motors for the pose, twist and twist_rate of the platform, or of a ``tool`` on it, and the wrench
    that it exerts on the environment, in its axes at its origin. ``forces`` "platform" gives W, the wrench on the platform that moves
    it and its legs. ``legs`` "shared" writes one function for all legs alike, called for each of them; "given" takes the positions of
    all leg joints as an input beside the pose, as where they are measured. ``coordinates`` "motors" has q, qd and qdd of the motors.
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
    truths(robot, reactions=reactions)
    asked = Request(parameters, friction, rotor_inertia, wrench, kind).prepare(resolved, on_any_link=reactions)
    if not reactions:  # moving parameters between links keeps the torques, not the wrenches inside the joints
        asked = asked.regrouped
    graphs = [torque_graph(asked, one, reactions) for one in algorithms(robot, method, asked.bodies, reactions)]
    return asked.model(NAME, *graphs, options={"method": method})


def _of_platform(resolved: Resolved, request: Request, forces: Acting | None, legs: Legs | None) -> Model:
    """The motors of a parallel robot (Khalil 2010, equation 66), or the wrench on its platform."""
    robot, acting = resolved.robot, acting_on(resolved, forces)
    if legs is not None and legs not in get_args(Legs):
        raise RobotError([Problem("legs", f"got {legs!r:.40}, expected {', '.join(get_args(Legs))}")], robot.name)
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
    if forces is not None and (forces not in ("motors", "platform") or resolved.by_motors):
        expected = "in the motors' coordinates torques are those of the motors"
        problem = expected if resolved.by_motors else f"got {forces!r:.40}, expected 'motors' or 'platform'"
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
    if method not in get_args(Method):
        raise RobotError([Problem("method", f"got {method!r}, expected {', '.join(get_args(Method))}")], robot.name)
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
        links = asked.bodies.links
        for called, part in (("f", 0), ("m", 1)):
            entries = tuple(expr(value) for body in links for value in wrenches[body.j][part])
            outputs.append(Array(called, (len(links), 3), entries))
    return asked.graph(name, state, outputs, scope)


def torque_array(name: str, own: Coordinates, found: Mapping[Axis, Scalar]) -> Array:
    """The torques of the coordinates, from those of the axes. A wrench on the platform of a parallel robot is called W."""
    entries = tuple(map(expr, own.torques(found)))
    return Array(own.torque_name or name, (len(entries),), entries)
