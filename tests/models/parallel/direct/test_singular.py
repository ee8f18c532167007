"""Singular poses, against projections by hand and motions that are known."""

from __future__ import annotations

import numpy as np
import pytest
from models.mechanism.poses_in_equations import at_a_pose, state

from robosym.models.parallel.direct import singular

N = 5


@pytest.mark.parametrize("scale", [1.0, 1e-3])
def test_the_smallest_singular_value_of_the_pose(scale: float) -> None:
    """Passive joints may take rows away; a platform that is small all over is not a singular one."""
    rng = np.random.default_rng(3)
    J = rng.normal(size=(N, 9, 8))
    balanced = J.copy()
    for part in (slice(0, 3), slice(3, 6)):
        balanced[:, :, part] /= np.sqrt((J[:, :, part] ** 2).sum(axis=(1, 2)) / 3)[:, None, None]
    J[:, :, 3:6] *= scale
    expected = []
    for one in balanced:
        Q, _ = np.linalg.qr(one[:, 6:])
        expected.append(np.linalg.svd(one[:, :6] - Q @ (Q.T @ one[:, :6]), compute_uv=False)[-1])
    found = singular.smallest(lambda x: (x, J), np.zeros((N, 14)))
    np.testing.assert_allclose(found, expected, rtol=1e-9)
    J[:, :, 5] = J[:, :, 6]  # the passive joint does what the platform would do
    assert singular.flags(singular.smallest(lambda x: (x, J), np.zeros((N, 14)))).all()
    np.testing.assert_array_equal(singular.flags(np.array([1e-6, 1e-4])), [True, False])


def _circle(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """R is the identity, z is zero and (x, y) is on a circle: a motion."""
    rest, J = at_a_pose(np.eye(3), np.zeros(3), np.ones(12))(x)
    rest[:, 9] = (x[:, 9] ** 2 + x[:, 10] ** 2 - 1) / 2
    J[:, 9, :2] = x[:, 9:11]
    rest[:, 10], J[:, 10] = 0.0, 0.0
    return rest, J


def _double(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same with y = 0 to the second order at (1, 0): an isolated singular pose."""
    rest, J = _circle(x)
    rest[:, 10] = x[:, 10] ** 2 / 2
    J[:, 10, 1] = x[:, 10]
    return rest, J


def test_a_motion_is_told_from_an_isolated_singular_pose() -> None:
    x = state(np.eye(3)[None], np.array([[1.0, 0, 0]]), np.zeros((1, 0)))[0]
    assert singular.flags(singular.smallest(_circle, x[None])).all()
    assert singular.moves_on(_circle, x)
    assert singular.flags(singular.smallest(_double, x[None])).all()
    assert not singular.moves_on(_double, x)
