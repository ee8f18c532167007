"""What a simulation was given beside motions: checked as soon as it is known, with errors that name the argument."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..control.law import Law
from ..reals import finite_array
from ..robot import Robot
from .changing import changes_in_time
from .grids import Grid
from .plant import Plant, SimulationError


def check_batch_names(
    batch: Mapping[str, Any] | None, common: Mapping[str, Any], parameters: Mapping[str, float] | None
) -> None:
    """An error if something is common to all runs, and also in the batch."""
    names = {name for name, x in common.items() if x is not None} | {*(parameters or {})}
    twice = [name for name in batch or {} if name in names]
    if twice:
        raise SimulationError(f"{twice[0]}: given once for all runs and in the batch for each of them")


def in_time(inputs: Mapping[str, Any]) -> frozenset[str]:
    """The names of the inputs that are functions of time."""
    return frozenset(name for name, value in inputs.items() if changes_in_time(value))


def told_apart(law: Law | None, varied: frozenset[str]) -> None:
    """Gains and parameters of the plant have names of their own."""
    same = sorted(varied & law.parameters().keys()) if law is not None else []
    if same:
        raise SimulationError(
            f"{', '.join(same)}: a gain of the law has the name of this parameter of the robot: rename it"
        )


def values_of(plant: Plant, given: Mapping[str, Any]) -> dict[str, float]:
    """A number for every parameter of the plant; of a batch that of its first run."""
    robot = plant.robot
    models = [plant.model] if plant.sticking is None else [plant.model, plant.sticking.judge]
    needed = {symbol.name for model in models for symbol in model.code.parameter_symbols}
    known: dict[str, Any] = {k: v for model in models for k, v in model.values.items()} | dict(given)
    missing = sorted(needed - known.keys())
    if missing:
        names = ", ".join(missing[:10]) + (f" and {len(missing) - 10} more" if len(missing) > 10 else "")
        raise SimulationError(f"{robot.name}: no value for {names}: a simulation needs them all (parameters={{...}})")
    return {name: float(np.ravel(known[name])[0]) for name in needed}


def changes_of(
    changes: Mapping[float, Mapping[str, float]] | None, grid: Grid, robot: Robot
) -> list[tuple[int, dict[str, float]]]:
    """At which ticks parameters change, and to what."""
    found = []
    for moment, values in (changes or {}).items():
        last = grid.ticks * grid.period
        if moment > last:
            raise SimulationError(f"changes: at {moment:g} s the simulation is over, it lasts {last:g} s")
        own = numbers(f"changes at {moment:g} s", values, robot)
        found.append((math.ceil(moment / grid.period - 1e-9), own))
    return sorted(found, key=lambda one: one[0])


def numbers(what: str, given: Mapping[str, float] | None, robot: Robot) -> dict[str, float]:
    """Values of parameters of the robot."""
    unknown = [name for name in given or {} if name not in robot.parameter_names]
    if unknown:
        raise SimulationError(f"{what}: {robot.name} has no parameter {', '.join(map(repr, unknown))}")
    found = {name: finite_array(f"{what}, {name}", x, SimulationError) for name, x in (given or {}).items()}
    many = [name for name, x in found.items() if x.ndim]
    if many:
        raise SimulationError(f"{what}, {many[0]}: got the shape {found[many[0]].shape}, expected a number")
    return {name: float(x) for name, x in found.items()}
