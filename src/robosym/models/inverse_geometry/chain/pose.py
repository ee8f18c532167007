"""The given pose: the symbols of T."""

from __future__ import annotations

from collections.abc import Sequence

from ....expr import Expr, absolute, expr, number, variable
from ....spatial.vectors import cross

# What a solution may miss its pose by, over the size of the arm.
MADE = 1e-10
# And over what T itself misses a rotation by (``defect``).
SLACK = 4


def pose_symbols() -> tuple[tuple[Expr, ...], ...]:
    """Columns s, n, a, P of the first three rows."""
    return tuple(tuple(variable(f"{c}{axis}") for c in ("s", "n", "a", "P")) for axis in "xyz")


def defect(T: Sequence[Sequence[Expr]]) -> Expr:
    """How far the first two columns of T are from orthonormal, and the third from their product."""
    s, n, a = ([row[j] for row in T] for j in range(3))
    terms = [
        _dot(s, s) - 1,
        _dot(n, n) - 1,
        _dot(s, n),
        *(x - y for x, y in zip(cross((s[0], s[1], s[2]), (n[0], n[1], n[2])), a, strict=True)),
    ]
    return expr(sum((absolute(x) for x in terms), number(0)))


def _dot(a: Sequence[Expr], b: Sequence[Expr]) -> Expr:
    return expr(sum((x * y for x, y in zip(a, b, strict=True)), number(0)))
