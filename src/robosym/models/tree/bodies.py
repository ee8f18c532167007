"""The moving bodies of a tree, ready for a recursion: rotations, positions, inertias, joint motion.

Fixed frames are gone: their links are lumped, off-line, into the moving body (or the base) that carries them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from ...expr import VARIABLE, expr, number, step
from ...program import Unmarked
from ...robot import FIXED, Friction, Joint, Link, Robot, RobotError
from ...robot import PRISMATIC as SLIDES
from ...robot.joint_entries import turning_joints
from ...robot.problems import Problem
from ...spatial.inertia import Inertia, from_matrix, moved_back
from ...spatial.rotations import Rotation, back
from ...spatial.scalar import Scalar, is_zero
from ...spatial.screws import Motion, Screw, from_left, rotation_of
from ...spatial.screws import joined as joined_motions
from ...spatial.vectors import ZERO as ZERO3
from ...spatial.vectors import Vector, apply, dot, plus, times
from ...spatial.wrenches import Wrench, added, shifted
from .coordinates import BASE_AXES, Coordinates, coordinates
from .drives import Shaft, rotors_of, shafts_of
from .joints import FREE, PRISMATIC, REVOLUTE, RIGID, JointKind, free_motion
from .moving import AT_REST, KINDS, Moving
from .state import Wrenches, wrench_frames, wrench_symbols

ZERO = number(0)
NO_MORE = Friction()
NO_WRENCH: Wrench = ZERO3, ZERO3
NOTHING = from_matrix((ZERO,) * 6, (ZERO,) * 3, ZERO)


@dataclass(frozen=True)
class Spring:
    """What acts on a joint beside its motor: a spring with this stretch, and a damper (Khalil 2010, equations 69 and 70)."""

    stiffness: Scalar = 0
    stretch: Scalar = 0
    damping: Scalar = 0
    rate: Scalar = 0  # of the stretch

    @property
    def torque(self) -> Scalar:
        """That it takes to hold the joint against it."""
        return self.stiffness * self.stretch + self.damping * self.rate

    @property
    def twice_energy(self) -> Scalar:
        return self.stiffness * self.stretch * self.stretch


@dataclass(frozen=True)
class Body:
    """One moving link and its joint, relative to the moving link (or the base, 0) that carries it."""

    j: int
    parent: int
    kind: JointKind
    rotation: Rotation
    arm: Vector  # from the origin of the carrying frame to the joint's axis, in that frame
    slide: Scalar  # from there along the axis to the origin of the frame
    speed: Scalar  # of the joint
    acceleration: Scalar
    inertia: Inertia = Inertia()
    rotor: Scalar = 0
    viscous: Scalar = 0
    coulomb: Scalar = 0
    friction: Friction = NO_MORE  # beyond these two
    spring: Spring = Spring()
    force: Vector = (0, 0, 0)  # on the environment
    moment: Vector = (0, 0, 0)
    is_rotor: bool = (
        False  # of a motor on the link that carries it: symmetric, so that the rotation leaves its angle out
    )

    @property
    def prismatic(self) -> bool:
        """Whether the joint turns nothing: it slides, or it is rigid, like a slide that rests."""
        return self.kind != REVOLUTE

    @property
    def axis(self) -> Vector:
        """The joint's axis in the carrying frame."""
        return back(self.rotation_before, (0, 0, 1))

    @property
    def rotation_before(self) -> Rotation:
        """The rotation without its last turn about z, the joint's own."""
        last = self.rotation[-1:]
        return self.rotation[:-1] if last and last[0].axis == "z" else self.rotation

    @property
    def turn(self) -> Scalar:
        """The angle of the last turn about z."""
        last = self.rotation[-1:]
        return last[0].angle if last and last[0].axis == "z" else 0

    @property
    def position(self) -> Vector:
        """The origin of the frame in the carrying frame."""
        return plus(self.arm, times(self.slide, self.axis))

    def with_inertia(self, inertia: Inertia) -> Body:
        return replace(self, inertia=inertia)


