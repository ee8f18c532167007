"""States at which models are looked at: the same at every call, and where loops close."""

from __future__ import annotations

import numpy as np
import pytest
from models.loops.iterated_linkages import stephenson

import robosym
from robosym import models
from robosym.control.samples import DRAWS, samples


def test_the_same_at_every_call() -> None:
    model = models.velocities(robosym.load("scara"))
    first, valued = samples(model, "V", qd=np.array([1.0, 0.0, 2.0, 3.0]))
    again, _ = samples(model, "V", qd=np.array([1.0, 0.0, 2.0, 3.0]))
    assert valued
    assert first.shape == (DRAWS, 6)
    assert first == pytest.approx(again)
    assert np.abs(first).max() <= 1.0 + 2.0 + 3.0 + 3.0


@pytest.mark.parametrize("name", ["five-bar-general", "stephenson"])
def test_only_where_loops_close(name: str) -> None:
    robot = stephenson() if name == "stephenson" else robosym.load(name)
    found, _ = samples(models.jacobian(robot), "J")
    assert len(found) == DRAWS
    assert np.isfinite(found).all()


def test_lengths_without_values_have_some() -> None:
    robot = robosym.Robot.from_table("planar-2r", [{"d": 0}, {"d": "L1"}, {"d": "L2", "sigma": 2}])
    found, valued = samples(models.jacobian(robot), "J")
    assert not valued
    assert np.abs(found).max() > 0.3
