"""A pose that was asked for, and what is found of it later."""

from __future__ import annotations

import math

import numpy as np
import pytest
from models.inverse_geometry.solver.solvers import solver_of

from robosym.models.inverse_geometry.solver.asked import Asked, of_one


def test_one_of_a_batch_has_its_own_joints_and_parameters() -> None:
    poses = np.arange(48.0).reshape(3, 4, 4)
    given = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    T, held, numbers = of_one(1, poses, given, {"L1": [7.0, 8.0, 9.0], "L2": 0.5})
    np.testing.assert_array_equal(T, poses[1])
    assert held is not None
    assert held.tolist() == [3.0, 4.0]
    assert numbers == {"L1": 8.0, "L2": 0.5}
    poses[1], given[1] = 0, 0
    assert T[0, 0] == 16  # copies: the caller may use its arrays again
    assert held.tolist() == [3.0, 4.0]
    shared = of_one(2, poses, np.array([1.0, 2.0]), None)
    assert shared[1] is not None
    assert shared[1].tolist() == [1.0, 2.0]
    assert shared[2] == {}
    assert of_one(0, poses, None, None)[1] is None


def place(x: float, y: float) -> np.ndarray:
    T = np.eye(4)
    T[:2, 3] = x, y
    return T


def test_how_far_two_links_stay_away() -> None:
    """With lengths of their own: 1.5 and 1 reach from 0.5 to 2.5."""
    solver, lengths = solver_of("planar-2r"), {"L1": 1.5, "L2": 1.0}
    for T, distance in ((place(3, 4), 2.5), (place(0.0, 0.2), 0.3)):
        assert Asked(solver, T, None, lengths).missed() == (pytest.approx(distance, abs=1e-6), 0)


def test_which_joints_are_free() -> None:
    """Equal links, folded: the first may have any value at the origin."""
    solver, equal = solver_of("planar-2r"), {"L1": 0.5, "L2": 0.5}
    folded = np.array([[0.3, math.pi]])
    assert Asked(solver, place(0, 0), None, equal).free(folded).tolist() == [[True, False]]
    q = np.array([[0.3, 0.9]])
    T = place(0.5 * math.cos(0.3) + 0.5 * math.cos(1.2), 0.5 * math.sin(0.3) + 0.5 * math.sin(1.2))
    assert Asked(solver, T, None, equal).free(q).tolist() == [[False, False]]
