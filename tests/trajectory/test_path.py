"""Paths: splines beside SciPy's, and the geometry of motions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.interpolate import CubicSpline
from trajectory.known_motions import POINTS, D, quintic

from robosym.trajectory import Path, Trajectory, TrajectoryError


def test_a_spline_is_scipys_and_goes_through_its_points() -> None:
    path = Path.spline(POINTS)
    known = CubicSpline(np.linspace(0, 1, len(POINTS)), POINTS, bc_type="not-a-knot")
    s = np.linspace(0, 1, 101)
    for order, found in enumerate(path(s)):
        np.testing.assert_allclose(found, known(s, order), atol=1e-11)
    np.testing.assert_allclose(path(np.linspace(0, 1, len(POINTS)))[0], POINTS, atol=1e-14)
    assert path.smooth
    assert path.length == 1


def test_two_points_make_a_line() -> None:
    s = np.linspace(0, 1, 7)
    for found, expected in zip(Path.spline([0 * D, D])(s), Path.line(0 * D, D)(s), strict=True):
        np.testing.assert_allclose(found, expected, atol=1e-14)


def test_pieces_and_where_in_them_the_places_are() -> None:
    path = Path.spline(POINTS)
    for s in (np.linspace(0, 1, 50), path.grid(7)):
        curve, local = path.pieces(s, s)
        found = sum(curve[:, k] * local[:, None] ** k for k in range(4))
        np.testing.assert_allclose(found, path(s)[0], atol=1e-13)
    before, local = path.pieces(np.array([0.25]), np.array([0.2]))
    np.testing.assert_array_equal(before[0], path.curve.coefficients[0])
    assert local.tolist() == [0.25]


@pytest.mark.parametrize(
    ("places", "count"),
    [
        ([0, 0.25, 0.5, 0.75, 1], 8),  # all of them on the grid
        ([0, 0.1, 0.5, 0.77, 1], 10),
        ([0, 0.25 + 1e-12, 0.5, 0.75 - 1e-12, 1], 8),  # as good as on it
        ([0, 1e-12, 0.5, 1 - 1e-12, 1], 8),
    ],
)
def test_the_grid_has_the_places_where_pieces_meet(places: list[float], count: int) -> None:
    path = Path.spline(POINTS, 3.0 * np.array(places))
    s = path.grid(8)
    assert len(s) == count + 1
    assert (s[0], s[-1]) == (0, path.length)
    assert np.diff(s).min() > 1e-3
    for place in path.curve.times:
        assert np.abs(s - place).min() <= 4e-12


def test_the_path_of_a_motion_that_never_rests_is_its_own_polynomial() -> None:
    curve = Path.spline(POINTS).curve
    assert Path.of(curve).curve is curve


def test_the_path_of_a_motion_from_rest_to_rest_is_found_by_its_length() -> None:
    path = Path.of(quintic(np.zeros(6), D, 2.0))
    assert path.length == pytest.approx(np.linalg.norm(D))
    q, q1, _ = path(np.linspace(0, path.length, 301))
    np.testing.assert_allclose(q, np.linspace(0, 1, 301)[:, None] * D, atol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(q1, axis=1), 1, atol=1e-6)


def test_a_motion_that_stops_to_turn_is_not_one_path() -> None:
    first, second = quintic(np.zeros(2), np.array([1.0, 0.0]), 1.0), quintic(np.array([1.0, 0.0]), np.ones(2), 1.0)
    both = Trajectory(
        first.joints, np.array([0.0, 1.0, 2.0]), np.concatenate([first.coefficients, second.coefficients])
    )
    with pytest.raises(TrajectoryError, match=r"turns sharply at (0\.9|1)"):
        Path.of(both)


def test_corners_are_seen() -> None:
    bent = np.array([[[0.0, 0.0], [1.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]]])
    path = Path(Trajectory(("a", "b"), np.array([0.0, 1.0, 2.0]), bent))
    assert path.corners.tolist() == [1.0]
    assert not path.smooth
    assert 1.0 in path.grid(3)


@pytest.mark.parametrize(
    ("points", "places", "word"),
    [
        ([[0, 0]], None, "two rows"),
        ([1, 2], None, "two rows"),
        ([[0, 0], [1, 1], [1, 1]], None, "rows 1 and 2 are the same"),
        ([[0, 0], [1, 1]], [0, 0], "each greater"),
        ([[0, 0], [1, 1]], [1, 2], "from 0 on"),
        ([[0, np.nan], [1, 1]], None, "not finite"),
        ([["a", "b"], ["c", "d"]], None, "real numbers"),
    ],
)
def test_what_is_no_path_is_refused(points: object, places: object, word: str) -> None:
    with pytest.raises(TrajectoryError, match=word):
        Path.spline(points, places)


def test_a_line_needs_two_different_ends() -> None:
    with pytest.raises(TrajectoryError, match="no path"):
        Path.line(D, D)
    with pytest.raises(TrajectoryError, match="shape"):
        Path.line(D, D[:3])
    with pytest.raises(TrajectoryError, match="names"):
        Path.line(0 * D, D, joints=["a"])
    stay = Trajectory(("a",), np.array([0.0, 1.0]), np.ones((1, 1, 1)))
    with pytest.raises(TrajectoryError, match="stays"):
        Path.of(stay)
