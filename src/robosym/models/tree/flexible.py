"""Flexible joints: the motors apart from the links, as coordinates of their own.

With q_M the positions of the rotors on the joints' side, Khalil, course 2014, equation 7.35b: the spring and the damper of the
drive act on the link, tau_link = -k (q - q_M) - d (qd - qd_M), and backwards on the rotor,

    Ia qdd_M + F_M(qd_M) = tau - tau_link,

where F_M is the friction of the motor's shaft.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...expr import Expr, expr, free_symbols, number, variable
from ...program import Array, Graph
from ...robot import Robot, RobotError
from ...robot.joint_entries import require_single_axes
from ...robot.problems import Problem
from ...spatial.scalar import Scalar
from ..common import require_own_rotors, vector
from .bodies import Spring, Tree
from .drives import Shaft
from .friction import FrictionKind, shaft_friction


@dataclass(frozen=True)
class Drive:
    """The drive of a flexible joint: what acts between motor and link, and the rotor with the friction of its shaft."""

    j: int
    spring: Spring  # stretched by q - q_M
    rotor: Scalar
    speed: Expr  # of the rotor, on the joint's side
    shaft: Shaft | None = None

    def friction(self, kind: FrictionKind, slip: Expr | None = None) -> Expr:
        """The friction of the shaft on the joint's side, at the speed of the motor. ``slip`` stands for the sign of that speed."""
        return number(0) if self.shaft is None or not kind else shaft_friction(self.shaft, self.speed, kind, slip)


@dataclass(frozen=True)
class Drives:
    """A tree of links without the rotors of its flexible joints, and the drives of these, by their place in the coordinates."""

    robot: Robot
    bodies: Tree
    q: Sequence[Expr]
    qd: Sequence[Expr]
    flexible: dict[int, Drive]

    @property
    def first(self) -> int:
        """The place of the first joint: after a free base."""
        return self.bodies.coordinates.nv - len(self.robot.moving)

    @property
    def tau(self) -> list[Expr]:
        """The torques on the links: those of the motors, and of the springs between motors and links."""
        torques = list(self.bodies.coordinates.tau)
        for place, drive in self.flexible.items():
            torques[place] = expr(-drive.spring.torque)
        return torques


def with_drives(robot: Robot, bodies: Tree) -> Drives:
    """The springs between motors and links, and links without the rotors and the shafts of their motors."""
    require_own_rotors(robot)
    require_single_axes(robot, "a robot with flexible joints")
    count = len(robot.moving)
    q, qd = (motor_symbols(robot, word) for word in ("qm", "qdm"))
    first = bodies.coordinates.nv - count
    shafts = {shaft.motor: shaft for shaft in bodies.shafts}
    flexible: dict[int, Drive] = {}
    for place, j in enumerate(robot.moving):
        soft = robot.frame(j).actuator.flexibility
        if soft is None:
            continue
        body = bodies.body(j)
        stretch, rate = bodies.coordinates.position(j) - q[place], body.speed - qd[place]
        spring = Spring(soft.stiffness, stretch, soft.damping, rate)
        flexible[first + place] = Drive(j, spring, body.rotor, qd[place], shafts.get(j))
    if not flexible:
        expected = (
            "expected a joint with flexibility = {stiffness, damping}; without one use forward and inverse dynamics"
        )
        raise RobotError([Problem("joints", expected)], robot.name)
    moved = {drive.j for drive in flexible.values()}
    links = tuple(replace(body, rotor=number(0)) if body.j in moved else body for body in bodies.bodies)
    others = tuple(shaft for shaft in bodies.shafts if shaft.motor not in moved)
    return Drives(robot, replace(bodies, bodies=links, shafts=others), q, qd, flexible)


def motor_accelerations(drives: Drives, friction: FrictionKind) -> dict[int, Expr]:
    """Those of the rotors of flexible joints, [7.35b], by place."""
    require_rotors(drives)
    tau = drives.bodies.coordinates.tau
    return {
        place: expr((tau[place] + drive.spring.torque - drive.friction(friction)) / drive.rotor)
        for place, drive in drives.flexible.items()
    }


def require_rotors(drives: Drives) -> None:
    for drive in drives.flexible.values():
        if expr(drive.rotor).is_zero:
            name = drives.robot.frame(drive.j).joint.name
            problem = "the joint is flexible, and its rotor needs an inertia to accelerate: expected Ia, or motor = {Jm = ...}"
            raise RobotError([Problem(f"joint '{name}'", problem)], drives.robot.name)


def with_motors(drives: Drives, graph: Graph, motors: dict[int, Expr]) -> Graph:
    """A graph of the links with the accelerations of the rotors; other rotors move with their links."""
    qdd, *status = graph.outputs
    entries = [motors.get(k, qdd.entries[k]) for k in range(drives.first, len(qdd.entries))]
    inputs: list[Array] = []
    for array in graph.inputs:
        inputs += [replace(array, rate=None)] if array.name != "tau" else [*motor_arrays(drives), array]
    return replace(graph, inputs=tuple(inputs), outputs=(qdd, vector("qdd_motor", entries), *status))


def motor_symbols(robot: Robot, word: str) -> list[Expr]:
    """A variable for each motor, by a name that the description does not use."""
    taken = {symbol.name for symbol in free_symbols(*robot.entries().values())}
    while any(name.startswith(word) for name in taken):
        word = f"{word}_"
    return [variable(f"{word}{k}") for k in range(1, len(robot.moving) + 1)]


def motor_arrays(drives: Drives) -> list[Array]:
    """The positions and speeds of the motors, as inputs."""
    return [vector("q_motor", drives.q), vector("qd_motor", drives.qd)]
