"""Articulated inertias: symmetric 6 x 6 matrices in blocks, moved from frame to frame screw by screw.

The blocks are ordered moments first (Khalil 2010, equation 11, has forces first). An articulated inertia is not that of a
rigid body: its mass block M is a full symmetric matrix and its block C is not skew. How the blocks turn and shift is derived
here: X I X^T (equation 40) written out for a screw about one axis, where most of the factors are zero or one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ....program import Scope
from ....spatial import symmetric
from ....spatial.inertia import Inertia
from ....spatial.rotations import matrix_back
from ....spatial.scalar import Scalar, is_zero, nearest
from ....spatial.screws import Motion as Step
from ....spatial.screws import Screw, turn_of
from ....spatial.symmetric import Symmetric
from ....spatial.vectors import Vector, plus

Matrix = tuple[Vector, Vector, Vector]  # by rows


@dataclass(frozen=True)
class Articulated:
    """A 6 x 6 symmetric inertia in blocks: moment = J wd + C a, force = C^T wd + M a."""

    J: Symmetric
    C: Matrix
    M: Symmetric

    def __add__(self, other: Articulated) -> Articulated:
        C = tuple(plus(a, b) for a, b in zip(self.C, other.C, strict=True))
        return Articulated(symmetric.plus(self.J, other.J), C, symmetric.plus(self.M, other.M))  # type: ignore[arg-type]

    @property
    def rows(self) -> list[list[Scalar]]:
        """All 36 entries, moments before forces."""
        J, C, M = symmetric.columns(self.J), self.C, symmetric.columns(self.M)
        return [[*J[r], *C[r]] for r in range(3)] + [[*(row[r] for row in C), *M[r]] for r in range(3)]


def rigid(body: Inertia) -> Articulated:
    """The inertia of a rigid link, equation (11): C = skew(MS), M = mass times the identity."""
    x, y, z = body.moment
    m = body.mass
    J = tuple(nearest(x) for x in body.matrix)
    return Articulated(J, ((0, -z, y), (z, 0, -x), (-y, x, 0)), (m, 0, 0, m, 0, m))


def from_rows(rows: Sequence[Sequence[Scalar]]) -> Articulated:
    """The blocks of a symmetric matrix, moments before forces."""
    upper, lower = rows[:3], rows[3:]
    C = tuple(tuple(row[3:]) for row in upper)
    return Articulated(symmetric.half(upper), C, symmetric.half([row[3:] for row in lower]))  # type: ignore[arg-type]


def named(scope: Scope, stage: str, j: int, body: Articulated) -> Articulated:
    """The entries as steps JA, CA and MA of link j; ``stage`` says how far they have come."""
    C = scope.matrix(f"CA{stage}", j, body.C)
    return Articulated(scope.vector(f"JA{stage}", j, body.J), C, scope.vector(f"MA{stage}", j, body.M))  # type: ignore[arg-type]


# --- from frame to frame ---------------------------------------------------------------------------------------------


def moved_back(path: Sequence[Step], body: Articulated, scope: Scope, j: int) -> Articulated:
    """X I X^T: turned, then shifted, about and along one axis at a time.

    What still has screws to go has a T in its name for each of them.
    """
    for left, screw in reversed(list(enumerate(path))):
        turn = turn_of(screw)
        if turn:
            turned = Articulated(symmetric.back(turn, body.J), matrix_back(turn, body.C), symmetric.back(turn, body.M))
            body = named(scope, "T" + "T" * left, j, turned)
        if isinstance(screw, Screw) and not is_zero(screw.shift):
            body = named(scope, "S" + "T" * left, j, _shifted(screw, body))
    return body


def _shifted(screw: Screw, body: Articulated) -> Articulated:
    """About a point further back along an axis: C' = C + [P] M, J' = J - C [P] + [P] C'^T."""
    h = screw.shift
    x, y, z = (2, 0, 1) if screw.axis == "z" else (0, 1, 2)
    J, M = [list(row) for row in symmetric.columns(body.J)], symmetric.columns(body.M)
    C = [list(row) for row in body.C]
    new = [list(row) for row in body.C]
    for k in range(3):
        new[y][k] = C[y][k] - h * M[z][k]
        new[z][k] = C[z][k] + h * M[y][k]
    J[x][y] = J[y][x] = J[x][y] - h * C[x][z]
    J[x][z] = J[z][x] = J[x][z] + h * C[x][y]
    J[y][y] = J[y][y] - h * (C[y][z] + new[y][z])
    J[z][z] = J[z][z] + h * (C[z][y] + new[z][y])
    J[y][z] = J[z][y] = J[y][z] + h * (new[y][y] - C[z][z])
    return Articulated(symmetric.half(J), tuple(tuple(row) for row in new), body.M)  # type: ignore[arg-type]