@dataclass(frozen=True)
class Root:
    """Frame 0, which carries all bodies, and its joint with the world: free, or rigid in a place that may be moving."""

    kind: JointKind = RIGID
    moving: Moving = AT_REST  # of its origin, in its own axes: what the description gives, or the free joint's speeds
    inertia: Inertia = Inertia()
    force: Vector = ZERO3  # on the environment
    moment: Vector = ZERO3

    def at_constant_speed(self) -> Root:
        """With no joint accelerating; what the description gives stays."""
        return replace(self, moving=replace(self.moving, a=ZERO3, wd=ZERO3)) if self.kind == FREE else self


@dataclass(frozen=True)
class Tree:
    """The bodies, antecedent before successor, what carries them, and how their joints follow from the coordinates."""

    bodies: tuple[Body, ...]
    coordinates: Coordinates
    gravity: Vector = ZERO3
    root: Root = Root()
    coupled: tuple[tuple[tuple[int, int], Scalar], ...] = ()  # inertia of rotors between two joints, each pair once
    shafts: tuple[Shaft, ...] = ()  # motors that have friction of their own

    @property
    def angular_velocity(self) -> Vector:
        """Of the base, in its own axes."""
        return self.root.moving.w

    @property
    def angular_acceleration(self) -> Vector:
        return self.root.moving.wd

    @property
    def acceleration(self) -> Vector:
        """Of the origin of the base, as an observer sees it."""
        return self.root.moving.of_kind("classical").a

    @property
    def base(self) -> Inertia:
        """What is fixed to frame 0."""
        return self.root.inertia

    @property
    def free(self) -> bool:
        """Whether the base moves freely."""
        return self.root.kind == FREE

    @property
    def depths(self) -> dict[int, int]:
        """By how many joints each link is away from the base."""
        found = {0: 0}
        for body in self.bodies:
            found[body.j] = found[body.parent] + 1
        return found

    @property
    def base_body(self) -> Body:
        """The base as a body of its own, which nothing carries."""
        own = self.root
        return Body(
            0, 0, own.kind, (), ZERO3, ZERO, ZERO, ZERO, inertia=own.inertia, force=own.force, moment=own.moment
        )

    def with_base(self, inertia: Inertia) -> Tree:
        return replace(self, root=replace(self.root, inertia=inertia))

    def accelerating(self, robot: Robot, kind: str) -> Tree:
        """With the acceleration of a free base taken as spatial, the rates of its speeds, or as classical, that of its
        origin as an observer sees it."""
        if kind not in KINDS:
            raise RobotError([Problem("kind", f"got {kind!r}, expected {' or '.join(map(repr, KINDS))}")], robot.name)
        if not self.free:
            return self
        return replace(self, root=replace(self.root, moving=replace(self.root.moving, kind=kind)))

    @property
    def kind_of_base(self) -> dict[str, str]:
        """The same, as an option of a model that has it."""
        return {"kind": self.root.moving.kind} if self.free else {}

    def body(self, j: int) -> Body:
        return self._by_number[j]

    @property
    def links(self) -> tuple[Body, ...]:
        """The bodies that are links of the robot: all but rotors."""
        return tuple(body for body in self.bodies if not body.is_rotor)

    @property
    def free_links(self) -> bool:
        """Whether every joint of a link has a coordinate of its own; rotors follow these."""
        rotors = len(self.bodies) - len(self.links)
        return len(self.coordinates.rows) - rotors == self.coordinates.nv

    def children(self, j: int) -> list[Body]:
        return self._by_parent.get(j, [])

    @cached_property
    def _by_number(self) -> dict[int, Body]:
        return {body.j: body for body in self.bodies}

    @cached_property
    def _by_parent(self) -> dict[int, list[Body]]:
        found: dict[int, list[Body]] = {}
        for body in self.bodies:
            found.setdefault(body.parent, []).append(body)
        return found

    def at_constant_speed(self) -> Tree:
        """The same tree with no joint accelerating."""
        bodies = tuple(replace(body, acceleration=self.coordinates.drift(body.j)) for body in self.bodies)
        return replace(self, bodies=bodies, root=self.root.at_constant_speed())

    def without_rotors(self) -> Tree:
        return replace(self, bodies=tuple(replace(body, rotor=ZERO) for body in self.bodies), coupled=())

    def rotor_torque(self, body: Body) -> Scalar:
        """Ia qdd, and what the motors of the joints it is coupled with add."""
        total = body.rotor * body.acceleration
        for (i, j), inertia in self.coupled:
            if body.j in (i, j):
                total = total + inertia * self.body(j if body.j == i else i).acceleration
        return total

    @property
    def fixed_base(self) -> bool:
        """Whether the base stands still (it may still accelerate linearly: that is like gravity)."""
        return all(is_zero(x) for x in (*self.angular_velocity, *self.angular_acceleration))


