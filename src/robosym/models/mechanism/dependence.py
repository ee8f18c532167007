"""Which columns of a regressor depend on which, decided on random states and proved on further ones.

A relation between columns that was read off too few rows is not one. The rows are more than the columns, and every relation must
hold on rows that it was not read off; where it does not, these rows join the others and the relations are read off again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np

from ...expr.generic import NEGLIGIBLE, negligible
from ...reals import Floats
from ...robot import PRISMATIC, REVOLUTE, Robot, RobotError
from ...robot.problems import Problem
from .unit_columns import ROTOR, Key

Rows = Callable[[int], Floats]  # the rows of one batch of random states; another number gives other states
NameT = TypeVar("NameT", bound=Hashable)

ROWS, STATES = 3, 24  # rows for each column, and states, at least
BATCHES = 5  # that are drawn until the relations hold on fresh states
HOLDS = 1e-7  # what may be left of a column that depends on others at a fresh state, beside the largest part of the sum
CLEAR = 1e-3  # what may be left of such a column, beside the least singular value of the columns that stay
DIGITS = 6  # a factor that is as near as rounding to a number of so many digits is that number
LAST_CHOICE = ("MZ", "YY", "M")  # what the papers regroup away from a revolute link


@dataclass(frozen=True)
class Dependence:
    """``stay`` are independent, ``rest`` are the columns of ``stay`` times ``factors``, ``zero`` have no effect. ``clear``: what
    is left of the dependent columns is far below what the independent ones have of their own."""

    stay: tuple[int, ...]
    rest: tuple[int, ...]
    zero: tuple[int, ...]
    factors: Floats
    clear: bool

    def holds(self, W: Floats, largest: Floats, units: Floats | float = 1.0) -> bool:
        """Whether all relations hold on these rows; ``largest`` are the sizes of the columns, which are compared over ``units``."""
        parts = W[:, list(self.stay)]
        left = np.abs(W[:, list(self.rest)] - parts @ self.factors)
        whole = np.abs(parts) @ np.abs(self.factors) + np.abs(W[:, list(self.rest)])
        sizes = np.maximum(whole, largest[list(self.rest)])
        return bool(np.all(left <= HOLDS * sizes)) and bool(
            np.all(np.abs(W / units)[:, list(self.zero)] <= HOLDS * (largest / units).max(initial=0.0))
        )


@dataclass(frozen=True)
class Relations(Generic[NameT]):
    """``kept``: of each column that stays, the others in it with their factors, itself first. ``gone`` have no effect. ``clear`` as in
    ``Dependence``."""

    kept: Mapping[NameT, Mapping[NameT, float]]
    gone: tuple[NameT, ...]
    clear: bool


def relations(
    robot: Robot,
    names: Sequence[NameT],
    rows: Rows,
    order: Sequence[int] | None = None,
    units: Floats | float = 1.0,
) -> Relations[NameT]:
    """Which columns stay, and how the others join them; columns have these names, and those that come first in the order stay.
    ``units``: the sizes that columns are compared with, of which some are lengths (``column_units``)."""
    found = proved_dependence(robot, rows, order, units)
    kept: dict[NameT, dict[NameT, float]] = {}
    for k, factors in zip(found.stay, found.factors.tolist(), strict=True):
        others = {names[m]: factor for m, factor in zip(found.rest, factors, strict=True) if factor}
        kept[names[k]] = {names[k]: 1.0, **others}
    return Relations(kept, tuple(names[k] for k in found.zero), found.clear)


def preferred(robot: Robot, keys: Sequence[Key], first: Collection[int] = (), last: Collection[int] = ()) -> list[int]:
    """The order in which inertial parameters stay: those of the links ``first`` before the others, of which the papers' choice comes
    first; then those of the links ``last``, and rotor inertias."""

    def rank(k: int) -> tuple[bool, ...]:
        j, stem = keys[k]
        revolute = j > 0 and robot.frame(j).sigma == REVOLUTE
        return stem == ROTOR, j in last, revolute and stem in LAST_CHOICE and j not in last, j not in first

    return sorted(range(len(keys)), key=rank)


def column_units(robot: Robot, keys: Sequence[Key], length: float) -> Floats:
    """Powers of the size of a robot by which the columns of inertial parameters grow with the unit of length."""

    def power(j: int, stem: str) -> int:
        if stem == ROTOR:
            return 2 if robot.frame(j).sigma == PRISMATIC else 0
        return {"M": 2, "MX": 1, "MY": 1, "MZ": 1}.get(stem, 0)

    return np.array([length ** power(*key) for key in keys])


def states_for(columns: int, rows: int) -> int:
    """How many states give enough rows for so many columns."""
    return max(STATES, -(-ROWS * columns // max(rows, 1)))


def proved_dependence(
    robot: Robot, rows: Rows, order: Sequence[int] | None = None, units: Floats | float = 1.0
) -> Dependence:
    """The dependence of columns at random states, proved on fresh ones; columns that come first in the order stay."""
    W = rows(0)
    for batch in range(1, BATCHES + 1):
        found = dependence(W, range(W.shape[1]) if order is None else order, units)
        fresh = rows(batch)
        if found.holds(fresh, np.abs(W).max(axis=0, initial=0.0), units):
            return found
        W = np.vstack([W, fresh])
    problem = (
        f"the base parameters cannot be decided: relations between parameters found at {len(W)} rows do not hold at other "
        "states. Give the joints positions in the description away from singular ones, or use parameters='standard'."
    )
    raise RobotError([Problem("parameters", problem)], robot.name)


def dependence(W: Floats, order: Sequence[int], units: Floats | float = 1.0) -> Dependence:
    """The dependence of columns in numbers."""
    sizes = np.linalg.norm(W, axis=0)
    beside = sizes / units
    alive = [k for k in order if not negligible(float(beside[k]), float(beside.max(initial=0.0)))]
    scaled = W / np.where(sizes > 0, sizes, 1.0)
    stay = sorted(independent_columns(scaled, alive))
    rest = [k for k in sorted(alive) if k not in stay]
    zero = tuple(k for k in range(W.shape[1]) if k not in alive)
    if not rest:
        return Dependence(tuple(stay), (), zero, np.zeros((len(stay), 0)), True)
    unit = np.linalg.lstsq(scaled[:, stay], scaled[:, rest], rcond=None)[0]
    left = float(np.linalg.norm(scaled[:, rest] - scaled[:, stay] @ unit, axis=0).max())
    least = float(np.linalg.svd(scaled[:, stay], compute_uv=False)[-1])
    ratios = sizes[rest] / sizes[stay][:, None]
    factors = _rounded(unit * ratios, NEGLIGIBLE * np.maximum(np.abs(unit), 1.0) * ratios)
    return Dependence(tuple(stay), tuple(rest), zero, factors, left < CLEAR * least)


def _rounded(factors: Floats, noise: Floats) -> Floats:
    """With few digits where the difference is noise."""
    short = np.array([float(f"{x:.{DIGITS}g}") for x in factors.ravel()]).reshape(factors.shape)
    return np.where(np.abs(factors) <= noise, 0.0, np.where(np.abs(short - factors) <= noise, short, factors))


def independent_columns(W: Floats, order: Sequence[int], tolerance: float = NEGLIGIBLE) -> list[int]:
    """The columns that are independent of those before them in the order (Gram-Schmidt, twice for the digits)."""
    Q = np.zeros((W.shape[0], 0))
    found = []
    for k in order:
        left = W[:, k] - Q @ (Q.T @ W[:, k])
        left = left - Q @ (Q.T @ left)
        size = np.linalg.norm(left)
        if not negligible(float(size), tolerance=tolerance):
            Q = np.column_stack([Q, left / size])
            found.append(k)
    return found
