"""Columns that cannot be told apart: base parameters beside friction, offsets and the like.

Base parameters are independent of each other, but an offset of a joint that lifts its load is the same as some of its weight. What
depends on columns before it falls away, and is then part of these; the relations hold for the robot's values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ...expr import VARIABLE, Expr, expr, free_symbols, parameter
from ...reals import Floats
from ...robot import Robot, RobotError
from ...robot.problems import Problem
from ...spatial.scalar import Scalar
from ..draws import parameter_numbers
from ..loops.states import random_numbers
from ..mechanism.dependence import Rows, relations, states_for
from ..mechanism.states import table
from .parameters import Inertial
from .terms import Term

VALUES = 20  # draws of the parameters that have no value, until closed loops can be assembled with them
DRAWS = 20  # times as many states as needed, at most, until the columns have values at enough of them


def dependent(robot: Robot, columns: Mapping[str, Sequence[Scalar]]) -> dict[str, dict[str, float]]:
    """The columns that depend on those before them, each with these and their factors."""
    names = list(columns)
    if not names:  # nothing moves
        return {}
    sampled = _Sampled(robot, [[expr(x) for x in columns[name]] for name in names])
    gone = dependent_in(robot, names, sampled.rows)
    if gone and sampled.missing:
        problem = f"{next(iter(gone))} cannot be told apart from other parameters: how depends on "
        problem += f"{', '.join(sampled.missing[:6])}, which have no value"
        raise RobotError([Problem("values", problem)], robot.name)
    return gone


def dependent_in(robot: Robot, names: Sequence[str], rows: Rows) -> dict[str, dict[str, float]]:
    """The same of columns in numbers, at batches of random states."""
    found = relations(robot, names, rows)
    gone: dict[str, dict[str, float]] = {name: {} for name in found.gone}
    for kept, parts in found.kept.items():
        for name, factor in parts.items():
            if name != kept:
                gone.setdefault(name, {})[kept] = factor
    return gone


class _Sampled:
    """Columns at random states at which all of them have values and closed loops close; ``missing`` are the parameters that have no
    value and got one at random."""

    def __init__(self, robot: Robot, columns: Sequence[Sequence[Expr]]) -> None:
        self.robot = robot
        self.width, self.height = len(columns), max(len(columns[0]), 1)
        self.entries = [x for column in columns for x in column]
        closure = robot.closure
        more = [] if closure is None else [closure.exists, *closure.positions.values()]
        symbols = sorted(free_symbols(*self.entries, *more), key=lambda s: s.key)
        self.variables = [s for s in symbols if s.level == VARIABLE]
        self.parameters = [s for s in symbols if s.level != VARIABLE]
        self.missing = [s.name for s in self.parameters if s.name not in robot.values]
        self.count = states_for(self.width, self.height)
        self.values: dict[Expr, float] = {}
        self._first: dict[Expr, Floats] = {}
        self._choose_values()

    def _choose_values(self) -> None:
        rng = np.random.default_rng(1)
        for trial in range(VALUES if self.missing else 1):
            self.values = parameter_numbers(self.robot, self.parameters, rng)
            try:
                self._first = self._states(rng)
                return
            except RobotError as error:
                if trial + 1 == VALUES:
                    problem = f"give values to {', '.join(self.missing[:6])}: with random ones the loops do not close"
                    raise RobotError([Problem("values", problem)], self.robot.name) from error
                if not self.missing:
                    raise

    def _states(self, rng: np.random.Generator) -> dict[Expr, Floats]:
        return random_numbers(self.robot, self.variables, self.values, rng, self.count)

    def rows(self, batch: int) -> Floats:
        """The columns at one batch of states: rows state by state."""
        rng = np.random.default_rng((1, batch))
        W = np.zeros((0, self.height, self.width))
        for _ in range(DRAWS):
            state = self._states(rng) if batch or len(W) else self._first
            values = table(self.entries, {**self.values, **state}, self.count)
            made = values.reshape(self.count, self.width, self.height).swapaxes(1, 2)
            W = np.concatenate([W, made[np.isfinite(made).all(axis=(1, 2))]])
            if len(W) >= self.count:
                return W[: self.count].reshape(-1, self.width)
        problem = f"the identification model has values at {len(W)} of {self.count * DRAWS} random states only"
        raise RobotError([Problem("parameters", f"{problem}. Use parameters='standard'.")], self.robot.name)


def joined_in(
    own: Inertial, further: Sequence[Term], gone: Mapping[str, Mapping[str, float]]
) -> tuple[Inertial, list[Term]]:
    """The parameters that stay, with their part of those that fall away in what they mean and in what the description has."""
    meaning, described = dict(own.meaning), dict(own.described)
    terms = {one.name: one for one in further}
    for name, factors in gone.items():
        value = terms[name].value if name in terms else described[name]
        symbol = meaning.get(name, parameter(name))
        for kept, factor in factors.items():
            meaning[kept] = meaning.get(kept, parameter(kept)) + factor * symbol
            if kept in terms:
                terms[kept] = replace(terms[kept], value=terms[kept].value + factor * value)
            if kept in described:
                described[kept] = described[kept] + factor * value
    names = {key: name for key, name in own.names.items() if name not in gone}
    left = replace(
        own,
        names=names,
        meaning={name: x for name, x in meaning.items() if name not in gone},
        described={name: x for name, x in described.items() if name not in gone},
    )
    return left, [one for name, one in terms.items() if name not in gone]
