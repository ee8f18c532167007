"""Through points: passed, limits kept, times kept or refused."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest
from sweeps import many
from trajectory.motions import KA, KV, ZERO, D, joins, kept, meets

from robosym.errors import RobosymError
from robosym.trajectory import TrajectoryError, point_to_point, through

POINTS = np.array(
    [ZERO, (0.5, -0.4, 0.6, 0.3, -0.2, 0.4), (1, -0.2, 1.1, 0.9, 0.5, -0.3), (0.7, 0.3, 0.8, 1.4, 0.1, 0.2), D]
)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize(("degree", "orders"), [(3, 2), (5, 4)])
def test_splines_pass_all_points_within_limits(degree: int, orders: int) -> None:
    rng = np.random.default_rng(1)
    for _ in range(many(15)):
        n, count = int(rng.integers(1, 4)), int(rng.integers(2, 8))
        points = rng.normal(size=(count, n))
        kv, ka, kj = np.exp(rng.normal(size=(3, n)) / 2)
        jerk = kj if degree == 5 else None
        move = through(points, velocity=kv, acceleration=ka, jerk=jerk, degree=degree)
        np.testing.assert_allclose(move(move.times)[0], points, rtol=0, atol=1e-9)
        rest = [np.zeros(n)] * (1 if degree == 3 else 2)
        meets(move, [points[0], *rest], [points[-1], *rest], 1e-8)
        joins(move, orders, 1e-6)
        kept(move, kv, ka, jerk, slack=1e-9)
        reached = max((np.abs(move.ranges(o)).max(axis=0) / k).max() for o, k in ((1, kv), (2, ka)) if k is not None)
        if jerk is None:
            assert reached == pytest.approx(1, abs=1e-9)
        again = through(points, move.times, velocity=kv, acceleration=ka, jerk=jerk, degree=degree)
        np.testing.assert_array_equal(again.times, move.times)
        with pytest.raises(TrajectoryError, match=r"comes to .* times its limit of"):
            through(points, move.times * 0.8, velocity=kv, acceleration=ka, jerk=jerk, degree=degree)


def test_two_points_are_the_polynomials() -> None:
    assert through([ZERO, D], velocity=KV, acceleration=KA).duration == pytest.approx(1.549193338, abs=1e-9)
    assert through([ZERO, D], velocity=KV, acceleration=KA, degree=5).duration == pytest.approx(1.875, abs=1e-9)


def test_two_points_with_blends_are_the_trapeze() -> None:
    rng = np.random.default_rng(2)
    for _ in range(many(50)):
        q = rng.normal(size=(2, 3))
        kv, ka = np.exp(rng.normal(size=(2, 3)))
        ours = through(q, velocity=kv, acceleration=ka, method="blend")
        trapeze = point_to_point(*q, "trapeze", velocity=kv, acceleration=ka)
        assert ours.duration == pytest.approx(trapeze.duration, rel=1e-12)
        t = np.linspace(0, ours.duration, 9)
        np.testing.assert_allclose(ours(t)[0], trapeze(t)[0], rtol=0, atol=1e-10)


def test_blends_pass_by_the_points_within_limits() -> None:
    rng = np.random.default_rng(3)
    for _ in range(many(30)):
        n, count = int(rng.integers(1, 4)), int(rng.integers(2, 8))
        points = rng.normal(size=(count, n))
        kv, ka = np.exp(rng.normal(size=(2, n)) / 2)
        move = through(points, velocity=kv, acceleration=ka, method="blend")
        meets(move, [points[0], np.zeros(n)], [points[-1], np.zeros(n)])
        kept(move, kv, ka)
        joins(move, 1)
        given = through(points, np.arange(count) * 2 * move.duration, velocity=kv, acceleration=ka, method="blend")
        assert given.duration == pytest.approx((count - 1) * 2 * move.duration, rel=1e-12)
        meets(given, [points[0], np.zeros(n)], [points[-1], np.zeros(n)])
        kept(given, kv, ka)


def test_how_far_a_blend_passes_by() -> None:
    """|change of velocity| tau / 8 at the time of the point."""
    move = through([[0.0], [1.0], [0.0]], [0.0, 2.0, 4.0], velocity=1, acceleration=2, method="blend")
    v = 1 / (2 - move.times[1] / 2)  # along the first line
    assert np.abs(move.ranges(1)).max() == pytest.approx(v, rel=1e-12)
    assert move(2.0)[0][0] == pytest.approx(1 - 2 * v * v / 8, rel=1e-12)  # tau = 2 v / 2


def test_waiting_at_a_point() -> None:
    move = through([[0.0], [1.0], [1.0], [0.0]], [0, 2, 3, 5], velocity=2, acceleration=4, method="blend")
    assert move(2.5)[0][0] == pytest.approx(1, abs=1e-12)
    assert move(2.5)[1][0] == 0


def test_the_motion_of_the_reference() -> None:
    for method, degree in (("spline", 3), ("spline", 5), ("blend", 3)):
        move = through(POINTS, velocity=KV, acceleration=KA, method=method, degree=degree)
        kept(move, KV, KA)
        assert 2.3 < move.duration < 3.9  # no faster than the fastest way along a path through these points may be


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"method": "straight"}, "method: got 'straight', expected 'spline' or 'blend'"),
    ({"degree": 4}, "degree: got 4, expected 3 or 5"),
    ({"points": [[0, 0]]}, "points: expected two positions or more"),
    ({"points": 3}, "points: expected two positions or more"),
    ({"points": "abc"}, "points: expected two positions or more"),
    ({"points": [[0, 0], [1]]}, "points: they have 2, 1 joints, expected the same of each"),
    ({"points": [[0, 0], [1, math.inf]]}, "points, 2: holds numbers that are not finite"),
    ({"points": [[0, 0], [0, 0], [1, 1]]}, "points: 1 and 2 are the same; give times to wait there"),
    ({"times": [0, 1]}, "times: expected 3, one for each point"),
    ({"times": [1, 2, 3]}, "times: expected them from 0 on"),
    ({"times": [0, 2, 2]}, "times: expected them from 0 on, each after the one before"),
    ({"velocity": None}, "a spline through points needs a limit of velocity"),
    (
        {"times": [0, 0.1, 9], "method": "blend"},
        "times: 0.1 s between points 1 and 2 are too short for q1: at least 1 s",
    ),
    ({"times": [0, 1.2, 9], "method": "blend", "velocity": 0.1}, "comes to"),
    (
        {"times": [0, 1, 2, 3.4], "points": [[0], [1], [-1], [0]], "method": "blend", "velocity": 9},
        "no time for the blends",
    ),
    (
        {"acceleration": None, "times": [0, 5, 10], "method": "blend"},
        "a blend through points needs a limit of acceleration",
    ),
]


@pytest.mark.parametrize(("changes", "message"), REFUSED)
def test_refused(changes: dict[str, Any], message: str) -> None:
    given = {"points": [[0, 0], [1, -0.5], [2, 1]], "velocity": 1.0, "acceleration": 2.0, **changes}
    with pytest.raises(RobosymError, match=re.escape(message)):
        through(given.pop("points"), given.pop("times", None), **given)
