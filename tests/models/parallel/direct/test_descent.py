"""Rotations, steps and the damped iteration of poses, against SciPy and tasks whose solutions are known."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.spatial.transform import Rotation

from robosym.models.parallel.direct import descent
from robosym.models.parallel.direct.descent import ABOUT

N = 5


def state(R: np.ndarray, p: np.ndarray, passive: np.ndarray) -> np.ndarray:
    return np.concatenate([R.reshape(len(R), 9), p, passive], axis=1)


def random_states(rng: np.random.Generator, passive: int = 2) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    R, p, q = Rotation.random(N, rng).as_matrix(), rng.normal(size=(N, 3)), rng.normal(size=(N, passive))
    return state(R, p, q), R, p, q


def at_a_pose(R: np.ndarray, p: np.ndarray, weights: np.ndarray) -> descent.Equations:
    """Equations that only one pose fulfils: the rows of R and p, weighted."""

    def equations(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        own = x[:, :9].reshape(-1, 3, 3)
        rest = np.concatenate([(own - R).reshape(-1, 9), x[:, 9:12] - p], axis=1)
        J = np.zeros((len(x), 12, 6))
        for k in range(3):  # of the column k of R, by rows i: w x r_k
            J[:, k:9:3, 3:] = -descent.skew(own[:, :, k])
        J[:, 9:, :3] = np.eye(3)
        return rest * weights, J * weights[:, None]

    return equations


def test_rotations_are_those_of_scipy() -> None:
    rng = np.random.default_rng(0)
    w = rng.normal(size=(N, 3)) * [[1e-9], [0.1], [1], [3], [6]]
    np.testing.assert_allclose(descent.rotation(w), Rotation.from_rotvec(w).as_matrix(), atol=1e-14)
    np.testing.assert_array_equal(descent.rotation(np.zeros((1, 3)))[0], np.eye(3))
    x = rng.normal(size=(N, 4))
    expected = Rotation.from_quat(x[:, [1, 2, 3, 0]]).as_matrix()
    np.testing.assert_allclose(descent.quaternion_rotation(x), expected, atol=1e-14)
    v, other = rng.normal(size=(2, N, 3))
    np.testing.assert_allclose((descent.skew(v) @ other[:, :, None])[:, :, 0], np.cross(v, other), atol=1e-15)


def test_a_step_moves_turns_and_adds() -> None:
    rng = np.random.default_rng(1)
    x, R, p, q = random_states(rng)
    step = rng.normal(size=(N, 8))
    y = descent.moved(x, step)
    turned = np.array([expm(descent.skew(w[None])[0]) @ one for w, one in zip(step[:, 3:6], R, strict=True)])
    np.testing.assert_allclose(y, state(turned, p + step[:, :3], q + step[:, 6:]), atol=1e-13)
    assert np.abs(x[:, 9:12] - p).max() == 0  # the states before are as they were


def test_the_iteration_finds_a_pose_and_keeps_it_if_it_has_to() -> None:
    rng = np.random.default_rng(2)
    R, p = Rotation.random(rng=rng).as_matrix(), rng.normal(size=3)
    equations = at_a_pose(R, p, rng.uniform(0.3, 1, 12))
    x = descent.starts(rng, 20, p, 1.0, np.zeros(0))
    x[:, :9] = (descent.rotation(rng.uniform(-1, 1, (20, 3))) @ R).reshape(20, 9)
    ends = descent.descended(equations, x)
    assert descent.left_open(equations, ends).max() < 1e-12
    np.testing.assert_allclose(descent.pose_matrices(ends)[:, :3, :3], np.tile(R, (20, 1, 1)), atol=1e-11)
    np.testing.assert_array_equal(descent.descended(equations, x, first=6), x)
    one = descent.descended(equations, x, steps=1)
    assert np.abs(one[:, 9:12] - x[:, 9:12]).max() <= descent.LONGEST
    assert 0 < descent.left_open(equations, one).max() < descent.left_open(equations, x).max()


def test_what_is_left_open_is_the_largest_rest() -> None:
    rest = np.array([[0.1, -0.7, 0.2], [0.0, 0.0, 0.3]])
    np.testing.assert_array_equal(descent.left_open(lambda x: (rest, rest), np.zeros((2, 12))), [0.7, 0.3])
    assert descent.left_open(lambda x: (rest, rest), np.zeros((0, 12))).shape == (0,)


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
    found = descent.smallest(lambda x: (x, J), np.zeros((N, 14)))
    np.testing.assert_allclose(found, expected, rtol=1e-9)
    J[:, :, 5] = J[:, :, 6]  # the passive joint does what the platform would do
    assert descent.flags(descent.smallest(lambda x: (x, J), np.zeros((N, 14)))).all()
    np.testing.assert_array_equal(descent.flags(np.array([1e-6, 1e-4])), [True, False])


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
    assert descent.flags(descent.smallest(_circle, x[None])).all()
    assert descent.moves_on(_circle, x)
    assert descent.flags(descent.smallest(_double, x[None])).all()
    assert not descent.moves_on(_double, x)


def test_starts_and_matrices() -> None:
    passive, centre = np.array([np.pi, 0.5]), np.array([5.0, -3.0, 2.0])
    x = descent.starts(np.random.default_rng(4), 400, centre, 0.25, passive)
    R = x[:, :9].reshape(-1, 3, 3)
    np.testing.assert_allclose(R @ np.swapaxes(R, 1, 2), np.tile(np.eye(3), (400, 1, 1)), atol=1e-13)
    assert np.abs(R.mean(axis=0)).max() < 0.12  # any rotation
    for part, middle, half in ((x[:, 9:12], centre, 0.25), (x[:, ABOUT:], 0.0, passive)):
        assert (np.abs(part - middle) <= half).all()
        assert (np.ptp(part, axis=0) > 1.9 * half).all()
    noisy = x + 1e-9 * np.random.default_rng(5).normal(size=x.shape)
    T = descent.pose_matrices(noisy, 2.0)
    np.testing.assert_allclose(T[:, :3, :3], R, atol=1e-8)
    np.testing.assert_allclose(
        T[:, :3, :3] @ np.swapaxes(T[:, :3, :3], 1, 2), np.tile(np.eye(3), (400, 1, 1)), atol=1e-14
    )
    np.testing.assert_allclose(T[:, :3, 3], 2 * noisy[:, 9:12])
    np.testing.assert_array_equal(T[:, 3], np.tile([0, 0, 0, 1], (400, 1)))
