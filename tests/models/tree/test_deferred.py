"""Vectors that wait to be turned: the same sums, products and components as the turned ones."""

from __future__ import annotations

import numpy as np
import pytest
from spatial.rotation_matrices import matrix, random_rotation

from robosym.models.tree.deferred import Deferred, at_once, cross, dot, plane_dot
from robosym.spatial.rotations import Turn


def random_deferred(rng: np.random.Generator, parts: int = 3) -> Deferred:
    return Deferred(tuple((float(rng.uniform(-3, 3)), tuple(rng.uniform(-2, 2, 3).tolist())) for _ in range(parts)))


def turned(a: Deferred) -> np.ndarray:
    return np.sum([matrix((Turn("z", angle),)) @ vector for angle, vector in a.parts], axis=0)


@pytest.fixture(params=range(5))
def rng(request: pytest.FixtureRequest) -> np.random.Generator:
    return np.random.default_rng(request.param)


def test_the_vector_is_the_sum_of_its_turned_parts(rng: np.random.Generator) -> None:
    a, b = random_deferred(rng), random_deferred(rng)
    np.testing.assert_allclose(a.vector, turned(a), atol=1e-13)
    np.testing.assert_allclose((a + b).vector, turned(a) + turned(b), atol=1e-13)
    np.testing.assert_allclose((-a).vector, -turned(a), atol=1e-13)
    np.testing.assert_allclose(a.turned(0.7).vector, matrix((Turn("z", 0.7),)) @ turned(a), atol=1e-13)


def test_components_that_turns_about_z_keep(rng: np.random.Generator) -> None:
    a = random_deferred(rng)
    assert a.z == pytest.approx(turned(a)[2])
    np.testing.assert_allclose(a.flat.vector, [*turned(a)[:2], 0], atol=1e-13)
    np.testing.assert_allclose(a.quarter.vector, np.cross([0, 0, 1], turned(a)), atol=1e-13)


def test_products(rng: np.random.Generator) -> None:
    a, b = random_deferred(rng), random_deferred(rng, 2)
    along = Deferred(((0.3, (1.5, 0, 0.2)),))  # a part along an axis takes the other way through the product
    for u, v in ((a, b), (a, along), (along, b)):
        assert dot(u, v) == pytest.approx(turned(u) @ turned(v))
        assert plane_dot(u, v) == pytest.approx(turned(u)[:2] @ turned(v)[:2])
        np.testing.assert_allclose(cross(u, v).vector, np.cross(turned(u), turned(v)), atol=1e-13)


@pytest.mark.parametrize("seed", range(5))
def test_into_a_frame_and_back(seed: int) -> None:
    a, lead = random_deferred(np.random.default_rng(seed)), random_rotation(seed)
    np.testing.assert_allclose(a.through(lead).vector, matrix(lead) @ turned(a), atol=1e-13)
    np.testing.assert_allclose(a.into(lead).vector, matrix(lead).T @ turned(a), atol=1e-13)


def test_parts_with_one_angle_become_one_and_empty_ones_fall_away() -> None:
    a, b = Deferred(((0.5, (1.0, 2.0, 3.0)),)), Deferred(((0.5, (-1.0, -2.0, -3.0)), (0.1, (1.0, 0.0, 0.0))))
    assert (a + a).parts == ((0.5, (2.0, 4.0, 6.0)),)
    assert (a + b).parts == ((0.1, (1.0, 0.0, 0.0)),)
    assert at_once((1, 2, 3)).vector == (1, 2, 3)
