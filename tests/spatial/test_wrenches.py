"""A wrench carried to another frame does the same work on any twist."""

from __future__ import annotations

import numpy as np
import pytest
from spatial.rotation_matrices import matrix, random_rotation

from robosym.models.tree.chains import Wrench
from robosym.models.tree.deferred import at_once
from robosym.spatial.wrenches import added, shifted, turned_back


@pytest.mark.parametrize("seed", range(5))
def test_the_power_is_the_same_in_both_frames(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rotation = random_rotation(seed)
    R = matrix(rotation)
    f, m, v, w, P = rng.normal(size=(5, 3))  # the twist v, w is that of the antecedent, at its origin
    force, moment = shifted(turned_back(rotation, (tuple(f), tuple(m))), tuple(P))
    assert np.dot(force, v) + np.dot(moment, w) == pytest.approx(f @ R.T @ (v + np.cross(w, P)) + m @ R.T @ w)


def test_waiting_turns_shift_alike() -> None:
    f, m, P = np.random.default_rng(3).normal(size=(3, 3))
    _, expected = shifted((tuple(f), tuple(m)), tuple(P))
    found = Wrench(at_once(tuple(f)), at_once(tuple(m))).shifted(tuple(P))
    np.testing.assert_allclose(found.moment.vector, expected)
    np.testing.assert_allclose(found.force.vector, f)


def test_sums() -> None:
    assert added(((1, 2, 3), (4, 5, 6)), ((1, 1, 1), (2, 2, 2))) == ((2, 3, 4), (6, 7, 8))
