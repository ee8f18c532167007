"""Kinetic, potential and total energy (Khalil, course 2014, equations 7.16 to 7.18 and 7.24 to 7.25b)."""

from __future__ import annotations

from dataclasses import replace

from ...arguments import strictly
from ...expr import expr
from ...generated import Model
from ...program import Array, Graph, Scope, optimised
from ...robot import Robot, RobotError
from ...robot.problems import Problem
from ...spatial import symmetric
from ...spatial.inertia import Inertia
from ...spatial.scalar import Scalar, is_zero
from ...spatial.vectors import Vector, cross, dot, plus, times
from ..common import graph_of, model, require_own_rotors
from ..parallel.doors import or_of_platform
from ..resolve import Near, OfPlatform, Structure, resolve
from ..tree.bodies import Tree, tree
from ..tree.composite import first_moment
from ..tree.flexible import Drives, motor_arrays, with_drives
from ..tree.regrouping import regrouped
from ..tree.rotors import GYROSCOPIC, RotorInertia, rotors_asked, with_spinning_rotors
from ..tree.state import state_inputs
from ..tree.velocities import Speed, speeds


@strictly
@or_of_platform
def energy(
    robot: Robot,
    *,
    rotor_inertia: RotorInertia = True,
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
    coordinates: OfPlatform = None,
) -> Model:
    """kinetic (with the rotors), potential and total energy, for given q and qd; springs are in the potential. Where joints are
    flexible q_motor and qd_motor are given too: the rotors turn with these, and the springs of the drives are stretched by q - q_motor.

    The potential energy of a link is -g . (M P0 + R0 MS): zero with its centre in the plane through the origin of frame 0
    across gravity; of a free base, the origin of the frame that it moves in. The links fixed to a base at rest count in neither.
    """
    resolved = resolve(robot, mode, near, structure, coordinates)
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


def _graph(robot: Robot, own: Tree, bodies: Tree, rotor: bool, add_angles: bool, drives: Drives | None) -> Graph:
    scope = Scope()
    base = Speed(bodies.root.moving.w, bodies.root.moving.v)
    energy_of_links = kinetic_energy(bodies, base, scope, rotor, add_angles)
    flexible = () if drives is None else drives.flexible.values()
    for drive in flexible:
        energy_of_links = energy_of_links + (drive.rotor * (drive.speed * drive.speed) / 2 if rotor else 0)
    kinetic = scope.step("E", expr(energy_of_links))
    # What was moved to the base moves with the links all the same; what is fixed to it counts if it moves.
    moving = bodies.root.moving
    at_rest = not bodies.free and all(map(is_zero, (*moving.v, *moving.w, *moving.a, *moving.wd)))
    fixed = bodies.base - own.base if at_rest else bodies.base
    first = plus(first_moment(bodies, scope, add_angles), fixed.moment)
    height = dot(bodies.gravity, first)
    if bodies.free:
        height = height + total_mass(bodies) * dot(robot.gravity, _origin(robot))
    stretched: Scalar = 0
    for body in bodies.bodies:
        stretched = stretched + body.spring.twice_energy
    for drive in flexible:
        stretched = stretched + drive.spring.twice_energy
    potential = scope.step("U", expr(stretched / 2 - height))  # [7.24], [7.25b], [7.34]
    values = {"kinetic": kinetic, "potential": potential, "total": kinetic + potential}
    outputs = tuple(Array(name, (1,), (value,)) for name, value in values.items())
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
