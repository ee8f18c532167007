"""Columns that cannot be told apart: base parameters beside friction, offsets and the like.

Base parameters are independent of each other, but an offset of a joint that lifts its load is the same as some of its weight. What
depends on columns before it falls away, and is then part of these; the relations hold for the robot's values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...expr import VARIABLE, Expr, evaluate, expr, free_symbols, parameter
from ...expr.generic import negligible
from ...robot import Robot, RobotError
from ...robot.problems import Problem
from ...spatial.scalar import Scalar
from ..inertial_parameters.numeric import independent_columns
from .parameters import Inertial
from .terms import Term

STATES = 24  # times as many rows as torques, at least; more for many columns
SPREAD = 0.15  # rad or m, about a place where closed loops close


def dependent(robot: Robot, columns: Mapping[str, Sequence[Scalar]]) -> dict[str, dict[str, float]]:
    """The columns that depend on those before them, each with these and their factors."""
    names = list(columns)
    if not names:  # nothing moves
        return {}
    W, missing = _sampled(robot, [[expr(x) for x in columns[name]] for name in names])
    gone = dependent_in(names, W)
    if gone and missing:
        problem = (
            f"{next(iter(gone))} cannot be told apart from other parameters: how depends on {', '.join(missing[:6])}"
        )
        raise RobotError([Problem("values", f"{problem}, which have no value")], robot.name)
    return gone


def dependent_in(names: Sequence[str], W: NDArray[np.float64]) -> dict[str, dict[str, float]]:
    """The same of columns in numbers."""
    sizes = np.linalg.norm(W, axis=0)
    alive = [k for k in range(len(names)) if not negligible(sizes[k], float(sizes.max(initial=0.0)))]
    scaled = W / np.where(sizes > 0, sizes, 1)
    kept = independent_columns(scaled, alive)
    rest = [k for k in range(len(names)) if k not in kept]
    if not rest:
        return {}
    factors = np.linalg.lstsq(scaled[:, kept], W[:, rest], rcond=None)[0] / sizes[kept][:, None]
    return {
        names[k]: {names[m]: float(f) for m, f in zip(kept, factors[:, i], strict=True) if not negligible(f)}
        for i, k in enumerate(rest)
    }


def _sampled(robot: Robot, columns: list[list[Expr]]) -> tuple[np.ndarray, list[str]]:
    """The columns at random states, and the parameters that have no value and got one at random."""
    rng = np.random.default_rng(1)
    rows = max(len(columns[0]), 1)
    count = max(STATES, 3 * len(columns) // rows)
    entries = [x for column in columns for x in column]
    at = robot.closure.at if robot.closure is not None else {}
    state: dict[Any, Any] = {}
    missing = []
    for symbol in sorted(free_symbols(*entries), key=lambda s: s.key):
        if symbol in at and symbol.level == VARIABLE:
            state[symbol] = at[symbol] + SPREAD * rng.uniform(-1, 1, count)
        elif symbol.level == VARIABLE:
            state[symbol] = rng.uniform(-2, 2, count)
        elif symbol.name in robot.values:
            state[symbol] = robot.values[symbol.name].number
        else:
            state[symbol] = float(rng.uniform(0.5, 1.5))
            missing.append(symbol.name)
    with np.errstate(invalid="ignore", divide="ignore"):
        found = evaluate(entries, state)
    values = np.array([np.broadcast_to(x, count) for x in found], dtype=float)
    W = values.reshape(len(columns), rows, count).transpose(2, 1, 0)
    good = np.isfinite(W).all(axis=(1, 2))
    return W[good].reshape(-1, len(columns)), missing


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
