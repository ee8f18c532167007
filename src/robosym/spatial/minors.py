"""Determinants and cofactors of a small matrix by Laplace's expansion, every minor made once.

A matrix of n rows has 2^n minors of its first k rows: for the six rows of a Jacobian that is 64, however entangled the
entries are. Nothing is divided by, so no pivot can vanish.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Protocol

from .blocks import sign
from .scalar import Scalar, is_zero


class Names(Protocol):
    """What names intermediate scalars: a program's scope."""

    def step(self, name: str, value: Scalar) -> Scalar: ...

    def scalar(self, stem: str, link: int | tuple[int, ...], value: Scalar, *components: int) -> Scalar: ...


class Minors:
    """The minors of the rows above and of the rows below each row, named ``stem`` with their columns."""

    def __init__(self, matrix: Sequence[Sequence[Scalar]], names: Names, stem: str = "D") -> None:
        self.matrix, self.names, self.stem = matrix, names, stem
        self._above: dict[tuple[int, ...], Scalar] = {(): 1}
        self._below: dict[tuple[int, ...], Scalar] = {(): 1}

    def above(self, columns: tuple[int, ...]) -> Scalar:
        """The determinant of the first len(columns) rows in these columns."""
        if columns not in self._above:
            row = len(columns) - 1
            self._above[columns] = self._expanded(row, columns, self.above, row, "A")
        return self._above[columns]

    def below(self, columns: tuple[int, ...]) -> Scalar:
        """The determinant of the last len(columns) rows in these columns."""
        if columns not in self._below:
            self._below[columns] = self._expanded(len(self.matrix) - len(columns), columns, self.below, 0, "B")
        return self._below[columns]

    def _expanded(self, row: int, columns: tuple[int, ...], rest: object, offset: int, mark: str) -> Scalar:
        total: Scalar = 0
        for place, j in enumerate(columns):
            entry = self.matrix[row][j]
            if is_zero(entry):
                continue
            inner = rest(columns[:place] + columns[place + 1 :])  # type: ignore[operator]
            total = total - entry * inner if (place + offset) % 2 else total + entry * inner
        apart = "_" if max(columns) > 8 else ""
        return self.names.step(f"{self.stem}{mark}{apart}{apart.join(str(j + 1) for j in columns)}", total)

    @property
    def determinant(self) -> Scalar:
        """Of all rows in the first columns: of the whole matrix, if it is square."""
        return self.above(tuple(range(len(self.matrix))))

    def cofactor(self, i: int, j: int) -> Scalar:
        """(-1)^(i+j) times the determinant without row i and column j: rows above times rows below (Laplace)."""
        columns = [c for c in range(len(self.matrix)) if c != j]
        total: Scalar = 0
        for upper in combinations(columns, i):
            lower = tuple(c for c in columns if c not in upper)
            product = self.above(upper) * self.below(lower)
            total = total + product if sign((*upper, *lower)) > 0 else total - product
        return total if (i + j) % 2 == 0 else -total
