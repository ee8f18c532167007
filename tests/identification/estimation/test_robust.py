"""Huber's estimate: outliers, the fixed point of its own equations, and passes in chunks."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from identification.estimation.random_equations import random_equations

from robosym.identification.estimation.equations import Equations
from robosym.identification.estimation.estimation import weighted
from robosym.identification.estimation.factors import Factors
from robosym.identification.estimation.robust import Spread, huber, robust_sigma, within

ALL = (tuple(range(4)),) * 2


def with_outliers(seed: int) -> tuple[np.ndarray, Equations]:
    rng = np.random.default_rng(seed)
    K = rng.normal(size=4)
    equations = random_equations(rng, [1000, 800], K, ALL, noise=[0.1, 0.5])
    for torques in equations.torques:
        torques[rng.random(len(torques)) < 0.05] += 20.0
    return K, equations


def test_outliers_hardly_matter() -> None:
    K, equations = with_outliers(0)
    robust = huber(equations)
    error = np.abs(robust.estimate.values - K)
    assert np.all(error < 4 * robust.estimate.sigma)
    assert np.linalg.norm(error) < 0.2 * np.linalg.norm(weighted(Factors.of(equations)).values - K)
    assert np.all(robust.reduced > 0.05 * np.array(equations.rows))
    np.testing.assert_allclose(robust.estimate.noise, [0.1, 0.5], rtol=0.15)


def test_it_solves_hubers_equations() -> None:
    """sum over joints of D^T psi(r / s) / s = 0, psi clipped at the limit: what defines it."""
    _, equations = with_outliers(1)
    estimate = huber(equations).estimate
    left, size, squares, inside = np.zeros(4), np.zeros(4), 0.0, 0
    for j, residuals in enumerate(equations.residuals(estimate.values)):
        psi = np.clip(residuals / estimate.divisors[j], -1.345, 1.345)
        left += equations.values[j].T @ psi / estimate.divisors[j]
        squares, inside = squares + psi @ psi, inside + np.sum(np.abs(psi) < 1.345)
        size += np.abs(equations.values[j]).T @ np.abs(psi) / estimate.divisors[j]
    assert np.all(np.abs(left) < 1e-4 * size)
    D = equations.dense()[0] / np.repeat(estimate.divisors, equations.rows)[:, None]
    variance = squares / (1800 - 4) / (inside / 1800) ** 2
    np.testing.assert_allclose(estimate.covariance, variance * np.linalg.inv(D.T @ D), rtol=5e-3, atol=1e-7)


def test_chunks_of_passes_give_the_same() -> None:
    _, equations = with_outliers(2)
    edges = [0.0, 1.23, 4.0, 100.0]

    def passes() -> list[Equations]:
        pairs = list(pairwise(edges))
        return [equations.only([(t >= a) & (t < b) for t in equations.times]) for a, b in pairs]

    one, cut = huber(equations).estimate, huber(passes).estimate
    np.testing.assert_allclose(cut.values, one.values, rtol=1e-12)
    np.testing.assert_allclose(cut.covariance, one.covariance, rtol=1e-9, atol=1e-16)


def test_sigmas_with_gaussian_noise_are_those_of_many_trials() -> None:
    rng = np.random.default_rng(3)
    K = rng.normal(size=4)
    found = [huber(random_equations(rng, [150, 150], K, ALL, noise=[0.1, 0.5])).estimate for _ in range(150)]
    spread = np.std([estimate.values for estimate in found], axis=0)
    np.testing.assert_allclose(np.mean([estimate.sigma for estimate in found], axis=0), spread, rtol=0.2)


def test_the_median_is_read_off_its_bins() -> None:
    rng = np.random.default_rng(4)
    residuals = rng.normal(size=4001) * 3.0
    spread = Spread(2)
    for part in np.array_split(residuals, 7):
        spread.add(0, part)
    found = spread.sigma(np.array([1.0, 2.0]))
    np.testing.assert_allclose(found, [np.median(np.abs(residuals)) / 0.67449, 2.0], rtol=2e-3)


def test_outliers_can_be_left_out_instead() -> None:
    K, equations = with_outliers(5)
    start = weighted(Factors.of(equations))
    sigma = robust_sigma(equations, start.values, start.noise)
    masks = within(equations, start.values, sigma, 6.0)
    for mask, residuals in zip(masks, equations.residuals(K), strict=True):
        assert np.all(mask == (np.abs(residuals) < 10))
    cleaned = weighted(Factors.of(equations.only(masks)))
    assert np.all(np.abs(cleaned.values - K) < 4 * cleaned.sigma)


def test_it_settles_also_with_few_rows_and_heavy_tails() -> None:
    """The medians of few residuals jump: held after some rounds, they do not keep the weights from settling."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        equations = random_equations(rng, [60, 60, 60], rng.normal(size=25))
        for torques in equations.torques:
            torques += rng.standard_t(2, size=60)
        estimate = huber(equations).estimate
        assert estimate.warnings == ()
        assert estimate.rounds < 50
