"""What is left to regroup after all rules, by linear algebra: for one set of numbers of the geometry.

Loops of special shape (a Bennett linkage) and joints that depend on others tie parameters in ways that no rule foresees. The
columns of the regressor at random states show them, with factors that are numbers (Gautier 1990).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from ...expr import Expr, expr, free_symbols, number
from ...expr.generic import negligible
from ...robot import Robot
from ..tree.bodies import tree
from .numeric import independent_columns, regressor
from .rules import Kept

ROUNDED = 1e-11  # a factor this near to a whole number is that number

Key = tuple[int, str]


def further(robot: Robot, kept: Mapping[int, Kept], rotor_inertia: bool) -> dict[int, Kept]:
    """The base parameters that are independent with the robot's own values."""
    names, W = regressor(robot, rotor_inertia=rotor_inertia)
    keys = [(j, name) for j in (0, *robot.order) if j in kept for name in kept[j].names]
    columns = W[:, [names.index(f"{name.upper()}{j}") for j, name in keys]]
    sizes = np.linalg.norm(columns, axis=0)
    alive = [k for k in range(len(keys)) if not negligible(float(sizes[k]), float(sizes.max(initial=0.0)))]
    stay = independent_columns(columns / np.where(sizes > 0, sizes, 1), alive)
    rest = [k for k in alive if k not in stay]
    factors = np.linalg.lstsq(columns[:, stay], columns[:, rest], rcond=None)[0]
    values: dict[Key, Expr] = {keys[k]: kept[keys[k][0]].values[keys[k][1]] for k in alive}
    for row, k in enumerate(stay):
        for column, m in enumerate(rest):
            factor = float(factors[row, column])
            if not negligible(factor * sizes[k] / sizes[m]):
                values[keys[k]] = values[keys[k]] + _number(factor) * values[keys[m]]
    chosen = {keys[k] for k in stay}
    found = {}
    for j, one in kept.items():
        left = tuple(name for name in one.names if (j, name) in chosen)
        found[j] = replace(one, names=left, values={name: values[j, name] for name in left}, fewest=True)
    return found


def geometry_symbols(robot: Robot) -> frozenset[str]:
    """The parameters that the motion depends on: geometry, gravity, how the joints are tied."""
    bodies = tree(robot)
    entries = [x for frame in robot.frames for x in frame.geometry]
    entries += [
        *robot.gravity,
        *robot.base.acceleration,
        *(expr(c) for _, row in bodies.coordinates.rows for _, c in row),
    ]
    return frozenset(s.name for s in free_symbols(*entries) if s.kind == "parameter")


def _number(factor: float) -> Expr:
    whole = round(factor)
    return number(whole if abs(factor - whole) < ROUNDED else factor)
