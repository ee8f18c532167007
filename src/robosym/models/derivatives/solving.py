"""Many linear systems with one inertia matrix: A = L^T D L with the zeros of the tree kept, eliminated once.

Two joints on different branches share no entry of A, and eliminating the tips first fills none in (Featherstone 2008, section 6.4).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...program import Scope
from ...spatial.scalar import Scalar, is_zero
from ..dynamic.forward.factorised import Rows, eliminated, pair
from ..dynamic.forward.pivots import Pivots
from ..tree.coordinates import Axis

Matrix = list[list[Scalar]]


@dataclass(frozen=True)
class Factors:
    """L (unit lower triangle, by rows, without its zeros) and 1 / D; ``root`` rows are those of a free base, which carries all others.

    What only the base moves is W times what it does: x_k = -W_k x_root wherever nothing acts on a joint between the two. So the
    branches of a robot know of each other by six numbers.
    """

    L: Rows
    inverse: list[Scalar]
    root: int
    W: list[list[Scalar]]

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
        acts = [not is_zero(z) for z in x]
        return self._outwards([z * d for z, d in zip(x, self.inverse, strict=True)], acts, x)

    def _outwards(self, own: Sequence[Scalar], acts: Sequence[bool], x: list[Scalar]) -> list[Scalar]:
        """From the base to the tips: what acts on a joint, less what the joints that carry it do."""
        moved = list(acts)
        for k in range(self.n):
            between = [i for i in self.L[k] if i >= self.root]
            moved[k] = acts[k] or any(moved[i] for i in between)
            if moved[k] or k < self.root:
                x[k] = own[k] - sum((factor * x[i] for i, factor in self.L[k].items()), 0)
            else:
                x[k] = -sum((w * x[i] for i, w in enumerate(self.W[k])), 0)
        return x

    def inverted(self, scope: Scope, axes: Sequence[Axis]) -> Matrix:
        """A^-1, one half made and mirrored: row i is made of the rows of the joints that carry joint i."""
        X: Matrix = [[0] * self.n for _ in range(self.n)]
        carriers: list[set[int]] = []  # the joints that row i depends on, also where its own entry is zero
        for i in range(self.n):
            carriers.append({i}.union(*(carriers[m] for m in self.L[i])))
            for k in range(i + 1):
                met = any(m >= self.root for m in carriers[i] & carriers[k])
                row = self.L[i] if met or k < self.root or i < self.root else dict(enumerate(self.W[i]))
                total: Scalar = self.inverse[i] if k == i else 0
                for m, factor in row.items():
                    total = total - factor * X[m][k]
                X[i][k] = X[k][i] = scope.scalar("AI", pair(axes[i], axes[k]), total)
        return X


def factorised(A: Rows, axes: Sequence[Axis], scope: Scope, pivots: Pivots) -> Factors:
    """A eliminated from the last row up."""
    L: Rows = {}
    inverse: list[Scalar] = [0] * len(A)
    for k, row, one_over in eliminated(A, axes, scope, pivots):
        L[k], inverse[k] = row, one_over
    root = sum(isinstance(axis, tuple) for axis in axes)
    return Factors(L, inverse, root, _by_root(L, root, axes, scope))


def _by_root(L: Rows, root: int, axes: Sequence[Axis], scope: Scope) -> list[list[Scalar]]:
    """W of every row: how a joint moves with the base where nothing acts on it or between the two."""
    W: list[list[Scalar]] = [[0] * root for _ in axes]
    for k in range(root, len(axes) if root else 0):
        for column in range(root):
            total = L[k].get(column, 0)
            for i, factor in L[k].items():
                if i >= root:
                    total = total - factor * W[i][column]
            W[k][column] = scope.scalar("WB", pair(axes[k], axes[column]), total)
    return W
