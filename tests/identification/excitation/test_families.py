"""Shapes of exciting motions: derivatives by differences, what is zero at the ends, and the motions they make."""

from __future__ import annotations

import numpy as np
import pytest

from robosym.identification.excitation.families import Family, FourierFamily, SplineFamily, _orthogonal_to

FAMILIES: list[Family] = [
    FourierFamily(False, 3, False),
    FourierFamily(True, 3, True),
    FourierFamily(False, 5, True),
    SplineFamily(False, 6),
    SplineFamily(True, 4),
]


@pytest.mark.parametrize("family", FAMILIES, ids=repr)
def test_shapes(family: Family) -> None:
    s, h = np.linspace(0.03, 0.97, 40), 1e-5
    assert family.shapes(s, 0).shape == (40, family.size)
    for order in (0, 1, 2):
        rate = (family.shapes(s + h, order) - family.shapes(s - h, order)) / (2 * h)
        np.testing.assert_allclose(rate, family.shapes(s, order + 1), rtol=1e-5, atol=1e-4 * 30**order)
    grid = np.linspace(0, 1, 4001)
    whole = family.shapes(grid, 0)
    if family.anchored:
        np.testing.assert_allclose(whole[0], 0, atol=1e-12)
    else:
        mean = (whole[1:] + whole[:-1]).mean(axis=0) / 2
        np.testing.assert_allclose(mean, 0, atol=1e-6)
    if not isinstance(family, FourierFamily) or family.rest:
        for order in (1, 2):
            np.testing.assert_allclose(family.shapes(np.array([0.0, 1.0]), order), 0, atol=1e-9)
    assert np.linalg.matrix_rank(whole, tol=1e-6) == family.size


@pytest.mark.parametrize("family", FAMILIES, ids=repr)
def test_motions_are_centres_and_shapes(family: Family) -> None:
    rng = np.random.default_rng(0)
    centre, coefficients, duration = rng.normal(size=2), family.draw(rng, 2), 2.5
    assert coefficients.shape == (2, family.size)
    motion = family.motion(("a", "b"), duration, centre, coefficients)
    s = np.linspace(0, 0.999, 23)
    q, qd, qdd = motion(s * duration)
    np.testing.assert_allclose(q, centre + family.shapes(s, 0) @ coefficients.T, atol=1e-9)
    np.testing.assert_allclose(qd, family.shapes(s, 1) @ coefficients.T / duration, atol=1e-8)
    np.testing.assert_allclose(qdd, family.shapes(s, 2) @ coefficients.T / duration**2, atol=1e-7)


def test_sizes_and_samples() -> None:
    assert [family.size for family in FAMILIES] == [6, 4, 8, 6, 4]
    assert [family.samples for family in FAMILIES] == [200] * 5
    assert FourierFamily(False, 9, False).samples == 360
    assert SplineFamily(False, 15).samples == 300
    basis = _orthogonal_to(np.array([1.0, 2, 3]))
    np.testing.assert_allclose(basis.T @ [1, 2, 3], 0, atol=1e-14)
    np.testing.assert_allclose(basis.T @ basis, np.eye(2), atol=1e-14)
