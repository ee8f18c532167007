"""What differs between the runs of a batch: settings of the law, parameters of the robot, starts, references, seeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..control.law import Law
from ..reals import Floats, finite_array
from ..robot import Robot
from . import start
from .plant import SimulationError


@dataclass(frozen=True)
class Batch:
    """``size`` is None of a single run."""

    size: int | None = None
    settings: Mapping[str, Floats] = field(default_factory=dict)  # of the law
    gains: Mapping[str, Floats] = field(default_factory=dict)  # that follow from them, (B,) each
    parameters: Mapping[str, Floats] = field(default_factory=dict)  # of the robot, (B,) each
    states: Mapping[str, Floats] = field(default_factory=dict)  # q and qd, (B, n)
    references: list[Any] | None = None
    seeds: list[int] | None = None

    @property
    def varied(self) -> dict[str, Floats]:
        """All that differs, as arrays, for the result."""
        found = {**self.settings, **self.parameters, **self.states}
        if self.seeds is not None:
            found["seed"] = np.array(self.seeds, dtype=float)
        if self.references is not None:
            found["reference"] = np.arange(len(self.references), dtype=float)
        return found


def batch_of(given: Mapping[str, Any] | None, robot: Robot, law: Law | None) -> Batch:
    if given is None:
        return Batch()
    if not isinstance(given, Mapping) or not given:
        raise SimulationError("batch: expected what differs by name, such as {'bandwidth': [10, 20, 30]}")
    settings: dict[str, Floats] = {}
    parameters: dict[str, Floats] = {}
    states: dict[str, Floats] = {}
    references = seeds = None
    sizes: dict[str, int] = {}
    for name, value in given.items():
        if name == "reference":
            references = _listed(name, value)
            if law is None:
                raise SimulationError("batch, reference: without a law nothing follows it")
        elif name == "seed":
            seeds = [_seed(x) for x in _listed(name, value)]
        elif name in ("q", "qd"):
            states[name] = (start.positions if name == "q" else start.speeds)(robot, value, f"batch, {name}")
            if states[name].ndim != 2:
                raise SimulationError(f"batch, {name}: expected a row for each run, got {value!r:.60}")
        elif law is not None and name in law.settings:
            settings[name] = _setting(name, value, np.size(law.settings[name]))
        elif name in robot.parameter_names:
            parameters[name] = finite_array(f"batch, {name}", value, SimulationError)
            if parameters[name].ndim != 1:
                raise SimulationError(f"batch, {name}: expected a number for each run, got {value!r:.60}")
        else:
            raise _unknown(name, robot, law)
    for group in (settings, parameters, states):
        for name, x in group.items():
            if not x.ndim:
                raise SimulationError(f"batch, {name}: expected an entry for each run, got one number")
            sizes[name] = len(x)
    sizes |= {name: len(x) for name, x in (("reference", references), ("seed", seeds)) if x is not None}
    if len(set(sizes.values())) != 1:
        said = ", ".join(f"{name} {size}" for name, size in sizes.items())
        raise SimulationError(
            f"batch: everything that differs needs an entry for each run, and the numbers differ: {said}"
        )
    size = next(iter(sizes.values()))
    if size == 0:
        raise SimulationError("batch: there is no run in it")
    gains = {}
    if law is not None and settings:
        gains = {name: x for name, x in law.parameters(**settings).items() if np.ndim(x) == 1}
    return Batch(size, settings, gains, parameters, states, references, seeds)


def _setting(name: str, value: Any, count: int) -> Floats:
    """(B,), or (B, n) where every joint has its own."""
    found = finite_array(f"batch, {name}", value, SimulationError)
    if found.ndim > 2 or (found.ndim == 2 and found.shape[1] not in (1, count)):
        raise SimulationError(
            f"batch, {name}: expected a number for each run, or {count} in a row, got the shape {found.shape}"
        )
    return found


def _listed(name: str, value: Any) -> list[Any]:
    if isinstance(value, np.ndarray):
        value = list(value)
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise SimulationError(f"batch, {name}: expected a list with an entry for each run, got {value!r:.60}")
    return list(value)


def _seed(value: Any) -> int:
    whole = isinstance(value, (int, np.integer)) or (isinstance(value, float) and value.is_integer())
    if isinstance(value, bool) or not whole or value < 0:
        raise SimulationError(f"batch, seed: got {value!r:.40}, expected whole numbers, 0 or more")
    return int(value)


def _unknown(name: str, robot: Robot, law: Law | None) -> SimulationError:
    known = [*(law.settings if law is not None else ()), "q", "qd", "reference", "seed"]
    return SimulationError(
        f"batch: nothing is called {name!r:.40}; expected {', '.join(known)}, or a parameter of {robot.name}"
    )
