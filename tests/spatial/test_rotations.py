"""Chains of turns against rotation matrices."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from spatial.rotation_matrices import matrix, random_rotation

from robosym.spatial.rotations import back, into, joined, matrix_back


@pytest.mark.parametrize("seed", range(10))
def test_vectors(seed: int) -> None:
    rotation = random_rotation(seed)
    R = matrix(rotation)
    rng = np.random.default_rng(seed + 100)
    a = rng.normal(size=3)
    np.testing.assert_allclose(back(rotation, tuple(a)), R @ a, atol=1e-14)
    np.testing.assert_allclose(into(rotation, tuple(a)), R.T @ a, atol=1e-14)


@pytest.mark.parametrize("seed", range(10))
def test_matrices(seed: int) -> None:
    rotation, C = random_rotation(seed), np.random.default_rng(seed + 100).normal(size=(3, 3))
    R = matrix(rotation)
    np.testing.assert_allclose(matrix_back(rotation, tuple(map(tuple, C))), R @ C @ R.T, atol=1e-13)
    np.testing.assert_allclose(np.transpose(matrix_back(rotation, tuple(map(tuple, C.T)))), R @ C @ R.T, atol=1e-13)


@pytest.mark.parametrize("seed", range(10))
def test_joining_keeps_the_rotation_and_alternates(seed: int) -> None:
    rotation = random_rotation(seed)
    short = joined(rotation)
    np.testing.assert_allclose(matrix(short), matrix(rotation), atol=1e-14)
    assert all(a.axis != b.axis for a, b in pairwise(short))
