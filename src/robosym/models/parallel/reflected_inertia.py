"""The inertia of a platform and its legs, as felt at the platform: A_p + sum G_i^T A_i G_i.

A leg of inertia matrix A_i in its joints is felt at its seat as J_i^-T A_i J_i^-1. Where the seat is a point, or the joints that
turn the platform about it carry nothing, that is a symmetric 3 x 3 matrix, which is turned into the axes of frame 0 and brought to
the platform's origin; else the rows of J_i^-1 are multiplied out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...spatial import symmetric
from ...spatial.inertia import Inertia, from_matrix
from ...spatial.scalar import Scalar, is_zero
from ...spatial.symmetric import Symmetric
from ...spatial.vectors import Vector, apply, cross
from ..tree.coordinates import BASE_AXES, Axis
from .pose import PlatformState
from .rates import LegRates, on_platform

Matrix = list[list[Scalar]]  # the upper triangle counts
Entries = Mapping[tuple[Axis, Axis], Scalar]


def reflected_inertia(state: PlatformState, legs: Sequence[LegRates], entries: Entries) -> Matrix:
    """A (6 x 6): W = A twist_rate beside the bias, in the axes of frame 0; from the entries of all axes, without what is zero."""
    total = _platform(state, entries)
    for leg in legs:
        own: Entries = {(i, k): x for (i, k), x in entries.items() if i in leg.path.joints and not is_zero(x)}
        total = [[a + b for a, b in zip(x, y, strict=True)] for x, y in zip(total, _leg(state, leg, own), strict=True)]
    named = {(i, k): state.scope.scalar("A", (i + 1, k + 1), total[i][k]) for i in range(6) for k in range(i, 6)}
    return [[named[min(i, k), max(i, k)] for k in range(6)] for i in range(6)]


def _platform(state: PlatformState, entries: Entries) -> Matrix:
    """[M, -MS^; MS^, J] in the axes of frame 0."""
    body, R = _of_base(entries), state.columns
    m, (x, y, z) = body.mass, state.scope.vector("MS", 0, apply(R, body.moment))
    XX, XY, XZ, YY, YZ, ZZ = symmetric.complement(symmetric.turned(R, body.sigma))
    return [
        [m, 0, 0, 0, z, -y],
        [0, m, 0, -z, 0, x],
        [0, 0, m, y, -x, 0],
        [0, 0, 0, XX, XY, XZ],
        [0, 0, 0, 0, YY, YZ],
        [0, 0, 0, 0, 0, ZZ],
    ]


def _of_base(entries: Entries) -> Inertia:
    """The inertia of which the entries among the axes of a floating base are made, [M, -MS^; MS^, J]."""

    def entry(i: int, k: int) -> Scalar:
        return entries.get((BASE_AXES[i], BASE_AXES[k]), 0)

    six = (entry(3, 3), entry(4, 3), entry(5, 3), entry(4, 4), entry(5, 4), entry(5, 5))
    return from_matrix(six, (-entry(4, 2), entry(3, 2), -entry(3, 1)), entry(0, 0))


def _leg(state: PlatformState, leg: LegRates, entries: Entries) -> Matrix:
    joints = list(dict.fromkeys(j for pair in entries for j in pair))
    rows = {j: leg.seen_row(j) for j in joints if isinstance(j, int)}
    if all(is_zero(x) for row in rows.values() for x in row[3:]):
        at_seat = _products(entries, {j: row[:3] for j, row in rows.items()})
        return _brought(symmetric.back(leg.rotation, at_seat), leg.solved.arm, state)
    whole: dict[Axis, list[Scalar]] = {}
    for j in rows:
        row = on_platform(leg.row(j), leg.solved.arm)
        free = state.space.places
        whole[j] = [state.scope.scalar("G", (j, k), x) if k - 1 in free else 0 for k, x in enumerate(row, 1)]
    total: Matrix = [[0] * 6 for _ in range(6)]
    for a in range(6):
        for b in range(a, 6):
            total[a][b] = _product(entries, whole, a, b)
    return total


def _products(entries: Entries, rows: Mapping[Axis, list[Scalar]]) -> Symmetric:
    return tuple(_product(entries, rows, a, b) for a, b in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)))


def _product(entries: Entries, rows: Mapping[Axis, list[Scalar]], a: int, b: int) -> Scalar:
    """An entry of X^T A X; A has each entry off the diagonal once."""
    total: Scalar = 0
    for (i, j), value in entries.items():
        both = rows[i][a] * rows[j][b] + (rows[j][a] * rows[i][b] if i != j else 0)
        total = total + value * both
    return total


def _brought(A: Symmetric, arm: Vector, state: PlatformState) -> Matrix:
    """J_vi^T A J_vi, with J_vi = [1, -arm^]."""
    xx, xy, xz, yy, yz, zz = A
    columns = ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))
    if not any(k > 2 for k in state.space.places):
        upper = [[xx, xy, xz], [0, yy, yz], [0, 0, zz]]
        return [*([*row, 0, 0, 0] for row in upper), *([0] * 6 for _ in range(3))]
    B = [cross(arm, column) for column in columns]  # the columns of arm^ A: the lower left block
    # (arm^ A) (-arm^) = arm^ (arm^ A)^T: each row of arm^ A across the arm
    rows = [tuple(column[i] for column in B) for i in range(3)]
    C = [cross(arm, row) for row in rows]
    found: Matrix = [[columns[k][i] if k >= i else 0 for k in range(3)] + [B[i][k] for k in range(3)] for i in range(3)]
    return [*found, *([0, 0, 0, *(C[i][k] if k >= i else 0 for k in range(3))] for i in range(3))]
