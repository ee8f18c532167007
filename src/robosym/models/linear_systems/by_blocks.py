"""Linear systems as straight-line code, on any scalars: block by block without pivots, or symmetric with pivots.

A square matrix is solved through its block triangular form, each block by determinants, so that nothing is divided by
but the determinants of the blocks (of a large one the squares of orthogonal columns): the program fails only where the
matrix is singular. A symmetric positive definite
one may be eliminated in any order: it is taken in the order that keeps most of its zeros.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from ...spatial.blocks import Block, Matrix
from ...spatial.minors import Minors, Names
from ...spatial.scalar import Scalar, is_zero
from .. import limits

Rows = list[list[Scalar]]


def solved(matrix: Matrix, blocks: Sequence[Block], right: Matrix, names: Names, steps: str | None = None) -> Rows:
    """X with ``matrix`` X = ``right``, from the last block to the first: the others' unknowns move to the right. ``steps``
    is what the unknowns are called as they are found."""
    found: dict[int, list[Scalar]] = {}
    for number, block in reversed(list(enumerate(blocks, 1))):
        rest = []
        for i in block.rows:
            row = list(right[i])
            for j, known in found.items():
                if not is_zero(matrix[i][j]):
                    row = [r - matrix[i][j] * x for r, x in zip(row, known, strict=True)]
            rest.append([names.scalar("B", (i + 1, k), x) for k, x in enumerate(row, 1)])
        values = _block_solved(block.of(matrix), rest, names, number)
        if steps is not None:
            values = [
                [names.scalar(steps, (j + 1, k), x) for k, x in enumerate(row, 1)]
                for j, row in zip(block.columns, values, strict=True)
            ]
        found.update(zip(block.columns, values, strict=True))
    return [found[j] for j in range(len(matrix))]


def _block_solved(A: Rows, B: Rows, names: Names, number: int) -> Rows:
    """One right-hand side by determinants with it in place of a column, several by all cofactors."""
    if len(A) == 1:
        one = len(B[0]) == 1
        inverse = 1 if one else names.scalar("ID", number, 1 / A[0][0])
        return [[x / A[0][0] if one else x * inverse for x in B[0]]]
    if len(A) > limits.LARGEST_BY_DETERMINANTS:
        return _by_orthogonal_columns(A, B, names, number)
    order = best_order(A)
    A, B = [A[i] for i in order], [B[i] for i in order]
    if len(B[0]) == 1:
        return _by_cramer(A, [row[0] for row in B], names, number)
    minors = Minors(A, names, f"D{number}")
    inverse = names.scalar("ID", number, 1 / names.scalar("DET", number, minors.determinant))
    size = range(len(A))
    C = [[names.scalar("CF", number, minors.cofactor(i, j), i + 1, j + 1) for i in size] for j in size]
    return [[dot(row, [b[k] for b in B]) * inverse for k in range(len(B[0]))] for row in C]


def _by_cramer(A: Rows, b: Sequence[Scalar], names: Names, number: int) -> Rows:
    """Each unknown is the determinant with b in place of its column, all from the minors of [A b]."""
    n = len(A)
    minors = Minors([[*row, x] for row, x in zip(A, b, strict=True)], names, f"D{number}")
    inverse = names.scalar("ID", number, 1 / minors.determinant)
    found: Rows = []
    for j in range(n):
        replaced = minors.above(tuple(c for c in range(n + 1) if c != j))  # b stands last: n - 1 - j exchanges
        found.append([replaced * inverse if (n - 1 - j) % 2 == 0 else -(replaced * inverse)])
    return found


def _by_orthogonal_columns(A: Rows, B: Rows, names: Names, number: int) -> Rows:
    """A = U R with orthogonal columns U and ones on the diagonal of R (Gram and Schmidt, modified, and B along with A).

    Divided by are the squares of the columns, which vanish only where the matrix is singular. The sparsest column comes
    first.
    """
    n = len(A)
    columns = [[row[j] for row in A] for j in range(n)]
    order = sorted(range(n), key=lambda j: sum(not is_zero(x) for x in columns[j]))
    left = {j: columns[j] for j in order}
    right = [[row[k] for row in B] for k in range(len(B[0]))]
    R: dict[int, dict[int, Scalar]] = {}
    Y: dict[int, list[Scalar]] = {}
    for j in order:
        u = left.pop(j)
        inverse = names.scalar("ID", (number, j + 1), 1 / dot(u, u))
        R[j], Y[j] = {}, []
        for k, column in left.items():
            R[j][k] = names.scalar("R", (number, j + 1, k + 1), dot(u, column) * inverse)
            left[k] = _less(column, R[j][k], u, names, ("U", (number, k + 1)))
        for k, column in enumerate(right):
            Y[j].append(names.scalar("Y", (number, j + 1, k + 1), dot(u, column) * inverse))
            right[k] = _less(column, Y[j][k], u, names, ("V", (number, k + 1)))
    X: dict[int, list[Scalar]] = {}
    for j in reversed(order):
        made = Y[j]
        for k, factor in R[j].items():
            if not is_zero(factor):
                made = [y - factor * x for y, x in zip(made, X[k], strict=True)]
        X[j] = [names.scalar("X", (number, j + 1, k), x) for k, x in enumerate(made, 1)]
    return [X[j] for j in range(n)]


def _less(
    column: list[Scalar], factor: Scalar, u: Sequence[Scalar], names: Names, named: tuple[str, tuple[int, ...]]
) -> list[Scalar]:
    """A column without what it has of u."""
    if is_zero(factor):
        return column
    stem, link = named
    return [
        x if is_zero(y) else names.scalar(stem, (*link, i), x - factor * y)
        for i, (x, y) in enumerate(zip(column, u, strict=True), 1)
    ]


def dot(row: Sequence[Scalar], column: Sequence[Scalar]) -> Scalar:
    """The scalar product, without what is multiplied by zero."""
    total: Scalar = 0
    for a, b in zip(row, column, strict=True):
        if not is_zero(a) and not is_zero(b):
            total = total + a * b
    return total


# --- the price of determinants ---------------------------------------------------------------------------------------


def best_order(block: Matrix) -> tuple[int, ...]:
    """The order of the rows in which the minors take the fewest products."""
    filled = [[j for j, x in enumerate(row) if not is_zero(x)] for row in block]
    sparsest_first = tuple(sorted(range(len(block)), key=lambda i: len(filled[i])))
    if len(block) > limits.LARGEST_REORDERED:
        return sparsest_first
    return min(permutations(sparsest_first), key=lambda order: products([filled[i] for i in order]))


def products(filled: Sequence[Sequence[int]]) -> int:
    """The products of Laplace's expansion, row by row, given the places of each row that are not zero."""
    reached: set[frozenset[int]] = {frozenset()}
    total = 0
    for row in filled:
        after: set[frozenset[int]] = set()
        for columns in reached:
            new = [columns | {j} for j in row if j not in columns]
            total += len(new)
            after.update(new)
        reached = after
    return total


