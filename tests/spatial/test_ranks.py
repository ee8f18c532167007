"""Ranks and spaces of float matrices, against SciPy."""

from __future__ import annotations

import numpy as np
from scipy.linalg import null_space, orth

from robosym.spatial import ranks


def test_rank() -> None:
    assert ranks.rank(np.zeros((0, 3)), 1e-6) == 0
    assert ranks.rank(np.diag([1.0, 1e-3, 2e-6, 1e-7]), 1e-6) == 3
    assert ranks.rank(np.diag([1e-3, 1e-7]), 1e-6) == 1  # entries are of the size of one
    assert ranks.rank(np.diag([1e-3, 1e-7]), 1e-6, 1e-3) == 2
    assert ranks.rank(np.diag([1e3, 1e-4]), 1e-6) == 1
    assert ranks.ranks(np.array([np.eye(3), np.diag([1.0, 0, 0])]), 1e-6).tolist() == [3, 1]
    assert ranks.ranks(np.zeros((2, 0, 3)), 1e-6).tolist() == [0, 0]


def test_the_value_that_a_rank_rests_on() -> None:
    batch = np.array([np.diag([3.0, 2.0, 0.5]), np.diag([1.0, 0.0, 7.0])])
    assert [ranks.singular_value(batch, k).tolist() for k in (1, 2, 3)] == [[3, 7], [2, 1], [0.5, 0]]
    assert ranks.singular_value(batch, 0).tolist() == [np.inf, np.inf]
    assert ranks.singular_value(batch, 4).tolist() == [0, 0]
    assert ranks.singular_value(np.zeros((0, 3, 2)), 2).shape == (0,)


def test_spaces() -> None:
    rng = np.random.default_rng(0)
    A = rng.normal(size=(5, 3)) @ rng.normal(size=(3, 6))
    N, C = ranks.null_space(A, 1e-6), ranks.column_space(A, 1e-6)
    assert N.shape == (6, 3)
    np.testing.assert_allclose(N @ N.T, null_space(A) @ null_space(A).T, atol=1e-12)
    np.testing.assert_allclose(C @ C.T, orth(A) @ orth(A).T, atol=1e-12)
    np.testing.assert_array_equal(ranks.null_space(np.zeros((0, 3)), 1e-6), np.eye(3))
    assert ranks.column_space(np.zeros((6, 0)), 1e-6).shape == (6, 0)
