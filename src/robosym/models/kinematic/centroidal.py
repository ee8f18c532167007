"""The momentum about the centre of mass and its rate (Orin and Goswami, "Centroidal momentum matrix", IROS 2008).

Column j of AG is the momentum of the links that joint j carries at unit velocity: the column of the inertia matrix (SYMORO+ 1997,
equations 31 and 32) before it is projected on the axes, in world axes and about the centre of mass. The velocity-dependent part of
the rate, dAG/dt qd, is the resultant of the inertial forces without joint accelerations. It is the forward pass of Newton-Euler
(equations 6, 8 to 10, 15 and 16), with the forces summed up to the base.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...expr import expr
from ...generated import Model
from ...generated.checks import STATE, Check
from ...generated.declaration import declare
from ...generated.documentation.arrays import by_velocity
from ...program import Array, Scope, optimised
from ...program.documentation import Described, Entry
from ...robot import Robot, RobotError
from ...robot.problems import Problem
from ...spatial import symmetric
from ...spatial.inertia import Inertia
from ...spatial.rotations import back
from ...spatial.scalar import Scalar
from ...spatial.vectors import ZERO, Vector, apply, cross, plus, times
from ...spatial.wrenches import shifted
from ..common import graph_of, model, open_tree
from ..resolve import Near, OfPlatform, Structure, resolve
from ..tree.bodies import Body, Tree
from ..tree.composite import Composite, composites, unit_wrench, whole_robot
from ..tree.coordinates import BASE_AXES, Axis
from ..tree.deferred import at_once
from ..tree.motion import Motion, Recursion
from ..tree.motion import motions as link_motions
from ..tree.state import state_inputs
from ..tree.world import World
from ..tree.wrenches import link_wrench
from .centre_of_mass import base_columns, by_rows, counted, forms, given_motion, total_mass

Pair = tuple[Vector, Vector]  # linear and angular momentum, or force and moment


MOMENTUM = ("px", "py", "pz", "Lx", "Ly", "Lz")


def _units(linear: str, angular: str) -> tuple[Entry, ...]:
    return tuple(Entry(name, linear if k < 3 else angular) for k, name in enumerate(MOMENTUM))


@declare(
    title="Centroidal momentum matrix",
    family="kinematic",
    rank=120,
    inputs="q",
    outputs="AG",
    about="Matrix of the momentum about the centre of mass; rotors do not count",
    arrays={
        "AG": lambda case: by_velocity(
            case,
            "AG qd is the momentum: linear, then angular about the centre of mass, in the axes of the world",
            _units("kg m/s", "kg m2/s"),
        )
    },
    checks=[Check(lambda task: task.momentum)],
)
def centroidal_momentum(
    robot: Robot,
    *,
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
    coordinates: OfPlatform = None,
) -> Model:
    """Centroidal momentum matrix: momentum about the centre of mass.

    Rotor inertias Ia are not included, as a description does not state the axes of their spin. The base must be at rest
    or floating: a prescribed motion of the base raises ``RobotError``.

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
        Input ``q``. Output ``AG`` (6, nv): ``AG qd`` is the linear momentum, then the angular momentum about the centre
        of mass, in world axes. With a floating base its six components come first: linear, then angular, in its own
        axes. Closed-loop and parallel robots: status ``assembled`` is 1 where the state is possible, else 0 and the
        values are NaN. Loops closed by iteration add the input ``start`` and the status ``passive`` and ``residual``.

    Notes
    -----
    Orin and Goswami, "Centroidal momentum matrix", IROS 2008.
    """
    resolved = resolve(robot, mode, near, structure, coordinates)
    robot = resolved.tree
    bodies = movable_base(robot)
    mass = total_mass(robot, bodies)
    graphs = []
    for route in forms(robot, bodies):
        scope = Scope()
        world = World(bodies, base_columns(robot, scope), scope, route)
        links = composites(bodies, scope, route.add_angles)
        whole = whole_robot(bodies, links, scope)
        found = joint_columns(world, links, whole, mass)
        found |= base_columns_of(world, whole, mass)
        halves = [by_rows(bodies.coordinates, {axis: pair[k] for axis, pair in found.items()}) for k in (0, 1)]
        output = Array("AG", (6, robot.nv), (*halves[0], *halves[1]))
        graphs.append(graph_of(robot, "centroidal-momentum", state_inputs(robot, ("q",)), (output,), scope.names))
    return resolved.finished(model(robot, "centroidal-momentum", optimised(*graphs), {}))


@declare(
    title="Rate of the centroidal momentum",
    family="kinematic",
    rank=130,
    inputs="q, qd",
    outputs="AGDQD",
    about="What the rate of the momentum about the centre of mass is without qdd: AG qdd + AGDQD",
    arrays={
        "AGDQD": lambda case: Described(
            "rate of the linear, then of the angular momentum about the centre of mass, in the axes of the world",
            _units("N", "N m"),
        )
    },
    checks=[Check(lambda task: task.momentum_drift, STATE)],
)
def centroidal_momentum_rate(
    robot: Robot,
    *,
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
    coordinates: OfPlatform = None,
) -> Model:
    """Rate of the centroidal momentum without joint accelerations.

    The base must be at rest or floating: a prescribed motion of the base raises ``RobotError``.

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
        Inputs ``q`` and ``qd``. Output ``AGDQD`` (6): ``dAG/dt qd``, linear, then angular part, in world axes.
        Closed-loop and parallel robots: status ``assembled`` is 1 where the state is possible, else 0 and the values
        are NaN. Loops closed by iteration add the input ``start`` and the status ``passive`` and ``residual``.

    Notes
    -----
    ``AG qdd + AGDQD`` is the rate of the momentum, the resultant of all external forces. Orin and Goswami, IROS 2008.
    """
    resolved = resolve(robot, mode, near, structure, coordinates)
    robot = resolved.tree
    bodies = replace(movable_base(robot).at_constant_speed(), gravity=ZERO)
    v, w = bodies.root.moving.v, bodies.root.moving.w
    mass = total_mass(robot, bodies)
    graphs = []
    for add_angles in (True, False):
        scope, recursion = Scope(), Recursion(add_angles=add_angles)
        load = resultant(bodies, link_motions(bodies, scope, recursion), scope, recursion)
        moment = plus(load.moment, cross(load.force, times(1 / mass, load.first)))
        # A speed v that is constant in the axes of a free base turns with them.
        force = plus(load.force, times(mass, cross(w, v)))
        columns = base_columns(robot, scope)
        entries = (*apply(columns, force), *apply(columns, moment))
        output = Array("AGDQD", (6,), tuple(expr(x) for x in entries))
        graphs.append(
            graph_of(robot, "centroidal-momentum-rate", state_inputs(robot, ("q", "qd")), (output,), scope.names)
        )
    return resolved.finished(model(robot, "centroidal-momentum-rate", optimised(*graphs), {}))


def movable_base(robot: Robot) -> Tree:
    """The bodies, if all of their motion follows from qd."""
    if given_motion(open_tree(robot)):
        problem = "has a motion of its own, of which qd does not tell: expected a base at rest or a free one"
        raise RobotError([Problem("base", problem)], robot.name)
    return counted(robot)


# --- the matrix ------------------------------------------------------------------------------------------------------


def joint_columns(world: World, links: dict[int, Composite], whole: Inertia, mass: Scalar) -> dict[Axis, Pair]:
    """The momentum of what every joint carries, about its origin, then about the centre of mass."""
    scope = world.scope
    centre = scope.vector("CM", 0, times(1 / mass, world.vector(0, at_once(whole.moment), "CM", 0)))
    found: dict[Axis, Pair] = {}
    for body in world.tree.bodies:
        j, own = body.j, unit_wrench(body, links[body.j])  # (31), (32)
        linear = scope.vector("P", j, world.vector(j, own.force, "P", j))
        angular = world.vector(j, own.moment, "L", j)
        arm = scope.vector("A", j, plus(world.origin(j), times(-1, centre)))
        found[j] = shifted((linear, angular), arm)
    return found


def base_columns_of(world: World, whole: Inertia, mass: Scalar) -> dict[Axis, Pair]:
    """The momentum that each axis of the base's own joint gives the whole robot: a shift turns nothing about the centre."""
    axes = world.tree.root.kind.axes
    if not axes:
        return {}
    s = whole.moment
    c = times(1 / mass, s)
    J = symmetric.columns((whole - Inertia(symmetric.product(s, c))).matrix)
    local = [(plus(times(mass, v), cross(w, s)), apply(J, w)) for v, w in axes]
    pairs = [(apply(world.base, linear), apply(world.base, angular)) for linear, angular in local]
    return dict(zip(BASE_AXES, pairs, strict=True))


