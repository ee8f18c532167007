"""Ellipsoids and measures of Jacobian arrays: closed forms of the planar arm, duality, and the cases of lost rank."""

from __future__ import annotations

import numpy as np
import pytest

from robosym import RobosymError
from robosym.analysis import condition, force_ellipsoid, manipulability, singular_values, velocity_ellipsoid

L1, L2 = 0.5, 0.4


def planar(q1: float, q2: float) -> np.ndarray:
    """The textbook 2 x 2 Jacobian of the tip."""
    s1, c1, s12, c12 = np.sin(q1), np.cos(q1), np.sin(q1 + q2), np.cos(q1 + q2)
    return np.array([[-L1 * s1 - L2 * s12, -L2 * s12], [L1 * c1 + L2 * c12, L2 * c12]])


def test_yoshikawas_measure_of_the_planar_arm() -> None:
    states = np.random.default_rng(0).uniform(-3, 3, (50, 2))
    J = np.stack([planar(*q) for q in states])
    np.testing.assert_allclose(manipulability(J), L1 * L2 * np.abs(np.sin(states[:, 1])), atol=1e-14)
    # det and trace of J J^T give both semi-axes in closed form.
    half = (L1**2 + 2 * L2**2 + 2 * L1 * L2 * np.cos(states[:, 1])) / 2
    root = np.sqrt(half**2 - (L1 * L2 * np.sin(states[:, 1])) ** 2)
    radii = velocity_ellipsoid(J).radii
    np.testing.assert_allclose(radii[:, 0], np.sqrt(half + root), atol=1e-13)
    np.testing.assert_allclose(radii[:, 1] ** 2, half - root, atol=1e-13)
    np.testing.assert_allclose(condition(J), radii[:, 0] / radii[:, 1], rtol=1e-10)


def test_the_axes_of_the_planar_arm() -> None:
    """At q2 = pi with equal links the tip is on the shoulder: it moves with the elbow alone."""
    J = np.array([[0.0, 0.0], [0.0, 0.4]])
    found = velocity_ellipsoid(J)
    np.testing.assert_allclose(np.abs(found.axes[:, 0]), [0, 1], atol=1e-15)
    assert found.radii.tolist() == [0.4, 0.0]
    np.testing.assert_allclose(np.abs(found.lost[:, 0]), [1, 0], atol=1e-15)
    np.testing.assert_allclose(np.abs(found.idle[:, 0]), [1, 0], atol=1e-15)


@pytest.mark.parametrize("n", [3, 6, 7, 9])
@pytest.mark.parametrize("part", ["linear", "angular", "all"])
def test_velocity_and_force_are_dual(n: int, part: str) -> None:
    J = np.random.default_rng(n).normal(size=(4, 6, n))
    velocity, force = velocity_ellipsoid(J, part=part), force_ellipsoid(J, part=part)
    np.testing.assert_array_equal(velocity.axes, force.axes)
    full = velocity.radii > 0
    np.testing.assert_allclose(velocity.radii[full] * force.radii[full], 1, rtol=1e-12)
    assert np.isinf(force.radii[~full]).all()
    assert (
        full.sum(axis=1).tolist() == velocity.rank.tolist() == [min(n, J[:, : 3 if part != "all" else 6].shape[1])] * 4
    )


def test_what_the_ellipsoid_says_is_what_the_jacobian_does() -> None:
    """Each semi-axis is reached by its joint motion; no unit joint motion goes beyond the ellipsoid."""
    rng = np.random.default_rng(1)
    J = rng.normal(size=(6, 7))
    found = velocity_ellipsoid(J, part="linear")
    for i in range(3):
        np.testing.assert_allclose(J[:3] @ found.joint_motions[:, i], found.radii[i] * found.axes[:, i], atol=1e-13)
    np.testing.assert_allclose(J[:3] @ found.idle, 0, atol=1e-13)
    qd = rng.normal(size=(7, 500))
    inside = found.axes.T @ J[:3] @ (qd / np.linalg.norm(qd, axis=0)) / found.radii[:, None]
    assert (inside**2).sum(axis=0).max() <= 1 + 1e-12


