"""Many linear systems with one inertia matrix: A = L^T D L with the zeros of the tree kept, eliminated once.

Two joints on different branches share no entry of A, and eliminating the tips first fills none in (Featherstone 2008, section 6.4).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...program import Scope
from ...spatial.scalar import Scalar, is_zero
from ..dynamic.forward.factorised import Rows
from ..dynamic.forward.pivots import Pivots
from ..tree.coordinates import Axis

Matrix = list[list[Scalar]]


def pair(i: Axis, j: Axis) -> tuple[int, ...]:
    """The numbers of two axes, for a name."""
    return (*(i if isinstance(i, tuple) else (i,)), *(j if isinstance(j, tuple) else (j,)))


@dataclass(frozen=True)
class Factors:
    """L (unit lower triangle, by rows, without its zeros) and 1 / D."""

    L: Rows
    inverse: list[Scalar]

    @property
    def n(self) -> int:
        return len(self.inverse)

    def solved(self, b: Sequence[Scalar]) -> list[Scalar]:
        """x with A x = b; of a sparse b most of the first sweep is empty."""
        x = list(b)
        for k in reversed(range(self.n)):
            if not is_zero(x[k]):
                for i, factor in self.L[k].items():
                    x[i] = x[i] - factor * x[k]
        for k in range(self.n):
            total = x[k] * self.inverse[k]
            for i, factor in self.L[k].items():
                total = total - factor * x[i]
            x[k] = total
        return x

    def inverted(self, scope: Scope, axes: Sequence[Axis]) -> Matrix:
        """A^-1, one half made and mirrored: row i is made of the rows of the joints that carry joint i."""
        X: Matrix = [[0] * self.n for _ in range(self.n)]
        for i in range(self.n):
            for k in range(i + 1):
                total: Scalar = self.inverse[i] if k == i else 0
                for m, factor in self.L[i].items():
                    total = total - factor * X[m][k]
                X[i][k] = X[k][i] = scope.scalar("AI", pair(axes[i], axes[k]), total)
        return X


def factorised(A: Rows, axes: Sequence[Axis], scope: Scope, pivots: Pivots) -> Factors:
    """Eliminated from the last row up: row k of L is A_ki / D_k, and the rows before it keep A_ij - L_ki A_kj."""
    A = {k: dict(row) for k, row in A.items()}
    L: Rows = {}
    inverse: list[Scalar] = [0] * len(A)
    for k in reversed(range(len(A))):
        j, row = axes[k], A[k]
        inverse[k] = scope.scalar("IDA", j, pivots.reciprocal(j, scope.scalar("DA", j, row.pop(k, 0))))
        row = {i: scope.scalar("AR", pair(axes[i], j), entry) for i, entry in row.items()}
        L[k] = {i: scope.scalar("L", pair(axes[i], j), entry * inverse[k]) for i, entry in row.items()}
        for i, factor in L[k].items():
            for m, entry in row.items():
                if m <= i:
                    A[i][m] = A[i].get(m, 0) - factor * entry
    return Factors(L, inverse)
