"""The extremes of polynomials, beside dense samples and what can be between them."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.polynomial import polynomial
from sweeps import many

from robosym.trajectory.extremes import extremes, largest


@pytest.mark.parametrize("degree", range(7))
def test_random_and_special_polynomials(degree: int) -> None:
    random, count = np.random.default_rng(degree), many(300)
    some = random.normal(size=(count, degree + 1, 2)) * 10.0 ** random.integers(-3, 4, (count, degree + 1, 1))
    some[::3] = random.integers(-2, 3, some[::3].shape)  # roots that fall together, zeros in front
    some[1::7, -1] *= 1e-9
    some[2::7, -1] *= 1e-15
    low, high = extremes(some)
    t = np.linspace(0, 1, 1001)
    powers = t[:, None] ** np.arange(degree + 1)
    values = np.einsum("tp,kpj->tkj", powers, some)
    size = np.abs(some).max(axis=1)
    bend = np.abs(some * (np.arange(degree + 1) * (np.arange(degree + 1) - 1))[None, :, None]).sum(axis=1)
    between = bend * 0.001**2 / 8 + 1e-12 * size  # how far beyond its samples a polynomial can go
    for found, sampled in ((-low, -values.min(axis=0)), (high, values.max(axis=0))):
        assert (found >= sampled - 1e-12 * size).all()
        assert (found <= sampled + between).all()
    np.testing.assert_array_equal(largest(some), np.maximum(np.abs(low), np.abs(high)))


@pytest.mark.parametrize(
    "roots", [(0.5, 0.5, 0.5), (0.5, 0.5, 2.0), (1e-9, 0.5, 0.5 + 1e-9), (0.0, 0.0, 1.0), (0.3, 0.3, 0.3)]
)
def test_slopes_with_roots_that_fall_together(roots: tuple[float, ...]) -> None:
    own = polynomial.polyint(polynomial.polyfromroots(roots))
    low, high = extremes(own[None, :, None])
    t = np.linspace(0, 1, 20001)
    values = polynomial.polyval(t, own)
    np.testing.assert_allclose((low[0, 0], high[0, 0]), (values.min(), values.max()), atol=1e-10)
    assert low[0, 0] <= values.min() + 1e-15
    assert high[0, 0] >= values.max() - 1e-15
