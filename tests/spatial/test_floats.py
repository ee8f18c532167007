"""Rotations, quaternions and poses of float arrays, against SciPy and products of matrices."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from robosym.spatial import floats

N = 5


def test_skew_and_axial_of_any_batch() -> None:
    rng = np.random.default_rng(0)
    v, w = rng.normal(size=(2, N, 2, 3))
    np.testing.assert_allclose((floats.skew(v) @ w[..., None])[..., 0], np.cross(v, w), atol=1e-15)
    np.testing.assert_allclose(floats.axial(floats.skew(v)), v, atol=1e-15)
    assert floats.skew(np.array([1, 2, 3])).dtype == np.array([1]).dtype  # exact numbers stay exact


@pytest.mark.parametrize("size", [0.0, 1e-9, 0.1, 1.0, 3.0, 6.0])
def test_rotations_are_those_of_scipy(size: float) -> None:
    w = np.random.default_rng(0).normal(size=(N, 3))
    w *= size / np.linalg.norm(w, axis=1, keepdims=True)
    np.testing.assert_allclose(floats.rotations(w), Rotation.from_rotvec(w).as_matrix(), atol=1e-14)
    np.testing.assert_allclose(floats.rotations(w[0]), Rotation.from_rotvec(w[0]).as_matrix(), atol=1e-14)


def test_no_turn_is_exact() -> None:
    np.testing.assert_array_equal(floats.rotations(np.zeros((1, 3)))[0], np.eye(3))


@pytest.mark.parametrize("angle", [0.0, 1e-9, 1e-5, 0.3, 3.0, math.pi - 1e-5, math.pi - 1e-8, math.pi])
def test_rotation_vectors(angle: float) -> None:
    axes = np.array([[1.0, -2.0, 2.0], [-2.0, 1.0, 2.0], [0.0, 0.0, 3.0]]) / 3
    vectors = floats.rotation_vectors(floats.rotations(angle * axes))
    apart = np.minimum(*(np.abs(vectors - sign * angle * axes).max(axis=1) for sign in (1, -1)))
    if angle < math.pi - 1e-6:
        apart = np.abs(vectors - angle * axes).max(axis=1)
    assert apart.max() < 1e-14
    np.testing.assert_array_equal(floats.rotation_vectors(floats.rotations(angle * axes[0])), vectors[0])
    assert np.isnan(floats.rotation_vectors(np.full((3, 3), np.nan))).all()


def test_quaternions_are_those_of_scipy() -> None:
    rng = np.random.default_rng(1)
    q = rng.normal(size=(N, 4))
    np.testing.assert_allclose(floats.quaternion_rotations(q), Rotation.from_quat(q).as_matrix(), atol=1e-14)
    turns = np.concatenate([np.eye(4), q])  # half turns too
    R = Rotation.from_quat(turns).as_matrix()
    back = floats.quaternion_of(R)
    np.testing.assert_allclose(np.linalg.norm(back, axis=1), 1.0, atol=1e-15)
    np.testing.assert_allclose(floats.quaternion_rotations(back), R, atol=1e-14)
    assert (np.take_along_axis(back, np.abs(back).argmax(axis=1)[:, None], axis=1) > 0).all()
    for one, expected in zip(R, back, strict=True):
        np.testing.assert_array_equal(floats.quaternion_of(one), expected)


def test_the_nearest_rotations() -> None:
    rng = np.random.default_rng(2)
    R = Rotation.random(N, rng).as_matrix()
    near = floats.nearest_rotations(R * 3 + 1e-9 * rng.normal(size=R.shape))
    np.testing.assert_allclose(near, R, atol=1e-8)
    np.testing.assert_allclose(near @ np.swapaxes(near, 1, 2), np.tile(np.eye(3), (N, 1, 1)), atol=1e-14)
    assert np.linalg.det(floats.nearest_rotations(-R[0])) == pytest.approx(1)


def test_poses_are_products_of_screws() -> None:
    row = np.random.default_rng(3).uniform(-1, 1, (2, 6))
    for (g, b, a, d, t, r), T in zip(row, floats.poses_of_rows(row), strict=True):
        expected = np.eye(4)
        for axis, angle, shift in ((2, g, b), (0, a, d), (2, t, r)):
            one = np.eye(4)
            one[:3, :3] = Rotation.from_rotvec(angle * np.eye(3)[axis]).as_matrix()
            one[axis, 3] = shift
            expected = expected @ one
        np.testing.assert_allclose(T, expected, atol=1e-14)
    np.testing.assert_array_equal(floats.poses_of_rows(row[0]), floats.poses_of_rows(row)[0])


def test_wrapped_angles() -> None:
    x = np.linspace(-20, 20, 401)
    assert np.abs(floats.wrapped(x)).max() <= math.pi
    np.testing.assert_allclose(np.exp(1j * floats.wrapped(x)), np.exp(1j * x), atol=1e-13)


def test_poses_and_twists_of_other_points() -> None:
    rng = np.random.default_rng(8)
    R, p = Rotation.random(N, rng).as_matrix(), rng.normal(size=(N, 3))
    T = floats.placed(R, p)
    np.testing.assert_array_equal(T[:, :3, :3], R)
    np.testing.assert_array_equal(T[:, :3, 3], p)
    np.testing.assert_array_equal(T[:, 3], np.tile([0, 0, 0, 1], (N, 1)))
    assert floats.placed(R[0], p[0]).shape == (4, 4)
    twists, arms = rng.normal(size=(N, 6, 2)), rng.normal(size=(N, 3))
    found = floats.shifted_twists(twists, arms)
    for k in range(2):
        v, w = twists[:, :3, k], twists[:, 3:, k]
        np.testing.assert_allclose(found[:, :3, k], v + np.cross(w, arms), atol=1e-14)
        np.testing.assert_array_equal(found[:, 3:, k], w)
