"""The allowed rise of chi-squared counts from the possible robot that fits best, here found by SciPy without convex programming."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from identification.estimation.test_physical import LINKS, NAMES, NONNEGATIVE, OWN, assert_possible, data, robot
from scipy.optimize import least_squares
from sweeps import many

from robosym.identification.estimation.estimation import Estimate
from robosym.identification.estimation.factors import Factors
from robosym.identification.estimation.physical import MARGIN, Standard, physical
from robosym.identification.estimation.pseudo_inertia import parameters_of, pseudo_inertia

pytest.importorskip("cvxpy")
pytest.importorskip("clarabel")

LOWER = np.tril_indices(4)
FREE = tuple(k for k in range(len(NAMES)) if k not in NONNEGATIVE and not any(k in link for link in OWN))


def impossible_data(
    rng: np.random.Generator, standard: Standard, truth: np.ndarray
) -> tuple[Factors, Estimate, np.ndarray]:
    """Equations whose best parameters no robot has: a link's inertia and some friction are negative; and a prior 20 % off."""
    wrong = truth.copy()
    for link in OWN:
        P = pseudo_inertia(truth[list(link)])
        values, vectors = np.linalg.eigh(P)
        values[0] -= rng.uniform(0.0, 0.4) * values[1]
        wrong[list(link)] = parameters_of((vectors * values) @ vectors.T)
    wrong[rng.choice(NONNEGATIVE)] *= -rng.uniform(0.1, 0.4)
    prior = truth.copy()
    for link in OWN:
        prior[list(link)] *= rng.uniform(0.8, 1.25)
    return *data(rng, standard, wrong, 10 ** rng.uniform(-0.5, 0.7)), prior


def least_chi_squared(factors: Factors, estimate: Estimate, standard: Standard, prior: np.ndarray) -> float:
    """Chi-squared of the possible robot that fits best: pseudo-inertias L (MARGIN 1 + C C^T) L^T, and friction s^2."""
    whole = factors.stacked(estimate.divisors)
    R, z, rest = whole[:-1, :-1] @ standard.base, whole[:-1, -1], whole[-1, -1] ** 2
    roots = [np.linalg.cholesky(pseudo_inertia(prior[list(link)])) for link in OWN]

    def parameters(y: np.ndarray) -> np.ndarray:
        x = np.zeros(len(NAMES))
        for j, link in enumerate(OWN):
            C = np.zeros((4, 4))
            C[LOWER] = y[10 * j : 10 * j + 10]
            x[list(link)] = parameters_of(roots[j] @ (MARGIN * np.eye(4) + C @ C.T) @ roots[j].T)
        others = y[10 * LINKS :]
        x[list(NONNEGATIVE)] = others[: len(NONNEGATIVE)] ** 2
        x[list(FREE)] = others[len(NONNEGATIVE) :]
        return x

    start = np.concatenate([*[np.eye(4)[LOWER]] * LINKS, np.ones(len(NONNEGATIVE)), np.zeros(len(FREE))])
    found = least_squares(lambda y: R @ parameters(y) - z, start, xtol=1e-14, ftol=1e-14, gtol=1e-14, max_nfev=60)
    return float(2 * found.cost + rest)


@cache
def check_rise(seed: int) -> float:
    """The physical estimate uses the allowed rise, counted from the best possible robot: the part of chi-squared that
    every possible robot costs."""
    rng = np.random.default_rng(seed)
    standard, truth = robot(rng)
    factors, estimate, prior = impossible_data(rng, standard, truth)
    rise = float(rng.choice([0.005, 0.02, 0.1]))
    found = physical(factors, estimate, standard, prior, rise=rise)
    least = least_chi_squared(factors, estimate, standard, prior)
    assert_possible(found)
    assert found.rise <= rise
    best = physical(factors, estimate, standard, prior, weight=1e-9)
    assert_possible(best)  # so that no less than its chi-squared is what every possible robot has
    assert found.feasible <= min(least, best.chi_squared[1]) * (1 + 1e-4)
    assert found.chi_squared[1] <= (1 + rise) * found.feasible * (1 + 1e-6)
    assert found.chi_squared[1] >= (1 + 0.5 * rise) * found.feasible  # the prior has what it may cost
    assert found.distance < best.distance
    return found.feasible_rise


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("seed", range(many(4)))
def test_the_prior_has_its_allowed_rise_where_no_possible_robot_fits(seed: int) -> None:
    check_rise(seed)


def test_some_of_the_draws_cost_more_than_the_allowed_rise() -> None:
    """Else the test above could not fail."""
    assert sum(check_rise(seed) > 0.1 for seed in range(4)) >= 2
