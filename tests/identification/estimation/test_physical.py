"""Standard parameters of possible robots: exact where they must be, always positive definite, near the prior."""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
import pytest
from identification.estimation.clouds import random_body
from identification.estimation.random_equations import random_equations

from robosym.identification.estimation.estimation import Estimate, weighted
from robosym.identification.estimation.factors import Factors
from robosym.identification.estimation.physical import Physical, PhysicalError, Standard, physical
from robosym.identification.estimation.pseudo_inertia import pseudo_inertia
from robosym.robot.parts import INERTIA

pytest.importorskip("cvxpy")
pytest.importorskip("clarabel")

LINKS = 3
PARAMETERS = (*INERTIA, "Ia", "Fv", "Fs", "offset")
NAMES = tuple(f"{p}{j}" for j in range(1, LINKS + 1) for p in PARAMETERS)
OWN = tuple(tuple(range(14 * j, 14 * j + 10)) for j in range(LINKS))
NONNEGATIVE = tuple(i for i, name in enumerate(NAMES) if name[:2] in ("Ia", "Fv", "Fs"))


def robot(rng: np.random.Generator) -> tuple[Standard, np.ndarray]:
    """Some combinations of link parameters, and all friction: what a base would be. And a true robot."""
    inertial = [i for link in OWN for i in link] + [14 * j + 10 for j in range(LINKS)]
    B = np.zeros((15 + 3 * LINKS, len(NAMES)))
    B[:15, inertial] = rng.normal(size=(15, len(inertial))) * (rng.random((15, len(inertial))) < 0.3)
    for j in range(LINKS):
        for k in range(3):
            B[15 + 3 * j + k, 14 * j + 11 + k] = 1.0
    truth = np.zeros(len(NAMES))
    for j, link in enumerate(OWN):
        truth[list(link)] = random_body(rng, 8.0 / (j + 1), 0.1)
        truth[14 * j + 10 : 14 * j + 14] = [0.3, 5.0, 4.0, -0.5]
    return Standard(NAMES, B, tuple(f"link {j + 1}" for j in range(LINKS)), OWN, NONNEGATIVE), truth


def data(rng: np.random.Generator, standard: Standard, truth: np.ndarray, noise: float) -> tuple[Factors, Estimate]:
    K = standard.base @ truth
    every = (tuple(range(len(K))),) * 2
    factors = Factors.of(random_equations(rng, [400, 400], K, every, noise=[noise, 2 * noise]))
    return factors, weighted(factors)


def assert_possible(found: Physical) -> None:
    for link in OWN:
        assert np.linalg.eigvalsh(pseudo_inertia(found.values[list(link)]))[0] > 0
    assert np.all(found.values[list(NONNEGATIVE)] >= 0)
    assert np.all(found.eigenvalues > 0)


@pytest.mark.parametrize("distance", ["log-det", "frobenius"])
def test_a_true_prior_and_data_without_noise_give_the_truth(distance: str) -> None:
    rng = np.random.default_rng(0)
    standard, truth = robot(rng)
    found = physical(*data(rng, standard, truth, 0.0), standard, truth, distance)
    np.testing.assert_allclose(found.values, truth, atol=1e-5 * np.abs(truth).max())
    assert found.warnings == ()
    assert found.at_limit == ()
    assert_possible(found)


@pytest.mark.parametrize("distance", ["log-det", "frobenius"])
def test_a_prior_that_is_wrong_is_corrected_where_the_data_say_so(distance: str) -> None:
    rng = np.random.default_rng(1)
    standard, truth = robot(rng)
    factors, estimate = data(rng, standard, truth, 0.3)
    prior = truth.copy()
    for link in OWN:
        prior[list(link)] = 1.4 * truth[list(link)] + 0.2 * random_body(rng, 4.0, 0.1)
    prior[list(NONNEGATIVE)] = 0.0  # not known
    found = physical(factors, estimate, standard, prior, distance)
    assert_possible(found)
    assert 0 < found.rise <= 0.02
    chi_squared = np.sum(factors.total_squares(found.base) / estimate.divisors**2)
    np.testing.assert_allclose(found.chi_squared, [estimate.chi_squared, chi_squared], rtol=1e-9)
    np.testing.assert_allclose(found.base, standard.base @ found.values)
    near = np.linalg.norm(found.base - estimate.values) / np.linalg.norm(standard.base @ prior - estimate.values)
    assert near < 0.1
    frictions = [i for i in NONNEGATIVE if NAMES[i][0] == "F"]
    np.testing.assert_allclose(found.values[frictions], truth[frictions], atol=0.3)


