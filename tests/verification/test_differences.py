"""One step of Runge and Kutta."""

from __future__ import annotations

import numpy as np

from robosym.verification.differences import DT, runge_kutta


def test_a_step_of_an_oscillator() -> None:
    """Of fourth order: exact to the power five of the step."""
    y = runge_kutta(lambda y: np.array([y[1], -y[0]]), np.array([1.0, 0.0]))
    np.testing.assert_allclose(y, [np.cos(DT), -np.sin(DT)], atol=DT**5 / 50)
    assert np.abs(y - [1.0, -DT]).max() > DT**2 / 3


def test_a_polynomial_of_degree_four_is_exact() -> None:
    """The rate is a polynomial of degree three of the time, which is a coordinate too."""
    y = runge_kutta(lambda y: np.array([1.0, 4 * y[0] ** 3]), np.array([0.5, 0.0]))
    np.testing.assert_allclose(y, [0.5 + DT, (0.5 + DT) ** 4 - 0.5**4], rtol=1e-12)
