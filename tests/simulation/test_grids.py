"""The instants of a simulation: periods, steps within them, and those that are recorded."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from robosym.program.routine import Slot
from robosym.simulation import SimulationError
from robosym.simulation.grids import MOST_BYTES, Grid, grid_of, lasting
from robosym.trajectory import point_to_point

PLANT: Any = SimpleNamespace(slots=(Slot("q", (2,)), Slot("qd", (2,))))


def law_of(period: float) -> Any:
    return SimpleNamespace(period=period)


@pytest.mark.parametrize(("ticks", "every", "expected"), [(6, 2, [0, 2, 4, 6]), (7, 3, [0, 3, 6, 7]), (1, 5, [0, 1])])
def test_what_is_recorded(ticks: int, every: int, expected: list[int]) -> None:
    grid = Grid(ticks, 0.5, 1, 0.5, every)
    assert grid.recorded.tolist() == expected
    assert grid.times(2, 5).tolist() == [1.0, 1.5, 2.0]


def test_periods_and_steps() -> None:
    """Without a law a period is a step; a law's period is divided by the step."""
    assert grid_of(1.0, 1e-3, None, 1, None, PLANT) == Grid(1000, 1e-3, 1, 1e-3, 1)
    own = grid_of(1.0, 1e-3, law_of(5e-3), 1, 4, PLANT)
    assert (own.ticks, own.period, own.substeps, own.step, own.every) == (200, 5e-3, 5, pytest.approx(1e-3), 4)
    assert grid_of(1.0 + 1e-13, 1e-3, None, 1, None, PLANT).ticks == 1000
    assert grid_of(1.0004, 1e-3, None, 1, None, PLANT).ticks == 1001
    assert grid_of(1e-9, 1e-3, None, 1, None, PLANT).ticks == 1


def test_as_much_is_recorded_as_fits() -> None:
    ticks, runs = 1_000_000, 7000
    width = 8 * (ticks + 1) * runs * 4 * 2
    assert grid_of(1000.0, 1e-3, None, runs, None, PLANT).every == math.ceil(width / MOST_BYTES) == 1669
    assert grid_of(1000.0, 1e-3, None, runs, 1, PLANT).every == 1


@pytest.mark.parametrize(
    ("duration", "step", "period", "every", "word"),
    [
        (1.0, 2e-3, 1e-3, None, "does not divide the period"),
        (1.0, 3e-4, 1e-3, None, "does not divide the period of the law, 0.001 s"),
        (2e8, 1.0, None, None, "are 200000000 periods"),
    ],
)
def test_steps_that_do_not_fit(duration: float, step: float, period: float | None, every: Any, word: str) -> None:
    with pytest.raises(SimulationError, match=word):
        grid_of(duration, step, None if period is None else law_of(period), 1, every, PLANT)


def test_durations() -> None:
    moves = [point_to_point([0.0], [1.0], duration=d) for d in (1.0, 2.5)]
    assert lasting(None, moves) == 2.5
    assert lasting(0.75, moves) == 0.75
    assert lasting(3, []) == 3.0
    with pytest.raises(SimulationError, match="only motions that end"):
        lasting(None, [*moves, np.array([0.5])])
