"""What is left to regroup after all rules, by linear algebra: for one set of numbers of the geometry.

Loops of special shape (a Bennett linkage) and joints that depend on others tie parameters in ways that no rule foresees. The
columns of the regressor at random states show them, with factors that are numbers (Gautier 1990).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ...expr import Expr, evaluate, expr, free_symbols, number, parameter
from ...robot import Robot, RobotError
from ...robot.problems import Problem
from ..mechanism.dependence import HOLDS, relations
from ..mechanism.unit_columns import Key
from ..tree.coordinates import coordinates
from .numeric import Batches
from .rules import Kept


def further(robot: Robot, kept: Mapping[int, Kept], rows: Batches) -> tuple[dict[int, Kept], bool]:
    """The base parameters that are independent with the robot's own values, and whether their number is clear: all others depend on
    them far beyond rounding."""
    keys = [(j, name) for j in (0, *robot.order) if j in kept for name in kept[j].names]
    places = _places(rows, keys)
    decided = relations(robot, keys, lambda batch: rows(batch)[:, places], units=rows.units(keys))
    values: dict[Key, Expr] = {}
    for key, parts in decided.kept.items():
        values[key] = expr(
            sum((number(factor) * kept[j].values[name] for (j, name), factor in parts.items()), number(0))
        )
    found = {}
    for j, one in kept.items():
        left = tuple(name for name in one.names if (j, name) in values)
        found[j] = replace(one, names=left, values={name: values[j, name] for name in left}, fewest=True)
    return found, decided.clear


def check_torques(robot: Robot, kept: Mapping[int, Kept], rows: Batches) -> None:
    """Raise an error unless the base parameters give the torques of random standard ones, at random states."""
    rng = np.random.default_rng(7)
    standard = dict(zip(rows.names, rng.uniform(-1, 1, len(rows.names)), strict=True))
    keys = [(j, name) for j in (0, *robot.order) if j in kept for name in kept[j].names]
    values = [kept[j].values[name] for j, name in keys]
    locals_of = {s: standard.get(_column(s.name), 0.0) for s in free_symbols(*values) if s.kind == "local"}
    numbers = {parameter(name): value.number for name, value in robot.values.items()}
    base = np.array(evaluate(values, {**numbers, **locals_of}), dtype=float)
    W = rows(0)
    part = W[:, _places(rows, keys)]
    apart = np.abs(W @ list(standard.values()) - part @ base)
    size = np.abs(W) @ np.abs(list(standard.values())) + np.abs(part) @ np.abs(base)
    if np.any(apart > HOLDS * (size + size.max(initial=0.0))):
        problem = "the base parameters found do not give the torques of the standard ones: use parameters='standard'"
        raise RobotError([Problem("parameters", problem)], robot.name)


def _places(rows: Batches, keys: Sequence[Key]) -> list[int]:
    """The columns of parameters of links and joints."""
    return [rows.keys.index(key) for key in keys]


def _column(symbol: str) -> str:
    """The column of a standard symbol: Ia1 is IA1."""
    return symbol.upper()


def geometry_symbols(robot: Robot) -> frozenset[str]:
    """The parameters that the motion depends on: geometry, gravity, how the joints are tied."""
    entries = [x for frame in robot.frames for x in frame.geometry] + [*robot.gravity, *robot.base.acceleration]
    if not robot.platforms:
        entries += [expr(c) for _, row in coordinates(robot).rows for _, c in row]
    return frozenset(s.name for s in free_symbols(*entries) if s.kind == "parameter")
