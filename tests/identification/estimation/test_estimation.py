"""Least squares from factors against NumPy's on the dense system."""

from __future__ import annotations

import numpy as np
import pytest
from identification.estimation.random_equations import random_equations
from sweeps import many

from robosym.identification.estimation.equations import Equations
from robosym.identification.estimation.estimation import EstimationError, ordinary, reweighted, weighted
from robosym.identification.estimation.factors import Factors


def dense(equations: Equations, sigma: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    D, tau = equations.dense()
    each = np.repeat(sigma, equations.rows)
    return D / each[:, None], tau / each


@pytest.mark.parametrize("seed", range(many(10)))
def test_all_methods_solve_the_dense_system(seed: int) -> None:
    rng = np.random.default_rng(seed)
    c = int(rng.integers(1, 30))
    K = rng.normal(size=c) * 10.0 ** rng.uniform(-3, 3, size=c)
    equations = random_equations(rng, [400, 300, 200], K, noise=[0.1, 1.0, 5.0])
    factors = Factors.of(equations)
    for estimate in (ordinary(factors), weighted(factors), reweighted(factors)):
        D, tau = dense(equations, estimate.divisors)
        expected, squares, _, _ = np.linalg.lstsq(D, tau, rcond=None)
        np.testing.assert_allclose(estimate.values, expected, rtol=0, atol=1e-10 * np.abs(expected).max())
        np.testing.assert_allclose(estimate.chi_squared, squares[0], rtol=1e-10)
        covariance = squares[0] / (len(D) - c) * np.linalg.inv(D.T @ D)
        np.testing.assert_allclose(estimate.covariance, covariance, rtol=1e-7, atol=1e-10 * covariance.max())
        raw = equations.dense()[0]
        np.testing.assert_allclose(estimate.condition, np.linalg.cond(raw), rtol=1e-8)
        np.testing.assert_allclose(
            estimate.scaled_condition, np.linalg.cond(raw / np.linalg.norm(raw, axis=0)), rtol=1e-8
        )
        for j, left in enumerate(equations.residuals(estimate.values)):
            np.testing.assert_allclose(estimate.rms[j], np.sqrt(np.mean(left**2)), rtol=1e-9)
            size = np.linalg.norm(equations.torques[j])
            np.testing.assert_allclose(estimate.relative[j], 100 * np.linalg.norm(left) / size, rtol=1e-9)


def test_the_noise_of_each_joint_has_its_degrees_of_freedom() -> None:
    """m - trace(H), H the joint's part of the hat matrix: written out with the dense one."""
    rng = np.random.default_rng(1)
    equations = random_equations(rng, [30, 20, 25], rng.normal(size=12), noise=[0.1, 0.3, 1.0])
    estimate = reweighted(Factors.of(equations))
    D, _ = dense(equations, estimate.divisors)
    taken = np.diag(D @ np.linalg.solve(D.T @ D, D.T))
    ends = np.cumsum([0, *equations.rows])
    for j, left in enumerate(equations.residuals(estimate.values)):
        freedom = equations.rows[j] - taken[ends[j] : ends[j + 1]].sum()
        np.testing.assert_allclose(estimate.noise[j], np.sqrt(left @ left / freedom), rtol=1e-9)
    np.testing.assert_allclose(estimate.noise, estimate.divisors, rtol=1e-6)
    assert 1 < estimate.rounds < 100


def test_weights_use_the_quiet_joint() -> None:
    """The noisy joint hardly matters: the errors are much smaller than those of ordinary least squares."""
    rng = np.random.default_rng(2)
    K = rng.normal(size=6)
    every = (tuple(range(6)),) * 2
    worse = []
    for _ in range(20):
        factors = Factors.of(random_equations(rng, [100, 100], K, every, noise=[0.01, 3.0]))
        worse.append(np.linalg.norm(ordinary(factors).values - K) / np.linalg.norm(weighted(factors).values - K))
    assert np.median(worse) > 20


def test_data_without_noise_give_the_parameters_back() -> None:
    rng = np.random.default_rng(3)
    K = rng.normal(size=20) * 10.0 ** rng.uniform(-3, 3, size=20)
    factors = Factors.of(random_equations(rng, [200, 200, 200], K))
    for method in (ordinary, weighted, reweighted):
        np.testing.assert_allclose(method(factors).values, K, rtol=1e-8)


def test_joints_without_rows_and_too_few_rows_are_named() -> None:
    rng = np.random.default_rng(4)
    K = rng.normal(size=3)
    factors = Factors.of(random_equations(rng, [50, 0], K, ((0, 1, 2), (1,)), noise=[0.1, 0.1]))
    estimate = weighted(factors)
    assert estimate.warnings == ("joint1 has no equations",)
    assert np.isnan(estimate.rms[1])
    exact = ordinary(Factors.of(random_equations(rng, [3], K, ((0, 1, 2),))))
    assert "nothing is left to tell the noise from" in exact.warnings[0]
    assert np.isnan(exact.sigma).all()
    with pytest.raises(EstimationError, match="sigma: expected 2 positive numbers"):
        weighted(factors, np.array([1.0, 0.0]))


def test_relative_sigma_correlation_and_names() -> None:
    rng = np.random.default_rng(5)
    estimate = ordinary(Factors.of(random_equations(rng, [90], np.array([1.0, -2.0]), ((0, 1),), noise=[0.1])))
    sigma = np.sqrt(np.diag(estimate.covariance))
    np.testing.assert_allclose(estimate.relative_sigma, 100 * sigma / np.abs(estimate.values))
    np.testing.assert_allclose(estimate.correlation[0, 1], estimate.covariance[0, 1] / sigma[0] / sigma[1])
    assert list(estimate.parameters) == ["k0", "k1"]
    assert repr(estimate).startswith("<Estimate: 2 parameters, ordinary")


def test_chunks_and_merged_blocks_give_the_same_estimate() -> None:
    rng = np.random.default_rng(6)
    equations = random_equations(rng, [3000, 2000, 2500], rng.normal(size=15), noise=[0.1, 1.0, 5.0])
    one = reweighted(Factors.of(equations))
    parts = [equations.only([(t >= a) & (t < a + 3.3) for t in equations.times]) for a in np.arange(0, 33, 3.3)]
    for most in (256, 7):
        added = Factors.of(parts[-1], most=most)
        for part in parts[:-1]:
            added = added.add(part)
        found = reweighted(added)
        np.testing.assert_allclose(found.values, one.values, rtol=1e-12)
        np.testing.assert_allclose(found.sigma, one.sigma, rtol=1e-11)
