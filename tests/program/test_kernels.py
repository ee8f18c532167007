"""Numeric kernels: what they make, by their equations, and the shapes they take."""

from __future__ import annotations

import math

import numpy as np
import pytest

from robosym.program.kernels import KERNELS, whole


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


@pytest.mark.parametrize(
    ("name", "taken", "shapes"),
    [
        ("eigenvalues", [(4, 4)], [(4, 2)]),
        ("eigenvalues", [(4, 3)], None),
        ("eigenvalues", [(0, 0)], None),
        ("eigenvalues", [(4,)], None),
        ("eigenvalues", [(4, 4), (2,)], None),
        ("eigenvector", [(4, 4), (2,)], [(4,)]),
        ("eigenvector", [(4, 4), (3,)], None),
        ("eigenvector", [(4, 4)], None),
        ("eigenvector", [(4, 5), (2,)], None),
        ("solve", [(3, 3), (3,)], [(3,)]),
        ("solve", [(3, 3), (3, 5)], [(3, 5)]),
        ("solve", [(3, 3), (4,)], None),
        ("solve", [(3, 3), ()], None),
        ("solve", [(3, 3), (3, 1, 1)], None),
        ("solve", [(2, 3), (2,)], None),
        ("solve", [(3, 3)], None),
        ("sort", [(6, 2), (6,), ()], [(6, 2)]),
        ("sort", [(6,), (6,), ()], [(6,)]),
        ("sort", [(6, 2), (5,), ()], None),
        ("sort", [(), (), ()], None),
        ("sort", [(6, 2), (6,), (1,)], None),
        ("sort", [(6, 2), (6,)], None),
    ],
)
def test_shapes(name, taken, shapes):
    assert KERNELS[name].shapes(taken) == shapes


def test_what_is_not_finite():
    bad = np.array([[1.0, math.nan], [0.0, 1.0]])
    (roots,) = KERNELS["eigenvalues"].reference(bad)
    assert roots.tolist() == [[0.0, math.inf]] * 2
    assert KERNELS["eigenvector"].reference(bad, np.array([1.0, 0.0]))[0].tolist() == [0.0, 0.0]
    with np.errstate(invalid="ignore"):
        assert KERNELS["eigenvector"].reference(np.eye(2), np.array([math.inf, 0.0]))[0].tolist() == [0.0, 0.0]
    assert KERNELS["solve"].reference(bad, np.ones(2))[0].tolist() == [0.0, 0.0]
    assert KERNELS["solve"].reference(np.eye(2), np.array([math.inf, 1.0]))[0].tolist() == [0.0, 0.0]
    assert KERNELS["solve"].reference(np.full((2, 2), 1e-320), np.ones((2, 1)))[0].shape == (2, 1)


def test_several_right_hand_sides():
    rng = np.random.default_rng(2)
    A, X = rng.standard_normal((3, 3)), rng.standard_normal((3, 4))
    np.testing.assert_allclose(KERNELS["solve"].reference(A, A @ X)[0], X, atol=1e-12)


@pytest.mark.parametrize(
    ("count", "most", "number"),
    [
        (2.0, 5, 2),
        (2.9, 5, 2),
        (7.0, 5, 5),
        (-1.0, 5, 0),
        (math.nan, 5, 0),
        (math.inf, 5, 5),
        (-math.inf, 5, 0),
        (0.0, 0, 0),
    ],
)
def test_numbers_of_rows(count, most, number):
    found = whole(np.array(count), most)
    assert found == number
    assert type(found) is int
