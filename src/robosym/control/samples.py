"""A model at some random states, the same at every call: what settings that nobody gives are made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ..errors import RobosymError
from ..generated import Model
from ..models.draws import SPREADS, Draws
from ..program import Program
from ..program.outputs import named
from ..reals import Floats
from .law import ControlError

DRAWS, TRIES = 48, 400  # states that are looked at, and how many are tried to find them
NEAR = 0.05  # of loops that are iterated: this part of the ranges, about where they are known to close


def samples(model: Model, output: str, **speeds: Any) -> tuple[Floats, bool]:
    """An output at states at which it exists, and whether all parameters had values; those without have some.
    ``speeds`` are the sizes of the inputs beside q."""
    draws = Draws(model.robot, 7)
    missing = [s.name for s in model.code.parameter_symbols if s.name not in model.values]
    own = {name: draws.random.uniform(0.3, 0.9) for name in missing}
    found: list[Floats] = []
    reached: list[Floats] = []
    for q, made in _evaluated(model, output, _states(model, draws, speeds, reached), own):
        if np.isfinite(made).all():
            found.append(made)
            reached.append(q)
        if len(found) == DRAWS:
            break
    if not found:
        name = model.robot.name
        raise ControlError(f"{name}: its closed loops could not be assembled at any of {TRIES} random positions")
    return np.array(found), not missing


def _states(model: Model, draws: Draws, speeds: dict[str, Any], reached: Sequence[Floats]) -> Iterator[dict[str, Any]]:
    """Anywhere; where most positions cannot be assembled, every other one beside one that can."""
    centre = model.centre.get("q")
    for k in range(TRIES):
        q = np.array([draws.position(symbol) for symbol in model.robot.coordinates])
        q = q if centre is None else np.asarray(centre) + NEAR * q
        if k % 2 and reached and len(reached) < k // 4:
            beside = draws.random.choice(reached)
            q = beside + draws.random.choice(SPREADS) * (q - beside)
        state = {"q": q}
        for name, size in speeds.items():
            state[name] = np.asarray(size) * [draws.random.uniform(-1, 1) for _ in range(np.size(size))]
        yield state


def _evaluated(
    model: Model, output: str, states: Iterator[dict[str, Any]], own: dict[str, float]
) -> Iterator[tuple[Floats, Floats]]:
    """q and the output, nan where loops do not close, at one state after the other; what iterates is compiled."""
    given: dict[str, Any] = {"parameters": own} if own else {}
    call = model.evaluate if isinstance(model.code, Program) else model.compile()
    for state in states:
        try:
            made = call(**state, **given)
        except RobosymError:  # a value that is needed is not possible there
            continue
        yield np.asarray(state["q"]), np.asarray(named(output, made)[output])
