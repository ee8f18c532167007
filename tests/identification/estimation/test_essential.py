"""Essential parameters of constructed data: the ones that are there remain."""

from __future__ import annotations

import numpy as np
import pytest
from identification.estimation.random_equations import random_equations

from robosym.identification.estimation.essential import essential
from robosym.identification.estimation.estimation import EstimationError, ordinary, weighted
from robosym.identification.estimation.factors import Factors


def test_parameters_without_effect_are_left_out() -> None:
    rng = np.random.default_rng(0)
    K = np.array([3.0, 0.0, -2.0, 0.0, 1.0, 1e-4, 2.0])
    equations = random_equations(rng, [400, 400], K, (tuple(range(7)), tuple(range(7))), noise=[0.2, 0.5])
    factors = Factors.of(equations)
    found = essential(factors, weighted(factors))
    assert found.kept == ("k0", "k2", "k4", "k6")
    assert {step.column for step in found.steps} == {"k1", "k3", "k5"}
    assert np.all(np.abs(found.rise) < 1)
    assert all(step.chance > 1e-3 for step in found.steps)
    np.testing.assert_allclose(found.estimate.values, K[[0, 2, 4, 6]], atol=5 * found.estimate.sigma.max())
    relative = found.estimate.relative_sigma
    assert relative.max() <= 30 * relative.min()


def test_each_step_is_least_squares_without_the_columns() -> None:
    rng = np.random.default_rng(1)
    K = np.array([3.0, 0.01, -2.0, 0.02, 1.0])
    equations = random_equations(rng, [200], K, (tuple(range(5)),), noise=[0.3])
    factors = Factors.of(equations)
    estimate = ordinary(factors)
    found = essential(factors, estimate, ratio=3.0)
    D, tau = equations.dense()
    full = np.linalg.lstsq(D, tau, rcond=None)[1][0]
    left = list(range(5))
    for count, step in enumerate(found.steps, 1):
        own = ordinary(factors.select([f"k{i}" for i in left]))
        worst = int(np.argmax(own.relative_sigma))
        assert step.column == f"k{left[worst]}"
        np.testing.assert_allclose(step.relative_sigma, own.relative_sigma[worst], rtol=1e-8)
        left.pop(worst)
        squares = np.linalg.lstsq(D[:, left], tau, rcond=None)[1][0]
        np.testing.assert_allclose(step.chi_squared, squares, rtol=1e-10)
        np.testing.assert_allclose(step.F, (squares - full) / count / (full / 195), rtol=1e-6)
    assert found.steps
    assert found.estimate.columns == tuple(f"k{i}" for i in left)


def test_a_parameter_that_matters_costs_something() -> None:
    rng = np.random.default_rng(2)
    K = np.array([100.0, 0.5])
    factors = Factors.of(random_equations(rng, [2000], K, ((0, 1),), noise=[1.0]))
    (step,) = essential(factors, ordinary(factors), ratio=2.0).steps
    assert step.column == "k1"
    assert step.chance < 1e-6
    assert step.rise > 5


def test_nothing_to_leave_out_and_refusals() -> None:
    rng = np.random.default_rng(3)
    factors = Factors.of(random_equations(rng, [100], np.ones(3), ((0, 1, 2),), noise=[0.1]))
    assert essential(factors, ordinary(factors)).steps == ()
    with pytest.raises(EstimationError, match="ratio"):
        essential(factors, ordinary(factors), 0.5)
    exact = Factors.of(random_equations(rng, [3], np.ones(3), ((0, 1, 2),)))
    with pytest.raises(EstimationError, match="not more equations"):
        essential(exact, ordinary(exact))