def tree(robot: Robot, wrenches: Wrenches | frozenset[int] = "none", own: Coordinates | None = None) -> Tree:
    """The bodies of a robot. ``wrenches`` names the frames whose wrench on the environment is an input, or has their numbers.
    ``own`` are the coordinates that its joints follow, if they are not its own."""
    inertias, pushing = _lumped(robot), _wrenches(robot, wrenches)
    moving = [j for j in robot.order if robot.frame(j).sigma != FIXED]
    own = coordinates(robot) if own is None else own
    turning = rotors_of(robot)
    bodies = [_body(robot, own, j, inertias[j], turning.own[j], pushing.get(j, NO_WRENCH)) for j in moving]
    force, moment = pushing.get(0, NO_WRENCH)
    base = replace(root(robot, own), inertia=inertias[0], force=force, moment=moment)
    return Tree(tuple(bodies), own, _gravity(robot), base, turning.coupled, shafts_of(robot))


def _wrenches(robot: Robot, which: Wrenches | frozenset[int]) -> dict[int, Wrench]:
    """The wrench on the environment of each moving body, and of a floating base, with the frames fixed to it: the inputs, and
    what the description sets besides."""
    inputs = which if isinstance(which, frozenset) else set(wrench_frames(robot, which))
    if isinstance(which, str) and which == "none":
        return {}
    total: dict[int, Wrench] = {}
    for j in (0, *robot.order):
        link, carrier = robot.frame(j).link if j else robot.base.link, robot.carrier(j)
        entries = [x if x.level < VARIABLE else ZERO for x in link.wrench]
        if j in inputs:
            entries = [symbol + x for symbol, x in zip(wrench_symbols(j), entries, strict=True)]
        if all(x.is_zero for x in entries) or not (carrier or robot.base.floating):  # a base at rest takes any wrench
            continue
        own = halves([*entries])
        if j != carrier:
            own = _carried(path(robot, j), own)
        total[carrier] = added(total[carrier], own) if carrier in total else own
    return total


def _carried(way: list[Motion], wrench: Wrench) -> Wrench:
    """A wrench of a fixed frame in the axes of the body that carries it, about its origin."""
    columns, position = from_left(way, Unmarked())
    x, y, z = (step(expr(f)) for f in apply(columns, wrench[0]))
    return shifted(((x, y, z), apply(columns, wrench[1])), position)


def _gravity(robot: Robot) -> Vector:
    """In the axes of frame 0: a free base turns under it."""
    if not robot.base.floating:
        return robot.gravity
    R = free_motion(robot.coordinates[:7]).columns
    return tuple(step(expr(dot(column, robot.gravity))) for column in R)  # type: ignore[return-value]


def root(robot: Robot, own: Coordinates) -> Root:
    """Frame 0 and how it moves. The accelerations of a free base are the rates of its speeds: a spatial acceleration."""
    base = robot.base
    given = Moving(base.velocity, base.angular_velocity, base.acceleration, base.angular_acceleration)
    if not base.floating:
        return Root(RIGID, given)
    if not all(is_zero(x) for x in (*given.velocity, *given.acceleration)):
        problem = "is free and has a given motion too: expected one of the two"
        raise RobotError([Problem("base", problem)], robot.name)
    v, w = halves([own.speed(axis) for axis in BASE_AXES])
    a, wd = halves([own.acceleration(axis) for axis in BASE_AXES])
    return Root(FREE, Moving(v, w, a, wd, "spatial"))


def halves(six: list[Scalar]) -> tuple[Vector, Vector]:
    a, b, c, x, y, z = six
    return (a, b, c), (x, y, z)


