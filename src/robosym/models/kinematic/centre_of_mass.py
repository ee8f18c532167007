"""The centre of mass and its Jacobian.

Both are linear in masses and first moments, so everything is divided by the total mass off-line. Column j of the Jacobian
is the linear momentum of what joint j carries at unit speed: z x MS of its composite link, M z for a prismatic joint.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ...expr import Expr, expr, number
from ...generated import Model
from ...program import Array, Graph, Scope, optimised
from ...robot import Robot, RobotError
from ...robot.problems import Problem
from ...spatial.inertia import Inertia
from ...spatial.rotations import Rotation, Turn
from ...spatial.scalar import Scalar, is_zero
from ...spatial.screws import turned
from ...spatial.vectors import AXES, ZERO, Vector, apply, cross, plus
from ..common import coordinates_input, model, open_tree
from ..dynamic.axes import Chains, longest_chain
from ..dynamic.bodies import Body, Tree, tree
from ..dynamic.composite import Composite, composites, parallel
from ..dynamic.energy import first_moment
from ..dynamic.regroup import regrouped
from ..dynamic.waiting import Waiting, at_once
from ..geometric import WORLD, motions, pose
from .frames import FrameName

Columns = tuple[Vector, Vector, Vector]

# Carrying columns back to a frame near the base pays over few joints only.
LONGEST_TO_MEET = 8


def centre_of_mass(robot: Robot, projection: FrameName = WORLD) -> Model:
    """C: the centre of mass of all that moves, in the frame ``projection``, "world" or 0.

    The base and the links fixed to it count if the base is free or has a motion of its own.
    """
    bodies = of_unit_mass(robot, counted(robot))
    in_world = projection == WORLD
    if not in_world and robot.number(projection) != 0:
        raise RobotError([Problem("projection", f"got {projection!r}, expected 'world' or 0")], robot.name)
    graphs = []
    for add_angles in (True, False):
        scope = Scope()
        centre = plus(first_moment(bodies, scope, add_angles), bodies.base.moment)
        if in_world:
            columns, position = pose(motions(robot, WORLD, 0), "all", scope)
            centre = plus(apply(columns, centre), position)
        output = Array("C", (3,), tuple(expr(x) for x in centre))
        graphs.append(Graph(f"{robot.name} centre-of-mass", (coordinates_input(robot),), (output,), scope.names))
    return model(robot, "centre-of-mass", optimised(*graphs), {"projection": projection})


def centre_of_mass_jacobian(robot: Robot) -> Model:
    """JC (3 x nv): the velocity of the centre of mass is JC qd, in the axes of the world."""
    bodies = of_unit_mass(robot, counted(robot))
    graphs = []
    for form in forms(robot, bodies):
        scope = Scope()
        links = composites(bodies, scope, form.add_angles)
        world = World(bodies, base_columns(robot, scope), scope, form)
        found = {b.j: world.vector(b.j, linear_momentum(b, links[b.j]), f"J{b.j}_") for b in bodies.bodies}
        free: list[Vector] = []
        if robot.base.floating:
            centre = plus(first_moment(bodies, scope, form.add_angles), bodies.base.moment)
            local = [*AXES, *(cross(axis, centre) for axis in AXES)]
            free = [apply(world.base, column) for column in local]
        output = Array("JC", (3, robot.nv), by_rows(bodies, free, found))
        name = f"{robot.name} centre-of-mass-jacobian"
        graphs.append(Graph(name, (coordinates_input(robot),), (output,), scope.names))
    return model(robot, "centre-of-mass-jacobian", optimised(*graphs), {})


# --- what counts -----------------------------------------------------------------------------------------------------


def counted(robot: Robot) -> Tree:
    """The moving bodies, regrouped. What joints cannot tell apart moves along with either link, and what reaches the base
    is kept there: centre of mass and momentum stay as they are."""
    own = tree(open_tree(robot), free_base=True)
    if not (robot.base.floating or given_motion(robot)):
        own = replace(own, base=Inertia())
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
    return replace(bodies, bodies=scaled, base=bodies.base.scaled(share))


def linear_momentum(body: Body, c: Composite) -> Waiting:
    """Of what a joint carries, for a unit speed of the joint."""
    return at_once((0, 0, c.mass)) if body.prismatic else c.moment.quarter


def by_rows(bodies: Tree, free: list[Vector], found: dict[int, Vector]) -> tuple[Expr, ...]:
    """The columns of the free base, then those of the independent joints, to which dependent ones add their own."""
    joints: list[Vector] = [(number(0), number(0), number(0)) for _ in range(bodies.n)]
    for body in bodies.bodies:
        k = body.coordinate
        x, y, z = found[body.j]
        joints[k] = plus(joints[k], (body.ratio * x, body.ratio * y, body.ratio * z))
    return tuple(expr(column[i]) for i in range(3) for column in (*free, *joints))


# --- to the axes of the world ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Form:
    """How vectors of the links come to the world: every choice gives the same ones, at another cost."""

    add_angles: bool = True  # over parallel axes, turn once by the sum of the angles
    depth: int | None = None  # vectors from farther out are carried back to this many joints from the base first


def forms(robot: Robot, bodies: Tree) -> list[Form]:
    """The forms worth trying for a robot."""
    each = {body.j: body for body in bodies.bodies}
    sums = any(body.parent and parallel(each[body.parent], body) for body in bodies.bodies)
    depths: list[int | None] = [None]
    if longest_chain(bodies) <= LONGEST_TO_MEET:
        # Near a base at rest a frame has few entries to multiply by; one on a free base has nine anyway.
        depths += [0, 2] if robot.base.floating else [0]
    return [Form(add_angles, depth) for add_angles in ((True, False) if sums else (False,)) for depth in depths]


@dataclass(frozen=True)
class Place:
    """The orientation of a frame in the world: these columns, then a turn about z still to be made."""

    columns: Columns
    turn: Scalar = 0


@dataclass
class World:
    """The axes of the world for the vectors of the links. ``base`` holds the columns of frame 0."""

    tree: Tree
    base: Columns
    scope: Scope
    form: Form
    chains: Chains = field(init=False)
    depth: dict[int, int] = field(init=False)
    _places: dict[int, Place] = field(default_factory=dict)
    _finished: dict[int, Columns] = field(default_factory=dict)
    _origins: dict[int, Vector] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.chains = Chains(self.tree, self.scope)
        self.depth = {0: 0}
        for body in self.tree.bodies:
            self.depth[body.j] = self.depth[body.parent] + 1

    def vector(self, j: int, a: Waiting, stem: str) -> Vector:
        """A vector of body j (or of the base, 0)."""
        while self._is_far(j):
            body = self.chains.bodies[j]
            a, j = self.chains.back(body, a, stem), body.parent
        if self._needs_columns(j):
            return apply(self.columns(j), a.vector)
        place = self.place(j)
        return apply(place.columns, a.turned(place.turn).vector)

    def origin(self, j: int) -> Vector:
        """From the origin of frame 0 to that of body j."""
        if j == 0:
            return ZERO
        if j not in self._origins:
            body = self.chains.bodies[j]
            step = ZERO
            if not all(is_zero(x) for x in body.position):
                step = self.vector(body.parent, at_once(body.position), f"O{j}_")
            self._origins[j] = self.scope.vector("O", j, plus(self.origin(body.parent), step))
        return self._origins[j]

    def _is_far(self, j: int) -> bool:
        return self.form.depth is not None and self.depth[j] > self.form.depth

    def _needs_columns(self, j: int) -> bool:
        """Whether the columns of a frame are turned anyway, for a successor: then they take vectors as they are."""
        return any(self._turns_again(child) for child in self.tree.children(j) if not self._is_far(child.j))

    def _turns_again(self, body: Body) -> bool:
        return bool(body.rotation_before) or not self.form.add_angles

    def place(self, j: int) -> Place:
        if j == 0:
            return Place(self.base)
        if j not in self._places:
            body = self.chains.bodies[j]
            if self._turns_again(body):
                self._places[j] = Place(self._turned(body.rotation_before, self.columns(body.parent), j), body.turn)
            else:
                before = self.place(body.parent)
                self._places[j] = Place(before.columns, before.turn + body.turn)
        return self._places[j]

    def columns(self, j: int) -> Columns:
        """The orientation of a frame, all turns made."""
        if j not in self._finished:
            place = self.place(j)
            last: Rotation = () if is_zero(place.turn) else (Turn("z", place.turn),)
            self._finished[j] = self._turned(last, place.columns, j)
        return self._finished[j]

    def _turned(self, rotation: Rotation, columns: Columns, j: int) -> Columns:
        x, y, z = columns
        for turn in rotation:
            if turn.axis == "z":
                x, y = turned(x, y, turn.angle)
            else:
                y, z = turned(y, z, turn.angle)
            x, y, z = (self.scope.vector(stem, j, a) for stem, a in zip("sna", (x, y, z), strict=True))
        return (x, y, z)


def base_columns(robot: Robot, scope: Scope) -> Columns:
    """The orientation of frame 0 in the world."""
    columns, _ = pose(motions(robot, WORLD, 0), "orientation", scope)
    return columns
