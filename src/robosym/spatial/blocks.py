"""A square matrix with zeros as a chain of smaller ones: its block triangular form.

Rows and columns are reordered so that below the diagonal blocks everything is zero. The determinant is then the product
of theirs, and a system is solved block by block from the last to the first. An arm with a wrist falls apart this way: into
the joints that move the centre of the wrist, and those that turn about it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .scalar import Scalar, is_zero

Matrix = Sequence[Sequence[Scalar]]


class SingularPatternError(ValueError):
    """The zeros alone make the determinant zero."""


@dataclass(frozen=True)
class Block:
    """A diagonal block, by its rows and columns in the whole matrix."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]

    def of(self, matrix: Matrix) -> list[list[Scalar]]:
        return [[matrix[i][j] for j in self.columns] for i in self.rows]


def blocks(matrix: Matrix) -> list[Block]:
    """The diagonal blocks in order: a row of one holds zeros in the columns of those before it.

    Every column is matched with a row where it is not zero; a column leads to the others that its row uses; columns that
    lead to each other form a block (Duff, Erisman and Reid 1986, chapter 6).
    """
    n = len(matrix)
    row_of = _matching(matrix)
    leads = [[c for c in range(n) if c != j and not is_zero(matrix[row_of[j]][c])] for j in range(n)]
    found = []
    for group in _components(leads):
        columns = tuple(sorted(group))
        found.append(Block(tuple(sorted(row_of[j] for j in columns)), columns))
    return found[::-1]  # a component comes out after all those it leads to


def sign(order: Sequence[int]) -> int:
    """Of a permutation: -1 if it takes an odd number of exchanges."""
    inversions = sum(order[i] > order[j] for i in range(len(order)) for j in range(i + 1, len(order)))
    return -1 if inversions % 2 else 1


def permutation_sign(found: Sequence[Block]) -> int:
    """Of the reordering of rows and columns: the determinant is this times the product of the blocks'."""
    return sign([i for block in found for i in block.rows]) * sign([j for block in found for j in block.columns])


def _matching(matrix: Matrix) -> dict[int, int]:
    """A row for every column, all different, where the entry is not zero: augmenting paths."""
    n = len(matrix)
    owner: dict[int, int] = {}  # row -> column

    def place(j: int, tried: set[int]) -> bool:
        for i in range(n):
            if i not in tried and not is_zero(matrix[i][j]):
                tried.add(i)
                if i not in owner or place(owner[i], tried):
                    owner[i] = j
                    return True
        return False

    for j in range(n):
        if not place(j, set()):
            raise SingularPatternError(f"column {j + 1} finds no row of its own: the determinant is zero")
    return {j: i for i, j in owner.items()}


def _components(leads: Sequence[Sequence[int]]) -> list[set[int]]:
    """Strongly connected components, each after those it leads to. The graph is small: reachability is enough."""
    n = len(leads)
    reach = [_reached(leads, j) for j in range(n)]
    groups: list[set[int]] = []
    for j in range(n):
        if not any(j in group for group in groups):
            groups.append({k for k in reach[j] if j in reach[k]})
    ordered: list[set[int]] = []
    while groups:
        done: set[int] = set().union(*ordered)
        ready = next(g for g in groups if all(reach[j] <= g | done for j in g))
        ordered.append(ready)
        groups.remove(ready)
    return ordered


def _reached(leads: Sequence[Sequence[int]], start: int) -> set[int]:
    found, waiting = {start}, [start]
    while waiting:
        for j in leads[waiting.pop()]:
            if j not in found:
                found.add(j)
                waiting.append(j)
    return found
