"""The energy model, the integral of tau . qd = (change of h) K, and the power model, tau . qd = dh/dt K (SYMORO+ 1997, 6.3).

Both have one row. Every column belongs to one link: nothing is carried along the chain but velocities and gravity.
"""

from __future__ import annotations

from ...program import Scope
from ...spatial.scalar import Scalar
from ...spatial.vectors import Vector, dot
from ..tree.bodies import Tree
from ..tree.motion import Recursion, motions
from ..tree.velocities import Speed, speeds
from .filtered import gravities
from .links import energies, powers
from .parameters import Inertial


def energy_columns(
    tree: Tree, own: Inertial, scope: Scope, origin: Vector, world: Vector, add_angles: bool = True
) -> dict[str, Scalar]:
    """h for one inertial parameter 1 and the others 0. ``origin`` is the place of a free base in a frame where ``world`` is
    gravity: zeros of one that stands."""
    moving = speeds(tree, scope, Speed(tree.root.moving.w, tree.root.moving.v), add_angles)
    gravity = gravities(tree, scope)
    heights: dict[int, Scalar] = {0: -dot(world, origin)}
    found: dict[str, Scalar] = {}
    for body in (tree.base_body, *tree.bodies) if tree.free else tree.bodies:
        j = body.j
        if j:
            heights[j] = scope.scalar("H", j, heights[body.parent] - dot(gravity[body.parent], body.position))
        units = energies(moving[j], gravity[j], heights[j])
        found |= {name: units[stem] for stem, name in own.of_link(j).items()}
    return found


def power_columns(tree: Tree, own: Inertial, scope: Scope, recursion: Recursion = Recursion()) -> dict[str, Scalar]:
    """qd . D for one inertial parameter 1 and the others 0."""
    moving = speeds(tree, scope, Speed(tree.root.moving.w, tree.root.moving.v), recursion.add_angles)
    accelerating = motions(tree, scope, recursion)
    found: dict[str, Scalar] = {}
    for body in (tree.base_body, *tree.bodies) if tree.free else tree.bodies:
        units = powers(accelerating[body.j], moving[body.j])
        found |= {name: units[stem] for stem, name in own.of_link(body.j).items()}
    return found
