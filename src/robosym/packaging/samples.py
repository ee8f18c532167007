"""Reference values of the self-check: made by the interpreter, at states that are random and always the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from ..models.common import ASSEMBLED
from ..program.program import Program

if TYPE_CHECKING:
    from ..generated import Model
    from ..robot import Robot

Floats = NDArray[np.float64]
Arrays = Mapping[str, Floats]

STATES = 3
DRAWN = 24  # states, of which the first are taken where the result does not hang on the last digits of the inputs
CALM = 1e3  # by this factor a small change may grow there
REACH = 1.2  # inputs lie between minus and plus this


@dataclass(frozen=True)
class Reference:
    """Numbers for the parameters that are read, states, and the outputs at each of them."""

    parameters: Mapping[str, float]
    states: tuple[Arrays, ...]
    expected: tuple[Arrays, ...]

    @property
    def assembled(self) -> bool:
        """Whether the robot is put together at one of the states at least."""
        return any(np.all(one.get(ASSEMBLED, 1.0)) for one in self.expected)


def made_up(parameter: str) -> float:
    """A number for a parameter that has none: between 0.5 and 1.5, from its name alone."""
    return 0.5 + crc32(parameter.encode()) % 1000 / 1000


def _numbers(names: list[str], values: Mapping[str, float]) -> dict[str, float]:
    return {name: float(values[name]) if name in values else made_up(name) for name in names}


def _random(robot: str, model: str) -> np.random.Generator:
    return np.random.default_rng(crc32(f"{robot} {model}".encode()))


def reference(model: Model, precision: str) -> Reference:
    """The outputs of the model as it was derived, whatever is printed of it."""
    code = model.code
    parameters = _numbers([symbol.name for symbol in code.parameter_symbols], model.values)
    random = _random(model.robot.name, model.name)
    kind: type[np.floating[Any]] = np.float32 if precision == "float" and isinstance(code, Program) else np.float64
    if isinstance(code, Program) and model.drawing is None:
        states = _calm(code, parameters, random, kind)
    else:  # inputs that belong together, or defaults of them
        known = {**robot_values(model.robot), **parameters}
        drawn = [{**model.defaults, **model.random_state(random, REACH, known)} for _ in range(STATES)]
        states = tuple({name: np.asarray(x, kind).astype(float) for name, x in state.items()} for state in drawn)
    with np.errstate(all="ignore"):
        expected = tuple(code.call(**state, parameters=parameters) for state in states)
    return Reference(parameters, states, expected)


def _calm(
    program: Program, parameters: Mapping[str, float], random: np.random.Generator, kind: type[np.floating[Any]]
) -> tuple[Arrays, ...]:
    """The states of many at which the last digits of the inputs matter least."""
    drawn = _drawn(program, random, kind)
    growth = _growth(program, parameters, drawn)
    best = np.argsort(np.where(growth <= CALM, 0.0, growth), kind="stable")[: STATES if program.inputs else 1]
    return tuple({name: np.array(array[i]) for name, array in drawn.items()} for i in best.tolist())


def _drawn(program: Program, random: np.random.Generator, kind: type[np.floating[Any]]) -> dict[str, Floats]:
    """Many states, as numbers the printed code can hold exactly."""
    return {
        array.name: random.uniform(-REACH, REACH, (DRAWN, *array.shape)).astype(kind).astype(float)
        for array in program.inputs
    }


def _growth(program: Program, parameters: Mapping[str, float], drawn: Arrays) -> Floats:
    """By what factor a small change of the inputs grows in the outputs; infinite where they are not finite."""
    step = 1e-7
    there, aside = (_at(program, parameters, drawn, factor) for factor in (1.0, 1.0 + step))
    with np.errstate(all="ignore"):
        scale = np.maximum(1.0, np.abs(there).max(axis=0, initial=0.0))
        apart = np.abs(aside - there).max(axis=0, initial=0.0) / scale
        return np.where(np.isfinite(scale) & np.isfinite(apart), apart / step, np.inf)


def _at(program: Program, parameters: Mapping[str, float], drawn: Arrays, factor: float) -> Floats:
    """All outputs at all states: a row for each entry."""
    values: dict[Any, Any] = {symbol: parameters[symbol.name] for symbol in program.parameter_symbols}
    for array in program.inputs:
        columns = drawn[array.name].reshape(DRAWN, -1).T * factor
        values.update(zip(array.entries, columns, strict=True))
    with np.errstate(all="ignore"):
        found = program.evaluate(values)
    rows = [np.broadcast_to(entry, DRAWN) for entries in found.values() for entry in entries]
    return np.array(rows, dtype=float).reshape(-1, DRAWN)


def robot_values(robot: Robot) -> dict[str, float]:
    return {name: float(value.number) for name, value in robot.values.items()}
