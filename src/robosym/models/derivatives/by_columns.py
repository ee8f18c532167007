"""The systems of a large robot column by column, in loops: a ``Routine``.

Written out, the derivatives of the accelerations of thirty joints are 90 000 operations, of which three in four solve one and the same
system for one column after the other. Here that is a program of its own, run once a column. Joints on one branch of the base have
columns with the same zeros: each branch has its own program, which knows them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...expr import Expr, expr, variable
from ...program import Array, Graph, Program, Scope, optimised
from ...program.routine import Fill, Record, Repeat, Routine, Run, Slot, Stage, Take, verified_routine
from ...spatial.scalar import Scalar, is_zero
from .solving import Factors, Matrix

X = "x"
ABOUT = "Derivatives of the accelerations: the inertia matrix in factors, then one column after the other"


@dataclass(frozen=True)
class Packed:
    """The entries of the factors that are not zero as one array, and the factors made of its symbols."""

    array: Array
    given: tuple[Expr, ...]
    factors: Factors


def packed(factors: Factors) -> Packed:
    given: list[Expr] = []
    symbols: list[Expr] = []

    def symbol(value: Scalar) -> Scalar:
        if is_zero(value):
            return 0
        given.append(expr(value))
        symbols.append(variable(f"factor{len(given)}"))
        return symbols[-1]

    # Sums go by these numbers. What is known last, of the joint next on the way from the base, is to be added last: nothing waits.
    inverse = [symbol(x) for x in factors.inverse]
    L = {k: {i: symbol(row[i]) for i in sorted(row)} for k, row in factors.L.items()}
    W = [[symbol(x) for x in row] for row in factors.W]
    array = Array("factors", (len(symbols),), tuple(symbols))
    return Packed(array, tuple(given), Factors(L, inverse, factors.root, W))


@dataclass(frozen=True)
class Branch:
    """Columns with the same zeros: their places among those of both matrices, and the rows that are not zero."""

    name: str
    columns: tuple[int, ...]
    rows: tuple[int, ...]

    @property
    def solved(self) -> str:
        return f"{X}_{self.name}"


def branches(factors: Factors, b: Matrix) -> list[Branch]:
    """The columns of b by the first joint on their way from the base; those of a free base are one branch."""
    first: dict[int, int] = {}
    for k in range(factors.n):
        between = [i for i in factors.L[k] if i >= factors.root]
        first[k] = -1 if k < factors.root else min([k, *between])
    found: list[Branch] = []
    for which in dict.fromkeys(first.values()):
        columns = [c for c in range(len(b[0])) if first[c % factors.n] == which]
        columns = [c for c in columns if not all(is_zero(row[c]) for row in b)]
        rows = [k for k, row in enumerate(b) if not all(is_zero(row[c]) for c in columns)]
        if columns:
            found.append(Branch(f"b{len(found)}", tuple(columns), tuple(rows)))
    return found


def right_hand_sides(parts: Sequence[Branch], b: Matrix) -> list[Array]:
    """Of every branch its columns, each as a row."""
    return [
        Array(
            part.name,
            (len(part.columns), len(part.rows)),
            tuple(expr(b[k][c]) for c in part.columns for k in part.rows),
        )
        for part in parts
    ]


def solving(part: Branch, own: Packed) -> list[Stage]:
    """x of every column of a branch."""
    n = own.factors.n
    given = [variable(f"b{k}") for k in range(len(part.rows))]
    b: list[Scalar] = [0] * n
    for k, symbol in zip(part.rows, given, strict=True):
        b[k] = symbol
    x = Array(X, (n,), tuple(expr(value) for value in own.factors.solved(b)))
    column = Array(f"column_{part.name}", (len(given),), tuple(given))
    program = optimised(Graph(f"solve {part.name}", (own.array, column), (x,)))
    count = len(part.columns)
    inside: tuple[Stage, ...] = (Take(part.name, "turn", column.name), Run(program), Record(X, part.solved, "turn"))
    return [Fill(part.solved, (count, n)), Repeat(count, inside, "turn")]


def gathered(parts: Sequence[Branch], names: Sequence[str], n: int) -> Program:
    """The matrices, whose columns the branches have as rows."""
    arrays = [
        Array(
            part.solved,
            (len(part.columns), n),
            tuple(variable(f"{part.solved}_{k}") for k in range(n * len(part.columns))),
        )
        for part in parts
    ]
    entries: dict[tuple[int, int], Expr] = {}
    for part, array in zip(parts, arrays, strict=True):
        for place, c in enumerate(part.columns):
            entries |= {(i, c): array.entries[place * n + i] for i in range(n)}
    zero = expr(0)
    outputs = tuple(
        Array(name, (n, n), tuple(entries.get((i, m * n + j), zero) for i in range(n) for j in range(n)))
        for m, name in enumerate(names)
    )
    return optimised(Graph("gather", tuple(arrays), outputs))


def routine(first: Graph, factors: Factors, b: Matrix, inverse: str, names: Sequence[str]) -> Routine:
    """``first`` is what is made straight away; the outputs ``names`` are the columns of A^-1 b, ``inverse`` is A^-1."""
    own, parts, n = packed(factors), branches(factors, b), factors.n
    made = (Array("factors", own.array.shape, own.given), *right_hand_sides(parts, b))
    start = optimised(Graph(first.name, first.inputs, (*made, *first.outputs), first.names))
    half = own.factors.inverted(Scope(), range(1, n + 1))
    whole = Array(inverse, (n, n), tuple(expr(x) for row in half for x in row))
    stages: list[Stage] = [Run(start), Run(optimised(Graph(inverse, (own.array,), (whole,))))]
    for part in parts:
        stages += solving(part, own)
    stages.append(Run(gathered(parts, names, n)))
    inputs = tuple(Slot(array.name, array.shape) for array in first.inputs)
    outputs = (*(Slot(name, (n, n)) for name in (*names, inverse)), *(Slot(a.name, a.shape) for a in first.outputs))
    return verified_routine(Routine(first.name, inputs, outputs, tuple(stages), (ABOUT,)))
