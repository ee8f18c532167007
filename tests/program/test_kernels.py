"""Numeric kernels: what they make, by their equations, and the shapes they take."""

from __future__ import annotations

import math

import numpy as np
import pytest

from robosym.program.kernels import KERNELS


def test_kernels_keep_their_word():
    rng = np.random.default_rng(1)
    A = rng.standard_normal((5, 5))
    (roots,) = KERNELS["eigenvalues"].reference(A)
    np.testing.assert_allclose(np.prod(roots[:, 0] + 1j * roots[:, 1]), np.linalg.det(A), rtol=1e-10)
    real = roots[np.abs(roots[:, 1]) < 1e-12][0]
    (v,) = KERNELS["eigenvector"].reference(A, real)
    np.testing.assert_allclose(A @ v, real[0] * v, atol=1e-12)
    assert np.abs(v).max() == 1
    (x,) = KERNELS["solve"].reference(A, A @ np.ones(5))
    np.testing.assert_allclose(x, 1)
    assert (KERNELS["solve"].reference(np.zeros((2, 2)), np.ones((2, 3)))[0] == np.zeros((2, 3))).all()


@pytest.mark.parametrize(
    ("count", "order"),
    [(4.0, [2, 0, 3, 1]), (3.0, [2, 0, 1, 3]), (math.nan, [0, 1, 2, 3]), (99.0, [2, 0, 3, 1]), (-1.0, [0, 1, 2, 3])],
)
def test_sort_is_stable_and_puts_nan_last(count, order):
    (made,) = KERNELS["sort"].reference(np.arange(4.0)[:, None], np.array([1.0, math.nan, 0.5, 1.0]), np.array(count))
    assert made[:, 0].tolist() == order
