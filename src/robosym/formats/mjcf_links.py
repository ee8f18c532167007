"""Bodies of MJCF as the links and joints of one tree: several joints of a body in a row, free bases, fixed bodies.

MuJoCo moves a body by its joints in order, T = T(body) product of P(p) M(axis, q - ref) P(-p), where P shifts by the joint's
``pos`` and M turns about (or slides along) its axis. Each factor is a joint whose child stands at ``pos``; all but the last carry
nothing. In a robot with closed loops a ball joint becomes three hinges about x, y and z.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

import numpy as np

from ..robot.joints import Ball
from .mdh import Array, pose, turn
from .mjcf_bodies import BALL, FREE, HINGE, SLIDE, WORLD, Bodies, MjBody, MjJoint
from .urdf_tree import Inertial, Names, UrdfJoint
from .xml_read import Numbers

KINDS = {HINGE: "revolute", SLIDE: "prismatic", BALL: "ball"}
BALL_AXES = dict(zip("xyz", np.eye(3), strict=True))


@dataclass
class Links:
    """What a Document is made of. ``between`` are links that stand for joints alone, which get no frame of their own."""

    root: str
    location: Array  # of the root in the world
    floating: bool = False
    links: dict[str, Inertial | None] = field(default_factory=dict)
    joints: list[UrdfJoint] = field(default_factory=list)
    between: set[str] = field(default_factory=set)
    objects: set[str] = field(default_factory=set)  # free bodies around the robot, which are left out


def links_of(found: Bodies, numbers: Numbers, left_out: Counter[str], hinged: bool = False) -> Links:
    """The tree of all bodies; its root is the free body, the only body on the world if it is fixed there, or the world.

    ``hinged``: ball joints become three hinges.
    """
    made = _rooted(found, numbers, left_out)
    names = Names([*found.bodies, *(joint.name for joint in found.joints())])
    skipped = made.objects | (set() if made.root == WORLD else {WORLD})
    for body in found.bodies.values():
        if body.name == made.root:
            made.links[body.name] = body.inertial
        elif body.name in skipped or body.parent in skipped:
            skipped.add(body.name)  # stands on the world beside a free body
        else:
            made.links[body.name] = body.inertial
            _joined(made, body, names, hinged)
    return made


def _rooted(found: Bodies, numbers: Numbers, left_out: Counter[str]) -> Links:
    """Free bodies without joints beside something that has joints are objects around the robot, and left out."""
    top = [body for body in found.bodies.values() if body.parent == WORLD]
    free = [body for body in found.bodies.values() if any(joint.kind == FREE for joint in body.joints)]
    for body in free:
        joint = next(joint for joint in body.joints if joint.kind == FREE)
        if body.parent != WORLD or len(body.joints) > 1:
            numbers.report(f"joint '{joint.name}'", "a free joint is the only joint of a body that is on the world")
    jointed = _with_joints(found)
    objects = {body.name for body in free if jointed and body not in jointed}
    free = [body for body in free if body.name not in objects]
    top = [body for body in top if body.name not in objects]
    left_out["free body without joints"] += len(objects)
    if not top:
        numbers.report("worldbody", "there is no <body>")
    if len(free) > 1 or (free and jointed and jointed != free):
        listed = ", ".join(f"'{body.name}'" for body in (jointed or free)[:8])
        numbers.report("worldbody", f"expected one robot, fixed to the world or free, got several: {listed}")
    if free:
        left_out["body fixed to the world beside the free one"] += len(top) - 1
        left_out["pose in which the free body starts"] += not np.allclose(free[0].at, np.eye(4))
        return Links(free[0].name, np.eye(4), True, objects=objects)
    if len(top) == 1 and not top[0].joints:
        return Links(top[0].name, top[0].at, objects=objects)
    return Links(WORLD, np.eye(4), objects=objects)


def _with_joints(found: Bodies) -> list[MjBody]:
    """The bodies on the world that have, or carry something that has, a joint other than a free one."""
    on: dict[str, str] = {}  # by body, the one on the world that carries it
    jointed: dict[str, None] = {}
    for body in found.bodies.values():
        on[body.name] = body.name if body.parent == WORLD else on.get(body.parent, WORLD)
        if any(joint.kind != FREE for joint in body.joints):
            jointed[on[body.name]] = None
    return [found.bodies[name] for name in jointed]


def _joined(made: Links, body: MjBody, names: Names, hinged: bool) -> None:
    """The joints from a body's parent to it."""
    joints = [part for joint in body.joints if joint.kind != FREE for part in _parts(joint, names, hinged)]
    parent, at = body.parent, body.pose
    for i, joint in enumerate(joints):
        pos = np.zeros(3) if joint.kind == SLIDE else joint.pos
        last = i == len(joints) - 1 and not pos.any()
        link = body.name if last else names.new(f"{joint.name}_link")
        if not last:
            made.links[link] = None
            made.between.add(link)
        made.joints.append(_joint(joint, parent, link, at @ pose(np.eye(3), pos) @ motion(joint, -joint.ref)))
        parent, at = link, pose(np.eye(3), -pos)
    if parent != body.name:
        made.joints.append(UrdfJoint(names.new(f"{body.name}_fixed"), "fixed", parent, body.name, at, np.eye(3)[2]))


def _parts(joint: MjJoint, names: Names, hinged: bool) -> list[MjJoint]:
    """A joint as it is; if ``hinged``, a ball as three hinges through its point."""
    if joint.kind != BALL or not hinged:
        return [joint]
    return [replace(joint, name=names.new(f"{joint.name}_{axis}"), kind=HINGE, axis=e) for axis, e in BALL_AXES.items()]


def _joint(joint: MjJoint, parent: str, link: str, origin: Array) -> UrdfJoint:
    return UrdfJoint(
        joint.name,
        KINDS[joint.kind],
        parent,
        link,
        origin,
        joint.axis,
        joint.limits,
        joint.damping,
        joint.friction,
        armature=joint.armature,
        stiffness=joint.stiffness,
        rest=joint.rest,
        compound=Ball() if joint.kind == BALL else None,
    )


def motion(joint: MjJoint, amount: float) -> Array:
    """Of a hinge or slide by so much; of a ball at its neutral position, which has no reference."""
    if joint.kind == BALL:
        return np.eye(4)
    if joint.kind == SLIDE:
        return pose(np.eye(3), amount * joint.axis)
    return pose(turn(joint.axis, amount), np.zeros(3))
