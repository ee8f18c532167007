"""Forward dynamics through the inertia matrix: A qdd = Gamma - H, with A = L^T D L and the zeros of the tree kept.

Equation numbers are those of SYMORO+ 1997. Two joints on different branches share no entry of A, and eliminating the tips
first fills none in (Featherstone 2008, section 6.4). H is the Newton-Euler recursion without accelerations, in the same scope
as A, so that both share sines, cosines and whatever else they have in common.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ....program import Scope
from ....spatial.scalar import Scalar, nearest
from ...tree.bodies import Tree
from ...tree.chains import Chains
from ...tree.composite import composites
from ...tree.motion import motions
from ...tree.wrenches import torques
from ..coefficients.inertia_matrix import MatrixRoute, entries, with_rotors
from ..inverse.two_axis_links import taken_out
from .pivots import Pivots

Rows = dict[int, dict[int, Scalar]]  # the lower triangle, row by row, without its zeros


def accelerations(
    tree: Tree, drive: Sequence[Scalar], scope: Scope, route: MatrixRoute, pivots: Pivots
) -> list[Scalar]:
    """qdd of the independent joints from the torques ``drive`` (friction taken off already).

    ``tree`` has no joint accelerations.
    """
    A = lower_triangle(tree, scope, route)  # (27) to (38)
    H = bias(tree, scope)  # (25): Gamma with qdd = 0
    names = {place: axis for place, axis in enumerate(tree.coordinates.owners) if isinstance(axis, int)}
    left = [scope.scalar("B", names[k], gamma - h) for k, (gamma, h) in enumerate(zip(drive, H, strict=True))]
    return solved(A, left, names, scope, pivots)  # (24)


def lower_triangle(tree: Tree, scope: Scope, route: MatrixRoute) -> Rows:
    """A of the coordinates, rotors included.

    Joints that follow others add up their entries, and much of the sum cancels: only an entry that stands alone is a step.
    """
    links = composites(tree, scope, route.add_angles)
    found = with_rotors(tree, entries(links, Chains(tree, scope), route.meet))
    alone = tree.coordinates.independent
    return tree.coordinates.symmetric(
        {(i, j): scope.scalar("A", (i, j), nearest(x)) if alone else nearest(x) for (i, j), x in found.items()}
    )


def carried_inertias(tree: Tree, scope: Scope) -> list[Scalar]:
    """The size of each diagonal entry of A: the inertia its joints carry, each by itself."""
    links = composites(tree, scope)
    own = {(b.j, b.j): (links[b.j].mass if b.prismatic else links[b.j].axial) + b.rotor for b in tree.bodies}
    found = tree.coordinates.symmetric(own)
    return [found[place].get(place, 0) for place in range(tree.coordinates.nv)]


def bias(tree: Tree, scope: Scope) -> list[Scalar]:
    """H: the torques that keep the joints from accelerating."""
    others, extra = taken_out(tree, scope)
    found = torques(others, motions(others, scope), scope)
    rotors = {body.j: body.rotor * tree.coordinates.drift(body.j) for body in tree.bodies}
    return tree.coordinates.torques({j: gamma + extra.get(j, 0) + rotors[j] for j, (_, gamma) in found.items()})


def solved(A: Rows, b: Sequence[Scalar], names: Mapping[int, int], scope: Scope, pivots: Pivots) -> list[Scalar]:
    """x with A x = b, by A = L^T D L from the last row up; ``names`` gives each row the number of its frame.

    Row k of L is A_ki / D_k, and the rows before it keep A_ij - L_ki A_kj, where neither factor is zero.
    """
    A = {k: dict(row) for k, row in A.items()}
    x = list(b)
    L: Rows = {}
    inverse: dict[int, Scalar] = {}
    for k in reversed(range(len(x))):
        j, row = names[k], A[k]
        inverse[k] = scope.scalar("IDA", j, pivots.reciprocal(j, scope.scalar("DA", j, row.pop(k, 0))))
        row = {i: scope.scalar("AR", (names[i], j), entry) for i, entry in row.items()}
        L[k] = {i: scope.scalar("L", (names[i], j), entry * inverse[k]) for i, entry in row.items()}
        x[k] = scope.scalar("X", j, x[k])
        for i, factor in L[k].items():
            for m, entry in row.items():
                if m <= i:
                    A[i][m] = A[i].get(m, 0) - factor * entry
            x[i] = x[i] - factor * x[k]
    for k in range(len(x)):
        total = x[k] * inverse[k]
        for i, factor in L[k].items():
            total = total - factor * x[i]
        x[k] = scope.scalar("qdd", names[k], total)
    return x
