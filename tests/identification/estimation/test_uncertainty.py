"""Intervals that cover as often as they say, and the bootstrap where residuals are correlated."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from identification.estimation.random_equations import autoregressive, random_equations
from sweeps import many

from robosym.identification.estimation.estimation import EstimationError, divided, ordinary, weighted
from robosym.identification.estimation.factors import Factors
from robosym.identification.estimation.uncertainty import autocorrelation, bootstrap, effective_rows, intervals

PLACES = ((0, 1, 2, 3), (2, 3, 4), (4, 5))


def test_naive_intervals_cover_95_per_cent_with_white_noise() -> None:
    rng = np.random.default_rng(0)
    K = rng.normal(size=6)
    covered = []
    for _ in range(many(500)):
        estimate = weighted(Factors.of(random_equations(rng, [60, 50, 40], K, PLACES, noise=[0.1, 1.0, 3.0])))
        lower, upper = intervals(estimate)
        covered.append((lower < K) & (upper > K))
    assert 0.93 < np.mean(covered) < 0.97


def test_the_bootstrap_is_closer_where_residuals_are_correlated() -> None:
    """Columns and noise change slowly, as in recordings: the naive sigmas are far too small."""
    rng = np.random.default_rng(1)
    K = np.array([1.0, -2.0, 0.5])
    found, naive, drawn, inflations = [], [], [], []
    for trial in range(40):
        columns = np.column_stack([autoregressive(rng, 3000, 0.9) for _ in K])
        tau = columns @ K + 0.5 * autoregressive(rng, 3000, 0.9)
        like = random_equations(rng, [3000], K, ((0, 1, 2),), rate=100.0)
        factors = Factors.of(replace(like, values=(columns,), torques=(tau,)))
        estimate = ordinary(factors)
        found.append(estimate.values)
        naive.append(estimate.sigma)
        samples = bootstrap(factors, estimate, samples=200, seed=trial)
        drawn.append(samples.sigma)
        inflations.append(samples.inflation)
    spread = np.mean(np.std(found, axis=0))
    naive_ratio, drawn_ratio = np.mean(naive) / spread, np.mean(drawn) / spread
    assert naive_ratio < 0.45  # sqrt((1 - 0.81) / (1 + 0.81)) = 0.32
    assert 0.75 < drawn_ratio < 1.25
    assert np.mean(inflations) > 2


def test_a_sample_is_solved_as_if_its_blocks_were_repeated() -> None:
    """Against least squares on the rows themselves, drawn block by block with the same seed."""
    rng = np.random.default_rng(2)
    equations = random_equations(rng, [300, 300, 300], rng.normal(size=6), PLACES, noise=[0.1, 0.2, 0.3])
    factors = Factors.of(equations)
    estimate = weighted(factors)
    samples = bootstrap(factors, estimate, samples=50, seed=7)
    blocks = len(factors.blocks)
    counts = np.random.default_rng(7).multinomial(blocks, np.full(blocks, 1 / blocks), size=50)
    D, tau = equations.dense()
    at = np.concatenate([np.floor(t / 0.5).astype(int) for t in equations.times])
    root = 1 / np.repeat(estimate.divisors, equations.rows)
    solved = []
    for drawn in counts:
        w = root * np.sqrt(drawn[at])
        solved.append(np.linalg.lstsq(D * w[:, None], tau * w, rcond=None)[0])
    np.testing.assert_allclose(samples.sigma, np.std(solved, axis=0, ddof=1), rtol=1e-8)
    np.testing.assert_allclose(samples.lower, np.quantile(solved, 0.025, axis=0), rtol=1e-8)
    again = bootstrap(factors, estimate, samples=50, seed=7)
    np.testing.assert_array_equal(samples.sigma, again.sigma)


def test_warnings_say_what_is_rough() -> None:
    rng = np.random.default_rng(3)
    equations = random_equations(rng, [300, 300, 300], rng.normal(size=6), PLACES, noise=[0.1, 0.2, 0.3])
    factors = Factors.of(equations)
    assert "only 6 blocks of time" in bootstrap(factors, weighted(factors)).warnings[0]
    with pytest.raises(EstimationError, match="at least two blocks"):
        bootstrap(factors.part([0]), weighted(factors))
    equations.values[2][50:, 1] = 0.0  # k5 is seen in one block in six: a third of the samples miss it
    sparse = Factors.of(equations)
    left_out = bootstrap(sparse, divided(sparse, np.ones(3), "ordinary")).left_out
    assert 200 < left_out < 500


def test_autocorrelation_and_effective_rows_of_known_processes() -> None:
    rng = np.random.default_rng(4)
    x = autoregressive(rng, 20000, 0.8)
    np.testing.assert_allclose(autocorrelation(x, 3), 0.8 ** np.arange(4), atol=0.05)
    direct = [np.sum((x - x.mean())[: len(x) - k] * (x - x.mean())[k:]) / np.sum((x - x.mean()) ** 2) for k in range(4)]
    np.testing.assert_allclose(autocorrelation(x, 3), direct, atol=1e-10)
    np.testing.assert_allclose(effective_rows(x), 20000 * 0.2 / 1.8, rtol=0.25)
    assert effective_rows(rng.normal(size=20000)) > 17000
    assert effective_rows(np.zeros(10)) == 10


def test_intervals_at_other_levels() -> None:
    rng = np.random.default_rng(5)
    estimate = ordinary(Factors.of(random_equations(rng, [8], np.ones(2), ((0, 1),), noise=[0.1])))
    lower, upper = intervals(estimate, 0.9)
    np.testing.assert_allclose(upper - lower, 2 * 1.9431803 * estimate.sigma, rtol=1e-6)  # Student's t, 6 degrees
    np.testing.assert_allclose(intervals(estimate, 0.9, np.ones(2))[1] - estimate.values, 1.9431803, rtol=1e-6)
    with pytest.raises(EstimationError, match="level"):
        intervals(estimate, 95)
