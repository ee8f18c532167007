"""Cross-validation against refitting by hand, and what it says of a model that is fitted to noise."""

from __future__ import annotations

import numpy as np
import pytest
from identification.estimation.random_equations import random_equations

from robosym.identification.estimation.estimation import EstimationError, ordinary, weighted
from robosym.identification.estimation.factors import Factors
from robosym.identification.estimation.validation import cross_validation, prediction, signs

PLACES = ((0, 1, 2, 3), (2, 3, 4), (4, 5))


def test_folds_are_fitted_and_predicted_as_by_hand() -> None:
    rng = np.random.default_rng(0)
    equations = random_equations(rng, [1000, 1000, 1000], rng.normal(size=6), PLACES, noise=[0.1, 0.5, 0.2])
    found = cross_validation(Factors.of(equations))
    assert found.test.shape == found.training.shape == (4, 3)
    for fold in range(4):
        there = [np.floor(t / 0.5).astype(int) % 4 == fold for t in equations.times]
        rest = equations.only([~mask for mask in there])
        K = weighted(Factors.of(rest)).values
        test = [np.sqrt(np.mean(r**2)) for r in equations.only(there).residuals(K)]
        training = [np.sqrt(np.mean(r**2)) for r in rest.residuals(K)]
        np.testing.assert_allclose(found.test[fold], test, rtol=1e-9)
        np.testing.assert_allclose(found.training[fold], training, rtol=1e-9)
    np.testing.assert_allclose(found.ratios, np.mean(found.test / found.training, axis=0))
    assert 0.95 < found.mean < 1.1


def test_a_model_fitted_to_noise_is_seen() -> None:
    rng = np.random.default_rng(1)
    K = np.concatenate([np.ones(2), np.zeros(38)])
    equations = random_equations(rng, [100], K, (tuple(range(40)),), noise=[1.0], rate=20.0)
    assert cross_validation(Factors.of(equations), method="ordinary").mean > 1.8
    small = equations.select(["k0", "k1"])
    assert cross_validation(Factors.of(small), method="ordinary").mean < 1.2


def test_prediction_of_another_recording() -> None:
    rng = np.random.default_rng(2)
    K = rng.normal(size=6)
    estimate = weighted(Factors.of(random_equations(rng, [300, 300, 300], K, PLACES, noise=[0.1, 0.5, 0.2])))
    other = random_equations(rng, [100, 120, 90], K, PLACES, noise=[0.1, 0.5, 0.2])
    found = prediction(Factors.of(other), estimate)
    left = other.residuals(estimate.values)
    np.testing.assert_allclose(found.rms, [np.sqrt(np.mean(r**2)) for r in left])
    sizes = [np.linalg.norm(t) for t in other.torques]
    np.testing.assert_allclose(found.relative, [100 * np.linalg.norm(r) / s for r, s in zip(left, sizes, strict=True)])


def test_what_it_refuses() -> None:
    rng = np.random.default_rng(3)
    factors = Factors.of(random_equations(rng, [120, 120, 120], rng.normal(size=6), PLACES))
    with pytest.raises(EstimationError, match="from 2 to the 3 blocks"):
        cross_validation(factors)
    with pytest.raises(EstimationError, match="expected one of ordinary, weighted, reweighted"):
        cross_validation(factors, 2, "magic")
    few = random_equations(rng, [120], rng.normal(size=2), ((0, 1),))
    few.values[0][50:, 1] = 0.0  # k1 only in the first block
    with pytest.raises(EstimationError, match="without fold 1 of 3, the data do not determine 1 of 2 parameters"):
        cross_validation(Factors.of(few), 3)
    with pytest.raises(EstimationError, match="other columns"):
        prediction(factors.select(["k0"]), ordinary(factors))


def test_signs_that_cannot_be() -> None:
    rng = np.random.default_rng(4)
    K = np.array([-1.0, -0.001, 1.0])
    estimate = ordinary(Factors.of(random_equations(rng, [100], K, ((0, 1, 2),), noise=[0.5])))
    estimate.values[1] = -0.01
    impossible, hardly = signs(estimate, estimate.columns)
    assert impossible.startswith("k0 = ")
    assert "which is impossible" in impossible
    assert hardly.startswith("k1 = ")
    assert "within two sigmas" in hardly