# --- symmetric systems -----------------------------------------------------------------------------------------------


def symmetric_solved(matrix: Matrix, right: Matrix, names: Names) -> Rows:
    """X with ``matrix`` X = ``right`` for a symmetric positive definite matrix, by L D L^T.

    The next row eliminated is one tied to the fewest others, so that few zeros are filled.
    """
    n = len(matrix)
    A = {i: {j: matrix[i][j] for j in range(n) if not is_zero(matrix[i][j])} for i in range(n)}
    B = [list(row) for row in right]
    inverse: dict[int, Scalar] = {}
    L: dict[int, dict[int, Scalar]] = {}
    while A:
        k = min(A, key=lambda i: (len(A[i]), i))
        row = A.pop(k)
        inverse[k] = names.scalar("ID", k + 1, 1 / names.scalar("D", k + 1, row.pop(k)))
        B[k] = [names.scalar("B", (k + 1, c), x) for c, x in enumerate(B[k], 1)]
        row = {i: names.scalar("A", (k + 1, i + 1), entry) for i, entry in row.items()}
        L[k] = {i: names.scalar("L", (k + 1, i + 1), entry * inverse[k]) for i, entry in row.items()}
        for i, factor in L[k].items():
            del A[i][k]
            for j in (j for j in row if j <= i):
                A[i][j] = A[j][i] = A[i].get(j, 0) - factor * row[j]
            B[i] = [b - factor * x for b, x in zip(B[i], B[k], strict=True)]
    for k in reversed(L):
        values = [x * inverse[k] for x in B[k]]
        for i, factor in L[k].items():
            values = [v - factor * x for v, x in zip(values, B[i], strict=True)]
        B[k] = [names.scalar("X", (k + 1, c), x) for c, x in enumerate(values, 1)]
    return B
