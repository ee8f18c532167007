"""Kinetic, potential and total energy (Khalil, course 2014, equations 7.16 to 7.18 and 7.24 to 7.25b)."""

from __future__ import annotations

from dataclasses import replace

from ...expr import Expr, expr
from ...generated import Model
from ...generated.checks import STATE, Check, joined
from ...generated.declaration import Parallel, declare
from ...generated.documentation.arrays import number
from ...program import Array, Graph, Scope, optimised
from ...robot import Robot, RobotError
from ...robot.problems import Problem
from ...spatial import symmetric
from ...spatial.inertia import Inertia
from ...spatial.scalar import Scalar, is_zero
from ...spatial.vectors import Vector, apply, cross, dot, plus, times
from ..common import graph_of, model, require_own_rotors
from ..resolve import BOTH, Near, OfPlatform, Resolved, Structure, resolve
from ..tool import Tool
from ..tree.bodies import Tree, tree
from ..tree.composite import first_moment
from ..tree.flexible import Drives, motor_arrays, with_drives
from ..tree.regrouping import regrouped
from ..tree.rotors import GYROSCOPIC, RotorInertia, rotors_asked, with_spinning_rotors
from ..tree.state import state_inputs
from ..tree.velocities import Speed, speeds
from .request import Request

ENERGIES = {
    "kinetic": number("kinetic energy", "J"),
    "potential": number("potential energy", "J"),
    "total": number("their sum", "J"),
}


@declare(
    title="Energy",
    family="dynamic",
    rank=90,
    inputs="q, qd",
    outputs="kinetic, potential, total",
    about="Energy of the robot: the potential is that in gravity, of springs and of flexible joints",
    arrays=ENERGIES,
    parallel=Parallel(
        "Energy of a platform and its legs: the potential is zero at the height of the origin of frame 0",
        ENERGIES,
        ("rotor_inertia",),
        motors=True,
        flexible=False,
    ),
    parallel_only=("tool",),
    gravity=True,
    section="Khalil, course 2014, section 7.3.3",
    checks=[
        Check(lambda task: task.motion.energies(), STATE, value=joined("kinetic", "potential")),
        Check(
            lambda task: task.flexible.energies,
            ("q", "qd", "q_motor", "qd_motor"),
            value=joined("kinetic", "potential"),
            flexible=True,
        ),
    ],
)
def energy(
    robot: Robot,
    *,
    rotor_inertia: RotorInertia = True,
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
    coordinates: OfPlatform = None,
    tool: Tool | None = None,
) -> Model:
    """Kinetic, potential and total energy.

    Springs count in the potential energy. With flexible joints, the rotors turn with the motors, and the springs of the
    drives are stretched by ``q - q_motor``. For a parallel robot it is the energy of the platform and the legs.

    Parameters
    ----------
    robot
        Robot.
    rotor_inertia
        Rotor inertias of the motors: False (excluded), True (included) or "gyroscopic" (with gyroscopic torques).
        "gyroscopic" adds the torques of rotors that moving links carry along, and requires motor axes in the
        description. Parallel robots support True and False only. With flexible joints only True and False are possible.
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
        positions, by iteration from the input ``start``. With flexible joints the robot is treated as closed loops, and
        "motors" is the only choice.
    tool
        Parallel robots only: tool pose on the platform [m], a point (3), x y z qx qy qz qw (7) or a matrix (4, 4).
        Entries are numbers, expressions or text such as "LT/2"; lengths are in metres. Pose and twist are then given
        for the tool.

    Returns
    -------
    Model
        Inputs ``q`` and ``qd``; ``q_motor`` and ``qd_motor`` too with flexible joints; ``pose`` and ``twist`` for a
        parallel robot. Outputs ``kinetic`` (with the rotors), ``potential`` and ``total`` (1 each) [J]. Closed-loop and
        parallel robots: status ``assembled`` is 1 where the state is possible, else 0 and the values are NaN. Loops
        closed by iteration add the input ``start`` and the status ``passive`` and ``residual``.

    Notes
    -----
    The potential energy of a link is ``-g . (M P0 + R0 MS)``. It is zero with its centre of mass in the plane normal to
    gravity through the origin of frame 0. With a floating base the origin is that of the frame in which the base moves.
    Links fixed to a base at rest count in neither energy. Khalil, course 2014, equations 7.16 to 7.18 and 7.24 to
    7.25b.
    """
    resolved = resolve(robot, mode, near, structure, coordinates, tool, () if robot.flexible else BOTH)
    resolved.only_of_platforms(tool=tool)
    if resolved.parallel:
        return _of_platform(resolved, rotor_inertia)
    robot = resolved.tree
    rotors_asked(robot, rotor_inertia)
    if rotor_inertia is not True:
        require_own_rotors(robot)
    own = with_spinning_rotors(robot, tree(robot), rotor_inertia)
    drives = None
    if robot.flexible:
        if rotor_inertia == GYROSCOPIC:
            problem = (
                "got 'gyroscopic', expected True or False: the rotors of flexible joints turn at speeds of their own"
            )
            raise RobotError([Problem("rotor_inertia", problem)], robot.name)
        drives = with_drives(robot, own)
        own = drives.bodies
    bodies = regrouped(own)
    graphs = [_graph(robot, own, bodies, bool(rotor_inertia), add_angles, drives) for add_angles in (True, False)]
    return resolved.finished(model(robot, "energy", optimised(*graphs), {"rotor_inertia": rotor_inertia}))


