"""The centre of mass and its Jacobian matrix.

Both are linear in masses and first moments, which are divided by the total mass off-line. Column j of the Jacobian is the linear
momentum of the links that joint j carries at unit velocity: z x MS of its composite link, or M z for a prismatic joint.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ...expr import Expr, expr
from ...generated import Model
from ...generated.checks import Check
from ...generated.declaration import declare
from ...generated.documentation.arrays import XYZ, by_velocity
from ...generated.documentation.case import Case
from ...program import Array, Scope, optimised
from ...program.documentation import Described, Entry
from ...robot import Robot, RobotError
from ...robot.problems import Problem
from ...spatial.inertia import Inertia
from ...spatial.scalar import Scalar, is_zero
from ...spatial.screws import from_left
from ...spatial.vectors import Columns, Vector, apply, cross, plus
from .. import limits
from ..common import graph_of, model, open_tree, require_standard
from ..resolve import Near, OfPlatform, Structure, resolve
from ..tree.bodies import Tree, tree
from ..tree.chains import longest_chain
from ..tree.composite import composites, first_moment, linear_momentum, parallel
from ..tree.coordinates import BASE_AXES, Axis, Coordinates
from ..tree.paths import WORLD, FrameName, motions
from ..tree.regrouping import regrouped
from ..tree.state import state_inputs
from ..tree.world import World, WorldRoute


def _velocity(case: Case) -> Described:
    rows = tuple(Entry(f"v{axis}", "m/s") for axis in "xyz")
    return by_velocity(case, "JC qd is the velocity of the centre of mass, in the axes of the world", rows)


@declare(
    title="Centre of mass",
    family="geometric",
    rank=60,
    inputs="q",
    outputs="C",
    about=lambda case: f"Centre of mass of all that moves, in {case.reference}",
    arrays={"C": lambda case: Described(f"centre of mass in {case.reference}", XYZ)},
    checks=[Check(lambda task: task.motion.moment.centre())],
)
def centre_of_mass(
    robot: Robot,
    *,
    reference: FrameName = WORLD,
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
    coordinates: OfPlatform = None,
) -> Model:
    """Position of the centre of mass of the robot.

    All moving links count. The base and the links fixed to it count if the base is floating or has a prescribed motion.

    Parameters
    ----------
    robot
        Robot.
    reference
        Frame in which the position is expressed: "world" or 0 (the base frame).
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
        Input ``q``. Output ``C`` (3): position [m]. Closed-loop and parallel robots: status ``assembled`` is 1 where
        the state is possible, else 0 and the values are NaN. Loops closed by iteration add the input ``start`` and the
        status ``passive`` and ``residual``.
    """
    resolved = resolve(robot, mode, near, structure, coordinates)
    robot = resolved.tree
    bodies = of_unit_mass(robot, counted(robot))
    in_world = reference == WORLD
    if not in_world and robot.number(reference, "reference") != 0:
        raise RobotError([Problem("reference", f"got {reference!r}, expected 'world' or 0")], robot.name)
    graphs = []
    for add_angles in (True, False):
        scope = Scope()
        centre = plus(first_moment(bodies, scope, add_angles), bodies.base.moment)
        if in_world:
            columns, position = from_left(motions(robot, WORLD, 0), scope)
            centre = plus(apply(columns, centre), position)
        output = Array("C", (3,), tuple(expr(x) for x in centre))
        graphs.append(graph_of(robot, "centre-of-mass", state_inputs(robot, ("q",)), (output,), scope.names))
    return resolved.finished(
        model(robot, "centre-of-mass", optimised(*graphs), {"reference": WORLD if in_world else 0})
    )


@declare(
    title="Jacobian matrix of the centre of mass",
    family="kinematic",
    rank=110,
    inputs="q",
    outputs="JC",
    about="Jacobian matrix of the centre of mass of all that moves",
    arrays={"JC": _velocity},
    checks=[Check(lambda task: task.momentum[:3], value=lambda o, task: o["JC"] * task.mass, note="momentum")],
)
def centre_of_mass_jacobian(
    robot: Robot,
    *,
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
    coordinates: OfPlatform = None,
) -> Model:
    """Jacobian matrix of the centre of mass.

    All moving links count, with a floating base. A prescribed motion of the base is not included.

    Parameters
    ----------
    robot
        Robot.
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
        Input ``q``. Output ``JC`` (3, nv): ``JC qd`` is the velocity of the centre of mass in world axes [m/s]. With a
        floating base its six components come first: linear, then angular, in its own axes. Closed-loop and parallel
        robots: status ``assembled`` is 1 where the state is possible, else 0 and the values are NaN. Loops closed by
        iteration add the input ``start`` and the status ``passive`` and ``residual``.
    """
    resolved = resolve(robot, mode, near, structure, coordinates)
    robot = resolved.tree
    bodies = of_unit_mass(robot, counted(robot))
    graphs = []
    for route in forms(robot, bodies):
        scope = Scope()
        links = composites(bodies, scope, route.add_angles)
        world = World(bodies, base_columns(robot, scope), scope, route)
        found: dict[Axis, Vector] = {
            b.j: world.vector(b.j, linear_momentum(b, links[b.j]), "J", b.j) for b in bodies.bodies
        }
        if bodies.root.kind.axes:
            centre = plus(first_moment(bodies, scope, route.add_angles), bodies.base.moment)
            local = [plus(v, cross(w, centre)) for v, w in bodies.root.kind.axes]
            found |= {axis: apply(world.base, column) for axis, column in zip(BASE_AXES, local, strict=True)}
        output = Array("JC", (3, robot.nv), by_rows(bodies.coordinates, found))
        graphs.append(graph_of(robot, "centre-of-mass-jacobian", state_inputs(robot, ("q",)), (output,), scope.names))
    return resolved.finished(model(robot, "centre-of-mass-jacobian", optimised(*graphs), {}))


# --- what counts -----------------------------------------------------------------------------------------------------


def counted(robot: Robot) -> Tree:
    """The moving bodies, regrouped. What joints cannot tell apart moves along with either link, and what reaches the base
    is kept there: centre of mass and momentum stay as they are."""
    own = tree(open_tree(robot))
    if not own.free:  # of a free base the wrench tells them
        require_standard(robot, "the centre of mass and the momentum")
    if not (own.root.kind.axes or given_motion(robot)):
        own = own.with_base(Inertia())
    return regrouped(own)


def given_motion(robot: Robot) -> bool:
    """Whether the description moves the base."""
    base = robot.base
    motion = (*base.velocity, *base.angular_velocity, *base.acceleration, *base.angular_acceleration)
    return not all(is_zero(x) for x in motion)


def total_mass(robot: Robot, bodies: Tree) -> Scalar:
    """The mass of all that moves, which must not be zero."""
    total = bodies.base.mass
    for body in bodies.bodies:
        total = total + body.inertia.mass
    if is_zero(total):
        problem = "what moves has no mass in all: expected a link with a mass M"
        raise RobotError([Problem("M", problem)], robot.name)
    return total


def of_unit_mass(robot: Robot, bodies: Tree) -> Tree:
    """The bodies with all masses and moments divided by the total mass."""
    share = 1 / total_mass(robot, bodies)
    scaled = tuple(body.with_inertia(body.inertia.scaled(share)) for body in bodies.bodies)
    return replace(bodies, bodies=scaled).with_base(bodies.base.scaled(share))


def by_rows(own: Coordinates, found: Mapping[Axis, Vector]) -> tuple[Expr, ...]:
    """A matrix of three rows, a column for every entry of qd, from what every axis does."""
    columns = own.columns(found, 3)
    return tuple(expr(column[i]) for i in range(3) for column in columns)


# --- to the axes of the world ----------------------------------------------------------------------------------------


def forms(robot: Robot, bodies: Tree) -> list[WorldRoute]:
    """The forms worth trying for a robot."""
    each = {body.j: body for body in bodies.bodies}
    sums = any(body.parent and parallel(each[body.parent], body) for body in bodies.bodies)
    depths: list[int | None] = [None]
    if longest_chain(bodies) <= limits.LONGEST_TO_MEET:
        # Near a base at rest a frame has few entries to multiply by; one on a free base has nine anyway.
        depths += [0, 2] if bodies.root.kind.axes else [0]
    return [WorldRoute(add_angles, depth) for add_angles in ((True, False) if sums else (False,)) for depth in depths]


def base_columns(robot: Robot, scope: Scope) -> Columns:
    """The orientation of frame 0 in the world."""
    columns, _ = from_left(motions(robot, WORLD, 0), scope)
    return columns
