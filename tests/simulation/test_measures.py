"""Measures against closed forms: sines, a second-order step, and each run of many alone."""

from __future__ import annotations

import numpy as np
import pytest

from robosym.simulation import measures

T = np.linspace(0.0, 10.0, 20001)


def test_a_sine() -> None:
    """Over whole periods: rms A/sqrt(2), largest A, integral of its square A^2 T / 2."""
    x = np.column_stack([3 * np.sin(2 * np.pi * T), -2 * np.cos(2 * np.pi * T)])
    assert measures.rms(x) == pytest.approx([3 / np.sqrt(2), 2 / np.sqrt(2)], rel=1e-4)
    assert measures.largest(x) == pytest.approx([3, 2], rel=1e-6)
    assert measures.integral(T, x**2) == pytest.approx([45, 20], rel=1e-6)


@pytest.mark.parametrize("size", [1e-300, 1e-200, 1.0, 1e200])
def test_squares_neither_vanish_nor_overflow(size: float) -> None:
    assert measures.rms(np.full((5, 1), size)) == pytest.approx([size], rel=1e-12)


@pytest.mark.parametrize("damping", [0.2, 0.5, 0.9])
def test_a_step_of_second_order(damping: float) -> None:
    """x = 1 - exp(-z w t) (cos wd t + z w / wd sin wd t): it overshoots by exp(-pi z / sqrt(1 - z^2)), to either side."""
    w, z = 8.0, damping
    wd = w * np.sqrt(1 - z * z)
    x = 1 - np.exp(-z * w * T) * (np.cos(wd * T) + z * w / wd * np.sin(wd * T))
    q = np.column_stack([x, -2 * x, 0.5 + 0 * x])
    target = np.column_stack([0 * x + 1, 0 * x - 2, 0.5 + 0 * x])
    expected = np.exp(-np.pi * z / np.sqrt(1 - z * z))
    found = measures.overshoot(q, target)
    assert found[:2] == pytest.approx([expected, expected], rel=1e-3)
    assert np.isnan(found[2])  # nothing to travel
    settled = measures.settling_time(T, target - q, np.array([0.02, 0.04, 0.0]))
    outside = T[np.abs(1 - x) > 0.02]
    assert settled[:2] == pytest.approx([outside[-1]] * 2, abs=2 * (T[1] - T[0]))
    assert settled[2] == 0


def test_settling_at_an_exponential() -> None:
    error = np.column_stack([np.exp(-3 * T), 1 + 0 * T, 0 * T])
    found = measures.settling_time(T + 5, error, np.full(3, 0.05))  # counted from the first instant
    assert found[0] == pytest.approx(np.log(20) / 3, abs=1e-3)
    assert found[1] == np.inf
    assert found[2] == 0


def test_an_error_that_leaves_the_band_again_has_not_settled() -> None:
    error = np.array([1, 0.01, 0.01, 0.5, 0.01, 0.01])[:, None]
    assert measures.settling_time(np.arange(6.0), error, np.array([0.05])) == [4.0]


def test_what_was_lost_is_not_judged_by_its_beginning() -> None:
    x = np.array([1.0, 0.0, np.nan])[:, None]
    t = np.arange(3.0)
    for found in (
        measures.rms(x),
        measures.largest(x),
        measures.integral(t, x),
        measures.settling_time(t, x, np.array([2.0])),
        measures.share_at_limit(x, np.array([1.0])),
    ):
        assert np.isnan(found).all()


def test_one_instant() -> None:
    x = np.array([[0.5, -2.0]])
    assert measures.rms(x).tolist() == [0.5, 2.0]
    assert measures.integral(np.zeros(1), x).tolist() == [0, 0]
    assert measures.settling_time(np.zeros(1), x, np.array([1.0, 1.0])).tolist() == [0, np.inf]


def test_the_share_of_time_at_a_limit() -> None:
    tau = np.array([[2.0, 1], [2 * (1 - 1e-15), -1], [-2.0, 5], [1.0, 0]])
    assert measures.share_at_limit(tau, np.array([2.0, np.inf])).tolist() == [0.75, 0]


def test_many_runs_are_each_run_alone() -> None:
    rng = np.random.default_rng(1)
    x, goal = rng.normal(size=(2, 4, 30, 3)).cumsum(axis=-2)
    t, band = np.arange(30.0), rng.uniform(0, 3, (4, 3))
    for k in range(4):
        assert (measures.settling_time(t, x, band)[k] == measures.settling_time(t, x[k], band[k])).all()
        assert (measures.overshoot(x, goal)[k] == measures.overshoot(x[k], goal[k])).all()
        assert (measures.rms(x)[k] == measures.rms(x[k])).all()
        assert (measures.integral(t, x)[k] == measures.integral(t, x[k])).all()
        assert (measures.share_at_limit(x, band)[k] == measures.share_at_limit(x[k], band[k])).all()
