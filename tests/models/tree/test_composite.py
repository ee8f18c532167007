"""Composite links: the sum of all they carry, about their origin, whatever turns are still to be made."""

from __future__ import annotations

import numpy as np
import pytest
from models.tree.float_trees import SOURCES, FloatTree, float_tree, symmetric_matrix

from robosym.models.tree.composite import composites
from robosym.models.tree.deferred import at_once
from robosym.program import Scope


def summed(case: FloatTree, j: int) -> tuple[np.ndarray, np.ndarray, float]:
    """Pseudo-inertia, first moments and mass of body j with all it carries, in its frame about its origin."""
    sigma, first, mass = np.zeros((3, 3)), np.zeros(3), 0.0
    for body in case.carried(j):
        R, p = case.R(j).T @ case.R(body.j), case.R(j).T @ (case.p(body.j) - case.p(j))
        own, S, M = symmetric_matrix(body.inertia.sigma), R @ body.inertia.moment, body.inertia.mass
        sigma += R @ own @ R.T + np.outer(S, p) + np.outer(p, S) + M * np.outer(p, p)
        first, mass = first + S + M * p, mass + M
    return sigma, first, mass


@pytest.mark.parametrize("add_angles", [True, False])
@pytest.mark.parametrize("source", SOURCES)
def test_a_composite_is_the_sum_of_what_it_carries(source: int | str, add_angles: bool) -> None:
    case = float_tree(source)
    found = composites(case.tree, Scope(), add_angles)
    a = np.array([0.4, -1.0, 0.7])
    for j, composite in found.items():
        sigma, first, mass = summed(case, j)
        scale = max(1.0, np.abs(sigma).max())
        np.testing.assert_allclose(symmetric_matrix(composite.at(0).sigma), sigma, atol=1e-12 * scale)
        np.testing.assert_allclose(composite.moment.vector, first, atol=1e-12 * scale)
        np.testing.assert_allclose(composite.times(at_once(tuple(a))).vector, sigma @ a, atol=1e-12 * scale)
        assert composite.mass == pytest.approx(mass)
        assert composite.axial == pytest.approx(sigma[0, 0] + sigma[1, 1], abs=1e-12 * scale)


def test_parallel_axes_leave_turns_to_be_made() -> None:
    """Else the first way would be the second."""
    case = float_tree("planar-3r")
    together, one_by_one = (composites(case.tree, Scope(), add_angles)[1] for add_angles in (True, False))
    assert len(together.sigmas) == 3
    assert len(one_by_one.sigmas) == 1
