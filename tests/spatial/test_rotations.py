"""Chains of turns against rotation matrices."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from robosym.spatial.rotations import Rotation, Turn, back, into, joined, symmetric_back


def matrix(rotation: Rotation) -> np.ndarray:
    total = np.eye(3)
    for turn in rotation:
        c, s = np.cos(turn.angle), np.sin(turn.angle)
        one = {"z": [[c, -s, 0], [s, c, 0], [0, 0, 1]], "x": [[1, 0, 0], [0, c, -s], [0, s, c]]}[turn.axis]
        total = total @ np.array(one)
    return total


def random_rotation(seed: int) -> Rotation:
    rng = np.random.default_rng(seed)
    return tuple(Turn(str(rng.choice(["x", "z"])), float(rng.uniform(-3, 3))) for _ in range(rng.integers(0, 5)))


@pytest.mark.parametrize("seed", range(10))
def test_vectors_and_symmetric_matrices(seed: int) -> None:
    rotation = random_rotation(seed)
    R = matrix(rotation)
    rng = np.random.default_rng(seed + 100)
    a = rng.normal(size=3)
    np.testing.assert_allclose(back(rotation, tuple(a)), R @ a, atol=1e-14)
    np.testing.assert_allclose(into(rotation, tuple(a)), R.T @ a, atol=1e-14)
    xx, xy, xz, yy, yz, zz = J = tuple(rng.normal(size=6))
    full = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    turned = R @ full @ R.T
    expected = [turned[0, 0], turned[0, 1], turned[0, 2], turned[1, 1], turned[1, 2], turned[2, 2]]
    np.testing.assert_allclose(symmetric_back(rotation, J), expected, atol=1e-13)


@pytest.mark.parametrize("seed", range(10))
def test_joining_keeps_the_rotation_and_alternates(seed: int) -> None:
    rotation = random_rotation(seed)
    short = joined(rotation)
    np.testing.assert_allclose(matrix(short), matrix(rotation), atol=1e-14)
    assert all(a.axis != b.axis for a, b in pairwise(short))