def test_more_weight_is_nearer_to_the_prior_and_farther_from_the_data() -> None:
    rng = np.random.default_rng(2)
    standard, truth = robot(rng)
    factors, estimate = data(rng, standard, truth, 0.3)
    prior = truth * 1.3
    steps = [physical(factors, estimate, standard, prior, weight=weight) for weight in (1e-4, 1e-2, 1.0, 100.0)]
    assert np.all(np.diff([step.distance for step in steps]) < 0)
    assert np.all(np.diff([step.rise for step in steps]) > 0)
    chosen = physical(factors, estimate, standard, prior, rise=0.02)
    twice = physical(factors, estimate, standard, prior, weight=2 * chosen.weight)
    assert chosen.rise <= 0.02
    assert twice.rise > 0.016  # the weight chosen is about the largest


def test_data_of_impossible_robots_give_a_possible_one_and_say_what_holds_it() -> None:
    rng = np.random.default_rng(3)
    standard, truth = robot(rng)
    wrong = truth.copy()
    wrong[NAMES.index("Fv2")] = -3.0
    found = physical(*data(rng, standard, wrong, 0.1), standard, truth)
    assert_possible(found)
    assert "Fv2" in found.at_limit
    assert "because the parameters must be possible ones" in found.warnings[0]


def test_without_a_prior_it_says_so_and_stays_bounded() -> None:
    rng = np.random.default_rng(4)
    standard, truth = robot(rng)
    found = physical(*data(rng, standard, truth, 0.3), standard)
    assert_possible(found)
    assert "no prior of link 1, link 2, link 3: the data determine base parameters only" in found.warnings[0]
    assert found.values[[link[9] for link in OWN]].max() <= 100.0
    assert found.rise <= 0.02


def test_the_distance_is_the_same_in_all_units() -> None:
    """Millimetres and grams in place of metres and kilograms: the same robot."""
    rng = np.random.default_rng(5)
    standard, truth = robot(rng)
    factors, estimate = data(rng, standard, truth, 0.3)
    scale = np.ones(len(NAMES))
    for link in OWN:
        scale[list(link)] = [1e9] * 6 + [1e6] * 3 + [1e3]
    other = replace(standard, base=standard.base / scale)
    one = physical(factors, estimate, standard, 1.2 * truth, weight=0.01)
    two = physical(factors, estimate, other, 1.2 * truth * scale, weight=0.01)
    np.testing.assert_allclose(two.values / scale, one.values, atol=1e-4 * np.abs(one.values).max())
    np.testing.assert_allclose(two.distance, one.distance, rtol=1e-3)


def test_a_prior_of_no_body_is_named_and_replaced() -> None:
    rng = np.random.default_rng(6)
    standard, truth = robot(rng)
    prior = truth.copy()
    prior[OWN[1][0]] = -1.0
    prior[list(OWN[2])] = 0.0
    found = physical(*data(rng, standard, truth, 0.3), standard, prior)
    assert_possible(found)
    assert any("the prior of link 2 is that of no body" in warning for warning in found.warnings)
    assert any("no prior of link 3" in warning for warning in found.warnings)


def test_what_cannot_be_is_named() -> None:
    rng = np.random.default_rng(7)
    standard, truth = robot(rng)
    factors, estimate = data(rng, standard, truth, 0.3)
    free = (0.0, np.inf)
    with pytest.raises(PhysicalError, match="masses of link 2: from 3 to 1 kg there is none"):
        physical(factors, estimate, standard, truth, masses=[free, (3, 1), free])
    with pytest.raises(PhysicalError, match=r"no robot meets all conditions .*link 2 0 to 1e-05 kg"):
        physical(factors, estimate, standard, truth, masses=[free, (0.0, 1e-5), free])
    with pytest.raises(PhysicalError, match="expected 'log-det' or 'frobenius'"):
        physical(factors, estimate, standard, truth, "euclidean")
    with pytest.raises(PhysicalError, match="expected 24 rows"):
        physical(factors, estimate, replace(standard, base=standard.base[1:]), truth)
    with pytest.raises(PhysicalError, match="prior: expected 42 numbers"):
        physical(factors, estimate, standard, truth[1:])
    with pytest.raises(PhysicalError, match="different indices"):
        replace(standard, nonnegative=(0,))


def test_limits_of_masses_are_kept() -> None:
    rng = np.random.default_rng(8)
    standard, truth = robot(rng)
    limits = [(9.0, 12.0), (0.0, 3.0), (0.0, np.inf)]
    found = physical(*data(rng, standard, truth, 0.3), standard, truth, weight=1e-3, masses=limits)
    assert_possible(found)
    assert found.values[9] >= 9.0 - 1e-6
    assert found.values[23] <= 3.0 + 1e-6


def test_without_the_solver_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(9)
    standard, truth = robot(rng)
    factors, estimate = data(rng, standard, truth, 0.3)
    monkeypatch.setitem(sys.modules, "cvxpy", None)
    with pytest.raises(PhysicalError, match=r"pip install robosym\[convex\]"):
        physical(factors, estimate, standard, truth)
