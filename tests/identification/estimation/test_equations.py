"""Equations: what is packed, chosen and put side by side is the same dense system."""

from __future__ import annotations

import numpy as np
import pytest
from identification.estimation.random_equations import random_equations

from robosym.identification.estimation.equations import Equations, EquationsError, beside


def test_packed_values_with_rows_left_out_are_the_dense_system() -> None:
    rng = np.random.default_rng(0)
    dense = rng.normal(size=(20, 3, 4))
    places = [(0, 0), (0, 2), (1, 3), (1, 1), (2, 0), (2, 1), (2, 2), (2, 3)]
    D = np.stack([dense[:, row, column] for row, column in places], axis=1)
    tau, time, keep = rng.normal(size=(20, 3)), np.arange(20.0), rng.random((20, 3)) < 0.7
    equations = Equations.from_packed("abcd", ("j1", "j2", "j3"), places, D, tau, time, keep)
    assert equations.rows == tuple(keep.sum(axis=0))
    found, torques = equations.dense()
    expected = np.zeros((20, 3, 4))
    for row, column in places:
        expected[:, row, column] = dense[:, row, column]
    np.testing.assert_array_equal(found, np.concatenate([expected[keep[:, j], j] for j in range(3)]))
    np.testing.assert_array_equal(torques, np.concatenate([tau[keep[:, j], j] for j in range(3)]))


def test_residuals_selection_and_weights_agree_with_dense_algebra() -> None:
    rng = np.random.default_rng(1)
    equations = random_equations(rng, [7, 0, 9], rng.normal(size=6))
    D, tau = equations.dense()
    K = rng.normal(size=6)
    np.testing.assert_allclose(np.concatenate(equations.residuals(K)), tau - D @ K, atol=1e-13)
    np.testing.assert_array_equal(equations.select(["k4", "k0"]).dense()[0], D[:, [4, 0]])
    weights = [rng.random(m) for m in equations.rows]
    root = np.sqrt(np.concatenate(weights))
    np.testing.assert_allclose(equations.weighed(weights).dense()[0], D * root[:, None])
    masks = [rng.random(m) < 0.5 for m in equations.rows]
    np.testing.assert_array_equal(equations.only(masks).dense()[1], tau[np.concatenate(masks)])
    both = beside(equations.select(["k1", "k2"]), equations, "other ")
    np.testing.assert_array_equal(both.dense()[0], np.hstack([D[:, [1, 2]], D]))
    assert both.columns[:3] == ("other k1", "other k2", "k0")


def test_what_does_not_fit_is_named() -> None:
    rng = np.random.default_rng(2)
    good = random_equations(rng, [5, 5], rng.normal(size=3))
    with pytest.raises(EquationsError, match="no column k9"):
        good.select(["k9"])
    with pytest.raises(EquationsError, match="equations of joint0: expected"):
        Equations(good.columns, good.joints, ((0,), (1,)), (np.zeros((2, 2)),) * 2, good.torques, good.times)
    torques = (good.torques[0], np.zeros(3))
    with pytest.raises(EquationsError, match="joint1: expected as many torques"):
        Equations(good.columns, good.joints, good.places, good.values, torques, good.times)
    with pytest.raises(EquationsError, match="ascending"):
        Equations(good.columns, good.joints, ((1, 0), (2,)), good.values, good.torques, good.times)
    with pytest.raises(EquationsError, match="k0 is there more than once"):
        Equations(("k0", "k0", "k1"), good.joints, good.places, good.values, good.torques, good.times)
    with pytest.raises(EquationsError, match="cannot stand beside"):
        beside(good, random_equations(rng, [5, 6], rng.normal(size=3)), "z")
