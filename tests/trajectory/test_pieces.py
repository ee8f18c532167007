"""Polynomials by pieces, against their values by NumPy."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from numpy.polynomial import polynomial

from robosym.trajectory.pieces import Pieces, common_times, mean, moved, phased, together


def drawn(seed: int, pieces: int = 3, degree: int = 3) -> Pieces:
    rng = np.random.default_rng(seed)
    times = np.append(0.0, np.cumsum(rng.uniform(0.2, 1.0, pieces)))
    return Pieces(times, rng.normal(size=(pieces, degree + 1)))


def value(one: Pieces, t: float) -> float:
    """Afterwards the last."""
    if t >= one.duration:
        return float(polynomial.polyval(one.times[-1] - one.times[-2], one.coefficients[-1]))
    k = int(np.flatnonzero(one.times <= t)[-1])
    return float(polynomial.polyval(t - one.times[k], one.coefficients[k]))


def test_end_degree_and_duration() -> None:
    one = drawn(1)
    assert one.duration == one.times[-1]
    assert one.degree == 3
    assert one.end == pytest.approx(value(one, one.duration), rel=1e-12)


def test_stretched_and_scaled() -> None:
    one = drawn(2)
    longer, other = one.stretched(7.5), one.scaled(-2.0, 0.5)
    assert longer.duration == 7.5
    for part in (0.0, 0.21, 0.5, 0.9):
        t = part * one.duration
        assert value(longer, 7.5 * part) == pytest.approx(value(one, t), rel=1e-12)
        assert value(other, t) == pytest.approx(0.5 - 2 * value(one, t), rel=1e-12)


def test_moved() -> None:
    rng = np.random.default_rng(3)
    rows, by = rng.normal(size=(4, 5)), rng.normal(size=4)
    for row, shift, found in zip(rows, by, moved(rows, by), strict=True):
        for t in (-0.3, 0.0, 1.2):
            assert polynomial.polyval(t, found) == pytest.approx(polynomial.polyval(t + shift, row), rel=1e-11)


def test_refined() -> None:
    """Over finer pieces, beyond the end the last value, and of a higher degree."""
    one = drawn(4)
    times = np.sort(np.concatenate([one.times, [0.05, 0.33, one.duration + 0.5, one.duration + 1]]))
    found = one.refined(times, 5)
    assert found.shape == (len(times) - 1, 6)
    for k, (a, b) in enumerate(pairwise(times)):
        t = (a + b) / 2
        assert polynomial.polyval(t - a, found[k]) == pytest.approx(value(one, t), rel=1e-11)


@pytest.mark.parametrize("start", [[0.5], [0.5, -1.0], [0.5, -1.0, 2.0]])
def test_phases_with_a_constant_highest_derivative(start: list[float]) -> None:
    lengths, rates = np.array([0.5, 0.0, 0.25, 1.0]), np.array([2.0, 9.0, -3.0, 1.0])
    found = phased(start, lengths, rates)
    np.testing.assert_allclose(found.times, [0, 0.5, 0.75, 1.75])
    order = len(start)
    np.testing.assert_allclose(found.coefficients[:, order] * np.prod(np.arange(1, order + 1)), [2, -3, 1])
    for k, x in enumerate(start):
        assert found.coefficients[0, k] * np.prod(np.arange(1, k + 1)) == pytest.approx(x)
    for k in range(2):  # all derivatives below the highest join
        for d in range(order):
            before = polynomial.polyval(np.diff(found.times)[k], polynomial.polyder(found.coefficients[k], d))
            assert before == pytest.approx(polynomial.polyder(found.coefficients[k + 1], d)[0])


def test_no_phase_at_all_stays() -> None:
    found = phased([1.5, 2.0], np.zeros(2), np.ones(2))
    np.testing.assert_array_equal(found.times, [0, 0])
    assert found.end == 1.5


def test_times_of_several_functions() -> None:
    found = common_times([np.array([0, 1.0, 3.0]), np.array([0.0, 1.0 + 1e-15, 2.0])], 2.5)
    np.testing.assert_allclose(found, [0, 1, 2, 2.5], atol=1e-14)
    np.testing.assert_array_equal(common_times([np.array([0.0, 1.0])], 1.0), [0, 1])
    np.testing.assert_array_equal(common_times([np.array([0.0])], 0.0), [0, 0])
    np.testing.assert_array_equal(common_times([np.array([0.0, 1 - 1e-15])], 1.0), [0, 1])


@pytest.mark.parametrize("part", [0.25, 0.8])
def test_means(part: float) -> None:
    a, b = drawn(5, 3, 2), drawn(6, 2, 4)
    found = mean(a, b, part)
    assert found.duration == max(a.duration, b.duration)
    for t in np.linspace(0.01, found.duration - 0.01, 9):
        assert value(found, t) == pytest.approx(part * value(a, t) + (1 - part) * value(b, t), rel=1e-11)


@pytest.mark.parametrize("longer", [None, 9.0])
def test_joints_together(longer: float | None) -> None:
    a, b = drawn(7), drawn(8, 2, 4)
    found = together(("a", "b"), (a, b), "both", longer)
    assert found.duration == (longer or max(a.duration, b.duration))
    assert (found.joints, found.name) == (("a", "b"), "both")
    for t in np.linspace(0.01, found.duration - 0.01, 9):
        np.testing.assert_allclose(found(t)[0], [value(a, t), value(b, t)], atol=1e-11)
