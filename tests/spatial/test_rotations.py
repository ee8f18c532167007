"""Chains of turns against rotation matrices."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from spatial.rotation_matrices import matrix, random_rotation

from robosym.spatial.rotations import (
    Turn,
    back,
    into,
    joined,
    matrix_back,
    orientation,
    quaternion_columns,
    quaternion_rates,
)


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


def _with_orientation(seed: int) -> tuple[tuple[Turn, ...], np.ndarray]:
    """Turns before and after any rotation, and the matrix of all."""
    R = matrix(random_rotation(seed + 50))
    before, after = random_rotation(seed), random_rotation(seed + 1)
    whole = (*before, orientation(tuple(map(tuple, R.T))), *after)
    return whole, matrix(before) @ R @ matrix(after)


@pytest.mark.parametrize("seed", range(5))
def test_any_rotation_among_turns(seed: int) -> None:
    rotation, R = _with_orientation(seed)
    rng = np.random.default_rng(seed)
    a, C = rng.normal(size=3), rng.normal(size=(3, 3))
    np.testing.assert_allclose(back(rotation, tuple(a)), R @ a, atol=1e-13)
    np.testing.assert_allclose(into(rotation, tuple(a)), R.T @ a, atol=1e-13)
    np.testing.assert_allclose(matrix_back(rotation, tuple(map(tuple, C.T))), (R @ C @ R.T).T, atol=1e-13)
    np.testing.assert_allclose(
        back(joined([*rotation, *(t.inverse for t in reversed(rotation))]), tuple(a)), a, atol=1e-13
    )


def test_rate_of_a_quaternion() -> None:
    rng = np.random.default_rng(2)
    q, w = rng.normal(size=4), rng.normal(size=3)
    q /= np.linalg.norm(q)
    rate, h = np.array(quaternion_rates(q, w)), 1e-6
    ends = [np.array(quaternion_columns(*(q + sign * h * rate))).T for sign in (1, -1)]
    spin = np.array(quaternion_columns(*q)) @ (ends[0] - ends[1]) / (2 * h)
    np.testing.assert_allclose([spin[2, 1], spin[0, 2], spin[1, 0]], w, atol=1e-9)
    assert abs(rate @ q) < 1e-15