def kind_of(robot: Robot, j: int) -> JointKind:
    """The kind of the joint of frame j."""
    sigma = robot.frame(j).sigma
    return RIGID if sigma == FIXED else PRISMATIC if sigma == SLIDES else REVOLUTE


def at_rest(robot: Robot, bodies: Tree) -> Tree:
    """The tree, if its base does not move: the coefficients know of no other motion than the joints'."""
    if bodies.free:
        problem = (
            "is free, and its speeds are not the rates of coordinates, so that there are no Christoffel symbols "
            "(use inertia_matrix, coriolis and gravity)"
        )
        raise RobotError([Problem("base", problem)], robot.name)
    motion = (*bodies.angular_velocity, *bodies.angular_acceleration, *bodies.acceleration)
    if not all(is_zero(x) for x in motion):
        problem = "moves: no part of A, C and Q tells of that (use bias or inverse_dynamics)"
        raise RobotError([Problem("base", problem)], robot.name)
    return bodies


def at_rest_without_quaternions(robot: Robot, bodies: Tree) -> Tree:
    """The tree, if the speeds of its joints are the rates of their positions, and its base does not move."""
    turning = turning_joints(robot)
    if turning:
        problem = (
            f"'{turning[0]}' has a quaternion, whose rates are not its speeds, so that there are no Christoffel symbols "
            "(use inertia_matrix, coriolis and gravity)"
        )
        raise RobotError([Problem("joints", problem)], robot.name)
    return at_rest(robot, bodies)


def path(robot: Robot, j: int) -> list[Motion]:
    """The motions from the carrier of the antecedent of frame j to frame j."""
    chain = [j]
    while (i := robot.frame(chain[-1]).antecedent) and robot.frame(i).sigma == FIXED:
        chain.append(i)
    return joined_motions([motion for k in reversed(chain) for motion in robot.motions(k)])


def _placed(robot: Robot, j: int) -> tuple[Rotation, Vector, Scalar]:
    """Rotation, arm and slide of a body."""
    screws = path(robot, j)
    rotation = rotation_of(screws)
    slide: Scalar = ZERO
    last = screws[-1] if screws else None
    if isinstance(last, Screw) and last.axis == "z":
        slide = last.shift
        screws.pop()
    _, arm = from_left(screws, Unmarked())
    return rotation, arm, slide


def _inertia(link: Link) -> Inertia:
    return from_matrix((link.XX, link.XY, link.XZ, link.YY, link.YZ, link.ZZ), (link.MX, link.MY, link.MZ), link.M)


def _lumped(robot: Robot) -> dict[int, Inertia]:
    """The inertia of every moving body and the base, with what is fixed to it."""
    total = {0: _inertia(robot.base.link)}
    fixed: dict[int, Inertia] = {}
    for j in robot.order:
        own = _inertia(robot.frame(j).link)
        (fixed if robot.frame(j).sigma == FIXED else total)[j] = own
    for j in reversed(robot.order):
        if j in fixed and fixed[j] != NOTHING:
            i = robot.frame(j).antecedent
            motions = robot.motions(j)
            _, position = from_left(joined_motions(motions), Unmarked())
            moved = moved_back(fixed[j], rotation_of(motions), position)
            home = fixed if i in fixed else total
            home[i] = home[i] + moved
    return total


def _body(robot: Robot, own: Coordinates, j: int, inertia: Inertia, rotor: Scalar, wrench: Wrench) -> Body:
    frame = robot.frame(j)
    rotation, arm, slide = _placed(robot, j)
    force, moment = wrench
    return Body(
        j=j,
        parent=robot.carrier(frame.antecedent),
        kind=kind_of(robot, j),
        rotation=rotation,
        arm=arm,
        slide=slide,
        speed=own.speed(j),
        acceleration=own.acceleration(j),
        inertia=inertia,
        rotor=rotor,
        viscous=frame.actuator.Fv,
        coulomb=frame.actuator.Fs,
        friction=frame.actuator.friction,
        spring=_spring(frame.joint, own.position(j), own.speed(j)),
        force=force,
        moment=moment,
    )


def _spring(joint: Joint, position: Scalar, speed: Scalar) -> Spring:
    if joint.spring is None:
        return Spring()
    return Spring(joint.spring.stiffness, position - joint.spring.rest, joint.spring.damping, speed)
