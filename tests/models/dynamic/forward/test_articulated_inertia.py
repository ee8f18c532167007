"""Articulated inertias on floats, beside plain 6 x 6 matrices."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from models.small_matrices import skew
from numpy.typing import NDArray
from random_robots import random_inertia
from sweeps import many

from robosym.models.dynamic.forward.articulated_inertia import Articulated, from_rows, moved_back, rigid
from robosym.program import Scope
from robosym.spatial.inertia import from_matrix
from robosym.spatial.screws import Screw

Matrix = NDArray[np.float64]


def random_articulated(rng: np.random.Generator) -> tuple[Articulated, Matrix]:
    """Any symmetric matrix, in blocks and whole."""
    root = rng.normal(size=(6, 6))
    whole: Matrix = root + root.T
    return from_rows(whole.tolist()), whole


def back_transform(screw: Screw) -> Matrix:
    """X: wrenches, moment first, from the frame after the screw to the one before it."""
    c, s = np.cos(screw.angle), np.sin(screw.angle)
    x, y, z = (2, 0, 1) if screw.axis == "z" else (0, 1, 2)
    R, P = np.eye(3), np.zeros(3)
    R[y, y] = R[z, z] = c
    R[y, z], R[z, y] = -s, s
    P[x] = screw.shift
    return np.block([[R, skew(P) @ R], [np.zeros((3, 3)), R]])


@settings(max_examples=many(20), deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(1, 4))
def test_moving_back_is_the_congruence_with_the_screw_transformations(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    body, expected = random_articulated(rng)
    angles, shifts = rng.normal(size=(2, n)) * rng.integers(0, 3, size=(2, n))  # some of them zero
    axes = rng.choice(["x", "z"], size=n)
    path = [Screw(str(a), float(t), float(h)) for a, t, h in zip(axes, angles, shifts, strict=True)]
    for screw in reversed(path):
        X = back_transform(screw)
        expected = X @ expected @ X.T
    scope = Scope()
    found = np.array(moved_back(path, body, scope, 1).rows, dtype=float)
    assert np.allclose(found, expected, rtol=1e-12, atol=1e-12)
    assert not scope.names


@pytest.mark.parametrize("seed", range(3))
def test_the_inertia_of_a_rigid_link(seed: int) -> None:
    """Khalil 2010, equation (11), with the moments first."""
    xx, xy, xz, yy, yz, zz, *moment, mass = random_inertia(np.random.default_rng(seed))
    J = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    MS = skew(np.array(moment))
    expected = np.block([[J, MS], [MS.T, mass * np.eye(3)]])
    found = rigid(from_matrix((xx, xy, xz, yy, yz, zz), tuple(moment), mass))
    assert np.allclose(np.array(found.rows, dtype=float), expected, rtol=1e-12, atol=1e-12)


def test_blocks_and_rows_are_the_same_matrix() -> None:
    body, whole = random_articulated(np.random.default_rng(1))
    assert np.array_equal(np.array(body.rows, dtype=float), whole)
    assert np.array_equal(np.array((body + body).rows, dtype=float), 2 * whole)
