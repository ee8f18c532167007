"""Trajectories by pieces, against NumPy's polynomials; samples, files, and what is refused."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.polynomial import polynomial

from robosym.errors import RobosymError
from robosym.options.errors import ArgumentError
from robosym.trajectory import Trajectory, TrajectoryError

JOINTS = ("a", "b")


def drawn(pieces: int, degree: int = 4) -> Trajectory:
    rng = np.random.default_rng(pieces)
    times = np.append(0.0, np.cumsum(rng.uniform(0.2, 1.0, pieces)))
    return Trajectory(JOINTS, times, rng.normal(size=(pieces, degree + 1, 2)))


def value(move: Trajectory, t: float, order: int) -> np.ndarray:
    t = min(max(t, 0.0), move.duration)
    k = min(int(np.flatnonzero(move.times <= t)[-1]), len(move.coefficients) - 1)
    return np.asarray(polynomial.polyval(t - move.times[k], polynomial.polyder(move.coefficients[k], order)))


@pytest.mark.parametrize("pieces", [1, 5, 80])
def test_values_and_derivatives(pieces: int) -> None:
    """By matrices of one piece, of a few, and compiled of many; outside as at the ends; times in any order and shape."""
    move = drawn(pieces)
    t = np.random.default_rng(1).uniform(-0.5, move.duration + 0.5, (3, 4))
    t[0, 0], t[0, 1] = 0.0, move.duration
    found = move(t)
    for order, each in enumerate(found):
        assert each.shape == (3, 4, 2)
        expected = [[value(move, x, order) for x in row] for row in t]
        np.testing.assert_allclose(each, expected, rtol=1e-10, atol=1e-10)
        np.testing.assert_allclose(move.derivative(t, order), expected, rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(move.jerk(t), [[value(move, x, 3) for x in row] for row in t], rtol=1e-10, atol=1e-10)
    one = move(0.5 * move.duration)
    assert one[0].shape == (2,)
    np.testing.assert_allclose(one[1], value(move, 0.5 * move.duration, 1), rtol=1e-10)


def test_where_pieces_meet_the_later_one_counts() -> None:
    move = Trajectory(("a",), np.array([0.0, 1.0, 2.0]), np.array([[[0.0], [1.0]], [[5.0], [2.0]]]))
    assert move(1.0)[0] == 5
    assert move(1.0)[1] == 2
    assert move(2.0)[0] == 7
    assert (move.start, move.end, move.duration) == (0, 7, 2)
    assert move.jerk(0.5) == 0
    assert not move.derived(2).any()


def test_ranges_at_all_times() -> None:
    move = drawn(4)
    dense = np.linspace(0, move.duration, 20001)
    for order in (0, 1, 2):
        low, high = move.ranges(order)
        each = move.derivative(dense, order)
        np.testing.assert_allclose(low, each.min(axis=0), rtol=1e-3, atol=2e-3)
        np.testing.assert_allclose(high, each.max(axis=0), rtol=1e-3, atol=2e-3)
        assert (low <= each.min(axis=0) + 1e-12).all()
        assert (high >= each.max(axis=0) - 1e-12).all()


def test_samples_end_at_the_end() -> None:
    move = Trajectory(("a",), np.array([0.0, 1.0]), np.array([[[1.0], [2.0]]]))
    np.testing.assert_allclose(move.sampled(4).time, [0, 0.25, 0.5, 0.75, 1])
    uneven = move.sampled(3.5)
    np.testing.assert_allclose(uneven.time, [0, 1 / 3.5, 2 / 3.5, 3 / 3.5, 1])
    np.testing.assert_allclose(uneven.q[:, 0], 1 + 2 * uneven.time)
    np.testing.assert_array_equal(uneven.qd, 2)
    np.testing.assert_array_equal(uneven.qdd, 0)
    for rate in (0, -1, float("nan"), "4"):
        with pytest.raises(ArgumentError, match=r"rate: got .*, expected a number above 0"):
            move.sampled(rate)  # type: ignore[arg-type]
    with pytest.raises(TrajectoryError, match="expected at most"):
        move.sampled(1e8)


def test_tables_of_numbers(tmp_path: Path) -> None:
    move = drawn(2)
    move.write_csv(tmp_path / "move.csv", 10)
    text = (tmp_path / "move.csv").read_text()
    assert text == move.as_csv(10)
    header, *rows = csv.reader(io.StringIO(text))
    assert header == ["t", "q_a", "q_b", "qd_a", "qd_b", "qdd_a", "qdd_b"]
    found = move.sampled(10)
    np.testing.assert_array_equal(np.array(rows, float), np.column_stack([found.time, found.q, found.qd, found.qdd]))


def test_what_is_no_trajectory() -> None:
    good: dict[str, Any] = {"joints": ("a",), "times": np.array([0.0, 1.0]), "coefficients": np.ones((1, 2, 1))}
    Trajectory(**good)
    for change, word in (
        ({"times": np.array([0.0, 1.0, 2.0])}, "1 pieces of 1 joints"),
        ({"joints": ("a", "b")}, "and 2 names"),
        ({"times": np.array([0.5, 1.0])}, "from 0 on, ascending"),
        ({"times": np.array([0.0, -1.0])}, "from 0 on, ascending"),
        ({"times": np.array([0.0, np.inf])}, "finite"),
        ({"coefficients": np.full((1, 2, 1), np.nan)}, "finite"),
    ):
        with pytest.raises(TrajectoryError, match=word):
            Trajectory(**{**good, **change})
    with pytest.raises(RobosymError, match="t"):
        Trajectory(**good)([0.0, np.nan])


def test_one_line() -> None:
    assert repr(drawn(2)) == f"<trajectory of 2 joints, {drawn(2).duration:.6g} s, 2 pieces>"