# --- the rate --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Load:
    """Force and moment that move a link and what it carries, their origin at rest; their first moments and mass."""

    force: Vector
    moment: Vector
    first: Vector
    mass: Scalar

    def __add__(self, other: Load) -> Load:
        force, moment = plus(self.force, other.force), plus(self.moment, other.moment)
        return Load(force, moment, plus(self.first, other.first), self.mass + other.mass)


def resultant(bodies: Tree, found: dict[int, Motion], scope: Scope, recursion: Recursion) -> Load:
    """The load of the whole robot, in frame 0.

    No acceleration of an origin is carried outwards: what a joint adds to it meets, in the frame of the antecedent, the
    mass and the first moments of all the joint carries.
    """
    every = (bodies.base_body, *bodies.bodies)
    loads = {body.j: _own(body, found[body.j], scope, recursion) for body in every}
    for body in reversed(bodies.bodies):
        j, load = body.j, loads[body.j]
        vectors = (("FDI", load.force), ("NDI", load.moment), ("MST", load.first))
        force, moment, first = (scope.vector(stem, j, back(body.rotation, a)) for stem, a in vectors)
        step, arm = _origin_step(body, found[body.parent]), body.position
        moved = (plus(force, times(load.mass, step)), plus(moment, cross(first, step)))
        force, moment = shifted(moved, arm)
        handed = Load(force, moment, plus(first, times(load.mass, arm)), load.mass)
        loads[body.parent] = loads[body.parent] + handed
    return loads[0]


def _own(body: Body, m: Motion, scope: Scope, recursion: Recursion) -> Load:
    force, moment = link_wrench(body, replace(m, vd=ZERO), scope, recursion)  # (15), (16)
    return Load(force, moment, body.inertia.moment, body.inertia.mass)


def _origin_step(body: Body, i: Motion) -> Vector:
    """What the acceleration of the origin of a link has more than that of its antecedent, in whose frame it is.

    Equation (10) without vd_i; a joint that follows from others may accelerate where they do not.
    """
    step = apply(i.U, body.position)
    if not body.prismatic:
        return step
    return plus(step, plus(times(2 * body.speed, cross(i.w, body.axis)), times(body.acceleration, body.axis)))
