"""Forward dynamics through the inertia matrix: A qdd = Gamma - H, with A = L^T D L and the zeros of the tree kept.

Equation numbers are those of SYMORO+ 1997. Two joints on different branches share no entry of A, and eliminating the tips
first fills none in (Featherstone 2008, section 6.4). H is the Newton-Euler recursion without accelerations, in the same scope
as A, so that both share sines, cosines and whatever else they have in common.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ....program import Scope
from ....spatial.scalar import Scalar, nearest
from ...tree.bodies import Tree
from ...tree.composite import composites, whole_robot
from ...tree.coordinates import Axis
from ...tree.inertia_entries import Entries, MatrixRoute, base_entries, entries_in, with_rotors
from ...tree.motion import motions
from ...tree.two_axis_links import taken_out
from ...tree.wrenches import on_axes, torques
from .pivots import Pivots

Rows = dict[int, dict[int, Scalar]]  # the lower triangle, row by row, without its zeros


def accelerations(
    tree: Tree, drive: Sequence[Scalar], scope: Scope, route: MatrixRoute, pivots: Pivots
) -> list[Scalar]:
    """qdd of the coordinates from the torques ``drive`` (friction taken off already).

    ``tree`` has no joint accelerations.
    """
    A = lower_triangle(tree, scope, route)  # (27) to (38)
    H = torques_of(tree, scope)  # (25): Gamma with qdd = 0
    axes = tree.coordinates.owners
    left = [scope.scalar("B", axis, gamma - h) for axis, gamma, h in zip(axes, drive, H, strict=True)]
    return solved(A, left, axes, scope, pivots)  # (24)


def lower_triangle(tree: Tree, scope: Scope, route: MatrixRoute) -> Rows:
    """A of the coordinates, rotors included."""
    return of_entries(tree, entries_in(route, tree, scope), scope)


def of_entries(tree: Tree, entries: Entries, scope: Scope) -> Rows:
    """The same from the entries of the joints, without rotors.

    Joints that follow others add up their entries, and much of the sum cancels: only an entry that stands alone is a step.
    """
    alone = tree.coordinates.independent
    found = with_rotors(tree, entries).items()
    return tree.coordinates.symmetric(
        {(i, j): scope.scalar("A", pair(i, j), nearest(x)) if alone else nearest(x) for (i, j), x in found}
    )


def carried_inertias(tree: Tree, scope: Scope) -> list[Scalar]:
    """The size of each diagonal entry of A: the inertia its axes carry, each by itself."""
    links = composites(tree, scope)
    own: Entries = {(b.j, b.j): (links[b.j].mass if b.prismatic else links[b.j].axial) + b.rotor for b in tree.bodies}
    if tree.free:
        own |= {(i, j): x for (i, j), x in base_entries(whole_robot(tree, links, scope)).items() if i == j}
    found = tree.coordinates.symmetric(own)
    return [found[place].get(place, 0) for place in range(tree.coordinates.nv)]


def torques_of(tree: Tree, scope: Scope) -> list[Scalar]:
    """The torques of the coordinates as the tree accelerates, rotors included: H where nothing does."""
    others, extra = taken_out(tree, scope)
    found = on_axes(torques(others, motions(others, scope), scope))
    rotors: dict[Axis, Scalar] = {body.j: tree.rotor_torque(body) for body in tree.bodies}
    return tree.coordinates.torques(
        {axis: gamma + extra.get(axis, 0) + rotors.get(axis, 0) for axis, gamma in found.items()}
    )


def solved(A: Rows, b: Sequence[Scalar], axes: Sequence[Axis], scope: Scope, pivots: Pivots) -> list[Scalar]:
    """x with A x = b, by A = L^T D L; ``axes`` gives each row its axis."""
    x = list(b)
    L: Rows = {}
    inverse: dict[int, Scalar] = {}
    for k, row, one_over in eliminated(A, axes, scope, pivots):
        L[k], inverse[k] = row, one_over
        x[k] = scope.scalar("X", axes[k], x[k])
        for i, factor in row.items():
            x[i] = x[i] - factor * x[k]
    for k in range(len(x)):
        total = x[k] * inverse[k]
        for i, factor in L[k].items():
            total = total - factor * x[i]
        x[k] = scope.scalar("qdd", axes[k], total)
    return x


def eliminated(
    A: Rows, axes: Sequence[Axis], scope: Scope, pivots: Pivots
) -> Iterator[tuple[int, dict[int, Scalar], Scalar]]:
    """From the last row up: k, row k of L without its zeros, and 1 / D_k.

    Row k of L is A_ki / D_k, and the rows before it keep A_ij - L_ki A_kj, where neither factor is zero.
    """
    A = {k: dict(row) for k, row in A.items()}
    for k in reversed(range(len(A))):
        j, row = axes[k], A[k]
        inverse = scope.scalar("IDA", j, pivots.reciprocal(j, scope.scalar("DA", j, row.pop(k, 0))))
        row = {i: scope.scalar("AR", pair(axes[i], j), entry) for i, entry in row.items()}
        factors = {i: scope.scalar("L", pair(axes[i], j), entry * inverse) for i, entry in row.items()}
        for i, factor in factors.items():
            for m, entry in row.items():
                if m <= i:
                    A[i][m] = A[i].get(m, 0) - factor * entry
        yield k, factors, inverse


def pair(i: Axis, j: Axis) -> tuple[int, ...]:
    """The numbers of two axes, for a name."""
    return (*(i if isinstance(i, tuple) else (i,)), *(j if isinstance(j, tuple) else (j,)))
