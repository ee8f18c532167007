"""Rotors that moving links carry: bodies of their own, with the gyroscopic torques that follow.

The rotor of a motor on link i turns at qd_m, its row of J^-1 times qd, about an axis a of that link. Its mass and its inertia
at rest are among those of the link, so that spinning adds the energy

    Jm qd_m (a . w_i) + 1/2 Jm qd_m^2 = 1/2 Jm (a . w_i + qd_m)^2 - 1/2 Jm (a . w_i)^2,

that of a body with the inertia Jm about a, and no other, on a joint whose speed is qd_m; less Jm a a^T of link i. So a rotor is
one more body and one more row of G, and every recursion over the tree knows how to carry it. As it looks the same however far
it has turned, its angle is left out of its rotation. A link that never turns has a . w_i = 0: what is left is Jm qd_m^2 alone,
and such a rotor stays with its joint (``drives.py``), as one without an axis does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from ...expr import atan2, sqrt
from ...options.markers import Note
from ...robot import Robot, RobotError
from ...robot.problems import Problem
from ...spatial.inertia import Inertia, from_matrix, moved_back
from ...spatial.rotations import Rotation, Turn, joined
from ...spatial.scalar import is_zero
from ...spatial.screws import rotation_of
from ...spatial.vectors import ZERO, Vector
from .bodies import Body, Tree, kind_of, path
from .coordinates import Coordinates
from .drives import motor_speed, rotors_of
from .joints import REVOLUTE

RotorInertia = bool | Literal["gyroscopic"]  # none, turning with their joints only, or carried along by the links too
RotorsOfJoints = Annotated[bool, Note("'gyroscopic' is for torques, accelerations, energy and coefficients")]
GYROSCOPIC = "gyroscopic"


def rotors_asked(robot: Robot, asked: RotorInertia) -> None:
    """Raise an error for gyroscopic torques of a robot that has no axis of a motor."""
    if asked == GYROSCOPIC and not _with_axis(robot):
        expected = (
            "gyroscopic torques need the axes of the motors: expected motor = {Jm = ..., axis = [x, y, z]} of a frame"
        )
        raise RobotError([Problem("rotor_inertia", expected)], robot.name)


def _with_axis(robot: Robot) -> list[int]:
    return [j for j, frame in enumerate(robot.frames, 1) if frame.actuator.motor.axis is not None]


# --- the bodies --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Spinning:
    """The rotor of the motor of frame j: the body that carries it, and how its axis lies there."""

    j: int
    carrier: int
    rotation: Rotation  # takes z to the axis
    inertia: Inertia  # about z alone

    @property
    def on_carrier(self) -> Inertia:
        """Jm a a^T."""
        return moved_back(self.inertia, self.rotation, ZERO)


def with_spinning_rotors(robot: Robot, tree: Tree, asked: RotorInertia, on_any_link: bool = False) -> Tree:
    """The tree with the rotors as they are requested: spinning ones are bodies numbered after the robot's frames.

    ``on_any_link``: also those on links that never turn, whose acceleration the wrenches inside the joints tell of.
    """
    if asked != GYROSCOPIC:
        return tree
    rotors = [rotor for rotor in _spinning(robot) if on_any_link or _turns(robot, tree, rotor.carrier)]
    if not rotors:
        return tree
    others = rotors_of(robot, {rotor.j for rotor in rotors})
    first = len(robot.frames) + 1
    own = tree.coordinates
    for k, rotor in enumerate(rotors):
        own = own.with_axis(first + k, motor_speed(robot, rotor.j))
    inertias = {0: tree.base, **{body.j: body.inertia for body in tree.bodies}}
    for rotor in rotors:
        inertias[rotor.carrier] = inertias[rotor.carrier] - rotor.on_carrier
    links = [replace(body, inertia=inertias[body.j], rotor=others.own[body.j]) for body in tree.bodies]
    spinning = [_body(own, first + k, rotor) for k, rotor in enumerate(rotors)]
    changed = replace(tree, bodies=(*links, *spinning), coordinates=own, coupled=others.coupled)
    return changed.with_base(inertias[0])


def _spinning(robot: Robot) -> Iterator[Spinning]:
    for j in _with_axis(robot):
        motor = robot.frame(j).actuator.motor
        assert motor.axis is not None
        link = robot.frame(j).antecedent if motor.link is None else motor.link
        carrier = robot.carrier(link)
        lead = list(rotation_of(path(robot, link))) if link != carrier else []
        about_z = from_matrix((0, 0, 0, 0, 0, motor.Jm), ZERO, 0)
        yield Spinning(j, carrier, _without_last_turn(joined([*lead, *turns_to(motor.axis)])), about_z)


def turns_to(axis: Vector) -> list[Turn]:
    """Turns that take z to a direction, about x last."""
    x, y, z = axis
    if is_zero(x):
        return [Turn("x", atan2(-y, z))]
    if is_zero(y):
        return [Turn("z", atan2(1, 0)), Turn("x", atan2(x, z))]
    return [Turn("z", atan2(x, -y)), Turn("x", atan2(sqrt(x * x + y * y), z))]


def _without_last_turn(rotation: Rotation) -> Rotation:
    """A turn about its own axis does nothing to a rotor."""
    return rotation[:-1] if rotation and rotation[-1].axis == "z" else rotation


def _turns(robot: Robot, tree: Tree, j: int) -> bool:
    """Whether the link ever turns: a joint that carries it does, or the base."""
    revolute = any(kind_of(robot, k) == REVOLUTE for k in robot.path(j))
    return revolute or tree.free or not tree.fixed_base


def _body(own: Coordinates, j: int, rotor: Spinning) -> Body:
    return Body(
        j=j,
        parent=rotor.carrier,
        kind=REVOLUTE,
        rotation=rotor.rotation,
        arm=ZERO,
        slide=0,
        speed=own.speed(j),
        acceleration=own.acceleration(j),
        inertia=rotor.inertia,
        is_rotor=True,
    )
