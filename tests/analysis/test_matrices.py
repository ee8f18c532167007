"""Jacobian arrays: checked, halved, taken apart; ranks, and weights in factors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from robosym.analysis.matrices import (
    Tolerance,
    beyond,
    half,
    jacobian_array,
    rank_of,
    singular,
    values_alone,
    weight_factor,
)
from robosym.errors import RobosymError
from robosym.options.kinds import fits


def test_halves() -> None:
    J = np.arange(36.0).reshape(2, 6, 3)
    np.testing.assert_array_equal(jacobian_array(J.tolist(), "linear"), J[:, :3])
    np.testing.assert_array_equal(jacobian_array(J, "angular"), J[:, 3:])
    np.testing.assert_array_equal(half(J, "all"), J)
    np.testing.assert_array_equal(jacobian_array(J[0]), J[0])
    for given, part, word in (
        (J[:, :3], "linear", "needs a Jacobian of six rows .* got 3 rows"),
        (J[0, 0], "all", r"expected shape \(m, n\) or \(batch, m, n\), got \(3,\)"),
        (np.full((2, 2), np.nan), "all", "J"),
    ):
        with pytest.raises(RobosymError, match=word):
            jacobian_array(given, part)  # type: ignore[arg-type]


@pytest.mark.parametrize("shape", [(4, 2, 5), (5, 2), (3, 3)])
def test_taken_apart(shape: tuple[int, ...]) -> None:
    J = np.random.default_rng(1).normal(size=shape)
    U, s, V, rank = singular(J)
    m, n = shape[-2:]
    D = np.zeros(shape)
    D[..., np.arange(min(m, n)), np.arange(min(m, n))] = s
    np.testing.assert_allclose(U @ D @ np.swapaxes(V, -1, -2), J, atol=1e-12)
    np.testing.assert_allclose(values_alone(J), s, atol=1e-12)
    assert (rank == min(m, n)).all()
    assert (np.diff(s) <= 0).all()


def test_ranks() -> None:
    s = np.array([[2.0, 1e-11, 0.0], [2.0, 1e-13, 0.0], [0.0, 0.0, 0.0], [1.0, 1.0, 0.5]])
    assert rank_of(s, 1e-12).tolist() == [2, 1, 0, 3]
    assert rank_of(s, 0.0).tolist() == [2, 2, 0, 3]
    assert rank_of(s, 0.5).tolist() == [1, 1, 0, 2]
    for wrong in (1, -0.1, "a"):
        assert not fits(wrong, Tolerance)


def test_columns_beyond_the_rank() -> None:
    """In a batch as many as the lowest rank leaves, with zeros."""
    columns = np.arange(24.0).reshape(2, 3, 4) + 1
    np.testing.assert_array_equal(beyond(columns[0], np.array(3)), columns[0, :, 3:])
    found = beyond(columns, np.array([1, 3]))
    np.testing.assert_array_equal(found[0], columns[0, :, 1:])
    np.testing.assert_array_equal(found[1], np.stack([0 * columns[1, :, 1], 0 * columns[1, :, 2], columns[1, :, 3]], 1))
    assert beyond(columns[0], np.array(4)).shape == (3, 0)
    assert beyond(np.zeros((0, 3, 4)), np.zeros(0, int)).shape == (0, 3, 0)


def test_weights() -> None:
    A = np.random.default_rng(2).normal(size=(3, 3))
    W = A @ A.T + np.eye(3)
    L = weight_factor("weights", W, 3)
    np.testing.assert_allclose(L @ L.T, W, atol=1e-12)
    np.testing.assert_allclose(weight_factor("weights", [1, 4, 9], 3), np.diag([1, 2, 3]))
    wrong: list[Any] = [[1, 2], [1, 0, 2], [1, np.inf, 1], -np.eye(3), A + 3 * np.eye(3), np.eye(2)]
    for one in wrong:
        with pytest.raises(RobosymError, match="weights: expected 3 positive numbers"):
            weight_factor("weights", one, 3)
