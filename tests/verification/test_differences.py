"""Finite differences and one step of integration."""

from __future__ import annotations

import numpy as np
import pytest
from verification.pendulums import runge_kutta as by_its_table

from robosym.verification.differences import DT, STEP, runge_kutta, slopes


def test_slopes_are_columns() -> None:
    def function(y: np.ndarray) -> np.ndarray:
        return np.array([np.sin(y[0]) * y[1], y[1] ** 2, y[2]])

    y = np.array([0.4, -1.5, 2.0])
    expected = [[np.cos(0.4) * -1.5, np.sin(0.4), 0], [0, -3.0, 0], [0, 0, 1]]
    np.testing.assert_allclose(slopes(function, y), expected, atol=1e-9)
    assert STEP < 1e-3


def test_slopes_of_a_linear_function_are_exact_with_any_step() -> None:
    matrix = np.array([[2.0, -1.0], [0.5, 4.0], [0.0, 8.0]])
    np.testing.assert_array_equal(slopes(lambda y: matrix @ y, np.zeros(2), 0.5), matrix)


def test_a_step_is_that_of_the_classical_method() -> None:
    def rate(y: np.ndarray) -> np.ndarray:
        return np.array([y[1], -np.sin(y[0])])

    y = np.array([0.3, -0.8])
    np.testing.assert_allclose(runge_kutta(rate, y), by_its_table(rate, y, DT), rtol=1e-15)
    assert runge_kutta(lambda y: y, np.ones(1))[0] == pytest.approx(np.exp(DT), abs=1e-12)
