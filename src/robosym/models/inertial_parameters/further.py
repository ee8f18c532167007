"""What is left to regroup after all rules, by linear algebra: for one set of numbers of the geometry.

Loops of special shape (a Bennett linkage) and joints that depend on others tie parameters in ways that no rule foresees. The
columns of the regressor at random states show them, with factors that are numbers (Gautier 1990).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ...expr import Expr, expr, free_symbols, number
from ...robot import Robot
from ..tree.bodies import tree
from .dependence import proved_dependence
from .numeric import batches, regressor
from .rules import Kept

ROUNDED = 1e-11  # a factor this near to a whole number is that number

Key = tuple[int, str]


def further(robot: Robot, kept: Mapping[int, Kept], rotor_inertia: bool) -> tuple[dict[int, Kept], bool]:
    """The base parameters that are independent with the robot's own values, and whether their number is clear: all others depend on
    them far beyond rounding."""
    keys = [(j, name) for j in (0, *robot.order) if j in kept for name in kept[j].names]
    names, _ = regressor(robot, rotor_inertia=rotor_inertia, samples=1)
    places = [names.index(f"{name.upper()}{j}") for j, name in keys]
    all_rows = batches(robot, rotor_inertia)
    decided = proved_dependence(robot, lambda batch: all_rows(batch)[:, places])
    values: dict[Key, Expr] = {key: kept[key[0]].values[key[1]] for key in keys}
    for row, k in enumerate(decided.stay):
        for m, factor in zip(decided.rest, decided.factors[row], strict=True):
            if factor:
                values[keys[k]] = values[keys[k]] + _number(float(factor)) * values[keys[m]]
    chosen = {keys[k] for k in decided.stay}
    found = {}
    for j, one in kept.items():
        left = tuple(name for name in one.names if (j, name) in chosen)
        found[j] = replace(one, names=left, values={name: values[j, name] for name in left}, fewest=True)
    return found, decided.clear


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
