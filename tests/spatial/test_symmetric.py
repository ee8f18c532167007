"""Six entries against whole matrices."""

from __future__ import annotations

import numpy as np
import pytest
from spatial.rotation_matrices import matrix, random_rotation

from robosym.spatial import symmetric
from robosym.spatial.symmetric import Symmetric


def whole(a: Symmetric) -> np.ndarray:
    xx, xy, xz, yy, yz, zz = a
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def entries(rng: np.random.Generator) -> Symmetric:
    a, b, c, d, e, f = map(float, rng.normal(size=6))
    return (a, b, c, d, e, f)


@pytest.fixture(params=range(5))
def rng(request: pytest.FixtureRequest) -> np.random.Generator:
    return np.random.default_rng(request.param)


def test_whole_and_half(rng: np.random.Generator) -> None:
    a = entries(rng)
    np.testing.assert_array_equal(symmetric.columns(a), whole(a))
    assert symmetric.half(symmetric.columns(a)) == a


def test_sums_multiples_and_products_with_vectors(rng: np.random.Generator) -> None:
    a, b, k, v = entries(rng), entries(rng), float(rng.normal()), tuple(rng.normal(size=3))
    np.testing.assert_allclose(whole(symmetric.plus(a, b)), whole(a) + whole(b))
    np.testing.assert_allclose(whole(symmetric.times(k, a)), k * whole(a))
    np.testing.assert_allclose(symmetric.apply(a, v), whole(a) @ v)
    assert symmetric.plus(a, symmetric.ZERO) == a


def test_matrices_of_two_vectors(rng: np.random.Generator) -> None:
    u, v, k = rng.normal(size=3), rng.normal(size=3), float(rng.normal())
    np.testing.assert_allclose(whole(symmetric.outer(tuple(u), tuple(v))), np.outer(u, v) + np.outer(v, u))
    np.testing.assert_allclose(whole(symmetric.product(tuple(u), tuple(k * u))), k * np.outer(u, u))


def test_the_complement_is_the_inertia_matrix_of_second_moments(rng: np.random.Generator) -> None:
    points, masses = rng.normal(size=(7, 3)), rng.uniform(0.1, 1, size=7)
    sigma = sum(m * np.outer(p, p) for m, p in zip(masses, points, strict=True))
    J = sum(m * (p @ p * np.eye(3) - np.outer(p, p)) for m, p in zip(masses, points, strict=True))
    np.testing.assert_allclose(whole(symmetric.complement(symmetric.half(sigma))), J)


def test_the_axial_vector_of_a_product(rng: np.random.Generator) -> None:
    points, masses, U = rng.normal(size=(7, 3)), rng.uniform(0.1, 1, size=7), rng.normal(size=(3, 3))
    sigma = symmetric.half(sum(m * np.outer(p, p) for m, p in zip(masses, points, strict=True)))
    columns = tuple(map(tuple, U.T))
    expected = masses @ np.cross(points, points @ U.T)
    np.testing.assert_allclose(symmetric.axial(columns, sigma), expected, atol=1e-13)
    named = symmetric.diagonal_differences(columns)
    np.testing.assert_allclose(named, [U[2, 2] - U[1, 1], U[0, 0] - U[2, 2], U[1, 1] - U[0, 0]])
    np.testing.assert_allclose(symmetric.axial(columns, sigma, named), expected, atol=1e-13)


@pytest.mark.parametrize("seed", range(10))
def test_turned_back(seed: int) -> None:
    rotation, a = random_rotation(seed), entries(np.random.default_rng(seed + 100))
    R = matrix(rotation)
    np.testing.assert_allclose(whole(symmetric.back(rotation, a)), R @ whole(a) @ R.T, atol=1e-13)


def test_a_matrix_in_other_axes(rng: np.random.Generator) -> None:
    R, a = np.linalg.qr(rng.normal(size=(3, 3)))[0], entries(rng)
    np.testing.assert_allclose(whole(symmetric.turned(tuple(map(tuple, R.T)), a)), R @ whole(a) @ R.T, atol=1e-12)
    ball = (2.0, 0.0, 0.0, 2.0, 0.0, 2.0)
    assert symmetric.is_sphere(ball)
    assert symmetric.turned(tuple(map(tuple, R.T)), ball) is ball
    for k in range(6):
        other = list(ball)
        other[k] = 1.0
        assert not symmetric.is_sphere(tuple(other))
