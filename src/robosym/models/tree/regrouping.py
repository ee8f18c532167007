"""Moving inertial parameters from link to link, off-line, without changing any torque.

What a revolute joint cannot tell apart: a needle on its axis (the second moment along the axis, MZ and M) turning with
the link or belonging to the antecedent. What a prismatic joint cannot tell apart: all second moments. Moving them
towards the base empties a link of three (or six) of its ten parameters, and what reaches the base has no effect.
Links that keep parallel have one angular velocity: all second moments may be those of one of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...spatial.inertia import Inertia, moved_back, needle
from ...spatial.scalar import is_zero
from ...spatial.vectors import ZERO
from .bodies import Body, Tree
from .parallel import parallel_links, rotation_between


def regrouped(tree: Tree) -> Tree:
    """The tree with every movable parameter moved to the antecedent link: fewer non-zero parameters, same torques."""
    groups = parallel_links(tree)
    found = _towards_base(tree)
    for _ in tree.bodies if groups else ():  # what a parallel link receives may move on towards the base
        shared = _shared(found, groups)
        if shared is found:
            break
        found = _towards_base(shared)
    return found


def _towards_base(tree: Tree) -> Tree:
    inertias = {0: tree.base, **{body.j: body.inertia for body in tree.bodies}}
    for body in reversed(tree.links):  # a rotor is as short as can be
        moving = movable(body, inertias[body.j])
        inertias[body.j] = inertias[body.j] - moving
        inertias[body.parent] = inertias[body.parent] + on_antecedent(body, moving)
    return _with_inertias(tree, inertias)


def _shared(tree: Tree, groups: Sequence[Sequence[int]]) -> Tree:
    """The second moments of parallel links given to the base if it is one of them, else to the first that has any; the
    tree itself if they are there."""
    inertias = {0: tree.base, **{body.j: body.inertia for body in tree.bodies}}
    changed = False
    for group in groups:
        first, *others = [j for j in group if not j or not _is_empty(inertias[j])] or group
        for j in others:
            moving = Inertia(inertias[j].sigma, ZERO, 0)
            if not _is_empty(moving):
                inertias[j] = inertias[j] - moving
                inertias[first] = inertias[first] + moved_back(moving, rotation_between(tree, first, j), ZERO)
                changed = True
    return _with_inertias(tree, inertias) if changed else tree


def _is_empty(inertia: Inertia) -> bool:
    return all(is_zero(x) for x in (*inertia.sigma, *inertia.moment, inertia.mass))


def _with_inertias(tree: Tree, inertias: dict[int, Inertia]) -> Tree:
    bodies = tuple(body.with_inertia(inertias[body.j]) for body in tree.bodies)
    return replace(tree, bodies=bodies).with_base(inertias[0])


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
