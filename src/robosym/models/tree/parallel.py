"""Links that keep parallel: what turns one of them turns the others as well.

In an open tree only sliding joints keep links parallel. Where joints follow others more do: opposite sides of a
parallelogram, or a hand that is kept level. Their angular velocities are one vector, so that their inertia matrices add up.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...expr import VARIABLE, Expr, pi
from ...spatial.rotations import Rotation, Turn, joined
from ...spatial.scalar import cos, is_zero
from .bodies import Tree


def parallel_links(tree: Tree) -> list[tuple[int, ...]]:
    """The bodies that keep parallel whatever the joints do, in groups of two and more, in the order of the tree; the base
    (0) is one of them."""
    if tree.free_links:
        return []
    groups: list[list[int]] = [[0]]
    for body in tree.links:
        own = next((group for group in groups if keep_parallel(tree, group[0], body.j)), None)
        if own is None:
            groups.append([body.j])
        else:
            own.append(body.j)
    return [tuple(group) for group in groups if len(group) > 1]


def keep_parallel(tree: Tree, i: int, j: int) -> bool:
    """Whether no angle between them changes; the numbers of a tree at one position do not say."""
    angles = [turn.angle for turn in rotation_between(tree, i, j)]
    return all(isinstance(angle, Expr) and angle.level < VARIABLE for angle in angles)


def rotation_between(tree: Tree, i: int, j: int) -> Rotation:
    """The rotation from frame i to frame j: back to the base and out again, with turns that undo each other left out."""
    undone = [turn.inverse for turn in reversed(_turns(tree, i))]
    return straightened([*undone, *_turns(tree, j)])


def straightened(turns: Sequence[Turn]) -> Rotation:
    """The same rotation with half turns about x, after which joints turn the other way, made last, and what then undoes
    each other left out."""
    over = False
    found = []
    for turn in turns:
        if is_half_turn(turn):
            over = not over
        else:
            found.append(Turn("z", -turn.angle) if over and turn.axis == "z" else turn)
    return joined([*found, *([Turn("x", pi)] if over else [])])


def is_half_turn(turn: Turn) -> bool:
    """Whether it turns z over."""
    return turn.axis == "x" and isinstance(turn.angle, Expr) and is_zero(cos(turn.angle) + 1)


def _turns(tree: Tree, j: int) -> list[Turn]:
    """From the base to frame j."""
    found: list[Turn] = []
    while j:
        body = tree.body(j)
        found[:0] = body.rotation
        j = body.parent
    return found
