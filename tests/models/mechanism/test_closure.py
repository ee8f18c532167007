"""Pairs of ends that must coincide: residuals and slopes against differences, and states with a pose."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from robosym.models.mechanism.chain import Chain
from robosym.models.mechanism.closure import (
    Closure,
    Pair,
    on_platform,
    orthonormal_poses,
    pose_matrices,
    random_states,
    states_of,
)
from robosym.models.mechanism.newton import POSE, moved
from robosym.spatial.floats import poses_of_rows


def random_chain(rng: np.random.Generator, frames: int, joints: int) -> Chain:
    return Chain(
        poses_of_rows(rng.uniform(-1, 1, (frames, 6))),
        rng.uniform(-1, 1, (frames, 2, joints)),
        rng.uniform(-1, 1, (frames, 2)),
    )


@pytest.mark.parametrize("in_a_point", [True, False])
@pytest.mark.parametrize("platform", [True, False])
def test_slopes_are_derivatives_where_the_pair_is_closed(in_a_point: bool, platform: bool) -> None:
    """And everywhere those of the squared residual."""
    rng = np.random.default_rng(0)
    chain, other = random_chain(rng, 4, 3), random_chain(rng, 2, 3)
    x = rng.uniform(-1, 1, (2, 3))
    E = chain.end(x)[0]
    if platform:
        seat = poses_of_rows(rng.uniform(-1, 1, 6))
        pair, closed = Pair(chain, seat, in_a_point), states_of(E @ np.linalg.inv(seat), x)
        anywhere = random_states(rng, 4, 1.0, np.ones(3))
    else:  # an other chain whose last frame is where the first one ends
        last = np.linalg.inv(other.end(x[:1])[0][0]) @ E[0]
        other = Chain(
            np.array([*other.before, last]),
            np.pad(other.slope, ((0, 1), (0, 0), (0, 0))),
            np.pad(other.level, ((0, 1), (0, 0))),
        )
        pair, closed = Pair(chain, other, in_a_point), x[:1]
        anywhere = rng.uniform(-1, 1, (4, 3))
    both = Closure((pair, pair))
    assert both.residual(closed).max() < 1e-13
    h = 1e-6
    for states, exact in ((closed, True), (anywhere, False)):
        e, J = both.equations(states)
        assert e.shape[1] == (6 if in_a_point else 12)
        for k in range(J.shape[2]):
            step = np.zeros((len(states), J.shape[2]))
            step[:, k] = h
            after, before = (both.equations(moved(states, s * step))[0] for s in (1, -1))
            if exact:
                np.testing.assert_allclose((after - before) / (2 * h), J[:, :, k], atol=1e-8)
            squares = ((after**2).sum(1) - (before**2).sum(1)) / (4 * h)
            np.testing.assert_allclose(squares, np.einsum("bi,bi->b", e, J[:, :, k]), atol=1e-7)


def test_half_a_turn_is_not_closed() -> None:
    still = Chain(np.diag([1.0, -1, -1, 1])[None], np.zeros((1, 2, 1)), np.zeros((1, 2)))
    pair = Pair(still, Chain(np.zeros((0, 4, 4)), np.zeros((0, 2, 1)), np.zeros((0, 2))))
    assert Closure((pair,)).residual(np.zeros((1, 1)))[0] == pytest.approx(np.pi)
    assert Closure(()).residual(np.zeros((2, 3))).tolist() == [0, 0]
    assert Closure(()).equations(np.zeros((2, 3)))[1].shape == (2, 0, 3)


def test_closing() -> None:
    rng = np.random.default_rng(1)
    chain = random_chain(rng, 6, 6)
    x = rng.uniform(-1, 1, (3, 6))
    seat = np.eye(4)
    closure = Closure((Pair(chain, seat),))
    states = states_of(chain.end(x)[0], x + 0.01)
    found = closure.closed_from(states, range(6, 12))
    assert found.residual.max() < 1e-13
    np.testing.assert_array_equal(found.x[:, :POSE], states[:, :POSE])
    assert np.abs(found.x[:, POSE:] - x).max() < 1e-3


def test_states_with_a_pose() -> None:
    spans = np.array([np.pi, 0.5])
    x = random_states(np.random.default_rng(4), 400, 0.25, spans)
    R = x[:, :9].reshape(-1, 3, 3)
    np.testing.assert_allclose(R @ np.swapaxes(R, 1, 2), np.tile(np.eye(3), (400, 1, 1)), atol=1e-13)
    assert np.abs(R.mean(axis=0)).max() < 0.12  # any rotation
    for part, half in ((x[:, 9:POSE], 0.25), (x[:, POSE:], spans)):
        assert (np.abs(part) <= half).all()
        assert (np.ptp(part, axis=0) > 1.9 * half).all()
    noisy = x + 1e-9 * np.random.default_rng(5).normal(size=x.shape)
    T = orthonormal_poses(noisy)
    np.testing.assert_allclose(T[:, :3, :3], R, atol=1e-8)
    np.testing.assert_allclose(
        T[:, :3, :3] @ np.swapaxes(T[:, :3, :3], 1, 2), np.tile(np.eye(3), (400, 1, 1)), atol=1e-14
    )
    np.testing.assert_array_equal(T[:, :3, 3], noisy[:, 9:POSE])
    np.testing.assert_array_equal(T[:, 3], np.tile([0, 0, 0, 1], (400, 1)))
    np.testing.assert_array_equal(states_of(pose_matrices(x), x[:, POSE:]), x)
    assert orthonormal_poses(x[:0]).shape == (0, 4, 4)


def test_a_seat_moves_with_the_platform() -> None:
    rng = np.random.default_rng(6)
    x, seat = random_states(rng, 3, 1.0, np.zeros(0)), poses_of_rows(rng.uniform(-1, 1, 6))
    S, twist = on_platform(x, seat)
    np.testing.assert_allclose(S, pose_matrices(x) @ seat, atol=1e-15)
    u, h = rng.normal(size=(3, 6)), 1e-6
    ends = [on_platform(moved(x, s * h * u), seat)[0] for s in (1, -1)]
    rate = np.einsum("bij,bj->bi", twist, u)
    np.testing.assert_allclose((ends[0] - ends[1])[:, :3, 3] / (2 * h), rate[:, :3], atol=1e-8)
    turned = Rotation.from_matrix(ends[0][:, :3, :3] @ np.swapaxes(ends[1][:, :3, :3], 1, 2)).as_rotvec() / (2 * h)
    np.testing.assert_allclose(turned, rate[:, 3:], atol=1e-8)
