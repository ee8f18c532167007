"""Instrumental variables: the textbook formula, and no bias where least squares has one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from identification.estimation.random_equations import random_equations

from robosym.identification.estimation.determined import UndeterminedError
from robosym.identification.estimation.equations import Equations
from robosym.identification.estimation.estimation import EstimationError, weighted
from robosym.identification.estimation.factors import Factors
from robosym.identification.estimation.instruments import beside_instruments, instrumental, with_instruments

PLACES = ((0, 1, 2), (1, 2, 3))


def noisy(rng: np.random.Generator, K: np.ndarray, rows: int = 400) -> tuple[Equations, Equations]:
    """Equations whose columns carry noise, and the same with the true columns."""
    true = random_equations(rng, [rows, rows], K, PLACES, noise=[0.1, 0.3])
    values = tuple(D + 0.5 * rng.normal(size=D.shape) for D in true.values)
    return replace(true, values=values), true


def test_it_is_the_textbook_formula() -> None:
    rng = np.random.default_rng(0)
    equations, true = noisy(rng, rng.normal(size=4))
    start = weighted(Factors.of(equations))
    sigma = np.array([0.2, 0.7])
    found = with_instruments(beside_instruments(equations, true), sigma, start)
    (D, tau), (Z, _) = equations.dense(), true.dense()
    W = np.repeat(1 / sigma**2, equations.rows)[:, None]
    inverse = np.linalg.inv(Z.T @ (W * D))
    expected = inverse @ Z.T @ (W[:, 0] * tau)
    np.testing.assert_allclose(found.values, expected, rtol=1e-10)
    left = tau - D @ expected
    variance = (W[:, 0] * left) @ left / (len(D) - 4)
    np.testing.assert_allclose(found.covariance, variance * inverse @ (Z.T @ (W * Z)) @ inverse.T, rtol=1e-8)


def test_no_bias_where_least_squares_is_biased() -> None:
    rng = np.random.default_rng(1)
    K = np.array([1.0, -2.0, 0.5, 3.0])
    found, least, sigmas = [], [], []
    for _ in range(200):
        equations, true = noisy(rng, K)
        estimate = instrumental(equations, lambda _, true=true: true)  # type: ignore[misc]
        found.append(estimate.values)
        sigmas.append(estimate.sigma)
        least.append(weighted(Factors.of(equations)).values)
    spread = np.std(found, axis=0)
    assert np.all(np.abs(np.mean(found, axis=0) - K) < 4 * spread / np.sqrt(200))
    assert np.all(np.abs(np.mean(least, axis=0) - K) > 0.1 * np.abs(K))
    np.testing.assert_allclose(np.mean(sigmas, axis=0), spread, rtol=0.25)


def test_instruments_are_made_from_the_last_parameters_until_they_settle() -> None:
    rng = np.random.default_rng(2)
    K = rng.normal(size=4)
    equations, true = noisy(rng, K)
    seen: list[np.ndarray] = []

    def make(parameters: np.ndarray) -> list[Equations]:
        seen.append(parameters)
        bent = replace(true, values=tuple(D * (1 + 0.01 * np.tanh(parameters[0])) for D in true.values))
        halves = [[t < 2.0 for t in true.times], [t >= 2.0 for t in true.times]]
        return [bent.only(half) for half in halves]

    def passes() -> list[Equations]:
        return [equations.only([t < 2.0 for t in equations.times]), equations.only([t >= 2.0 for t in equations.times])]

    estimate = instrumental(passes, make)
    assert estimate.method == "instrumental"
    assert 1 < estimate.rounds == len(seen) < 20
    np.testing.assert_allclose(seen[-1], estimate.values, atol=1e-3 * estimate.sigma.max())
    assert estimate.warnings == ()


def test_instruments_that_do_not_fit_or_are_dependent_are_named() -> None:
    rng = np.random.default_rng(3)
    equations, true = noisy(rng, rng.normal(size=4))
    with pytest.raises(EstimationError, match="same columns"):
        instrumental(equations, lambda _: true.select(["k0", "k1"]))
    for D in true.values:
        D[:, 1] = 0.0
    true.values[1][:, 0] = 0.0
    with pytest.raises(UndeterminedError, match="instrument k1"):
        instrumental(equations, lambda _: true)
