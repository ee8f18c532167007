"""Inertias as clouds of point masses: every formula against the sum over the points."""

from __future__ import annotations

import numpy as np
import pytest

from robosym.spatial.inertia import Inertia, from_matrix, moved_back, needle
from robosym.spatial.rotations import Turn


def of_points(points: np.ndarray, masses: np.ndarray) -> Inertia:
    sigma = np.einsum("n,ni,nj->ij", masses, points, points)
    six = tuple(float(sigma[i, j]) for i, j in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)))
    return Inertia(six, tuple(map(float, masses @ points)), float(masses.sum()))


def assert_equal(a: Inertia, b: Inertia) -> None:
    np.testing.assert_allclose([*a.sigma, *a.moment, a.mass], [*b.sigma, *b.moment, b.mass], atol=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_moving_to_the_antecedent_frame(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points, masses = rng.normal(size=(7, 3)), rng.uniform(0.1, 1, 7)
    alpha, theta, position = rng.uniform(-3, 3), rng.uniform(-3, 3), rng.normal(size=3)
    ca, sa, ct, st = np.cos(alpha), np.sin(alpha), np.cos(theta), np.sin(theta)
    R = np.array([[1, 0, 0], [0, ca, -sa], [0, sa, ca]]) @ np.array([[ct, -st, 0], [st, ct, 0], [0, 0, 1]])
    rotation = (Turn("x", alpha), Turn("z", theta))
    moved = moved_back(of_points(points, masses), rotation, tuple(position))
    assert_equal(moved, of_points(points @ R.T + position, masses))


def test_the_inertia_matrix_and_back() -> None:
    rng = np.random.default_rng(1)
    points, masses = rng.normal(size=(5, 3)), rng.uniform(0.1, 1, 5)
    body = of_points(points, masses)
    J = sum(m * (p @ p * np.eye(3) - np.outer(p, p)) for p, m in zip(points, masses, strict=True))
    six = (J[0, 0], J[0, 1], J[0, 2], J[1, 1], J[1, 2], J[2, 2])
    np.testing.assert_allclose(body.matrix, six, atol=1e-12)
    assert_equal(from_matrix(tuple(map(float, six)), body.moment, body.mass), body)


def test_a_needle_does_not_notice_a_turn_about_its_axis() -> None:
    body = of_points(np.random.default_rng(2).normal(size=(5, 3)), np.ones(5))
    assert_equal(moved_back(needle(body), (Turn("z", 1.1),), (0, 0, 0)), needle(body))
