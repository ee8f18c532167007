"""When a joint can be at its end and how it gets there: durations that are tried, and motions that end where they should."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sweeps import many

from robosym.trajectory.pieces import Pieces, together
from robosym.trajectory.reachable import Reachable, _joined, acceleration_limited, common, jerk_limited


def drawn(seed: int, jerky: bool) -> tuple[Reachable, list[float], list[float], list[float]]:
    """A problem, its states at both ends, and its limits."""
    rng = np.random.default_rng(seed)
    velocity, acceleration, jerk = rng.uniform(0.5, 2, 3) * [1, 2, 8]
    D, q0 = float(rng.uniform(-2, 2)), float(rng.normal())
    v = tuple(rng.uniform(-0.8, 0.8, 2) * velocity * (seed % 3 > 0))
    a = tuple(rng.uniform(-0.3, 0.3, 2) * acceleration * (seed % 3 > 1))
    if jerky:
        return (
            jerk_limited(D, q0, v, a, velocity, acceleration, jerk),
            [q0, v[0], a[0]],
            [q0 + D, v[1], a[1]],
            [velocity, acceleration, jerk],
        )
    return acceleration_limited(D, q0, v, velocity, acceleration), [q0, v[0]], [q0 + D, v[1]], [velocity, acceleration]


def derivative(one: Pieces, order: int, t: float) -> float:
    k = min(int(np.searchsorted(one.times, t, side="right")) - 1, len(one.coefficients) - 1)
    return float(
        np.polynomial.polynomial.polyval(t - one.times[k], np.polynomial.polynomial.polyder(one.coefficients[k], order))
    )


@pytest.mark.parametrize("jerky", [False, True])
@pytest.mark.parametrize("seed", range(many(8)))
def test_motions_of_every_duration(seed: int, jerky: bool) -> None:
    """From state to state within the limits, at the ends of the intervals and inside."""
    one, start, end, limits = drawn(seed, jerky)
    assert one.intervals[-1][1] == math.inf
    assert one.intervals[0][0] == pytest.approx(min(one.fastest) * one.second)
    tried = [t for a, b in one.intervals for t in (a, (a + min(b, a + 4)) / 2, min(b, a + 4))]
    for duration in tried:
        found = one.lasting(duration)
        assert found.duration == pytest.approx(duration, rel=1e-9)
        for order, (first, last) in enumerate(zip(start, end, strict=True)):
            assert derivative(found, order, 0.0) == pytest.approx(first, abs=1e-8)
            assert derivative(found, order, found.duration) == pytest.approx(last, abs=1e-7)
        move = together(("q",), [found], "q")
        for order, limit in enumerate(limits, 1):
            low, high = move.ranges(order)
            assert max(-low[0], high[0]) <= limit * (1 + 1e-6)


@pytest.mark.parametrize("jerky", [False, True])
def test_blocked_durations_lie_between_the_intervals(jerky: bool) -> None:
    """Of a joint that passes its end fast, and must come back: its distance is beyond the farthest of both kinds there."""
    blocked = 0
    for seed in range(40):
        one, *_ = drawn(3 * seed + 2, jerky)
        for (_, b), (c, _) in zip(one.intervals, one.intervals[1:], strict=False):
            t = (b + c) / 2 / one.second
            up, down = one.problem.farthest(t), one.problem.mirrored.farthest(t)
            if up is not None and down is not None:
                low, high = -one.problem.mirrored.travelled(down), one.problem.travelled(up)
                assert not low <= one.problem.distance <= high
            blocked += 1
    assert blocked


def test_units() -> None:
    """Times of a trapeze: over 3 rad with 1.5 rad/s and 3 rad/s^2 it is 0.5 + 1.5 + 0.5 s, with a jerk of 12 0.25 s more."""
    assert acceleration_limited(3.0, 1.0, (0, 0), 1.5, 3.0).intervals == [pytest.approx((2.5, math.inf))]
    assert jerk_limited(3.0, 1.0, (0, 0), (0, 0), 1.5, 3.0, 12.0).intervals == [pytest.approx((2.75, math.inf))]


def test_a_way_that_is_none_takes_no_time() -> None:
    one = acceleration_limited(0.0, 0.3, (0, 0), 1.0, 1.0)
    assert one.intervals == [(0.0, math.inf)]
    assert one.lasting(0.0).end == 0.3
    assert one.lasting(2.0).end == pytest.approx(0.3, abs=1e-12)


def test_times_of_all_joints() -> None:
    assert common([[(1, 2), (4, math.inf)], [(1.5, 5)], [(0, 1.75), (4.5, 4.5)]]) == [(1.5, 1.75), (4.5, 4.5)]
    assert common([[(1, 2)], [(3, 4)]]) == []
    assert common([]) == [(0.0, math.inf)]
    assert common([[(1, 2)], [(2, 3)]]) == [(2, 2)]


def test_intervals_that_touch_are_one() -> None:
    assert _joined([(3, 4), (1, 2), (2, 3)]) == [(1, 4)]
    assert _joined([(1, 5), (2, 3), (6, 7)]) == [(1, 5), (6, 7)]
