"""Redundant arms by numbers: the pose is made, the posture is approached, and what cannot be is said."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from models.inverse_geometry.solver.solvers import direct_of

import robosym
from robosym.errors import RobosymError
from robosym.models import inverse_geometric_redundant, jacobian
from robosym.models.inverse_geometry.solver.redundant import RedundantArm


@cache
def solver() -> RedundantArm:
    return inverse_geometric_redundant(robosym.load("panda"))


def forward(q: np.ndarray) -> np.ndarray:
    return np.asarray(direct_of("panda")(q=q))


def test_random_poses_from_near_and_far_seeds() -> None:
    solve, rng = solver(), np.random.default_rng(1)
    for _ in range(20):
        q = rng.uniform(-2, 2, 7)
        T = forward(q=q)
        for seed in (q + rng.uniform(-0.2, 0.2, 7), None):
            found = solve(T, seed=seed)
            assert found.status == "reachable"
            np.testing.assert_allclose(forward(q=found.solutions[0]), T, atol=1e-9)


def test_no_motion_in_the_null_space_comes_nearer_to_the_posture() -> None:
    solve, rng = solver(), np.random.default_rng(2)
    J = jacobian(robosym.load("panda"), axes=0).compile()
    for _ in range(5):
        q = rng.uniform(-1, 1, 7)
        T, posture = forward(q=q), q + rng.uniform(-0.3, 0.3, 7)
        found = solve(T, seed=q, posture=posture).solutions[0]
        np.testing.assert_allclose(forward(q=found), T, atol=1e-9)
        null = np.linalg.svd(J(q=found))[2][6]
        assert abs(null @ (posture - found)) < 1e-6
        assert np.linalg.norm(posture - found) <= np.linalg.norm(posture - q) + 1e-9


def test_out_of_reach_and_wrong_seeds() -> None:
    T = forward(q=np.zeros(7))
    T[:3, 3] = [3.0, 0, 0]
    found = solver()(T)
    assert found.status == "out of reach"
    assert found.distance > 1
    with pytest.raises(RobosymError, match="seed: got shape"):
        solver()(T, seed=[0, 0])
