"""What is compiled for every place of a path, beside the path itself and the interpreted models."""

from __future__ import annotations

import numpy as np
import pytest

from robosym.trajectory import Path
from robosym.trajectory.path_programs import derivatives, in_time, speed_squares


def some_path(random: np.random.Generator, n: int) -> Path:
    """Of degree 1, 2 or 3."""
    count = int(random.integers(2, 6))
    return Path.spline(np.cumsum(random.uniform(-0.7, 0.7, (count, n)), axis=0))


def places(path: Path, steps: int) -> dict[str, np.ndarray]:
    s = path.grid(steps)[:-1]
    curve, local = path.pieces(s, s)
    return {"curve": curve, "local": local}


@pytest.mark.parametrize("seed", range(4))
def test_derivatives(seed: int) -> None:
    path = some_path(np.random.default_rng(seed), 3)
    degree = path.curve.coefficients.shape[1] - 1
    found = derivatives(degree, 3)(**places(path, 20))
    for name, known in zip(("q", "q1", "q2"), path(path.grid(20)[:-1]), strict=True):
        np.testing.assert_allclose(found[name], known, atol=1e-12)


def test_constant_and_straight_pieces_have_derivatives_too() -> None:
    straight = derivatives(1, 2)(curve=np.array([[1.0, 2.0], [3.0, 4.0]]), local=0.5)
    assert {name: x.tolist() for name, x in straight.items()} == {"q": [2.5, 4], "q1": [3, 4], "q2": [0, 0]}
    constant = derivatives(0, 2)(curve=np.array([[1.0, 2.0]]), local=0.5)
    assert {name: x.tolist() for name, x in constant.items()} == {"q": [1, 2], "q1": [0, 0], "q2": [0, 0]}


def test_the_largest_speed_reaches_one_limit_of_velocity() -> None:
    path, velocity = some_path(np.random.default_rng(5), 3), np.array([1.0, 2.0, 0.5])
    s = path.grid(20)
    step = np.diff(s)
    found = speed_squares(path.curve.coefficients.shape[1] - 1, 3)(**places(path, 20), step=step, velocity=velocity)
    for name, at in (("begin", s[:-1]), ("halfway", s[:-1] + step / 2), ("end", s[1:])):
        qd = path(at)[1] * np.sqrt(found[name])[:, None]
        np.testing.assert_allclose((np.abs(qd) / velocity).max(axis=1), 1, atol=1e-9)
    still = speed_squares(1, 2)(curve=np.array([[1.0, 2.0], [0.0, 0.0]]), local=0.0, step=1.0, velocity=np.ones(2))
    assert still["begin"] == np.inf


def test_a_path_in_time() -> None:
    path = some_path(np.random.default_rng(6), 3)
    s = path.grid(20)
    step, x = np.diff(s), np.append(0.0, np.random.default_rng(7).uniform(0.1, 2, len(s) - 1))
    found = in_time(path.curve.coefficients.shape[1] - 1, 3)(**places(path, 20), step=step, begin=x[:-1], end=x[1:])
    u = (x[1:] - x[:-1]) / (2 * step)
    for part in (0.0, 0.3, 0.999):
        t = part * found["duration"]
        at = s[:-1] + np.sqrt(x[:-1]) * t + u * t**2 / 2
        q = sum(found["coefficients"][:, k] * t[:, None] ** k for k in range(found["coefficients"].shape[1]))
        np.testing.assert_allclose(q, path(at)[0], atol=1e-12)
    np.testing.assert_allclose(np.sqrt(x[:-1]) + u * found["duration"], np.sqrt(x[1:]), atol=1e-12)
