"""Pseudo-inertias against clouds of points, and their maps against each other."""

from __future__ import annotations

import numpy as np
import pytest
from identification.estimation.clouds import cloud_parameters

from robosym.identification.estimation.pseudo_inertia import basis, change, parameters_of, pseudo_inertia


@pytest.mark.parametrize("seed", range(5))
def test_of_a_cloud_of_points(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points, masses = rng.normal(size=(7, 3)), rng.random(7)
    ends = np.column_stack([points, np.ones(7)])
    expected = np.einsum("k,ki,kj->ij", masses, ends, ends)
    P = pseudo_inertia(cloud_parameters(points, masses))
    np.testing.assert_allclose(P, expected, atol=1e-14)
    assert np.linalg.eigvalsh(P)[0] > 0
    np.testing.assert_allclose(parameters_of(P), cloud_parameters(points, masses), atol=1e-14)


def test_fewer_points_than_four_and_impossible_inertias_are_not_definite() -> None:
    rng = np.random.default_rng(9)
    flat = pseudo_inertia(cloud_parameters(rng.normal(size=(3, 3)), np.ones(3)))
    assert abs(np.linalg.eigvalsh(flat)[0]) < 1e-12
    impossible = np.array([3.0, 0, 0, 1, 0, 1, 0, 0, 0, 1.0])  # XX > YY + ZZ
    assert np.linalg.eigvalsh(pseudo_inertia(impossible))[0] < 0


def test_the_basis_and_its_change() -> None:
    rng = np.random.default_rng(10)
    E = basis()
    np.testing.assert_allclose(E.T @ E, np.eye(10), atol=1e-15)
    L, y = rng.normal(size=(4, 4)), rng.normal(size=10)
    Q = (E @ y).reshape(4, 4)
    np.testing.assert_array_equal(Q, Q.T)
    np.testing.assert_allclose(change(L) @ y, parameters_of(L @ Q @ L.T), atol=1e-12)
