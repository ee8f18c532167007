"""Total least squares: the closed form of a line, and consistency with noisy columns."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from identification.estimation.random_equations import random_equations

from robosym.identification.estimation.equations import Equations
from robosym.identification.estimation.estimation import EstimationError, ordinary
from robosym.identification.estimation.factors import Factors
from robosym.identification.estimation.total import total


def test_a_line_through_points_has_a_closed_form() -> None:
    """Deming (1943): the slope of y = k x with equal errors of both."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=200)
    y = 0.7 * x + 0.3 * rng.normal(size=200)
    equations = Equations(("k",), ("j",), ((0,),), (x[:, None],), (y,), (np.arange(200.0),))
    found = total(Factors.of(equations), np.ones(1), np.ones(2))
    a, b, c = x @ x, y @ y, x @ y
    np.testing.assert_allclose(found.values[0], (b - a + np.hypot(b - a, 2 * c)) / (2 * c), rtol=1e-12)


def test_scaled_by_norms_it_is_the_smallest_singular_vector_of_the_dense_system() -> None:
    rng = np.random.default_rng(1)
    equations = random_equations(rng, [100, 80], rng.normal(size=6), noise=[0.1, 0.1])
    found = total(Factors.of(equations), np.ones(2))
    A = np.column_stack(equations.dense())
    norms = np.linalg.norm(A, axis=0)
    v = np.linalg.svd(A / norms)[2][-1]
    np.testing.assert_allclose(found.values, -v[:-1] / v[-1] * norms[-1] / norms[:-1], rtol=1e-10)
    unit = norms[-1] / norms[:-1]
    s, scaled, D = np.linalg.svd(A / norms)[1][-1], found.values / unit, A[:, :-1] / norms[:-1]
    squares = np.linalg.inv(D.T @ D - s**2 * np.eye(6)) * (1 + scaled @ scaled) * s**2 / 174
    np.testing.assert_allclose(found.covariance, squares * np.outer(unit, unit), rtol=1e-8, atol=1e-12)
    np.testing.assert_allclose(found.rms, [np.sqrt(np.mean(r**2)) for r in equations.residuals(found.values)])


def test_consistent_with_noisy_columns_where_least_squares_is_not() -> None:
    rng = np.random.default_rng(2)
    K, own = np.array([1.0, -2.0, 0.5, 3.0]), (0, 1, 2, 3)
    errors = np.array([0.3, 0.2, 0.1, 0.0, 0.4])  # the last column is exact; of the torque
    totals, naive, ordinaries = [], [], []
    for _ in range(200):
        clean = random_equations(rng, [500], K, (own,))
        clean.values[0][:, 3] = 1.0
        tau = clean.values[0] @ K + errors[-1] * rng.normal(size=500)
        D = clean.values[0] + errors[:-1] * rng.normal(size=(500, 4))
        factors = Factors.of(replace(clean, values=(D,), torques=(tau,)))
        estimate = total(factors, np.ones(1), errors, exact=["k3"])
        totals.append(estimate.values)
        naive.append(estimate.sigma)
        ordinaries.append(ordinary(factors).values)
    spread = np.std(totals, axis=0)
    assert np.all(np.abs(np.mean(totals, axis=0) - K) < 4 * spread / np.sqrt(200))
    assert np.max(np.abs(np.mean(ordinaries, axis=0) - K) / spread) > 2  # 28 standard deviations of this mean
    np.testing.assert_allclose(np.mean(naive, axis=0), spread, rtol=0.25)


def test_without_noise_and_what_it_refuses() -> None:
    rng = np.random.default_rng(3)
    K = rng.normal(size=5)
    factors = Factors.of(random_equations(rng, [100, 80], K))
    np.testing.assert_allclose(total(factors).values, K, rtol=1e-9)
    with pytest.raises(EstimationError, match="no column k9"):
        total(factors, exact=["k9"])
    with pytest.raises(EstimationError, match="expected 6 numbers"):
        total(factors, scale=np.ones(5))
