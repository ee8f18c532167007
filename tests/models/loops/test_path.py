"""The way from the reference position of a mode: it stays the same mode, and where it ends nothing is found."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from models.loops.iterated_linkages import seven_revolutes, sliding_ring, stephenson
from sweeps import many

from robosym import models

LINKAGES = {one.__name__: one for one in (seven_revolutes, stephenson, sliding_ring)}


@functools.cache
def modes(name: str) -> tuple[str, ...]:
    return models.loop_geometry(LINKAGES[name]()).modes


@pytest.mark.slow
@pytest.mark.parametrize("name", LINKAGES)
@pytest.mark.parametrize("number", [0, -1])
def test_far_positions_are_in_the_mode_that_short_steps_lead_to(name: str, number: int) -> None:
    """Each position of many, reached at once and by fifty calls with the positions found as the next start."""
    made = models.loop_geometry(LINKAGES[name](), mode=modes(name)[number])
    f = made.compile()
    (q0,) = made.reference.values()
    q = q0 + np.linspace(-1.2, 1.2, 49)[:, None]
    at_once = f(q=q)
    start = np.repeat([made.defaults["start"]], len(q), axis=0)
    there = np.ones(len(q), dtype=bool)
    for part in np.linspace(0, 1, many(50) + 1)[1:]:
        found = f(q=q0 + part * (q - q0), start=start)
        there &= found["assembled"] == 1
        start = np.where(there[:, None], found["passive"], start)
    agree = (at_once["assembled"] == 1) == there
    assert agree.mean() > 0.97  # but where the mode ends, within a step
    both = there & agree
    assert both.sum() > 5
    np.testing.assert_allclose(at_once["passive"][both], start[both], atol=1e-8)


def test_the_end_of_a_mode() -> None:
    """Beyond it the iteration would find another mode: closed, but not this one."""
    made = models.loop_geometry(seven_revolutes(), mode="1")
    f = made.compile()
    assert f(q=[0.45])["assembled"] == 1
    found = f(q=[0.8])
    assert found["assembled"] == 0
    assert found["residual"] < 1e-12
    assert np.isnan(found["positions"]).all()


def test_a_start_that_is_given_is_taken_as_it_is() -> None:
    """It need not be on the way from the reference."""
    robot = stephenson()
    made = models.loop_geometry(robot)
    (q0,) = made.reference.values()
    far = models.loop_geometry(robot, near={"far_pivot": q0 - 0.7, "crank_pivot": 0.0})
    found = made.compile()(q=[q0 - 0.71], start=far.defaults["start"])
    assert found["assembled"] == 1
    assert np.abs(found["passive"] - far.defaults["start"]).max() < 0.1


def test_other_parameters_at_the_call() -> None:
    """A start that closes the loops with the robot's own numbers is near enough for others."""
    made = models.loop_geometry(stephenson())
    (q0,) = made.reference.values()
    values = {name: 1.005 * x for name, x in made.values.items() if name != "W"}
    values["K"] *= 1.004
    f = made.compile()
    here, there = f(q=[q0 - 0.6], parameters=values), f(q=[q0 - 0.6])
    assert here["assembled"] == there["assembled"] == 1
    assert 1e-6 < np.abs(here["passive"] - there["passive"]).max() < 0.1
