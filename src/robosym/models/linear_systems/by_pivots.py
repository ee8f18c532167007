"""Linear systems by elimination with exchanged rows, as straight-line code: each exchange is a choice between two numbers.

Determinants need no pivots and are short up to three or four unknowns. Beyond, elimination takes a third of the operations,
and is safe only with the largest entry of a column as its pivot. Which one that is changes from state to state: rows are
exchanged by ``select``, which every language has, and which a batch does in all its lanes at once.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...expr import absolute, expr, select
from ...spatial.minors import Names
from ...spatial.scalar import Scalar, is_zero

Rows = list[list[Scalar]]


def solved_by_pivots(matrix: Sequence[Sequence[Scalar]], right: Sequence[Sequence[Scalar]], names: Names) -> Rows:
    """X with ``matrix`` X = ``right``; where the matrix is singular, what is divided by is zero."""
    n = len(matrix)
    rows = [[*a, *b] for a, b in zip(matrix, right, strict=True)]
    inverse: list[Scalar] = []
    for k in range(n):
        for i in range(k + 1, n):
            rows[k], rows[i] = _larger_first(rows[k], rows[i], k, i, names)
        inverse.append(names.scalar("ID", k + 1, 1 / expr(rows[k][k])))
        for i in range(k + 1, n):
            if is_zero(rows[i][k]):
                continue
            factor = names.scalar("L", (i + 1, k + 1), rows[i][k] * inverse[k])
            rows[i] = [
                x if c <= k or is_zero(top) else names.scalar("E", (i + 1, c + 1, k + 1), x - factor * top)
                for c, (x, top) in enumerate(zip(rows[i], rows[k], strict=True))
            ]
    found: dict[int, list[Scalar]] = {}
    for k in reversed(range(n)):
        values = rows[k][n:]
        for j, known in found.items():
            if not is_zero(rows[k][j]):
                values = [x - rows[k][j] * y for x, y in zip(values, known, strict=True)]
        found[k] = [names.scalar("X", (k + 1, c), x * inverse[k]) for c, x in enumerate(values, 1)]
    return [found[k] for k in range(n)]


def _larger_first(
    top: list[Scalar], other: list[Scalar], k: int, i: int, names: Names
) -> tuple[list[Scalar], list[Scalar]]:
    """The two rows, that with the larger entry in column k first."""
    if is_zero(other[k]):
        return top, other
    if is_zero(top[k]):
        return other, top
    exchange = names.scalar("IS", (k + 1, i + 1), expr(absolute(expr(other[k])) > absolute(expr(top[k]))))
    first, second = list(top), list(other)
    for c in range(k, len(top)):
        a, b = expr(top[c]), expr(other[c])
        if a is not b:
            first[c] = names.scalar("T", (k + 1, c + 1, i + 1), select(exchange, b, a))
            second[c] = names.scalar("B", (i + 1, c + 1, k + 1), select(exchange, a, b))
    return first, second
