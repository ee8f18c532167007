"""Too little excitation is named, never papered over by a pseudo-inverse."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from identification.estimation.random_equations import random_equations

from robosym.identification.estimation.determined import UndeterminedError
from robosym.identification.estimation.estimation import ordinary, weighted
from robosym.identification.estimation.factors import Factors

ALL = (tuple(range(5)), tuple(range(5)))


def test_columns_that_cannot_be_told_apart_are_named_with_their_combination() -> None:
    rng = np.random.default_rng(0)
    equations = random_equations(rng, [100, 100], rng.normal(size=5), ALL)
    for D in equations.values:
        D[:, 3] = 2 * D[:, 1] - 1000 * D[:, 0]
    with pytest.raises(UndeterminedError) as said:
        weighted(Factors.of(equations))
    (direction,) = said.value.directions
    assert direction.columns == ("k0", "k1", "k3")
    v = np.array(direction.coefficients)
    np.testing.assert_allclose(v / v[2], [1000.0, -2.0, 1.0], rtol=1e-6)
    assert "k0, k1, k3 cannot be told apart" in str(said.value)
    changed = equations.values[0][:, [0, 1, 3]] @ v
    assert np.abs(changed).max() < 1e-8


def test_several_groups_and_columns_of_zeros_are_named_apart() -> None:
    rng = np.random.default_rng(1)
    equations = random_equations(rng, [100, 100], rng.normal(size=5), ALL)
    for D in equations.values:
        D[:, 4], D[:, 1], D[:, 3] = 0.0, D[:, 0], -D[:, 2]
    with pytest.raises(UndeterminedError) as said:
        ordinary(Factors.of(equations))
    found = [direction.columns for direction in said.value.directions]
    assert sorted(found) == [("k0", "k1"), ("k2", "k3"), ("k4",)]
    assert "do not determine 3 of 5 parameters" in str(said.value)
    assert "nothing depends on k4" in str(said.value)


def test_fewer_equations_than_parameters() -> None:
    rng = np.random.default_rng(2)
    with pytest.raises(UndeterminedError, match="only 3 equations"):
        ordinary(Factors.of(random_equations(rng, [2, 1], rng.normal(size=5), ALL)))
    with pytest.raises(UndeterminedError, match="do not determine 5 of 5"):
        ordinary(Factors.of(random_equations(rng, [0, 0], rng.normal(size=5), ALL)))


def test_what_is_hardly_determined_is_a_warning() -> None:
    rng = np.random.default_rng(3)
    equations = random_equations(rng, [100, 100], rng.normal(size=5), ALL)
    for D in equations.values:
        D[:, 1] = D[:, 0] + 1e-6 * D[:, 1]
    (warning,) = ordinary(Factors.of(equations)).warnings
    assert warning.startswith("hardly determined by the data: ")
    assert "k0" in warning
    assert "k1" in warning
    assert "k2" not in warning


def test_units_of_the_columns_do_not_matter() -> None:
    """A column a million million times smaller is determined just as well."""
    rng = np.random.default_rng(4)
    K = rng.normal(size=5)
    equations = random_equations(rng, [100, 100], K, ALL)
    scale = np.array([1.0, 1e12, 1.0, 1e-12, 1.0])
    scaled = replace(equations, values=tuple(D * scale for D in equations.values))
    estimate = ordinary(Factors.of(scaled))
    np.testing.assert_allclose(estimate.values * scale, K, rtol=1e-9)
    assert estimate.warnings == ()
