"""Columns of the filtered model on floats: momenta, and what Lagrange's equation has besides."""

from __future__ import annotations

import numpy as np
import pytest
from models.derivatives.manifold import moved, slopes
from models.reference import numbers
from models.regressors.regressor_columns import sample
from sweeps import many

from robosym.models.regressors.filtered import filtered_columns, gravities
from robosym.program import Scope


@pytest.mark.parametrize("free", [False, True])
@pytest.mark.parametrize("seed", range(many(4)))
def test_momenta_and_their_rates(seed: int, free: bool) -> None:
    """D1 K = A qd, and tau = d(D1 K)/dt + D2 K with the speeds held."""
    case = sample(seed, free)
    q, qd = case.state["q"], case.state["qd"]
    first, second = filtered_columns(case.tree, case.own, Scope())
    assert set(first) == set(second) == set(case.own.names.values())
    momentum = case.twin.crba(q) @ qd
    np.testing.assert_allclose(case.on_coordinates(case.tree, first), momentum, atol=1e-10 * np.abs(momentum).max())

    def along(t: np.ndarray) -> np.ndarray:
        return np.asarray(case.twin.crba(moved(q, t[0] * qd)) @ qd)

    rate = slopes(along, 1, 1e-4)[:, 0]
    expected = case.twin.rnea(q, qd, 0 * qd) - rate
    found = case.on_coordinates(case.tree, second)
    np.testing.assert_allclose(found, expected, atol=1e-6 * max(1, np.abs(rate).max()))


@pytest.mark.parametrize("free", [False, True])
def test_both_ways_over_parallel_axes(free: bool) -> None:
    case = sample(2, free)
    for one, other in zip(
        filtered_columns(case.tree, case.own, Scope(), True),
        filtered_columns(case.tree, case.own, Scope(), False),
        strict=True,
    ):
        for name, on_axes in one.items():
            assert other[name] == pytest.approx(dict(on_axes), abs=1e-11)


def test_gravity_in_the_axes_of_every_link() -> None:
    from models.reference import frame_poses

    case = sample(3, False)
    g = np.array(numbers(case.robot, case.robot.gravity))
    poses = frame_poses(case.robot, case.state["q"])
    for j, found in gravities(case.tree, Scope()).items():
        np.testing.assert_allclose(found, poses[j][:3, :3].T @ g, atol=1e-12)
