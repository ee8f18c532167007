"""Moving inertial parameters from link to link, off-line, without changing any torque.

What a revolute joint cannot tell apart: a needle on its axis (the second moment along the axis, MZ and M) turning with
the link or belonging to the antecedent. What a prismatic joint cannot tell apart: all second moments. Moving them
towards the base empties a link of three (or six) of its ten parameters, and what reaches the base has no effect.
"""

from __future__ import annotations

from dataclasses import replace

from ...spatial.inertia import Inertia, moved_back, needle
from ...spatial.vectors import ZERO
from .bodies import Body, Tree


def regrouped(tree: Tree) -> Tree:
    """The tree with every movable parameter moved to the antecedent link: fewer non-zero parameters, same torques."""
    inertias = {body.j: body.inertia for body in tree.bodies}
    base = tree.base
    for body in reversed(tree.bodies):
        moving = movable(body, inertias[body.j])
        inertias[body.j] = inertias[body.j] - moving
        received = on_antecedent(body, moving)
        if body.parent:
            inertias[body.parent] = inertias[body.parent] + received
        else:
            base = base + received
    bodies = tuple(body.with_inertia(inertias[body.j]) for body in tree.bodies)
    return replace(tree, bodies=bodies).with_base(base)


def movable(body: Body, inertia: Inertia) -> Inertia:
    if body.prismatic:
        return Inertia(inertia.sigma, ZERO, 0)
    return needle(inertia)


def on_antecedent(body: Body, inertia: Inertia) -> Inertia:
    """The moved part in the antecedent's frame; a needle does not see the last turn about its own axis."""
    rotation = body.rotation
    if not body.prismatic and rotation and rotation[-1].axis == "z":
        rotation = rotation[:-1]
    position = body.position if not body.prismatic else ZERO
    return moved_back(inertia, rotation, position)
