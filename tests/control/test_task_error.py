"""Errors of a pose: their rates along motions of both frames, work, and the acceleration that makes a second rate."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from control.task_plants import Reference, error

from robosym.control.task_error import POSE, TaskError
from robosym.program.of_arrays import program_of

SIX = range(6)


def everything(rows: Any) -> Any:
    def made(T: Any, V: Any, T_d: Any, V_d: Any, A_d: Any, x: Any, F: Any) -> dict[str, Any]:
        found = TaskError(rows, T, V, T_d, V_d)
        return {
            "e": found.e,
            "ed": found.ed,
            "wrench": found.wrench(x),
            "force": found.force(F),
            "acceleration": found.acceleration(A_d, x),
        }

    return program_of("error", {**POSE, "A_d": (6,), "x": (len(rows),), "F": (6,)}, made)


def motions(seed: int, turn: float) -> tuple[Reference, Reference]:
    rng = np.random.default_rng(seed)
    here = Reference.near(rng, np.eye(4), 0.3, 1.0)
    return here, Reference.near(rng, here.start, 0.3, turn)


def at(here: Reference, there: Reference, t: float) -> dict[str, np.ndarray]:
    own, wanted = here(t), there(t)
    return {"T": own["T_d"], "V": own["V_d"], **wanted}


@pytest.mark.parametrize("turn", [0.0, 1e-8, 0.5, 1.5, 2.9])
def test_rates_are_the_differences_of_the_error(turn: float) -> None:
    program, h = everything(SIX), 1e-3
    for seed in range(5):
        here, there = motions(seed, turn)
        state = at(here, there, 0.0)
        e = [error(here(t)["T_d"], there(t)["T_d"]) for t in h * np.arange(-2, 3)]
        first = (e[0] - 8 * e[1] + 8 * e[3] - e[4]) / (12 * h)
        second = (-e[0] + 16 * e[1] - 30 * e[2] + 16 * e[3] - e[4]) / (12 * h * h)
        found = program.call(**state, x=second, F=np.zeros(6))
        assert found["e"] == pytest.approx(e[2], abs=1e-14)
        assert found["ed"] == pytest.approx(first, abs=1e-9)
        # The other way round: with this second rate the frame must have the acceleration it has.
        assert found["acceleration"] == pytest.approx(here(0.0)["A_d"], abs=1e-6)


@pytest.mark.parametrize("rows", [SIX, (0, 1, 2), (3, 4, 5), (0, 1, 5), (2,)])
def test_work_is_the_same_in_both_coordinates(rows: Any) -> None:
    """Of a wanted pose that stands still: wrench . V = -x . e'."""
    program, rng = everything(rows), np.random.default_rng(3)
    here, there = motions(1, 1.2)
    state = {**at(here, there, 0.0), "V_d": np.zeros(6)}
    x, F = rng.normal(size=len(rows)), rng.normal(size=6)
    found = program.call(**state, x=x, F=F)
    assert found["wrench"] @ state["V"] == pytest.approx(-x @ found["ed"], abs=1e-13)
    if len(rows) == 6:  # a wrench as a force of the coordinates, and back
        again = program.call(**state, x=found["force"], F=F)["wrench"]
        assert again == pytest.approx(F, abs=1e-13)


def test_what_is_not_controlled_is_not_made() -> None:
    assert everything((0, 1, 2)).operations.total < 40 < everything(SIX).operations.total
