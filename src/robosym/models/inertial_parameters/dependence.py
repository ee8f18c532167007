"""Which columns of a regressor depend on which, decided on random states and proved on further ones.

A relation between columns that was read off too few rows is not one. The rows are more than the columns, and every relation must
hold on rows that it was not read off; where it does not, these rows join the others and the relations are read off again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...expr.generic import negligible
from ...robot import Robot, RobotError
from ...robot.problems import Problem

Matrix = NDArray[np.float64]
Rows = Callable[[int], Matrix]  # the rows of one batch of random states; another number gives other states

ROWS, STATES = 3, 24  # rows for each column, and states, at least
BATCHES = 5  # that are drawn until the relations hold on fresh states
HOLDS = 1e-7  # what may be left of a column that depends on others at a fresh state, beside the largest part of the sum
CLEAR = 1e-3  # what may be left of such a column, beside the least singular value of the columns that stay


@dataclass(frozen=True)
class Dependence:
    """``stay`` are independent, ``rest`` are the columns of ``stay`` times ``factors``, ``zero`` have no effect. ``clear``: what
    is left of the dependent columns is far below what the independent ones have of their own."""

    stay: tuple[int, ...]
    rest: tuple[int, ...]
    zero: tuple[int, ...]
    factors: Matrix
    clear: bool

    def holds(self, W: Matrix, largest: Matrix) -> bool:
        """Whether all relations hold on these rows; ``largest`` are the sizes of the columns."""
        parts = W[:, list(self.stay)]
        left = np.abs(W[:, list(self.rest)] - parts @ self.factors)
        whole = np.abs(parts) @ np.abs(self.factors) + np.abs(W[:, list(self.rest)])
        sizes = np.maximum(whole, largest[list(self.rest)])
        return bool(np.all(left <= HOLDS * sizes)) and bool(
            np.all(np.abs(W[:, list(self.zero)]) <= HOLDS * largest.max(initial=0.0))
        )


def states_for(columns: int, rows: int) -> int:
    """How many states give enough rows for so many columns."""
    return max(STATES, -(-ROWS * columns // max(rows, 1)))


def proved_dependence(robot: Robot, rows: Rows, order: Sequence[int] | None = None) -> Dependence:
    """The dependence of columns at random states, proved on fresh ones; columns that come first in the order stay."""
    W = rows(0)
    for batch in range(1, BATCHES + 1):
        found = dependence(W, range(W.shape[1]) if order is None else order)
        fresh = rows(batch)
        if found.holds(fresh, np.abs(W).max(axis=0, initial=0.0)):
            return found
        W = np.vstack([W, fresh])
    problem = (
        f"the base parameters cannot be decided: relations between parameters found at {len(W)} rows do not hold at other "
        "states. Give the joints positions in the description away from singular ones, or use parameters='standard'."
    )
    raise RobotError([Problem("parameters", problem)], robot.name)


def dependence(W: Matrix, order: Sequence[int]) -> Dependence:
    """The dependence of columns in numbers."""
    sizes = np.linalg.norm(W, axis=0)
    alive = [k for k in order if not negligible(float(sizes[k]), float(sizes.max(initial=0.0)))]
    scaled = W / np.where(sizes > 0, sizes, 1.0)
    stay = sorted(independent_columns(scaled, alive))
    rest = [k for k in sorted(alive) if k not in stay]
    zero = tuple(k for k in range(W.shape[1]) if k not in alive)
    if not rest:
        return Dependence(tuple(stay), (), zero, np.zeros((len(stay), 0)), True)
    unit = np.linalg.lstsq(scaled[:, stay], scaled[:, rest], rcond=None)[0]
    left = float(np.linalg.norm(scaled[:, rest] - scaled[:, stay] @ unit, axis=0).max())
    least = float(np.linalg.svd(scaled[:, stay], compute_uv=False)[-1])
    factors = np.where(np.abs(unit) > 1e-10, unit, 0.0) * sizes[rest] / sizes[stay][:, None]
    return Dependence(tuple(stay), tuple(rest), zero, factors, left < CLEAR * least)


def independent_columns(W: Matrix, order: Sequence[int]) -> list[int]:
    """The columns that are independent of those before them in the order (Gram-Schmidt, twice for the digits)."""
    Q = np.zeros((W.shape[0], 0))
    found = []
    for k in order:
        left = W[:, k] - Q @ (Q.T @ W[:, k])
        left = left - Q @ (Q.T @ left)
        size = np.linalg.norm(left)
        if not negligible(float(size)):
            Q = np.column_stack([Q, left / size])
            found.append(k)
    return found
