"""All poses of a planar platform three of whose points are on circles."""

from __future__ import annotations

import numpy as np
import pytest
from models.parallel.direct_robots import Z, lengths, pose, turn
from sweeps import many

from robosym.errors import RobosymError
from robosym.models.parallel.direct.planar import circle_poses

TRIANGLE = np.array([[0, 0], [1, 0], [0.5, 0.8]])


def brute_force(points: np.ndarray, centres: np.ndarray, radii: np.ndarray) -> list[float]:
    """The angles of all poses: sign changes, over the angle, of the third length for both positions of the first two points."""
    phi = np.linspace(-np.pi, np.pi, 200_001)
    c, s = np.cos(phi), np.sin(phi)
    arms = np.stack(
        [c[:, None] * points[:, 0] - s[:, None] * points[:, 1], s[:, None] * points[:, 0] + c[:, None] * points[:, 1]],
        2,
    )
    a, b = centres[0] - arms[:, 0], centres[1] - arms[:, 1]  # p is on circles about these
    between = b - a
    d = np.linalg.norm(between, axis=1)
    along = (d**2 + radii[0] ** 2 - radii[1] ** 2) / (2 * d)
    found = []
    with np.errstate(invalid="ignore"):
        across = np.sqrt(radii[0] ** 2 - along**2)
    for sign in (1, -1):
        e = between / d[:, None]
        p = a + along[:, None] * e + sign * across[:, None] * np.stack([-e[:, 1], e[:, 0]], 1)
        f = np.linalg.norm(p + arms[:, 2] - centres[2], axis=1) - radii[2]
        k = np.flatnonzero(np.isfinite(f[:-1]) & np.isfinite(f[1:]) & (f[:-1] * f[1:] < 0))
        found += list(phi[k] - f[k] * (phi[k + 1] - phi[k]) / (f[k + 1] - f[k]))
    return sorted(found)


@pytest.mark.mostly_slow(fast=8)
@pytest.mark.parametrize("kind", ["general", "half a turn", "collinear", "similar", "parallel legs", "small"])
@pytest.mark.parametrize("seed", range(many(4)))
def test_all_poses_against_brute_force(kind: str, seed: int) -> None:
    rng = np.random.default_rng([seed, len(kind)])
    points, centres = rng.normal(size=(3, 2)), 2 * rng.normal(size=(3, 2))
    angle = np.pi if kind == "half a turn" else rng.uniform(-np.pi, np.pi)
    T = pose(turn(Z, angle), np.append(rng.normal(size=2), 0))
    if kind == "collinear":
        points[:, 1] = 0
    elif kind == "similar":
        centres = 2.3 * points
    elif kind == "parallel legs":
        centres = points @ turn(Z, angle)[:2, :2].T + T[:2, 3] + turn(Z, 0.7)[:2, :2] @ TRIANGLE[1]
        centres[2] += 2 * (points @ turn(Z, angle)[:2, :2].T + T[:2, 3] - centres)[2]
    elif kind == "small":
        points /= 30
    radii = lengths(points, centres, T)
    found = circle_poses(points, centres, radii)
    assert found.complete
    assert found.near(T)[1] < (1e-5 if found.singular.any() else 1e-9)
    assert found.residuals.max() < 1e-12
    assert len(found) in (2, 4, 6) or found.singular.any()
    for one in found:
        np.testing.assert_allclose(lengths(points, centres, one), radii, atol=1e-11)
    if not found.singular.any():
        angles = np.array(sorted(np.arctan2(one[1, 0], one[0, 0]) for one in found))
        expected = np.array(brute_force(points, centres, radii))
        assert len(expected) <= len(angles)  # it may miss two that are close
        for phi in expected:
            assert np.abs((angles - phi + np.pi) % (2 * np.pi) - np.pi).min() < 1e-3


def test_six_poses_occur() -> None:
    rng = np.random.default_rng(0)
    counts = set()
    for _ in range(100):
        points, centres = rng.normal(size=(3, 2)), 2 * rng.normal(size=(3, 2))
        T = pose(turn(Z, rng.uniform(-np.pi, np.pi)), np.append(rng.normal(size=2), 0))
        counts.add(len(circle_poses(points, centres, lengths(points, centres, T))))
    assert counts == {2, 4, 6}


def test_one_angle_with_two_positions() -> None:
    """Both linear equations are the same line."""
    points, u, p = np.array([[0, 0], [1, 0], [0.3, 0.9]]), np.array([1, 0.2]), np.array([0.4, 1.1])
    centres = points - np.outer([0, 1, -0.7], u)
    image = 2 * u * (u @ p) / (u @ u) - p
    radii = lengths(points, centres, pose(np.eye(3), np.append(p, 0)))
    found = circle_poses(points, centres, radii)
    for place in (p, image):
        assert found.near(pose(np.eye(3), np.append(place, 0)))[1] < 1e-12
    assert not found.singular.any()
    assert len(found) % 2 == 0


def test_a_platform_that_moves_with_its_motors_at_rest() -> None:
    """A parallelogram: congruent triangles and equal lengths."""
    found = circle_poses(TRIANGLE, TRIANGLE, np.ones(3))
    assert found.infinite
    assert not found.complete
    assert len(found) == 2  # those that are not turned as the base is


def test_no_pose() -> None:
    found = circle_poses(TRIANGLE, 2 * TRIANGLE, np.full(3, 0.1))
    assert len(found) == 0
    assert found.complete


@pytest.mark.parametrize(
    "given",
    [
        (np.zeros((3, 3)), TRIANGLE, np.ones(3)),
        (TRIANGLE, TRIANGLE * np.nan, np.ones(3)),
        (TRIANGLE, TRIANGLE, -np.ones(3)),
    ],
)
def test_wrong_input_is_refused(given: tuple) -> None:
    with pytest.raises(RobosymError, match=r"points|centres|radii"):
        circle_poses(*given)