def test_weights_are_the_limits_of_the_joints() -> None:
    rng = np.random.default_rng(2)
    J, limits = rng.normal(size=(3, 5)), rng.uniform(0.5, 3, 5)
    found = velocity_ellipsoid(J, weights=1 / limits**2)
    np.testing.assert_allclose(found.radii, np.linalg.svd(J * limits, compute_uv=False), rtol=1e-12)
    np.testing.assert_allclose(velocity_ellipsoid(J, weights=np.diag(1 / limits**2)).radii, found.radii, rtol=1e-12)
    # The ellipsoid is v^T (J W^-1 J^T)^-1 v = 1: its surface is met along every axis.
    inverse = np.linalg.inv(J @ np.diag(limits**2) @ J.T)
    for i in range(3):
        v = found.radii[i] * found.axes[:, i]
        assert v @ inverse @ v == pytest.approx(1)
    force = force_ellipsoid(J, weights=limits**2)  # the inverse weights: dual again
    np.testing.assert_allclose(force.radii * found.radii, 1, rtol=1e-11)
    for i in range(3):  # tau = J^T f has weighted norm one
        tau = J.T @ (force.radii[i] * force.axes[:, i])
        assert (limits**2 * tau) @ tau == pytest.approx(1)


def test_lost_rank_is_a_zero_or_an_infinity_never_a_nan() -> None:
    stretched = planar(0.3, 0.0)
    velocity, force = velocity_ellipsoid(stretched), force_ellipsoid(stretched)
    assert velocity.radii[1] == 0
    assert force.radii[1] == np.inf
    assert velocity.rank == 1
    along = np.array([np.cos(0.3), np.sin(0.3)])  # the stretched arm cannot move along itself
    assert abs(velocity.lost[:, 0] @ along) == pytest.approx(1)
    np.testing.assert_allclose(stretched @ velocity.idle, 0, atol=1e-15)
    assert condition(stretched) == np.inf
    assert manipulability(stretched) == pytest.approx(0, abs=1e-15)
    nothing = np.zeros((6, 3))
    assert velocity_ellipsoid(nothing).radii.tolist() == [0] * 6
    assert force_ellipsoid(nothing).radii.tolist() == [np.inf] * 6
    assert (condition(nothing), manipulability(nothing)) == (np.inf, 0)


def test_a_robot_without_joints() -> None:
    none = np.zeros((6, 0))
    assert manipulability(none) == 0
    assert condition(none) == np.inf
    assert velocity_ellipsoid(none).radii.tolist() == [0] * 6
    assert force_ellipsoid(none).lost.shape == (6, 6)


def test_a_batch_of_different_ranks() -> None:
    J = np.stack([planar(0.3, 0.5), planar(0.3, 0.0)])
    found = velocity_ellipsoid(J)
    assert found.rank.tolist() == [2, 1]
    assert found.lost.shape == (2, 2, 1)
    assert np.count_nonzero(found.lost[0]) == 0
    np.testing.assert_allclose(found.lost[1], velocity_ellipsoid(J[1]).lost)
    assert velocity_ellipsoid(np.empty((0, 2, 2))).lost.shape == (0, 2, 0)


def test_wide_and_tall_jacobians() -> None:
    J = np.random.default_rng(4).normal(size=(3, 5))
    assert manipulability(J) == pytest.approx(np.sqrt(np.linalg.det(J @ J.T)))
    assert manipulability(J.T) == pytest.approx(np.sqrt(np.linalg.det(J @ J.T)))
    assert singular_values(J).shape == (3,)


def test_a_half_needs_six_rows() -> None:
    with pytest.raises(RobosymError, match="needs a Jacobian of six rows"):
        manipulability(np.eye(3), part="linear")
    with pytest.raises(RobosymError, match=r"part: got 'top', expected 'all', 'linear' or 'angular'"):
        manipulability(np.eye(6), part="top")  # type: ignore[arg-type]
    with pytest.raises(RobosymError, match="weights: expected 3 positive"):
        velocity_ellipsoid(np.eye(3), weights=[1, 2])
