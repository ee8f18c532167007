"""The inertia of a platform and its legs, as felt at the platform.

A leg of inertia matrix A_i in its joints is felt at its seat as J_i^-T A_i J_i^-1. Where the seat is a point, or the joints that
turn the platform about it carry nothing, that is a symmetric 3 x 3 matrix, which is turned into the axes of frame 0 and brought to
the platform's origin; else the rows of J_i^-1 are multiplied out.
"""

from __future__ import annotations

from collections.abc import Mapping

from ...expr import expr
from ...program.choice import estimate
from ...spatial import symmetric
from ...spatial.scalar import Scalar, is_zero
from ...spatial.symmetric import Symmetric
from ...spatial.vectors import Vector, apply, cross
from ..tree.inertia_entries import entries_in, forms, with_rotors
from ..tree.regrouping import regrouped
from .dynamics import leg_tree
from .kinematics import Kinematics
from .platform_body import platform_inertia, turned
from .rates import LegRates, on_platform

Matrix = list[list[Scalar]]  # the upper triangle counts
Entries = Mapping[tuple[int, int], Scalar]


def inertia_at_platform(motion: Kinematics, rotor: bool) -> Matrix:
    """A (6 x 6): W = A twist_rate beside the bias, in the axes of frame 0."""
    total = _platform(motion)
    for leg in motion.legs:
        own = _leg(motion, leg, rotor)
        total = [[a + b for a, b in zip(x, y, strict=True)] for x, y in zip(total, own, strict=True)]
    named = {(i, k): motion.scope.scalar("A", (i + 1, k + 1), total[i][k]) for i in range(6) for k in range(i, 6)}
    return [[named[min(i, k), max(i, k)] for k in range(6)] for i in range(6)]


def _platform(motion: Kinematics) -> Matrix:
    """[M, -MS^; MS^, J] in the axes of frame 0."""
    body, R = platform_inertia(motion), motion.state.columns
    m, (x, y, z) = body.mass, motion.scope.vector("MS", 0, apply(R, body.moment))
    XX, XY, XZ, YY, YZ, ZZ = symmetric.complement(turned(R, body.sigma))
    return [
        [m, 0, 0, 0, z, -y],
        [0, m, 0, -z, 0, x],
        [0, 0, m, y, -x, 0],
        [0, 0, 0, XX, XY, XZ],
        [0, 0, 0, 0, YY, YZ],
        [0, 0, 0, 0, 0, ZZ],
    ]


def leg_entries(motion: Kinematics, leg: LegRates, rotor: bool) -> Entries:
    """A_i of the joints of a leg, without what is zero."""
    bodies = regrouped(leg_tree(motion, leg, {}, {}))
    ways = []
    for route in forms(bodies):
        found = entries_in(route, bodies, motion.scope)
        ways.append(with_rotors(bodies, found) if rotor else found)
    best = min(ways, key=lambda way: estimate(map(expr, way.values())))
    return {(i, j): x for (i, j), x in best.items() if isinstance(i, int) and isinstance(j, int) and not is_zero(x)}


def _leg(motion: Kinematics, leg: LegRates, rotor: bool) -> Matrix:
    entries = leg_entries(motion, leg, rotor)
    joints = list(dict.fromkeys(j for pair in entries for j in pair))
    rows = {j: leg.seen_row(j) for j in joints}
    if all(is_zero(x) for row in rows.values() for x in row[3:]):
        at_seat = _products(entries, {j: row[:3] for j, row in rows.items()})
        return _brought(symmetric.back(leg.rotation, at_seat), leg.solved.arm, motion)
    whole = {}
    for j in joints:
        row = on_platform(leg.row(j), leg.solved.arm)
        whole[j] = [
            motion.scope.scalar("G", (j, k), x) if k - 1 in motion.space.places else 0 for k, x in enumerate(row, 1)
        ]
    total: Matrix = [[0] * 6 for _ in range(6)]
    for a in range(6):
        for b in range(a, 6):
            total[a][b] = _product(entries, whole, a, b)
    return total


def _products(entries: Entries, rows: Mapping[int, list[Scalar]]) -> Symmetric:
    return tuple(_product(entries, rows, a, b) for a, b in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)))


def _product(entries: Entries, rows: Mapping[int, list[Scalar]], a: int, b: int) -> Scalar:
    """An entry of X^T A X; A has each entry off the diagonal once."""
    total: Scalar = 0
    for (i, j), value in entries.items():
        both = rows[i][a] * rows[j][b] + (rows[j][a] * rows[i][b] if i != j else 0)
        total = total + value * both
    return total


def _brought(A: Symmetric, arm: Vector, motion: Kinematics) -> Matrix:
    """J_vi^T A J_vi, with J_vi = [1, -arm^]."""
    xx, xy, xz, yy, yz, zz = A
    columns = ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))
    if not any(k > 2 for k in motion.space.places):
        upper = [[xx, xy, xz], [0, yy, yz], [0, 0, zz]]
        return [*([*row, 0, 0, 0] for row in upper), *([0] * 6 for _ in range(3))]
    B = [cross(arm, column) for column in columns]  # the columns of arm^ A: the lower left block
    # (arm^ A) (-arm^) = arm^ (arm^ A)^T: each row of arm^ A across the arm
    rows = [tuple(column[i] for column in B) for i in range(3)]
    C = [cross(arm, row) for row in rows]
    found: Matrix = [[columns[k][i] if k >= i else 0 for k in range(3)] + [B[i][k] for k in range(3)] for i in range(3)]
    return [*found, *([0, 0, 0, *(C[i][k] if k >= i else 0 for k in range(3))] for i in range(3))]
