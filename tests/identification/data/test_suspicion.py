"""Hypotheses about columns: what they change, least squares, and when a mistake is clear."""

from __future__ import annotations

import numpy as np
import pytest

from robosym.identification.data.samples import Samples
from robosym.identification.data.suspicion import (
    BLOCKS,
    SLOW,
    Fitted,
    Trial,
    Wiring,
    _counting,
    _fit,
    _mean,
    hypotheses,
)

RNG = np.random.default_rng(0)
P, T, OFFSETS = RNG.normal(size=(2, 2)), RNG.normal(size=(2, 2)), np.array([0.3, -0.5])
WIRING = Wiring(P, T, OFFSETS, (False, True))


def samples(n: int = 50) -> tuple[np.ndarray, np.ndarray, Samples]:
    """Columns as they were recorded, and the samples that the wiring makes of them."""
    position, torque = RNG.normal(size=(2, n, 2))
    qd, qdd = RNG.normal(size=(2, n, 2))
    given = Samples(np.arange(n) / 10, position @ P + OFFSETS, qd @ P, qdd @ P, torque @ T, np.ones((n, 2), bool))
    return position, torque, given


def test_columns_are_changed_as_they_were_recorded() -> None:
    position, torque, given = samples()
    change = np.array([[0.0, 2.0], [1.0, 0.0]])
    np.testing.assert_allclose(WIRING.torques(given, change).tau, torque @ change @ T, atol=1e-12)
    moved = WIRING.motions(given, change)
    np.testing.assert_allclose(moved.q, position @ change @ P + OFFSETS, atol=1e-12)
    whole = np.linalg.solve(P, change @ P)
    np.testing.assert_allclose(moved.qd, given.qd @ whole, atol=1e-12)
    np.testing.assert_allclose(moved.qdd, given.qdd @ whole, atol=1e-12)
    np.testing.assert_array_equal(moved.tau, given.tau)
    turned = WIRING.turned(given, 1, 0.7)
    np.testing.assert_allclose(turned.q - given.q, np.tile([0, 0.7], (50, 1)))
    alone = Wiring(P, np.diag([1.0, 2.0]), OFFSETS, (False, True))
    assert [alone.is_alone(k) for k in range(2)] == [True, True]
    assert [WIRING.is_alone(k) for k in range(2)] == [False, False]


def test_hypotheses_about_every_column() -> None:
    _, _, given = samples()
    alone = Wiring(np.eye(2), np.eye(2), OFFSETS, (False, True))
    found = list(hypotheses(given, alone))
    signs = [one for one in found if one.columns == "torque" and "sign" in one.words]
    np.testing.assert_allclose(signs[1].samples.tau, given.tau * [1, -1])
    offsets = [one for one in found if "offset" in one.words]
    assert [one.joints for one in offsets] == [(0,)] * 3  # not of what slides
    swapped = [one for one in found if "swapped" in one.words]
    assert [(one.columns, one.joints) for one in swapped] == [("position", (0, 1)), ("torque", (0, 1))]
    np.testing.assert_allclose(swapped[1].samples.tau, given.tau[:, ::-1])
    faster = [one for one in found if "rate" in one.words]
    np.testing.assert_allclose(faster[1].samples.qdd, 4 * given.qdd)
    np.testing.assert_allclose(faster[0].samples.qd, given.qd / 2)
    assert all(one.columns != "torque" for one in hypotheses(given, WIRING))


def test_a_fit_is_weighted_least_squares() -> None:
    n, size = 300, np.array([1.0, 100.0])
    D, K = RNG.normal(size=(n, 2, 3)) * size[:, None], np.array([1.0, -2.0, 0.5])
    noise = 0.05 * RNG.normal(size=(n, 2)) * size
    rows = np.ones((n, 2), bool)
    rows[::3, 0] = False
    found = _fit(D, D @ K + noise, rows)
    assert found is not None
    np.testing.assert_allclose(found.K, K, atol=0.02)
    tau = D @ K + noise
    left = tau - D @ found.K
    for i in range(2):
        own = rows[:, i]
        expected = np.sqrt((left[own, i] ** 2).mean() / (tau[own, i] ** 2).mean())
        assert found.errors[i] == pytest.approx(expected, rel=1e-9)
    assert found.counts.tolist() == [200, 300]
    assert _fit(D[:4], tau[:4], rows[:4]) is None
    better = Fitted(found.errors / 2, found.counts, K)
    assert better.likelihood() > found.likelihood()
    assert better.likelihood() - found.likelihood() == pytest.approx(
        (found.likelihood() - Fitted(found.errors * 2, found.counts, K).likelihood()), rel=1e-9
    )


def test_rows_of_joints_that_move_count() -> None:
    qd = np.array([[1.0, 0.0], [SLOW / 2, 3.0], [-0.5, -0.01]])
    one = Samples(np.arange(3.0), qd, qd, qd, qd, np.array([[True, True], [True, True], [False, True]]))
    np.testing.assert_array_equal(_counting(one), [[True, False], [False, True], [False, False]])


def test_when_a_mistake_is_clear() -> None:
    before = np.full((BLOCKS, 2), 0.5)
    noise = 1 + 0.02 * RNG.normal(size=(BLOCKS, 2))
    assert Trial.is_clear(before, 0.1 * before * noise)
    assert not Trial.is_clear(before, 0.99 * before * noise)
    assert not Trial.is_clear(0.1 * before, before)
    few = before.copy()
    few[BLOCKS // 2 - 1 :] = np.nan
    assert not Trial.is_clear(few, 0.1 * few * noise)
    half = np.where(np.arange(BLOCKS)[:, None] % 2 == 0, 0.1, 1.5) * before
    assert not Trial.is_clear(before, half)
    assert _mean(np.array([[0.01, np.nan], [0.04, 0.02]])) == pytest.approx(2.0)
