"""Random walks on circles: closed everywhere, in one mode, away from singular positions."""

from __future__ import annotations

import numpy as np

from robosym.models.mechanism.walks import STEP, walks


def circle(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """x^2 + y^2 = 1, given twice."""
    e = (x**2).sum(axis=1, keepdims=True) / 2 - 0.5
    return np.repeat(e, 2, axis=1), np.repeat(x[:, None], 2, axis=1)


def test_walks_stay_closed_and_go_on() -> None:
    start = np.array([0.6, 0.8])
    visited, went = walks(circle, start, 5, 30, np.random.default_rng(0))
    assert visited.shape == (30, 5, 2)
    assert went.all()
    assert np.abs(np.linalg.norm(visited, axis=2) - 1).max() < 1e-12
    apart = np.diff(np.concatenate([np.tile(start, (1, 5, 1)), visited]), axis=0)
    assert 0.5 * STEP < np.linalg.norm(apart, axis=2).max() < 2 * STEP
    again = walks(circle, start, 5, 30, np.random.default_rng(0))[0]
    np.testing.assert_array_equal(again, visited)


def test_walks_do_not_pass_a_singular_position() -> None:
    """With x given, y is not determined at y = 0: walks on the upper half stay there."""
    visited, went = walks(circle, np.array([0.0, 1.0]), 40, 80, np.random.default_rng(1), [1])
    assert visited[..., 1].min() > 0.1
    assert visited[..., 1].min() < 0.3
    assert not went.all()
    held = ~went[1:, :, None]
    np.testing.assert_array_equal(np.where(held, visited[1:], 0), np.where(held, visited[:-1], 0))


def test_walks_do_not_leap_over_a_singular_position() -> None:
    """At the tip of a long ellipse a step leads from one half to the other, on which motions are along the same line."""

    def ellipse(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        sizes = np.array([1.0, 0.05**2])
        return (x**2 / sizes).sum(axis=1, keepdims=True) / 2 - 0.5, (x / sizes)[:, None]

    visited, went = walks(ellipse, np.array([0.0, 0.05]), 40, 80, np.random.default_rng(1), [1])
    assert visited[..., 1].min() > 0
    assert np.ptp(visited[..., 0]) > 1.5
    assert went.mean() > 0.5


def test_isolated_positions_are_not_left() -> None:
    """Where what can move is not determined there is no way on."""

    def cross(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return x[:, :1] * x[:, 1:], x[:, None, ::-1]

    visited, _ = walks(cross, np.array([0.3, 0.0]), 20, 60, np.random.default_rng(2))
    assert np.abs(visited[..., 1]).max() < 1e-12
    assert visited[..., 0].min() > 0