def _of_platform(resolved: Resolved, rotor_inertia: RotorInertia) -> Model:
    asked = Request(rotor_inertia=rotor_inertia, order=1).platform(resolved).of_known_bodies
    scope = asked.scope()
    parts = [_energies(bodies, bodies, scope, bool(rotor_inertia), True) for bodies in asked.legs]
    kinetic, height, stretched = (sum(one[k] for one in parts) for k in range(3))
    platform, state = asked.bodies, asked.platform.state
    kinetic = kinetic + twice_kinetic(platform.base, Speed(platform.root.moving.w, platform.root.moving.v)) / 2
    centre = plus(times(platform.base.mass, state.position), apply(state.columns, platform.base.moment))
    height = height + dot(resolved.robot.gravity, centre)
    outputs = _outputs(expr(kinetic), expr(stretched / 2 - height))
    return asked.model("energy", asked.graph("energy", ("q", "qd"), outputs, scope))


def _energies(bodies: Tree, own: Tree, scope: Scope, rotor: bool, add_angles: bool) -> tuple[Scalar, Scalar, Scalar]:
    """The kinetic energy, the first moments along gravity about the origin of frame 0, and twice the energy of the springs.
    ``own`` are the bodies before parameters were moved between them."""
    kinetic = kinetic_energy(bodies, Speed(bodies.root.moving.w, bodies.root.moving.v), scope, rotor, add_angles)
    # What was moved to the base moves with the links all the same; what is fixed to it counts if it moves.
    moving = bodies.root.moving
    at_rest = not bodies.free and all(map(is_zero, (*moving.v, *moving.w, *moving.a, *moving.wd)))
    fixed = bodies.base - own.base if at_rest else bodies.base
    first = plus(first_moment(bodies, scope, add_angles), fixed.moment)
    stretched: Scalar = 0
    for body in bodies.bodies:
        stretched = stretched + body.spring.twice_energy
    return kinetic, dot(bodies.gravity, first), stretched


def _outputs(kinetic: Expr, potential: Expr) -> tuple[Array, ...]:
    values = {"kinetic": kinetic, "potential": potential, "total": kinetic + potential}
    return tuple(Array(name, (1,), (value,)) for name, value in values.items())


def _graph(robot: Robot, own: Tree, bodies: Tree, rotor: bool, add_angles: bool, drives: Drives | None) -> Graph:
    scope = Scope()
    kinetic, height, stretched = _energies(bodies, own, scope, rotor, add_angles)
    if bodies.free:
        height = height + total_mass(bodies) * dot(robot.gravity, _origin(robot))
    for drive in () if drives is None else drives.flexible.values():
        kinetic = kinetic + (drive.rotor * (drive.speed * drive.speed) / 2 if rotor else 0)
        stretched = stretched + drive.spring.twice_energy
    E, U = scope.step("E", expr(kinetic)), scope.step("U", expr(stretched / 2 - height))
    outputs = _outputs(E, U)  # [7.24], [7.25b], [7.34]
    inputs = list(state_inputs(robot, ("q", "qd")))
    if drives is not None:
        inputs = [*(replace(array, rate=None) for array in inputs), *motor_arrays(drives)]
    return graph_of(robot, "energy", inputs, outputs, scope.names)


def _origin(robot: Robot) -> Vector:
    """Of a free base, in the frame that it moves in."""
    x, y, z = robot.coordinates[:3]
    return (x, y, z)


def total_mass(bodies: Tree) -> Scalar:
    return sum((body.inertia.mass for body in bodies.bodies), bodies.base.mass)


def kinetic_energy(bodies: Tree, base: Speed, scope: Scope, rotor: bool, add_angles: bool = True) -> Scalar:
    """The sum over the links, and over the base if it moves; 1/2 Ia qd^2 for every rotor, and what couples them."""
    moving = speeds(bodies, scope, base, add_angles)  # [7.17], [7.18]
    twice = twice_kinetic(bodies.base, base)
    for body in bodies.bodies:
        twice = twice + twice_kinetic(body.inertia, moving[body.j])  # [7.16]
        if rotor:
            twice = twice + body.rotor * (body.speed * body.speed)
    for (i, j), inertia in bodies.coupled if rotor else ():
        twice = twice + 2 * inertia * (bodies.body(i).speed * bodies.body(j).speed)
    return twice / 2


def twice_kinetic(body: Inertia, v: Speed) -> Scalar:
    """w . J w + M v . v + 2 MS . (v x w), twice equation [7.16]."""
    moment = symmetric.apply(body.matrix, v.angular)
    # both terms in w of the second factor at once: w . (J w + 2 MS x v)
    inner = plus(moment, times(2, cross(body.moment, v.linear)))
    return dot(v.angular, inner) + body.mass * dot(v.linear, v.linear)
