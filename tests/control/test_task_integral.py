"""The integral of the error in task space, beside plain Python."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import robosym
from robosym.control.joints import joints_of
from robosym.control.task_integral import TaskIntegral
from robosym.program.routine import Routine, Slot, verified_routine

T = 0.25


def summed(limits: Any, error: Any, tau: Any, integral: Any) -> np.ndarray:
    """Of an arm of two joints and a task of three rows; a limit of 5 for the second motor is called ``tau_max2``."""
    space: Any = SimpleNamespace(rows=(0, 1, 5), joints=joints_of(robosym.load("planar-2r")))
    own = TaskIntegral(space, T)
    assert own.slot.shape == (3,)
    inputs = (Slot("error", (3,)), Slot("tau_wanted", (2,)), own.slot)
    made = Routine("integral", inputs, (own.slot,), (own.stage(np.array(limits, float)),))
    given = {"tau_max1": 9.0, "tau_max2": 5.0}
    parameters = {name: x for name, x in given.items() if np.isfinite(limits[int(name[-1]) - 1])}
    found = verified_routine(made).call(parameters=parameters, error=error, tau_wanted=tau, integral=integral)
    return np.asarray(found["integral"])


@pytest.mark.parametrize(
    ("tau", "adds"), [([100.0, 4.9], True), ([0.0, -4.9], True), ([0.0, 5.1], False), ([0.0, -5.1], False)]
)
def test_it_stands_still_while_a_motor_is_at_its_limit(tau: list[float], adds: bool) -> None:
    before, e = np.array([1.0, -2.0, 3.0]), np.array([0.4, -0.8, 1.2])
    expected = before + T * e if adds else before
    np.testing.assert_allclose(summed([np.inf, 5.0], e, tau, before), expected, atol=1e-15)


def test_it_stands_still_where_an_error_is_no_number() -> None:
    before = np.array([1.0, -2.0, 3.0])
    for k in range(3):
        for bad in (np.nan, np.inf, -np.inf):
            e = np.ones(3)
            e[k] = bad
            np.testing.assert_array_equal(summed([np.inf, np.inf], e, [0.0, 0.0], before), before)
    np.testing.assert_allclose(summed([np.inf, np.inf], np.ones(3), [1e9, -1e9], before), before + T)
    np.testing.assert_array_equal(summed([9.0, 5.0], np.ones(3), [np.nan, 0.0], before), before)
